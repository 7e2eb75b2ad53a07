"""Where the lines of many answers go: standard output, or a file that a later run continues."""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from hanabi.cli.items import Item
from hanabi.errors import InvalidInputError, quote

__all__ = ["FileSink", "Sink"]


class Sink:
    """Standard output."""

    is_keyed = False
    """Whether every line must name its item, even one without a name."""

    n_errors = 0
    """Lines of earlier runs that hold an error."""

    def take(self, item: Item) -> bool:  # noqa: ARG002
        """Return whether this item is finished already; call it once for each, in order."""
        return False

    def write(self, line: str) -> None:
        """Write one line so that it outlives this process."""
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Close what was opened."""


class FileSink(Sink):
    """A file to which finished lines are appended, one write each.

    A run that is killed leaves whole lines, and at most one torn line at the end, which the next
    run drops. Items that are in the file are not answered again.

    Raises
    ------
    InvalidInputError
        If the file cannot be written, or holds something else.
    """

    is_keyed = True

    def __init__(self, path: str) -> None:
        self._done: Counter[tuple[str, object]] = Counter()
        try:
            self._stream: BinaryIO = Path(path).open("a+b", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise InvalidInputError(f"cannot write {quote(path)}: {reason}") from None
        try:
            self._read(path)
        except BaseException:
            self._stream.close()
            raise

    def _read(self, path: str) -> None:
        self._stream.seek(0)
        whole = 0
        for number, line in enumerate(self._stream.read().splitlines(keepends=True), start=1):
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            data: object = None
            with suppress(ValueError, RecursionError):
                data = json.loads(line)
            key = _key(data) if isinstance(data, dict) else None
            if not isinstance(data, dict) or key is None:
                raise InvalidInputError(
                    f"{path}: line {number} is no answer of hanabi solve; -o continues its own"
                    " files only"
                )
            self._done[key] += 1
            self.n_errors += "error" in data
        self._stream.truncate(whole)

    def take(self, item: Item) -> bool:
        """Return whether the file has a line for this item that no item before it has taken."""
        key = _key(item.key)
        if key is None or not self._done[key]:
            return False
        self._done[key] -= 1
        return True

    def write(self, line: str) -> None:
        """Append one line."""
        self._stream.write(line.encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _key(data: dict[str, object] | dict[str, str | int]) -> tuple[str, object] | None:
    for name in ("item", "line"):
        value = data.get(name)
        if isinstance(value, str | int):
            return name, value
    return None
