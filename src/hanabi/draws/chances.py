"""Chances as exact fractions, or bounds on them where a budget ended."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hanabi.game import Action

__all__ = ["ActionChances", "Chances", "Range"]


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """A number between two fractions, both included; exact if they are equal.

    >>> Range(Fraction(1, 3), Fraction(1, 3)).is_exact, str(Range(Fraction(0), Fraction(1, 2)))
    (True, '0 to 1/2')
    """

    low: Fraction
    high: Fraction

    @property
    def is_exact(self) -> bool:
        """Whether the number is known."""
        return self.low == self.high

    def __str__(self) -> str:
        return str(self.low) if self.is_exact else f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class ActionChances:
    """What an action is worth.

    Attributes
    ----------
    action
        A legal action.
    perfect
        The chance that all points are scored.
    points
        The expected score. It is that of the play with the highest expectation, which need not be
        the one with the best chance of all points.
    """

    action: Action
    perfect: Range
    points: Range


@dataclass(frozen=True, slots=True)
class Chances:
    """What each legal action of a position is worth.

    Attributes
    ----------
    actions
        One for each legal action, in the order of `Game.legal_actions`.
    cases
        How many equally likely cases there are: orders of the deck, copies told apart, or deals.
    seconds
        Wall-clock time.
    """

    actions: tuple[ActionChances, ...]
    cases: int
    seconds: float

    @property
    def perfect(self) -> Range:
        """The chance of all points after the best action."""
        return _best([each.perfect for each in self.actions])

    @property
    def points(self) -> Range:
        """The expected score after the best action."""
        return _best([each.points for each in self.actions])

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are known."""
        return all(each.perfect.is_exact and each.points.is_exact for each in self.actions)

    def of(self, action: Action) -> ActionChances:
        """Return what one action is worth.

        Raises
        ------
        KeyError
            If it is not legal.
        """
        for each in self.actions:
            if each.action == action:
                return each
        raise KeyError(str(action))

    def cost(self, action: Action) -> Fraction:
        """Return the chance of all points that an action is known to give away, at least.

        Raises
        ------
        KeyError
            If it is not legal.
        """
        return max(Fraction(0), self.perfect.low - self.of(action).perfect.high)


def _best(ranges: list[Range]) -> Range:
    return Range(max(each.low for each in ranges), max(each.high for each in ranges))
