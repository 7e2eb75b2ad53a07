"""Compiled shuffling of decks, and the least hands of shuffled streams without repeated cards."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import RandomStream, jit
from hanabi.ground.compiled.rng import below, seed_stream, shuffle, word
from hanabi.solitaire.kernels.fast import loops
from hanabi.solitaire.kernels.linear import Columns

__all__ = ["deal", "draw_limits", "play_shuffled", "read_ends"]

_ULP = 2.0**-53
_play_greedily = loops.play_greedily
_11, _ONE = np.uint64(11), np.uint64(1)

# Thousands of shuffled decks, for :mod:`hanabi.solitaire.counting.playability`.


@jit
def deal(
    deck: npt.NDArray[np.int64],
    seed: np.uint64,
    first: np.uint64,
    decks: npt.NDArray[np.int32],
) -> None:
    """Fill row i of `decks` with `deck` shuffled by the random stream (seed, first + i).

    Row i equals `hanabi.ground.rng.Stream(seed, first + i).shuffled(deck)`. O(size of `decks`).

    Parameters
    ----------
    deck
        Shape (N,): the cards, as numbers.
    seed, first
        The experiment's seed and the first index.
    decks
        Shape (count, N); overwritten.
    """
    rng = np.empty(1, np.uint64)
    row = np.empty(deck.size, np.int64)
    for i in range(decks.shape[0]):
        for j in range(deck.size):
            row[j] = deck[j]
        seed_stream(rng, np.uint64(seed), np.uint64(first) + np.uint64(i))
        shuffle(rng, row)
        for j in range(deck.size):
            decks[i, j] = row[j]


# Streams of n values in c colors, each card once, for :mod:`hanabi.solitaire.counting.least_hand`.
# Card (color, value) has the number color * n + value - 1, and stream `first + i` is 0 .. nc - 1
# shuffled by the random stream (seed, first + i).


@jit
def play_shuffled(
    n: int, c: int, seed: np.uint64, first: np.uint64, least: npt.NDArray[np.uint32]
) -> None:
    """Write the least hand of each stream, played from beginning to end. O(nc) a stream."""
    rng = np.empty(1, np.uint64)
    N = n * c
    stream = np.empty(N, np.int32)
    values, colors = np.empty(N, np.int32), np.empty(N, np.int32)
    seen, piles, tally = (
        np.empty(N // 32 + 1, np.uint32),
        np.empty(c, np.int32),
        np.empty(4, np.int64),
    )
    for i in range(least.size):
        for j in range(N):
            stream[j] = j
        seed_stream(rng, np.uint64(seed), np.uint64(first) + np.uint64(i))
        shuffle(rng, stream)
        for j in range(N):
            colors[j] = stream[j] // n
            values[j] = stream[j] % n + 1
        seen[:] = 0
        piles[:] = 0
        tally[:] = 0
        _play_greedily(Columns(values, colors, n, N), 0, N, seen, piles, tally)
        least[i] = tally[1]


@jit
def read_ends(
    n: int, c: int, seed: np.uint64, first: np.uint64, least: npt.NDArray[np.uint32]
) -> None:
    """Write the least hand of each stream from its last cards alone. O(sqrt(nc) c) for large n.

    A shuffle settles the last place first. So only the end of the stream is shuffled, as far as it
    can matter, and the swaps are undone afterwards.
    """
    rng = np.empty(1, np.uint64)
    N = n * c
    stream, swaps = np.empty(N, np.int32), np.empty(N, np.int32)
    for j in range(N):
        stream[j] = j
    lowest = np.empty(c, np.int64)  # of each color at the end of the stream, counted from 0
    for i in range(least.size):
        seed_stream(rng, np.uint64(seed), np.uint64(first) + np.uint64(i))
        lowest[:] = n
        played = N  # when just the end is left: the sum of `lowest`
        spare = N
        k = 0  # cards at the end
        while k < spare:
            k += 1
            last = N - k
            other = below(rng, last + 1) if last else 0
            swaps[k - 1] = other
            card = stream[other]
            stream[other] = stream[last]
            stream[last] = card
            color, value = card // n, card % n
            if value < lowest[color]:
                played -= lowest[color] - value
                lowest[color] = value
            spare = min(spare, k + played)
        least[i] = N - spare
        for j in range(k - 1, -1, -1):
            last, other = N - 1 - j, swaps[j]
            stream[last], stream[other] = stream[other], stream[last]


@jit
def _uniform(rng: RandomStream) -> float:
    """Return a multiple of 2**-53, uniform on (0, 1]."""
    return float((word(rng) >> _11) + _ONE) * _ULP


@jit
def _exponential(rng: RandomStream) -> float:
    """Return an exponential number of mean 1 by comparisons alone, so no machine rounds it.

    J. von Neumann (1951): the numbers fall until one rises; an odd number of falling ones comes
    with the right density of the first, and an even one moves on by 1.
    """
    whole = 0.0
    while True:
        first = last = _uniform(rng)
        is_odd = True
        while True:
            following = _uniform(rng)
            if following >= last:
                break
            last = following
            is_odd = not is_odd
        if is_odd:
            return whole + first
        whole += 1.0


@jit
def draw_limits(
    c: int,
    r: int,
    cut: float,
    seed: np.uint64,
    first: np.uint64,
    limits: npt.NDArray[np.float64],
) -> None:
    """Write samples of the limit for c colors and r copies, cut off. O(c^2 log c) a sample.

    Sample i is drawn by the random stream (seed, first + i). As x**r grows, each of the c lowest
    points jumps from y to a number uniform on (0, y], at rate y. All start at the cut: higher ones
    would leave the minimum above it.
    """
    rng = np.empty(1, np.uint64)
    lowest = np.empty(c, np.float64)
    for i in range(limits.size):
        seed_stream(rng, np.uint64(seed), np.uint64(first) + np.uint64(i))
        lowest[:] = cut
        total = cut * c
        least, power = cut, 0.0
        while True:
            power += _exponential(rng) / total
            x = power if r == 1 else power ** (1.0 / r)
            if x >= least:
                break
            rest = _uniform(rng) * total
            color = 0
            while color < c - 1 and rest > lowest[color]:
                rest -= lowest[color]
                color += 1
            lowest[color] *= _uniform(rng)
            total = 0.0
            for j in range(c):
                total += lowest[j]
            least = min(least, x + total)
        limits[i] = least
