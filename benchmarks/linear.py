"""The solvers of the easy cases against numpy.sort, from ten thousand to ten million cards.

Times are milliseconds, the best of three. "decide" is `unique.least_hand`,
`single_color.chosen_positions`, `few_values.least_hand` or `few_values.contradiction`. "solve" adds
the winning play, "all" also building the instance from NumPy arrays. The last two columns are for
"all": nanoseconds a card, and the ratio to numpy.sort of as many random int64. Ten thousand cards
run in plain Python, more in compiled loops (three values from two thousand on). Three values and
one card take O(N log N); all else is linear.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter

import numpy as np
import numpy.typing as npt

from hanabi.ground.verdict import Verdict
from hanabi.solitaire import Instance, Play, few_values, single_color, unique

Column = npt.NDArray[np.int32]
Stream = tuple[int, Column, Column]
"""Hand size, colors, values."""


def _shuffled_deck(rng: np.random.Generator, N: int, c: int) -> Stream:
    """All cards of c colors in random order; the hand holds as many as it takes."""
    cards = rng.permutation(N)
    return N, (cards % c).astype(np.int32), (cards // c + 1).astype(np.int32)


def _tame_deck(rng: np.random.Generator, N: int, c: int) -> Stream:
    """All cards of c colors by value, with a disorder of a hundred places."""
    cards = np.argsort(np.arange(N) + 100 * rng.random(N))
    return 100, (cards % c).astype(np.int32), (cards // c + 1).astype(np.int32)


def _rounds(rng: np.random.Generator, N: int, r: int) -> Stream:
    """One color, r times all values in random order; the hand holds a quarter of the values."""
    n = N // r
    values = np.concatenate([rng.permutation(n) + 1 for _ in range(r)]).astype(np.int32)
    return n // 4, np.zeros_like(values), values


def two_values(rng: np.random.Generator, N: int) -> Stream:
    """Two copies of every 1 and 2 in random order; the hand holds as many as it takes."""
    cards = rng.permutation(N)
    return N, (cards // 4).astype(np.int32), (cards % 2 + 1).astype(np.int32)


def three_values(rng: np.random.Generator, N: int, reach: float) -> Stream:
    """Two copies of every card; each color has a window of two neighbors, and a long one.

    The long one takes up to a share `reach` of the stream, so that it overlaps many others.
    """
    c = N // 6
    begin = 6.0 * np.arange(c)
    is_early, far = rng.random(c) < 0.5, reach * N * rng.random(c)
    times = (
        np.where(is_early, begin, begin - far),
        begin + 0.1,
        begin + 0.2,
        begin + 0.3,
        np.where(is_early, begin + far, begin + 0.4),
        begin + 0.5,
    )
    order = np.argsort(np.concatenate(times))
    values = np.repeat(np.array((2, 1, 3, 3, 2, 1), np.int32), c)
    return 1, np.tile(np.arange(c, dtype=np.int32), 6)[order], values[order]


Solver = Callable[[Instance], Verdict[Play]]
Make = Callable[[np.random.Generator, int], Stream]
UNIQUE: tuple[Solver, Callable[[Instance], object]] = unique.solve, unique.least_hand
ONE_COLOR = single_color.solve, single_color.chosen_positions
FORCED = few_values.solve_forced, few_values.least_hand
TWO_SAT = few_values.solve_two_sat, few_values.contradiction
CASES: tuple[tuple[str, Make, tuple[Solver, Callable[[Instance], object]]], ...] = (
    ("r=1 c=5 shuffled", partial(_shuffled_deck, c=5), UNIQUE),
    ("r=1 n=5 shuffled", lambda rng, N: _shuffled_deck(rng, N, N // 5), UNIQUE),
    ("r=1 c=5 tame", partial(_tame_deck, c=5), UNIQUE),
    ("c=1 r=3 rounds", partial(_rounds, r=3), ONE_COLOR),
    ("c=1 r=100 rounds", partial(_rounds, r=100), ONE_COLOR),
    ("n=2 r=2 shuffled", two_values, FORCED),
    ("n=3 h=1 r=2 near", partial(three_values, reach=1e-4), TWO_SAT),
    ("n=3 h=1 r=2 far", partial(three_values, reach=1), TWO_SAT),
)


def _best_of_three(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def _measure(
    name: str, stream: Stream, solve: Solver, decide: Callable[[Instance], object]
) -> tuple[float, float, float]:
    """Return the seconds of the decision, of the solution, and of building and solving."""
    instance = Instance.from_arrays(*stream)
    if not solve(instance).is_winnable:
        raise RuntimeError(f"{name}: the benchmark's stream was meant to be winnable")
    return (
        _best_of_three(lambda: decide(instance)),
        _best_of_three(lambda: solve(instance)),
        _best_of_three(lambda: solve(Instance.from_arrays(*stream))),
    )


def main() -> None:
    rng = np.random.default_rng(1)
    sizes = 10**4, 10**5, 10**6, 10**7
    sorting = {N: _best_of_three(partial(np.sort, rng.integers(0, 2**62, N))) for N in sizes}
    print(f"{'case':18}{'N':>9}{'decide':>10}{'solve':>9}{'all':>9}{'ns/card':>9}{'/sort':>8}")
    for name, make, solver in CASES:
        for N in sizes:
            decide, solve, everything = _measure(name, make(rng, N), *solver)
            print(
                f"{name:18}{N:>9}{1e3 * decide:>10.2f}{1e3 * solve:>9.2f}{1e3 * everything:>9.2f}"
                f"{1e9 * everything / N:>9.0f}{everything / sorting[N]:>8.2f}"
            )
    print("numpy.sort" + "".join(f"   {N}: {1e3 * sorting[N]:.2f} ms" for N in sizes))


if __name__ == "__main__":
    main()
