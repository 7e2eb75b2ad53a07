"""The late positions of a game: the chance of all points of each move, had nobody seen the deck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hanabi.clock import Clock
from hanabi.draws import Chances, Range, open_chances
from hanabi.errors import SolverError
from hanabi.game import Action, Game
from hanabi.game.telling import told

__all__ = ["FEW_CARDS", "ChanceRow", "Late", "chance_rows", "late_chances", "share", "worst"]

FEW_CARDS = 5
"""Cards still to be drawn with which chances take a moment, mostly far below a second."""


@dataclass(frozen=True, slots=True)
class Late:
    """A position with few cards to draw, and the action that was taken there.

    Attributes
    ----------
    at
        After how many moves.
    chances
        Of each action; expected scores are only bounded.
    played
        What was done, or None: nothing yet.
    """

    at: int
    chances: Chances
    played: Action | None

    @property
    def cost(self) -> Fraction:
        """The chance of all points that what was done is known to have given away."""
        return Fraction(0) if self.played is None else self.chances.cost(self.played)


def late_chances(positions: Sequence[Game], clock: Clock, *, first: int = 0) -> Iterator[Late]:
    """Yield the positions with at most five cards to draw in which somebody can still act.

    Positions are numbered from `first`. Once the time is over, chances are only bounded; rules that
    are out of reach have none.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1)
    >>> start = Game.start(rules, [(0, 1), (0, 2)])
    >>> [str(each.chances.perfect) for each in late_chances([start], Clock())]
    ['1']
    """
    for at, game in enumerate(positions):
        if game.deck_left > FEW_CARDS or not game.can_act:
            continue
        played = positions[at + 1].actions[-1] if at + 1 < len(positions) else None
        try:
            yield Late(first + at, open_chances(game, seconds=clock.left, points=False), played)
        except SolverError:
            return


def worst(late: Sequence[Late]) -> Late | None:
    """Return the first position where the most chance was given away; None if none was."""
    costly = [each for each in late if each.cost]
    return max(costly, key=lambda each: each.cost, default=None)


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """An action of a late position in words, or several hints that are worth the same.

    Attributes
    ----------
    words
        What is done.
    chance
        The chance of all points in per cent, or between which it lies.
    is_best, is_played
        Whether no other action has a better one; whether it is what was done.
    """

    words: str
    chance: str
    is_best: bool
    is_played: bool


def chance_rows(
    game: Game, names: Sequence[str], chances: Chances, played: Action | None
) -> list[ChanceRow]:
    """Return the actions of a position, the best first; hints that are worth the same are one.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1)
    >>> game = Game.start(rules, [(0, 1), (0, 2)])
    >>> [(row.words, row.chance) for row in chance_rows(game, ["Ann"], open_chances(game), None)]
    [('plays r1', '100 %')]
    """
    rows = []
    for alike in chances.ranked(merge_hints=True, points=False):
        actions, chance = [each.action for each in alike], alike[0].perfect
        words = told(names, game, game.filled().apply(actions[0]))
        rows.append(
            ChanceRow(
                words=words if len(actions) == 1 else f"any of {len(actions)} hints",
                chance=_percent(chance),
                is_best=chance.low == chances.perfect.low,
                is_played=played in actions,
            )
        )
    return rows


def share(chance: Fraction) -> str:
    """Return a chance in per cent.

    >>> share(Fraction(1, 3))
    '33.3 %'
    """
    return f"{float(100 * chance):.3g} %"


def _percent(chance: Range) -> str:
    if chance.is_exact:
        return share(chance.low)
    return f"{share(chance.low)} to {share(chance.high)}"
