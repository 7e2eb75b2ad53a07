"""Answers to many inputs as lines: on standard output, or in a file that a later run continues."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from hanabi._version import __version__
from hanabi.ground import counted
from hanabi.lab import LineFile, table_of_documents
from hanabi.shell.command.files import STDOUT, Form, form_of, is_json, replaced, write_table
from hanabi.shell.command.items import ANSWERS, ERROR, Item

__all__ = ["REVISIONS", "Budget", "LineWriter", "Marks", "outputs_of_lines"]

REVISIONS = MappingProxyType({"solve": 2, "review": 5, "partition": 1, "difficulty": 1})
"""Numbers to raise when the answers of a command change: kept ones are then made again."""

_HASH, _BUDGET, _EXTRAS = _MARKS = "hash", "budget", "with"

_Key: TypeAlias = Hashable
_Place: TypeAlias = tuple[str | None, int | None]
Budget: TypeAlias = Mapping[str, float | None]
"""The limits that a question is answered with, by name; None is no limit.

A limit that is missing was not given, so that a solver chose it.
"""


def outputs_of_lines(output: str | None) -> dict[str, str | None]:
    """Return the files that are written for an output, as `check_outputs` takes them.

    >>> outputs_of_lines("answers.csv")
    {'--output': 'answers.csv', '--output (lines)': 'answers.csv.jsonl'}
    """
    if output is not None and is_json(output):
        return {"--output": output}  # of a single input
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


@dataclass(frozen=True, slots=True)
class Marks:
    """What a line in a file says beside the answer, so that a later run knows if it holds.

    Parameters
    ----------
    command
        The command.
    asked
        The options that change answers; those that are None or false count as not given.
    budget
        The limits of time and memory.
    is_open
        Returns whether a larger budget may change an answer.
    extras
        What answers have beside the rest if asked for; an answer that has more holds, too.
    """

    command: str
    asked: Mapping[str, object]
    budget: Budget
    is_open: Callable[[Mapping[str, Any]], bool]
    extras: tuple[str, ...] = ()

    def digest(self, item: Item) -> str | None:
        """Return a hash of an item's content, the question and the revision of the answers."""
        content = item.content()
        if content is None:
            return None
        given = (
            (name, value)
            for name, value in sorted(self.asked.items())
            if value is not None and value is not False  # 0 is given, too
        )
        question = f"{self.command} {REVISIONS[self.command]} {[*given]!r}"
        key = blake2b(question.encode("utf-8", "backslashreplace")).digest()
        return blake2b(content, digest_size=_DIGEST, key=key).hexdigest()

    def of_error(self, digest: str) -> str:
        """Return the hash of an error, which a later version may not make, nor another extra."""
        key = blake2b(f"{__version__} {self.extras}".encode()).digest()
        return blake2b(digest.encode(), digest_size=_DIGEST, key=key).hexdigest()

    def of(self, data: Mapping[str, Any], digest: str | None) -> dict[str, object]:
        """Return the entries to add to the answer of an item with this hash."""
        if "error" in data:
            return {} if digest is None else {_HASH: self.of_error(digest)}
        marks: dict[str, object] = {} if digest is None else {_HASH: digest}
        marks |= {_EXTRAS: [*self.extras]} if self.extras else {}
        return marks | ({_BUDGET: dict(self.budget)} if self.is_open(data) else {})


_DIGEST = 16


def _has_grown(old: object, new: Budget) -> bool:
    """Return whether a budget may suffice where the one in a line did not.

    >>> _has_grown({"seconds": 1}, {"seconds": None}), _has_grown({"seconds": 2}, {"seconds": 2})
    (True, False)
    """
    if not isinstance(old, dict) or old.keys() != new.keys():
        return True
    return any(_amount(new[name]) > _amount(old[name]) for name in new)


def _amount(limit: object) -> float:
    return limit if isinstance(limit, int | float) else inf


class LineWriter:
    """Standard output, or a file to which answers are appended.

    A file keeps the answers of one command; every line names its item. An item is not answered
    again if the file has its answer: a line with its name, and with the hash of its content, the
    question and the revision of the answers. Items without names are found by the hash alone, so
    their numbers may change. An undecided answer holds for its budget and smaller ones, an error
    for this version of the program. In place of anything else the item is answered again, and in
    the end its new line replaces the old one. Lines of earlier versions, which have no hash, are
    kept.

    A file that ends in .csv or .parquet is a table, made at the end from the lines in a file beside
    it, which is the one that a later run continues.
    """

    def __init__(self, path: str | None, marks: Marks) -> None:
        self.path = _lines_file(path)
        """The file of lines, if there is one."""
        self.marks = marks
        self.n_errors = 0
        """How many errors of earlier runs still hold."""
        self._table = path if path not in (STDOUT, self.path) else None
        self._file: LineFile | None = None
        self._places: list[_Place] = []  # of the lines of earlier runs
        self._kinds: list[str] = []
        self._taken: dict[int, _Place] = {}  # lines that hold, with the places of their items
        self._asked: set[_Place] = set()
        if self.path is not None:
            what, starts = f"answer of hanabi {marks.command}", (ANSWERS[marks.command], ERROR)
            self._file = LineFile(self.path, self._read, what, starts)

    def _read(self, data: Mapping[str, Any]) -> _Key | None:
        """Note a line of an earlier run, and return what it is found by."""
        place = _place(data)
        if place == (None, None):
            return None
        kind, extras = _ANSWER, data.get(_EXTRAS)
        digest = str(data[_HASH]) if _HASH in data else None
        if "error" in data:
            kind = _ERROR
        elif digest is None:
            kind = _UNCHECKED
        elif not {*self.marks.extras} <= {*(map(str, extras) if isinstance(extras, list) else ())}:
            kind = _OTHER
        elif _BUDGET in data and _has_grown(data[_BUDGET], self.marks.budget):
            kind = _OPEN
        self._places.append(place)
        self._kinds.append(kind)
        return _key(kind, place, digest)

    def take(self, item: Item) -> bool:
        """Return whether the file has a line for this item that no earlier item has used."""
        if self._file is None:
            return False
        place = _place(item.key)
        self._asked.add(place)
        if not self._file.size:
            return False
        digest = self.marks.digest(item)
        keys = [_key(_UNCHECKED, place, None)]
        if digest is not None:
            keys = [
                _key(_ANSWER, place, digest),
                _key(_ERROR, place, self.marks.of_error(digest)),
                *keys,
            ]
        for key in keys:
            if (found := self._file.take(key)) is not None:
                self._taken[found] = place
                self.n_errors += self._kinds[found] == _ERROR
                return True
        return False

    def write(self, line: str) -> None:
        """Write the line of an item, so that it survives this process."""
        if self._file is not None:
            self._file.write(line)
            return
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def finish(self) -> list[str]:
        """Drop the lines that were replaced, and make the table; the file must be closed.

        Returns what there is to say about lines of earlier runs.
        """
        if self._file is None or self.path is None or not Path(self.path).is_file():
            return []
        dropped = {
            number: self._kinds[number]
            for number, place in enumerate(self._places)
            if number not in self._taken and place in self._asked
        }
        moved = {
            number: place[1]
            for number, place in self._taken.items()
            if place != self._places[number]
        }
        if (dropped or moved) and os.access(Path(self.path).resolve().parent, os.W_OK):
            self._rewrite(self.path, dropped, moved)
        if self._table is not None:
            columns, rows = table_of_documents(self.documents)
            write_table(self._table, _form(self._table), columns, rows)
        return [*self._notes(Counter(dropped.values()))]

    def _notes(self, dropped: Mapping[str, int]) -> Iterator[str]:
        again = []
        if others := sum(dropped.get(kind, 0) for kind in (_ANSWER, _OTHER, _UNCHECKED)):
            again.append(f"{counted(others, 'answer')} to other content or another question")
        if opened := dropped.get(_OPEN, 0):
            again.append(f"{counted(opened, 'undecided answer')} of a smaller budget")
        if again:
            yield f"{self.path}: made again: {', '.join(again)}"
        if unchecked := sum(self._kinds[number] == _UNCHECKED for number in self._taken):
            answers = counted(unchecked, "answer")
            yield (
                f"{self.path}: {answers} of an earlier version kept, which may be to other content"
                " (without a hash); to make them again, name another file"
            )

    def _rewrite(self, path: str, dropped: Container[int], moved: Mapping[int, int | None]) -> None:
        """Rewrite the file without some lines, and with other numbers of some."""
        with replaced(path) as beside, Path(path).open("rb") as old, beside.open("wb") as new:
            for number, line in enumerate(old):
                if number in dropped:
                    continue
                if number in moved:
                    data = json.loads(line) | {"line": moved[number]}
                    new.write(json.dumps(data).encode() + b"\n")
                else:
                    new.write(line)

    def documents(self) -> Iterator[dict[str, Any]]:
        """Yield what the lines of the file say, from this run and earlier ones."""
        with Path(self.path or "").open("rb") as lines:
            for line in lines:
                document = json.loads(line)
                for mark in _MARKS:
                    document.pop(mark, None)
                yield document


# The kinds of lines of earlier runs: those to answer again are open, or lack an extra.
_ANSWER, _ERROR, _OPEN, _OTHER, _UNCHECKED = "answer", "error", "open", "other", "unchecked"


def _place(data: Mapping[str, object]) -> _Place:
    """Return the name and the number of an item, each None if it has none."""
    name, line = data.get("item"), data.get("line")
    return (
        repr(name) if isinstance(name, str | int) else None,
        line if isinstance(line, int) else None,
    )


def _key(kind: str, place: _Place, digest: str | None) -> _Key:
    """Return what a line is found by; a line with a hash is found under every number."""
    return (kind, *place) if digest is None else (kind, place[0], digest)
