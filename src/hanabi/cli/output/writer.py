"""Where the lines of many answers go: standard output, or a file that a later run continues."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from hanabi._version import __version__
from hanabi.cli.input.items import Item
from hanabi.cli.output.files import STDOUT, replaced, write_table
from hanabi.cli.output.forms import Form, form_of
from hanabi.lab.lines import LineFile
from hanabi.report.answers import table_of_documents

__all__ = ["LineWriter", "outputs_of_lines"]

_ERROR = '{"error": "'
_HASH = "hash"

_Key: TypeAlias = Hashable


def outputs_of_lines(output: str | None) -> dict[str, str | None]:
    """Return the files that are written for an output, as `check_outputs` takes them.

    >>> outputs_of_lines("answers.csv")
    {'--output': 'answers.csv', '--output (lines)': 'answers.csv.jsonl'}
    """
    path = _lines_file(output)
    return {"--output": output} | ({} if path in (None, output) else {"--output (lines)": path})


def _lines_file(output: str | None) -> str | None:
    """Return the file that keeps the lines of an output: itself, or one beside a table."""
    if output is None or output == STDOUT:
        return None
    return output if _form(output) is Form.LINES else f"{output}{Form.LINES.value[0]}"


def _form(output: str) -> Form:
    forms = Form.LINES, Form.CSV, Form.PARQUET
    return form_of("--output", output, *forms, default=Form.LINES)


class LineWriter:
    """Standard output, or a file to which answers are appended.

    Items that are in the file are not answered again; every line in it must name its item. It holds
    answers of one command, each of which begins with `start`, and errors. An error holds for the
    same content, question and version of this program. Else the item is tried again, and its new
    line replaces the old one when all is done.

    A file that ends in .csv or .parquet is a table, made at the end from the lines in a file beside
    it, which is the one that a later run continues.
    """

    def __init__(self, path: str | None, command: str, start: str, *, asked: object = "") -> None:
        self.path = _lines_file(path)
        """The file of lines, if there is one."""
        self.asked = f"{__version__} {command} {asked!r}"
        """What an error depends on beside the content."""
        self.n_errors = 0
        """How many errors of earlier runs still hold."""
        self._table = path if path not in (STDOUT, self.path) else None
        self._file: LineFile | None = None
        self._held: Counter[_Key] = Counter()
        self._written: set[_Key] = set()
        self._size = 0
        if self.path is not None:
            what, starts = f"answer of hanabi {command}", (start, _ERROR)
            self._file = LineFile(self.path, _key, what, starts)
            self._size = Path(self.path).stat().st_size

    def take(self, item: Item) -> bool:
        """Return whether the file has a line for this item that no item before it has taken."""
        if self._file is None:
            return False
        key = _key(item.key)
        if self._file.fields["error"] and (digest := item.digest(self.asked)) is not None:
            error = key, digest
            if self._file.take(error):
                self._held[error] += 1
                self.n_errors += 1
                return True
        return self._file.take(key)

    def write(self, line: str, item: Item) -> None:
        """Write the line of an item so that it outlives this process."""
        if self._file is not None:
            self._file.write(line)
            self._written.add(_key(item.key))
            return
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def finish(self) -> None:
        """Drop the errors that were tried again, and make the table; the file must be closed."""
        if self._file is None or self.path is None or not Path(self.path).is_file():
            return
        folder = Path(self.path).resolve().parent
        if self._file.fields["error"] and self._written and os.access(folder, os.W_OK):
            self._drop_errors(self.path)
        if self._table is not None:
            columns, rows = table_of_documents(self._documents)
            write_table(self._table, _form(self._table), columns, rows)

    def _drop_errors(self, path: str) -> None:
        """Rewrite the file without errors of earlier runs whose items have a new line."""
        held, place = self._held.copy(), 0
        with replaced(path) as beside, Path(path).open("rb") as old, beside.open("wb") as new:
            for line in old:
                key = _key(json.loads(line)) if place < self._size else None
                place += len(line)
                if isinstance(key, tuple) and key[0] in self._written and not held[key]:
                    continue
                if key is not None:
                    held[key] -= 1
                new.write(line)

    def _documents(self) -> Iterator[dict[str, Any]]:
        with Path(self.path or "").open("rb") as lines:
            for line in lines:
                document = json.loads(line)
                document.pop(_HASH, None)
                yield document


def _key(data: Mapping[str, object]) -> _Key | None:
    """Return what tells a line from others: its item; of an error also the hash of the content."""
    for name in ("item", "line"):
        value = data.get(name)
        if isinstance(value, str | int):
            key = f"{name} {value!r}"
            return (key, str(data.get(_HASH))) if "error" in data else key
    return None
