"""The law of the least hand: how large a hand a random stream needs.

A stream has n values in c colors, N = nc cards, each once, in uniformly random order. Its least
hand h follows from its end alone: N - h is the minimum over k of

    k + the sum over the colors of (m_i(k) - 1),

where m_i(k) is the least value of color i among the last k cards, or n + 1 if there is none. The
places that this saves, N - h, are the *spare* ones; over sqrt(N) they tend to the law L(c) as n
grows. With r copies of each card, so do N / r - h over N**(r / (r + 1)), to a law L(c, r).
`docs/least-hand.md` has the proofs. Here are the exact laws, and samples of streams and of the
limit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from hanabi.ground import NO_LIMIT, Clock, InvalidInputError, SolverError, quote

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.instance import Instance

__all__ = [
    "exact_law",
    "law_of_one_color",
    "mean_limit_of_one_color",
    "mean_spare_of_one_color",
    "sample_least_hands",
    "sample_limits",
    "share_held",
    "share_held_of_two_values",
    "spare_places",
]

_MOST_CARDS = 10_000_000
_MOST_COLORS = 100_000  # of a sample of the limit
_CUT = 16
_TAIL = 12  # in units of sqrt(n): one color has more spare places with a chance below e**-70
_HALVINGS = 60


def spare_places(instance: Instance) -> int:
    """Return N - h, h the least hand that wins a stream without repeated cards, from its end.

    The instance's own hand size plays no part. O(N).

    Raises
    ------
    SolverError
        If a card occurs twice or never.

    >>> from hanabi.solitaire import Instance
    >>> spare_places(Instance(0, [(0, 3), (0, 2), (1, 1), (0, 1), (1, 3), (1, 2)]))
    4
    """
    if instance.r > 1 or instance.goal > instance.N:
        raise SolverError("the least hand follows from the end only if every card occurs once")
    lowest = [instance.n] * instance.c
    spare = instance.N
    for k in range(1, instance.N + 1):
        color, value = instance.colors[-k], instance.values[-k]
        lowest[color] = min(lowest[color], value - 1)
        spare = min(spare, k + sum(lowest))
        if k >= spare:
            break
    return spare


def law_of_one_color(n: int) -> list[int]:
    """Return how many of the n! streams of one color have the least hand 0, 1, ..., n - 1.

    At most h cards are held in (h + 1)**(n - h) * h! of them: h is the largest entry of the
    inversion table [Knuth3, section 5.2.2].

    >>> law_of_one_color(4)
    [1, 7, 10, 6]
    """
    _check_sizes(n=n)
    up_to = [(h + 1) ** (n - h) * math.factorial(h) for h in range(n)]
    return [count - before for before, count in zip([0, *up_to], up_to, strict=False)]


def mean_spare_of_one_color(n: int) -> float:
    """Return the mean of N - h for one color, to about seven digits. O(sqrt(n)).

    It is Knuth's P(n), the sum of k**(n - k) * k! / n! over k = 1 .. n, and equals sqrt(pi n / 2)
    - 2/3 up to terms that vanish as n grows.

    >>> mean_spare_of_one_color(1), round(mean_spare_of_one_color(10_000), 3)
    (1.0, 124.67)
    """
    _check_sizes(n=n)
    most = min(n, math.ceil(_TAIL * math.sqrt(n)))
    total = math.lgamma(n + 1)
    return math.fsum(
        math.exp(spare * math.log(n - spare) + math.lgamma(n - spare + 1) - total)
        for spare in range(most)
    )


def mean_limit_of_one_color(r: int) -> float:
    """Return the mean of L(1, r), which exceeds s with probability exp(-s**(r + 1) / (r + 1)).

    >>> round(mean_limit_of_one_color(1), 4), round(math.sqrt(math.pi / 2), 4)
    (1.2533, 1.2533)
    """
    _check_sizes(r=r)
    shape = r + 1
    return math.pow(shape, 1 / shape) * math.gamma(1 + 1 / shape)


def exact_law(n: int, c: int, *, clock: Clock = NO_LIMIT) -> list[int]:
    """Return how many of the (nc)! streams have each least hand, from 0 up to the largest.

    The stream is laid from its end. Only the lowest value of each color there matters, and how many
    of the cards that are left lie above theirs: these are the cards in hand. Colors are
    interchangeable, so there are at most binomial(n + c, c) states for each length of the end and
    each largest hand.

    Raises
    ------
    BudgetEndedError
        If the clock runs out.

    >>> exact_law(2, 2), exact_law(4, 1) == law_of_one_color(4)
    ([6, 14, 4], True)
    """
    _check_sizes(n=n, c=c)
    ways = Counter({((n,) * c, 0): 1})
    for left in range(n * c - 1, -1, -1):  # cards left when one more is laid
        following: Counter[tuple[tuple[int, ...], int]] = Counter()
        for (lowest, most), count in clock.watch(ways.items()):
            held = left + 1 - sum(lowest)
            if held:  # one of these is laid
                following[lowest, most] += count * held
            for low in set(lowest):
                others = [*lowest]
                others.remove(low)
                for new in range(low):
                    now = tuple(sorted((*others, new)))
                    hand = max(most, held - 1 + low - new)
                    following[now, hand] += count * lowest.count(low)
        ways = following
    law = [0] * (max(hand for _, hand in ways) + 1)
    for (_, hand), count in ways.items():
        law[hand] += count
    return law


def share_held(n: int) -> float:
    """Return the limit of h / N for n values, each card once, as the number of colors grows.

    It is the maximum over q in 0 .. 1 of q - (q + q**2 + ... + q**n) / n.

    >>> share_held(2), round(share_held(5), 4)
    (0.125, 0.3236)
    """
    _check_sizes(n=n)

    def slope(q: float) -> float:
        return n - sum(value * q ** (value - 1) for value in range(1, n + 1))

    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):  # the slope falls
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return low - math.fsum(low**value for value in range(1, n + 1)) / n


def share_held_of_two_values(r: int) -> Fraction:
    """Return the limit of h / N for two values, r copies each, as the number of colors grows.

    >>> [str(share_held_of_two_values(r)) for r in (1, 2, 3)]
    ['1/8', '1/64', '1/384']
    """
    _check_sizes(r=r)
    return Fraction(1, 2 * r * 4**r)


def sample_least_hands(
    n: int, c: int, seed: int, first: int, count: int, *, is_played: bool = False
) -> npt.NDArray[np.uint32]:
    """Return the least hands of the random streams `first` .. `first + count - 1`.

    Stream i is the list of the cards (0, 1), (0, 2), ... (c - 1, n), shuffled by
    `hanabi.ground.rng.Stream(seed, i)`. With `is_played` each is played from beginning to end by
    the linear solver, in O(N). Otherwise only its end is shuffled, in O(sqrt(N)) for fixed c, and
    the answers are the same. The result has shape (count,).

    Raises
    ------
    InvalidInputError
        If there are no cards or more than ten million, or the seed is out of range.

    >>> sample_least_hands(100, 2, seed=1, first=0, count=5)
    array([178, 177, 174, 165, 170], dtype=uint32)
    >>> sample_least_hands(100, 2, seed=1, first=0, count=5, is_played=True).tolist()
    [178, 177, 174, 165, 170]
    """
    import numpy as np

    from hanabi.solitaire.counting.kernels import play_shuffled, read_ends

    _check_sizes(n=n, c=c)
    if n * c > _MOST_CARDS:
        raise InvalidInputError(f"{n * c:,} cards are more than {_MOST_CARDS:,}")
    least = np.empty(count, np.uint32)
    kernel: Callable[..., None] = play_shuffled if is_played else read_ends
    kernel(n, c, *_words(seed, first), least)
    return least


def sample_limits(
    c: int, seed: int, first: int, count: int, *, r: int = 1
) -> npt.NDArray[np.float64]:
    """Return the samples `first` .. `first + count - 1` of L(c, r); L(c) is L(c, 1).

    L(c, r) is the infimum over x of x + Y_1(x) + ... + Y_c(x), with c independent Poisson processes
    in the quadrant, of rate r * x**(r - 1) at (x, y), and Y_i(x) the lowest y among the points of
    process i left of x. What is drawn is the smaller of it and 16 c**(1 / (r + 1)), which differ
    with a chance below c * e**-64. The result has shape (count,). O(c**2 log c) a sample.

    Raises
    ------
    InvalidInputError
        If there are no colors or more than 100,000, no copies, or the seed is out of range.

    >>> samples = sample_limits(1, seed=1, first=0, count=10_000)
    >>> bool(abs(samples.mean() - math.sqrt(math.pi / 2)) < 0.02)
    True
    """
    import numpy as np

    from hanabi.solitaire.counting.kernels import draw_limits

    if not 1 <= c <= _MOST_COLORS:
        raise InvalidInputError(f"c = {quote(c)} is not in 1 .. {_MOST_COLORS:,}")
    _check_sizes(r=r)
    limits = np.empty(count, np.float64)
    cut = _CUT * (math.sqrt(c) if r == 1 else math.pow(c, 1 / (r + 1)))
    draw_limits(c, r, cut, *_words(seed, first), limits)
    return limits


def _check_sizes(**sizes: int) -> None:
    for name, number in sizes.items():
        if number < 1:
            raise InvalidInputError(f"{name} = {quote(number)} is less than 1")


def _words(seed: int, first: int) -> tuple[np.uint64, np.uint64]:
    """Return both as kernels take them."""
    import numpy as np

    if not 0 <= seed < 2**64:
        raise InvalidInputError(f"seed: {quote(seed)} is not in 0 .. 2**64 - 1")
    return np.uint64(seed), np.uint64(first)
