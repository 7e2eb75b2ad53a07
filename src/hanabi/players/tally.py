"""What many games came to."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hanabi.errors import InvalidInputError

__all__ = ["Tally"]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many games ended with each score. Tallies of parts add up to that of the whole.

    Attributes
    ----------
    histogram
        Games by final score, from 0 to the most that the rules allow.
    bombed
        Games that ended with the last error; whether they kept their points is for the rules.

    >>> tally = Tally((1, 0, 2, 1), bombed=1) + Tally((0, 0, 4, 0), bombed=0)
    >>> tally.games, tally.mean, tally.perfect
    (8, 1.875, 1)
    """

    histogram: tuple[int, ...]
    bombed: int

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

    def __add__(self, other: Tally) -> Tally:
        if len(self.histogram) != len(other.histogram):
            raise InvalidInputError(
                f"tallies up to {len(self.histogram) - 1} and {len(other.histogram) - 1} points"
                " cannot be added"
            )
        both = zip(self.histogram, other.histogram, strict=True)
        return Tally(tuple(a + b for a, b in both), self.bombed + other.bombed)
