"""Where the lines of many answers go: standard output, or a file that a later run continues."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from hanabi.cli.items import Item
from hanabi.lab.lines import LineFile

__all__ = ["FileSink", "Sink"]

_STARTS = ('{"status": "', '{"error": "')


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
    """A file to which answers are appended; items that are in it are not answered again."""

    is_keyed = True

    def __init__(self, path: str) -> None:
        self._file = LineFile(path, _key, "answer of hanabi solve", _STARTS)
        self.n_errors = self._file.fields["error"]

    def take(self, item: Item) -> bool:
        """Return whether the file has a line for this item that no item before it has taken."""
        return self._file.take(_key(item.key))

    def write(self, line: str) -> None:
        """Append one line."""
        self._file.write(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _key(data: Mapping[str, object]) -> tuple[str, object] | None:
    for name in ("item", "line"):
        value = data.get(name)
        if isinstance(value, str | int):
            return name, value
    return None
