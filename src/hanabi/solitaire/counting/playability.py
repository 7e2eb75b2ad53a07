"""The playability curve: the probability that a shuffled deck can be won, for every hand size.

[Bergh2016, section 3] asks when a game is playable. Here all cards are face up, and one player
draws them in turn and holds at most h (Solitaire Hanabi). Small decks are counted exactly; for
large ones the curve is estimated from seeded shuffles. All hand sizes get the same decks, and a
larger hand never hurts, so an estimated curve never falls.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, InvalidInputError, quote
from hanabi.solitaire.counting import hands as hand_memory
from hanabi.solitaire.counting.generating import MOST_MEMORY, Budget, UncountedError, good
from hanabi.solitaire.counting.hands import winnable_decks
from hanabi.solitaire.counting.vector import Vector, check_rows, multinomial

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "NEVER",
    "Point",
    "cards_of",
    "count_winnable",
    "curve_of",
    "estimate_curve",
    "exact_curve",
    "least_hands",
    "normal_reach",
    "shuffled_decks",
    "sure_hand",
    "wilson",
]

_CHUNK = 5_000
_CHUNK_SECONDS = 0.25
_MOST_SAMPLES = 10**9
_MOST_CARDS = 10_000_000  # in memory at once, and in a deck

NEVER = 2**32 - 1
"""The value of `least_hands` for a deck that no hand size wins."""


@dataclass(frozen=True, slots=True)
class Point:
    """The probability of winning with one hand size, exact or estimated.

    Attributes
    ----------
    hand_size
        h.
    won, decks
        Decks won, and all decks: every different deck if exact, else the simulated ones.
    low, high
        Ends of the confidence interval; both are the probability itself if exact.
    """

    hand_size: int
    won: int
    decks: int
    low: float
    high: float

    @property
    def probability(self) -> Fraction:
        """The share of decks won."""
        return Fraction(self.won, self.decks)


def sure_hand(copies: Sequence[Iterable[int]]) -> int:
    """Return the least hand size that wins every deck: all cards but the next of each color fit.

    >>> sure_hand([(3, 2, 2, 2, 1)] * 5)
    20
    """
    return sum(len(row) - 1 for row in check_rows(copies))


def count_winnable(
    copies: Sequence[Iterable[int]],
    hand_size: int,
    *,
    most_states: int = 200_000,
    seconds: float = 600.0,
    memory: int = MOST_MEMORY,
) -> int:
    """Return the exact number of winnable decks among all multinomial(all copies) decks.

    Without a hand, colors do not hinder each other, and the count is a product. Otherwise this
    calls `hands.winnable` for one color and `hands.winnable_decks` for more; see the latter for
    parameters and errors.

    >>> [count_winnable([(3, 2, 2, 2, 1)], h) for h in range(3)]
    [5934, 41692, 68100]
    >>> count_winnable([(3, 2, 2, 2, 1)] * 5, 0) * 10**6 // multinomial((3, 2, 2, 2, 1) * 5)
    2
    """
    rows = check_rows(copies)
    if hand_size == 0:
        budget = Budget(seconds, memory)
        won = multinomial(map(sum, rows))
        for row, times in Counter(rows).items():
            won *= good(row, budget=budget) ** times
        return won
    if len(rows) == 1:
        return hand_memory.winnable(rows[0], hand_size, seconds=seconds, memory=memory)
    return winnable_decks(rows, hand_size, most_states=most_states, seconds=seconds, memory=memory)


def exact_curve(
    copies: Sequence[Iterable[int]],
    *,
    most_states: int = 200_000,
    seconds: float = 600.0,
    memory: int = MOST_MEMORY,
) -> Iterator[Point]:
    """Yield the exact probability for h = 0, 1, ... up to the hand that always wins.

    Parameters and errors are as in `count_winnable`; `seconds` is for all points together. If a
    card is missing, the curve has only the point h = 0.

    >>> [str(point.probability) for point in exact_curve([(2, 1, 1)])]
    ['1/4', '5/6', '1']
    """
    rows = check_rows(copies)
    decks = multinomial(count for row in rows for count in row)
    clock = Clock(seconds)
    for hand_size in range(sure_hand(rows) + 1):
        won = count_winnable(
            rows, hand_size, most_states=most_states, seconds=clock.left or 0.0, memory=memory
        )
        yield Point(hand_size, won, decks, won / decks, won / decks)
        if won == decks or any(0 in row for row in rows):
            return


def estimate_curve(
    copies: Sequence[Iterable[int]],
    *,
    samples: int,
    seed: int,
    hand_sizes: Iterable[int] | None = None,
    confidence: float = 0.95,
    seconds: float = math.inf,
    progress: Callable[[str], None] | None = None,
) -> list[Point]:
    """Estimate the probability of winning for each hand size from the same shuffled decks.

    Parameters
    ----------
    copies
        For each color its vector x; all of the same length. The printed game has (3, 2, 2, 2, 1)
        five times.
    samples, seed
        Number of decks, 1 .. 10**9, and a seed, 0 .. 2**64 - 1. Deck i is shuffled by the random
        stream (`seed`, i).
    hand_sizes
        By default 0, 1, ... up to the hand that always wins.
    confidence
        Confidence level of each interval, between 0 and 1.
    seconds
        Time limit. The estimate then uses the decks decided so far; see `Point.decks`.
    progress
        Called with a line of progress.

    Raises
    ------
    InvalidInputError
        If an argument is out of range, or a deck has more than 10 million cards.
    UncountedError
        If the time ends before the first deck is decided.

    Notes
    -----
    Every deck is decided exactly (`hanabi.solitaire.bulk.decide_many`), with increasing hand sizes
    until it is won. The printed game takes about 10 microseconds a deck and hand size.

    >>> curve = estimate_curve([(2, 1, 1)], samples=2000, seed=1)
    >>> all(point.low < p < point.high for point, p in zip(curve, (1/4, 5/6)))
    True
    """
    rows = check_rows(copies)
    if not 1 <= samples <= _MOST_SAMPLES:
        raise InvalidInputError(f"samples: {quote(samples)} is not in 1 .. {_MOST_SAMPLES:,}")
    if not 0 <= seed < 2**64:
        raise InvalidInputError(f"seed: {quote(seed)} is not in 0 .. 2**64 - 1")
    wanted = range(sure_hand(rows) + 1) if hand_sizes is None else sorted(set(hand_sizes))
    won = dict.fromkeys(wanted, 0)
    cards = sum(map(sum, rows))
    if cards > _MOST_CARDS:
        raise InvalidInputError(f"{cards:,} cards are more than {_MOST_CARDS:,}")
    most = max(1, min(_CHUNK, _MOST_CARDS // max(1, cards)))
    clock, done, size = Clock(seconds), 0, 1
    try:
        while done < samples:
            started, size = clock.elapsed, min(size, samples - done)
            least = least_hands(rows, wanted, seed, done, size, clock)
            for hand_size in wanted:
                won[hand_size] += int((least <= hand_size).sum())
            done += size
            if progress is not None:
                progress(f"{done:,} of {samples:,} decks")
            # When the time ends, the results of the unfinished batch, a short while's, are lost.
            quick = size * _CHUNK_SECONDS / max(clock.elapsed - started, 1e-6)
            size = max(1, min(most, 4 * size, int(quick)))
    except BudgetEndedError:
        if not done:
            message = f"no deck was decided within {seconds:g} seconds"
            raise UncountedError(message) from None
    return curve_of(won, done, confidence)


def curve_of(won: Mapping[int, int], samples: int, confidence: float = 0.95) -> list[Point]:
    """Return the curve's points, given that hand size h won `won[h]` of the `samples` decks.

    >>> curve_of({0: 1, 1: 4}, samples=4)[1].probability
    Fraction(1, 1)
    """
    return [Point(h, n, samples, *wilson(n, samples, confidence)) for h, n in won.items()]


def least_hands(
    rows: Sequence[Vector],
    hand_sizes: Iterable[int],
    seed: int,
    first: int,
    size: int,
    clock: Clock = NO_LIMIT,
) -> npt.NDArray[np.uint32]:
    """Return, for decks `first` .. `first + size - 1`, the least of the hand sizes that wins each.

    Hand sizes must be increasing. The result has shape (size,), and is NEVER if none wins. Rows and
    seed are as in `estimate_curve`. Raises BudgetEndedError if the clock runs out.

    >>> least_hands([(2, 1, 1)], range(3), seed=1, first=0, size=6).tolist()
    [1, 0, 2, 1, 1, 1]
    """
    import numpy as np

    from hanabi.solitaire.bulk import decide_many

    n, c = len(rows[0]), len(rows)
    decks = shuffled_decks(rows, seed, first, size)
    colors, values = decks // n, decks % n + 1
    least = np.full(size, NEVER, np.uint32)
    open_decks = np.arange(size)
    for hand_size in hand_sizes:
        if len(open_decks):
            clock.check()
            won = decide_many(
                hand_size, colors[open_decks], values[open_decks], n=n, c=c, clock=clock
            )
            least[open_decks[won]] = hand_size
            open_decks = open_decks[~won]
    return least


def cards_of(rows: Sequence[Vector]) -> list[int]:
    """Return the cards of a deck, sorted, as numbers color * k + value - 1."""
    return [
        color * len(row) + i
        for color, row in enumerate(rows)
        for i, count in enumerate(row)
        for _ in range(count)
    ]


def shuffled_decks(
    rows: Sequence[Vector], seed: int, first: int, size: int
) -> npt.NDArray[np.int32]:
    """Return `size` shuffled decks of the numbers from `cards_of`, shape (size, N).

    >>> shuffled_decks([(1, 1)], seed=1, first=0, size=3).tolist()
    [[0, 1], [0, 1], [1, 0]]
    """
    import numpy as np

    from hanabi.solitaire.counting.kernels import deal

    cards = np.array(cards_of(rows), np.int64)
    decks = np.empty((size, len(cards)), np.int32)
    deal(cards, np.uint64(seed), np.uint64(first), decks)
    return decks


def normal_reach(confidence: float) -> float:
    """Return the half-width, in standard deviations, of a normal interval of this confidence.

    Raises InvalidInputError if the confidence is not between 0 and 1.

    >>> round(normal_reach(0.95), 6)
    1.959964
    """
    if not 0 < confidence < 1:
        raise InvalidInputError(f"confidence: {quote(confidence)} is not between 0 and 1")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(won: int, samples: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval of Wilson (1927) for a probability.

    It stays within 0 .. 1 and is sensible even if no deck, or every deck, was won.

    Raises
    ------
    InvalidInputError
        If not 0 <= won <= samples, samples < 1, or the confidence is not between 0 and 1.

    >>> low, high = wilson(0, 100)
    >>> low, round(high, 3)
    (0.0, 0.037)
    """
    if not 0 <= won <= samples or samples < 1:
        raise InvalidInputError(f"won: {quote(won)} of {quote(samples)} samples")
    z2 = normal_reach(confidence) ** 2
    p = won / samples
    middle = p + z2 / (2 * samples)
    spread = math.sqrt(z2 * (p * (1 - p) / samples + z2 / (4 * samples**2)))
    scale = 1 + z2 / samples
    # At the ends the interval touches 0 and 1 exactly, whatever the rounding.
    low = 0.0 if won == 0 else (middle - spread) / scale
    return low, 1.0 if won == samples else (middle + spread) / scale
