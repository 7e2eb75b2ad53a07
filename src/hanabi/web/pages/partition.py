"""Partition: the messages that the clues for a hand can carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from hanabi.errors import InvalidInputError, counted
from hanabi.hints import Partition, PossibilityTable
from hanabi.hints.picture import grid_of, reasons_in_words
from hanabi.session.hands import known_hand, table_of
from hanabi.web.boards import Pictures
from hanabi.web.desk import Asked, answer, render, see_other
from hanabi.web.moves import read_game
from hanabi.web.questions import ask_partition

__all__ = ["ROUTES"]

_MOST_TEXT = 1 << 17
_MOST_CELLS = 2_000
_SEATS = 6
_EXAMPLE = "r y g b p\n1 1 1 0 0\n0 1 1 0 0\n0 0 0 1 1\n1 0 0 0 1\n"


@dataclass(frozen=True, slots=True)
class Split:
    """A request to split the hints of a table of possibilities, with its fields as given."""

    table: PossibilityTable
    words: dict[str, str]


def _partition(asked: Asked, problem: str = "") -> Response:
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
        problem=problem or (asked.lost if job is None else job.problem),
        words=words,
        is_open=job is not None and not job.is_over,
        news=str(values["size"]),
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
