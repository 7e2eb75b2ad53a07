"""What many games came to."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from hanabi.errors import InvalidInputError
from hanabi.game import Rules
from hanabi.game.understanding import Understanding
from hanabi.players.variants import KNOWN_RULES, KNOWN_VARIANT

__all__ = ["UNDERSTOOD", "Scores", "Tally"]

UNDERSTOOD = Understanding("the count of points", KNOWN_RULES, KNOWN_VARIANT)
"""The rules by which an outcome is the points and whether the last error takes them."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Games by final score, from 0 to the most that the rules allow.

    >>> scores = Scores((1, 0, 6, 1))
    >>> scores.games, scores.mean, scores.perfect
    (8, 1.875, 1)
    """

    histogram: tuple[int, ...]

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(self.histogram)

    @property
    def perfect(self) -> int:
        """Number of games with the highest score."""
        return self.histogram[-1]

    @property
    def mean(self) -> float:
        """Average score; nan without games."""
        points = sum(score * n for score, n in enumerate(self.histogram))
        return points / self.games if self.games else math.nan

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, from the sample's variance; nan with fewer than two games."""
        games = self.games
        if games < 2:
            return math.nan
        total = sum(score * n for score, n in enumerate(self.histogram))
        squares = sum(score * score * n for score, n in enumerate(self.histogram))
        # In whole numbers until the end: nothing cancels.
        return math.sqrt((games * squares - total * total) / (games * games * (games - 1)))


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games ended with each number of points, the cards on the piles.

    Tallies of parts add up to that of the whole. Whether the last error costs all points is a
    matter of the rules, so games that ended with it are counted apart.

    Attributes
    ----------
    ended
        Games that were not bombed, by points.
    bombed
        Games that ended with the last error, by the points until then.

    >>> tally = Tally((0, 0, 2, 1), (0, 1, 0, 0)) + Tally((0, 0, 4, 0), (0, 0, 0, 0))
    >>> tally.games, tally.n_bombed, tally.kept.mean, tally.zeroed.mean
    (8, 1, 2.0, 1.875)
    """

    ended: tuple[int, ...]
    bombed: tuple[int, ...]

    @classmethod
    def of(cls, rules: Rules, outcomes: Iterable[int]) -> Tally:
        """Count outcomes, each `points << 1 | is_bombed`.

        Raises
        ------
        InvalidInputError
            If by these rules a score is not told by an outcome.

        >>> Tally.of(Rules.official(2), [50, 50, 3]).kept.mean
        17.0
        """
        UNDERSTOOD.check(rules)
        counts = ([0] * (rules.max_score + 1), [0] * (rules.max_score + 1))
        for outcome in outcomes:
            counts[outcome & 1][outcome >> 1] += 1
        return cls(tuple(counts[0]), tuple(counts[1]))

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(self.ended) + self.n_bombed

    @property
    def n_bombed(self) -> int:
        """Number of games that ended with the last error."""
        return sum(self.bombed)

    @property
    def kept(self) -> Scores:
        """The scores if a bombed game keeps its points."""
        return Scores(tuple(a + b for a, b in zip(self.ended, self.bombed, strict=True)))

    @property
    def zeroed(self) -> Scores:
        """The scores if a bombed game scores 0."""
        return Scores((self.ended[0] + self.n_bombed, *self.ended[1:]))

    def scored(self, rules: Rules) -> Scores:
        """Return the scores by these rules."""
        return self.zeroed if rules.bombed_scores_zero else self.kept

    def __add__(self, other: Tally) -> Tally:
        if len(self.ended) != len(other.ended):
            raise InvalidInputError(
                f"tallies up to {len(self.ended) - 1} and {len(other.ended) - 1} points"
                " cannot be added"
            )
        return Tally(
            tuple(a + b for a, b in zip(self.ended, other.ended, strict=True)),
            tuple(a + b for a, b in zip(self.bombed, other.bombed, strict=True)),
        )
