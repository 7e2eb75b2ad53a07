"""How well players foretell what people do: first choice, first three, cross-entropy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log, sqrt
from typing import NamedTuple, TypeAlias

from hanabi.ground import Stream
from hanabi.rules import Action, Kind, View

__all__ = ["Asked", "Judged", "Measure", "Row", "clustered", "judge", "rows_of"]

_KINDS = {
    "plays": Kind.PLAY,
    "discards": Kind.DISCARD,
    "color hints": Kind.HINT_COLOR,
    "number hints": Kind.HINT_RANK,
}
_TURNS, _LAST = 15, 4  # turns of a row, the last of which is open; their number
_LEAST = 1e-6  # a chance below it counts as this one

Measure: TypeAlias = "tuple[float, float | None] | None"
"""A mean and its standard error, clustered by game; None over nothing, or the error of one game."""


class Asked(NamedTuple):
    """A player: what it says by `chances` counts, or else by `ranked`, or else its action."""

    player: object
    act: Callable[[View, Stream], Action]


class Judged(NamedTuple):
    """How a player foretold one decision.

    Attributes
    ----------
    seats, turn, kind
        The number of seats; the turn, from 0; the kind of what was done.
    first, three
        Whether that was its first choice, and among its first three. Of equally likely actions
        this is a chance, as if their order was drawn. `three` is None if it only has a first one.
    loss
        Minus the natural logarithm of the chance that it gave; None without chances.
    """

    seats: int
    turn: int
    kind: Kind
    first: float
    three: float | None
    loss: float | None


def judge(decisions: Sequence[tuple[View, Action]], players: Sequence[Asked]) -> list[list[Judged]]:
    """Return, by player, how it foretold each decision of a game.

    Raises
    ------
    InvalidInputError
        If a player does not play the rules.
    """
    return [
        [
            Judged(view.rules.seats, view.turn, action.kind, *_foretold(asked, view, action))
            for view, action in decisions
        ]
        for asked in players
    ]


def _foretold(asked: Asked, view: View, action: Action) -> tuple[float, float | None, float | None]:
    if chances := getattr(asked.player, "chances", None):
        found = chances(view)
        every = [found.get(each, 0.0) for each in view.legal_actions]
        own = found.get(action, 0.0)
        better, equal = sum(each > own for each in every), every.count(own)
        first, three = (min(max((most - better) / equal, 0.0), 1.0) for most in (1, 3))
        return first, three, -log(max(own, _LEAST))
    if ranked := getattr(asked.player, "ranked", None):
        place = ranked(view).index(action)
        return float(place < 1), float(place < 3), None
    return float(asked.act(view, Stream(view.turn)) == action), None, None


class Row(NamedTuple):
    """What a player foretold of all decisions, or of those of some seats, kind or turns."""

    name: str
    decisions: int
    first: Measure
    three: Measure
    loss: Measure


def rows_of(games: Sequence[Sequence[Judged]]) -> Iterator[Row]:
    """Yield how a player foretold the decisions of games: all, by seats, by kind, by turn."""
    every = [(at, each) for at, game in enumerate(games) for each in game]
    yield _row("all", every)
    tables = sorted({each.seats for _, each in every})
    for seats in tables if len(tables) > 1 else ():
        yield _row(f"{seats} seats", [(at, each) for at, each in every if each.seats == seats])
    for name, kind in _KINDS.items():
        yield _row(name, [(at, each) for at, each in every if each.kind is kind])
    for part in range(_LAST):
        first = part * _TURNS + 1
        name = f"turns {first} to {first + _TURNS - 1}" if part < _LAST - 1 else f"turns {first} on"
        some = [(at, each) for at, each in every if min(each.turn // _TURNS, _LAST - 1) == part]
        yield _row(name, some)


def _row(name: str, judged: Sequence[tuple[int, Judged]]) -> Row:
    games = [at for at, _ in judged]
    return Row(
        name,
        len(judged),
        clustered(games, [each.first for _, each in judged]),
        clustered(games, [each.three for _, each in judged]),
        clustered(games, [each.loss for _, each in judged]),
    )


def clustered(games: Iterable[int], values: Iterable[float | None]) -> Measure:
    """Return the mean of values with the numbers of their games; None if a value is None.

    >>> clustered([0, 0, 1, 1], [1.0, 1.0, 0.0, 0.0]), clustered([0], [1.0]), clustered([], [])
    ((0.5, 0.5), (1.0, None), None)
    """
    sums, counts = defaultdict[int, float](float), Counter[int]()
    for game, value in zip(games, values, strict=True):
        if value is None:
            return None
        sums[game] += value
        counts[game] += 1
    n, total = len(counts), counts.total()
    if not n:
        return None
    mean = sum(sums.values()) / total
    squares = sum((sums[game] - mean * number) ** 2 for game, number in counts.items())
    return mean, sqrt(squares * n / (n - 1)) / total if n > 1 else None
