"""Counts of the shuffled decks that can be won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import inf

from hanabi.ground import DEFAULT_SECONDS, InvalidInputError, quote
from hanabi.solitaire import MOST_MEMORY, Budget, refuse_absurd, vector

__all__ = ["MOST_COLORS", "DeckCount", "count", "count_decks"]

MOST_COLORS = 1_000


@dataclass(frozen=True, slots=True)
class DeckCount:
    """The number of decks in all, and of those that can be won.

    >>> answer = DeckCount(total=60, good=21)
    >>> answer.bad, answer.probability, str(answer)
    (39, Fraction(7, 20), '21 of 60 decks can be won: 0.35')
    """

    total: int
    good: int

    @property
    def bad(self) -> int:
        """The number of decks that cannot be won."""
        return self.total - self.good

    @property
    def probability(self) -> Fraction:
        """The share of decks that can be won."""
        return Fraction(self.good, self.total)

    def __str__(self) -> str:
        good, total = (vector.approximate(number, 1, 6) for number in (self.good, self.total))
        return f"{good} of {total} decks can be won: {vector.approximate(self.good, self.total, 6)}"


def count(
    copies: str | Iterable[int],
    *,
    colors: int = 1,
    hand_size: int = 0,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int = MOST_MEMORY,
) -> DeckCount:
    """Count the shuffled decks that can be won by one player who sees one card at a time.

    Parameters
    ----------
    copies
        Copies of each value: a sequence, or text as in "3,2,2,2,1" or "4x13" (4 copies of 13
        values).
    colors
        How many colors have these copies, 1 to 1,000.
    hand_size
        The most cards in hand; with 0, each card is played at once or lost.
    seconds
        Counts estimated to take longer are refused, and those that do take longer are given up;
        None for no limit.
    memory
        Approximate memory in bytes; the count is given up beyond it.

    Raises
    ------
    InvalidInputError
        If `copies` is invalid, or counting would take too long.

    Notes
    -----
    Without a hand, this uses the theorem of [Bergh2016, section 3]; see
    `hanabi.solitaire.counting`.

    >>> count("3,2,2,2,1").good, count([3, 2, 2, 2, 1], hand_size=1).good
    (5934, 41692)
    >>> print(count("4x13"))
    5.09722e+46 of 9.20242e+49 decks can be won: 0.000553900
    """
    if isinstance(copies, str):
        groups = vector.parse_groups(copies)
    else:
        given = vector.check_vector(copies)
        groups = tuple((value, len(list(run))) for value, run in groupby(given))
    if isinstance(colors, bool) or not isinstance(colors, int) or not 1 <= colors <= MOST_COLORS:
        raise InvalidInputError(f"colors: {quote(colors)} is not in 1 .. {MOST_COLORS:,}")
    limit = inf if seconds is None else seconds
    refuse_absurd(groups * colors, seconds=limit, memory=memory)
    return count_decks(
        vector.expand_groups(groups),
        colors=colors,
        hand_size=hand_size,
        seconds=limit,
        memory=memory,
    )


def count_decks(
    x: vector.Vector, *, colors: int, hand_size: int, seconds: float, memory: int = MOST_MEMORY
) -> DeckCount:
    """Count without estimating the cost first; see `count`."""
    if colors == 1 and not hand_size:
        from hanabi.solitaire import good as count_good

        good = count_good(x, budget=Budget(seconds, memory))
    else:
        from hanabi.solitaire import count_winnable

        good = count_winnable([x] * colors, hand_size, seconds=seconds, memory=memory)
    return DeckCount(vector.multinomial(x * colors), good)
