"""Recorded games as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from hanabi.game import Game
from hanabi.notation import GameRecord
from hanabi.report.tables import Cell

__all__ = ["RECORDS", "record_row"]

RECORDS: Mapping[str, str] = MappingProxyType(
    {
        "id": "string",
        "players": "int64",
        "variant": "string",
        "names": "string",
        "deck": "string",
        "actions": "string",
        "moves": "int64",
        "score": "int64",
        "ended": "string",
    }
)
"""The columns and their types.

`deck` has the cards in draw order, `b5 y1 ...`; `actions` are those of hanab.live, `type:target` or
`type:target:value` each, where the target of a play or discard is the card's number in the deck.
`ended` is how a game ended that did, in the words of `EndReason`; `score` is what was scored by
replaying it. Names are divided by tabulators.
"""


def record_row(name: str, record: GameRecord, end: Game) -> list[Cell]:
    """Return the row of a game that was replayed to a position.

    >>> import json
    >>> from hanabi.game.replay import replay
    >>> from hanabi.notation import parse_input
    >>> hint = {"type": 3, "target": 1, "value": 1}
    >>> record = parse_input(json.dumps({"seed": "p2v0s5", "actions": [hint]}))
    >>> record_row("a", record, replay(record)[-1])[5:]
    ['3:1:1', 1, 0, '']
    """
    return [name, *_cells(record, end)]


def _cells(record: GameRecord, end: Game) -> Iterator[Cell]:
    variant = record.variant_data
    yield record.players
    yield record.variant
    yield "\t".join(record.names)
    yield " ".join(variant.format_card(*card) for card in record.deck)
    yield " ".join(
        ":".join(str(part) for part in (each.type, each.target, each.value) if part is not None)
        for each in record.actions
    )
    yield len(end.actions)
    yield end.score
    yield end.end_reason.name.lower() if end.is_over else ""
