"""Recorded games as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from hanabi.game.ending import EndReason
from hanabi.game.recorded import Replay
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
`ended` is how a game ended that did, in the words of `EndReason` or, if not by the rules, of
`RecordedEnd`; `score` is what was scored, 0 in the latter case. Names are divided by tabulators.
"""


def record_row(name: str, record: GameRecord, replay: Replay) -> list[Cell]:
    """Return the row of a game that was replayed.

    >>> import json
    >>> from hanabi.game.replay import replay_of
    >>> from hanabi.notation import parse_input
    >>> hint = {"type": 3, "target": 1, "value": 1}
    >>> record = parse_input(json.dumps({"seed": "p2v0s5", "actions": [hint]}))
    >>> record_row("a", record, replay_of(record))[5:]
    ['3:1:1', 1, 0, '']
    """
    return [name, *_cells(record, replay)]


def _cells(record: GameRecord, replay: Replay) -> Iterator[Cell]:
    variant = record.variant_data
    yield record.players
    yield record.variant
    yield "\t".join(record.names)
    yield " ".join(variant.format_card(*card) for card in record.deck)
    yield " ".join(
        ":".join(str(part) for part in (each.type, each.target, each.value) if part is not None)
        for each in record.actions
    )
    yield len(replay.positions) - 1
    yield replay.score
    yield replay.end.name.lower() if replay.end is not EndReason.IN_PROGRESS else ""
