"""Where the lines of many answers go: standard output, or a file that a later run continues."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from hanabi.cli.input.items import Item
from hanabi.lab.lines import LineFile

__all__ = ["LineWriter"]

_ERROR = '{"error": "'


class LineWriter:
    """Standard output, or a file to which answers are appended.

    Items that are in the file are not answered again; every line in it must name its item. It holds
    answers of one command, each of which begins with `start`, and errors.
    """

    def __init__(self, path: str | None, command: str, start: str) -> None:
        what, starts = f"answer of hanabi {command}", (start, _ERROR)
        self._file = None if path is None else LineFile(path, _key, what, starts)
        self.is_keyed = self._file is not None
        self.n_errors = 0 if self._file is None else self._file.fields["error"]

    def take(self, item: Item) -> bool:
        """Return whether the file has a line for this item that no item before it has taken."""
        return self._file is not None and self._file.take(_key(item.key))

    def write(self, line: str) -> None:
        """Write one line so that it outlives this process."""
        if self._file is not None:
            self._file.write(line)
            return
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def _key(data: Mapping[str, object]) -> tuple[str, object] | None:
    for name in ("item", "line"):
        value = data.get(name)
        if isinstance(value, str | int):
            return name, value
    return None
