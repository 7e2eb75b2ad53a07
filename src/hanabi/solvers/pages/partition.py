"""Partition: the messages that the clues for a hand can carry.

A small table is answered in the address itself, and a click changes a mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from hanabi.ground import InvalidInputError, counted, quote
from hanabi.shell import (
    Asked,
    answer,
    ask_partition,
    known_hand,
    read_game,
    render,
    see_other,
    table_of,
)
from hanabi.shell import BoardPictures as Pictures
from hanabi.solvers.hints import Partition, PossibilityTable, find_partition
from hanabi.solvers.hints.picture import grid_of, reasons_in_words

__all__ = ["ROUTES"]

_MOST_TEXT = 1 << 17
_MOST_CELLS = 2_000
_SEATS = 6
_EXAMPLE = "r y g b p\n1 1 1 0 0\n0 1 1 0 0\n0 0 0 1 1\n1 0 0 0 1\n"
_LETTERS = ["r", "y", "g", "b", "p"]
_WORDS = ["red", "yellow", "green", "blue", "purple"]
_SAMPLE = "11100-01100-00011-10001"  # the same, as an address
_SMALL_ROWS, _SMALL_SECONDS = 5, 2.0


@dataclass(frozen=True, slots=True)
class Split:
    """A request to split the hints of a table of possibilities, with its fields as given."""

    table: PossibilityTable
    words: dict[str, str]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A small table with its best split; each mark leads to the table without it, or with it."""

    rows: tuple[tuple[tuple[bool, str], ...], ...]
    more: str
    less: str
    size: int
    parts: tuple[tuple[str, str], ...]
    picture: Markup


def _address(rows: list[str]) -> str:
    return "/partition?" + urlencode({"marks": "-".join(rows)})


def _lesson(marks: str) -> Lesson:
    rows = marks.split("-")
    is_table = 1 <= len(rows) <= _SMALL_ROWS and all(
        len(row) == len(_LETTERS) and {"1"} <= set(row) <= {"0", "1"} for row in rows
    )
    if not is_table:
        raise InvalidInputError(
            f"marks: {quote(marks)} is no table of 1 to {_SMALL_ROWS} rows such as 11100"
        )
    table = table_of("\n".join([" ".join(_LETTERS), *(" ".join(row) for row in rows)]) + "\n")
    found = find_partition(table, seconds=_SMALL_SECONDS)
    whys = reasons_in_words(table, found)

    def turned(n: int, place: int) -> str:
        row = rows[n]
        changed = f"{row[:place]}{'10'[int(row[place])]}{row[place + 1 :]}"
        # A card is something: its last mark stays.
        return _address([*rows[:n], changed, *rows[n + 1 :]]) if "1" in changed else ""

    return Lesson(
        rows=tuple(
            tuple((mark == "1", turned(n, place)) for place, mark in enumerate(row))
            for n, row in enumerate(rows)
        ),
        more=_address([*rows, "11111"]) if len(rows) < _SMALL_ROWS else "",
        less=_address(rows[:-1]) if len(rows) > 1 else "",
        size=found.size,
        parts=tuple(
            (", ".join(_WORDS[hint] for hint in part), why)
            for part, why in zip(found.parts, whys, strict=True)
        ),
        picture=Pictures().grid(grid_of(found, table), "Clues and the cards they touch"),
    )


def _partition(asked: Asked, problem: str = "") -> Response:
    try:
        lesson = _lesson(asked.text("marks", _SAMPLE))
    except InvalidInputError as error:
        problem, lesson = problem or str(error), _lesson(_SAMPLE)
    split, job = asked.room("partition", Split), asked.report("partition")
    found: Partition | None = job.results[0] if job is not None and job.results else None
    words = {"table": _EXAMPLE} | ({} if split is None else split.words) | asked.words
    values: dict[str, Any] = {
        "parts": (),
        "size": "",
        "grid": "",
        "is_maximum": True,
        "upper": 0,
    }
    if split is not None and found is not None:
        names = split.table.names
        values = {
            "parts": [
                (", ".join(names[hint] for hint in part), why)
                for part, why in zip(found.parts, reasons_in_words(split.table, found), strict=True)
            ],
            "size": counted(found.size, "part"),
            "grid": Pictures().grid(grid_of(found, split.table), "Hints and the cards they touch"),
            "is_maximum": found.is_maximum,
            "upper": found.upper,
        }
    return render(
        "partition.html",
        status=400 if problem else 200,
        problem=problem or (asked.lost if job is None else job.problem),
        lesson=lesson,
        colors=_WORDS,
        words=words,
        compiling=asked.desk.compiling("hints") if job is not None else (),
        is_open=job is not None and not job.is_over,
        news=str(values["size"]) or f"{counted(lesson.size, 'message')}.",
        **values,
    )


def _start(asked: Asked) -> Response:
    game = asked.text("game", most=_MOST_TEXT).strip()
    text = asked.text("table", most=_MOST_TEXT)
    if game:
        limits = asked.desk.settings
        given = read_game(game, most_cards=limits.most_cards, most_hand=limits.most_hand)
        position = given.after(asked.number("turn", 0, 10_000, 0))
        seat = asked.number("seat", 0, _SEATS, 0)
        if seat > position.rules.seats:
            raise InvalidInputError(f"seat: there are {position.rules.seats} players")
        table = known_hand(position, seat - 1 if seat else None).table("joint")
    else:
        table = table_of(text)
    if len(table.rows) * table.hints > _MOST_CELLS:
        raise InvalidInputError(
            f"{len(table.rows)} cards and {table.hints} hints: the page takes {_MOST_CELLS} marks"
        )
    seconds = asked.desk.settings.solve_seconds
    asked.work_out("partition", ask_partition, table, seconds, seconds=2 * seconds)
    kept = ("game", "turn", "seat", "table")
    asked.enter().rooms["partition"] = Split(
        table, {name: asked.words[name] for name in kept if name in asked.words}
    )
    return see_other("/partition")


ROUTES = (
    Route("/partition", answer(_partition, _partition)),
    Route("/partition/new", answer(_start, _partition), methods=["POST"]),
)
