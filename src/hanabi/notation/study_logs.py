r"""Logs of games between people and bots, as in the data set HanabiData [Eger2017].

A log names a seed, the cards left after the deal, and a line `MOVE:` for each action; the prose
between them repeats what follows from these. The seed gives the whole deck: five colors in the
order green, yellow, white, blue, red, shuffled as Python 2 did. White is purple here, so that the
colors are those of the plain variant.

Their rules are the printed ones, but cards may be discarded with all hints there, and a game that
ends with the last error keeps its points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from hanabi.cards import Card
from hanabi.deck import STANDARD_COPIES, Deck
from hanabi.errors import InvalidInputError, quote
from hanabi.notation.hands import Hands
from hanabi.notation.record import GameRecord, RecordedAction, cards_per_player

__all__ = ["is_study_log", "parse_study_log"]

_PLAYERS = 2
_RULES = {"preset": "official", "discard_at_full_hints": True, "bombed_scores_zero": False}
_COLORS = (2, 1, 4, 3, 0)  # green, yellow, white, blue, red in the plain variant's order
_START = re.compile(r"\s*(?:Old GID: \S*\s+)?Treatment: \('(\w+)', (\d{1,18})\)\s*\n\s*\[\(")
_LEFT = re.compile(r"\((\d), (\d)\)")
_MOVE = re.compile(r"MOVE: ([01]) ([0-3])" + r" (None|-?\d{1,3})" * 4)
_SCORE = re.compile(r"Score (\d{1,3})")


def is_study_log(text: str) -> bool:
    r"""Return whether a text begins as such a log.

    >>> is_study_log("Treatment: ('outer', 1)\n[(1, 1)]"), is_study_log("r1 r2")
    (True, False)
    """
    return _START.match(text) is not None


def parse_study_log(text: str) -> GameRecord:
    """Read a log. O(length).

    The record's `extra` holds the `score` that the log ends with, None where it breaks off.

    Raises
    ------
    InvalidInputError
        If the cards left are not those of the seed, or a line `MOVE:` cannot be read or taken.
    """
    start = _START.match(text)
    if start is None:
        raise InvalidInputError(
            "it is no log: expected Treatment: ('AI', SEED) and a list of cards"
        )
    name, seed = start[1], int(start[2])
    deck = _deck(seed)
    size = cards_per_player(_PLAYERS)
    left = text[start.end() - 2 :].partition("\n")[0]
    given = [(int(color), int(rank)) for color, rank in _LEFT.findall(left)]
    if given != deck[_PLAYERS * size :]:
        raise InvalidInputError(f"the cards left, {quote(left)}, are not those of seed {seed}")
    score = _SCORE.search(text.rpartition("\n" + "MOVE:")[2])
    return GameRecord(
        players=_PLAYERS,
        deck=Deck(Card(_COLORS[color], rank) for color, rank in deck),
        actions=tuple(_actions(text, Hands(_PLAYERS, size, len(deck)))),
        names=(name, "You"),
        extra={"score": None if score is None else int(score[1])},
        rules=_RULES,
    )


def _deck(seed: int) -> list[tuple[int, int]]:
    """Return the color and rank of each card in draw order."""
    cards = [
        (color, rank)
        for color in range(5)
        for rank, copies in enumerate(STANDARD_COPIES, start=1)
        for _ in range(copies)
    ]
    random = Random(seed)  # noqa: S311 - the shuffle that the logs were made with
    for last in reversed(range(1, len(cards))):
        other = int(random.random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def _actions(text: str, hands: Hands) -> Iterator[RecordedAction]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("MOVE:"):
            continue
        move = _MOVE.fullmatch(line.rstrip())
        if move is None:
            raise InvalidInputError(f"line {number}: {quote(line)} is no move")
        seat, kind = int(move[1]), int(move[2])
        slot, target, color, rank = (
            None if each == "None" else int(each) for each in move.groups()[2:]
        )
        try:
            if kind > 1:
                yield RecordedAction(kind - 2, hands.take(seat, -1 if slot is None else slot))
                continue
            other = _within(target, 1 - seat, 1 - seat)
            if kind == 0:
                yield RecordedAction(2, other, _COLORS[_within(color, 0, 4)])
            else:
                yield RecordedAction(3, other, _within(rank, 1, 5))
        except InvalidInputError as error:
            raise InvalidInputError(f"line {number}: {quote(line)}: {error}") from None


def _within(value: int | None, low: int, high: int) -> int:
    if value is None or not low <= value <= high:
        raise InvalidInputError(f"{quote(value)} is not in {low} .. {high}")
    return value
