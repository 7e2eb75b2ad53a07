"""A file of JSON lines, one an item, that a later run continues: results for others to read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from hanabi.errors import InvalidInputError, quote

__all__ = ["LineFile"]


class LineFile:
    """A file to which finished lines are appended, one write each.

    A run that is killed leaves whole lines, and at most one torn line at the end, which the next
    run drops. Numbered items are kept in a `hanabi.lab.store.Store` instead.

    Parameters
    ----------
    path
        The file; made if there is none.
    key
        Returns what tells a line, read as an object, from the others; None if it is no such line.
    what
        What to call a line.

    Raises
    ------
    InvalidInputError
        If the file cannot be written, or holds something else.

    Attributes
    ----------
    fields
        How many of the lines of earlier runs have a field of each name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for _ in range(2):
    ...         file = LineFile(f"{folder}/a.jsonl", lambda line: line.get("id"), "answer")
    ...         print(file.take(7))
    ...         file.write('{"id": 7}')
    ...         file.close()
    False
    True
    """

    def __init__(
        self, path: str, key: Callable[[dict[str, Any]], Hashable | None], what: str
    ) -> None:
        self.fields: Counter[str] = Counter()
        self._done: Counter[Hashable] = Counter()
        try:
            self._stream: BinaryIO = Path(path).open("a+b", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise InvalidInputError(f"cannot write {quote(path)}: {reason}") from None
        try:
            self._read(path, key, what)
        except BaseException:
            self._stream.close()
            raise

    def _read(self, path: str, key: Callable[[dict[str, Any]], Hashable | None], what: str) -> None:
        self._stream.seek(0)
        whole = 0
        for number, line in enumerate(self._stream.read().splitlines(keepends=True), start=1):
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            data: object = None
            with suppress(ValueError, RecursionError):
                data = json.loads(line)
            name = key(data) if isinstance(data, dict) else None
            if not isinstance(data, dict) or name is None:
                raise InvalidInputError(
                    f"{path}: line {number} is no {what}; only files of such lines are continued"
                )
            self._done[name] += 1
            self.fields.update(data.keys())
        self._stream.truncate(whole)

    def take(self, name: Hashable) -> bool:
        """Return whether there is a line of this name that was not taken before."""
        if not self._done[name]:
            return False
        self._done[name] -= 1
        return True

    def write(self, line: str) -> None:
        """Append one line so that it outlives this process."""
        self._stream.write(line.encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
