"""How far the solitaire solvers overrun their time budgets.

Every method runs under every budget, on streams from small to wide that the bounds leave open where
possible, and on long ones. "ratio" is the time taken divided by the budget. A run is over the line
if it takes more than 1.2 times its budget and more than 0.2 s beyond it. Long runs without a
budget get an interrupt (Ctrl-C) after half a second and must end within a second.
"""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable
from functools import partial
from time import perf_counter

import numpy as np

from benchmarks.linear import three_values, two_values
from hanabi.front.commands.compile import compile_part
from hanabi.ground.errors import SolverError
from hanabi.solitaire import Instance, optima, sat, solver
from hanabi.solitaire.bounds import keep_everything, largest_crowd
from hanabi.solitaire.bulk import decide_many

_BUDGETS = (0.1, 0.5, 1.0, 2.0)
_SHAPES = (
    # c, n, r, h
    (5, 5, 2, 4),
    (10, 10, 2, 12),
    (30, 30, 3, 30),
    (50, 50, 2, 100),
    (100, 100, 2, 400),
    (100, 100, 3, 100),
    (20, 500, 2, 200),
    (300, 30, 2, 1000),
    (5, 2000, 2, 100),
    (1000, 300, 2, 1000),
)

Work = Callable[[float | None], object]


def _stream(c: int, n: int, r: int, spread: float) -> list[tuple[int, int]]:
    """Return r copies of every card, in order of value with some disorder."""
    rng = random.Random(1)
    cards = [
        (value + spread * n * rng.random(), value, color)
        for value in range(1, n + 1)
        for color in range(c)
        for _ in range(r)
    ]
    return [(color, value) for _, value, color in sorted(cards)]


def open_instance(c: int, n: int, r: int, hand_size: int) -> Instance:
    """Return the most disordered instance found that the bounds leave open, or the last tried."""
    low, high = 0.0, 2.0
    best = Instance(hand_size, _stream(c, n, r, high))
    for _ in range(8):
        spread = (low + high) / 2
        instance = Instance(hand_size, _stream(c, n, r, spread))
        if len(largest_crowd(instance).cards) > hand_size:
            high = spread
            continue
        low = spread
        if keep_everything(instance)[0] > hand_size:
            best = instance
    return best


def _long(N: int, r: int) -> Instance:
    """Return N cards of one color, r times all values shuffled."""
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.permutation(N // r) + 1 for _ in range(r)]).astype(np.int32)
    return Instance.from_arrays(N // r // 4, np.zeros_like(values), values)


def _two_colors(N: int) -> Instance:
    cards = np.random.default_rng(1).permutation(N)
    return Instance.from_arrays(N, (cards % 2).astype(np.int32), (cards // 2 + 1).astype(np.int32))


def _cases() -> list[tuple[str, Work]]:
    cases: dict[str, Work] = {}
    for shape in _SHAPES:
        name = "c={} n={} r={} h={}".format(*shape)
        instance = open_instance(*shape)
        for method in ("auto", "search", "paths", "sat", "table"):
            cases[f"{name} {method}"] = partial(_solve, instance, method)
        for what in (optima.least_hand, optima.most_cards, sat.certify):
            cases[f"{name} {what.__name__}"] = partial(_ask, what, instance)
    tiny = Instance(2, _stream(3, 4, 3, 1.0))
    cases["c=3 n=4 r=3 h=2 table"] = partial(_solve, tiny, "table")
    for N in (10**6, 10**7):
        one, two = _long(N, 3), _two_colors(N)
        rng = np.random.default_rng(1)
        for method, instance in (
            ("auto", one),
            ("single_color", one.with_hand_size(5)),
            ("unique", two),
            ("unique", two.with_hand_size(5)),
            ("forced", Instance.from_arrays(*two_values(rng, N))),
            ("two_sat", Instance.from_arrays(*three_values(rng, N, 1.0))),
        ):
            name = f"N={N:,} h={instance.hand_size:,}"
            cases[f"{name} {method}"] = partial(_solve, instance, method)
        cases[f"N={N:,} least_hand"] = partial(_ask, optima.least_hand, two)
    return list(cases.items())


def _solve(instance: Instance, method: str, seconds: float | None) -> object:
    try:
        return solver.solve(instance, method=method, seconds=seconds)
    except SolverError:  # a table too large
        return None


def _ask(what: Callable[..., object], instance: Instance, seconds: float | None) -> object:
    return what(instance, seconds=seconds)


def _timed(work: Work, seconds: float) -> float:
    started = perf_counter()
    work(seconds)
    return perf_counter() - started


def _interrupted(work: Callable[[], object]) -> float:
    """Return how long the work continues after an interrupt; 0 if it ends before."""
    started = perf_counter()
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        work()
        timer.cancel()
        timer.join()
    except KeyboardInterrupt:
        return max(0.0, perf_counter() - started - 0.5)
    return 0.0


def main() -> None:
    """Print the overruns over the line, and the worst of all."""
    compile_part("solitaire")
    cases = _cases()
    worst = (0.0, "")
    n_over = n_runs = 0
    for name, work in cases:
        for seconds in _BUDGETS:
            took = _timed(work, seconds)
            n_runs += 1
            worst = max(worst, (took / seconds, f"{name}, {seconds} s: {took:.3f} s"))
            if took > max(1.2 * seconds, seconds + 0.2):
                n_over += 1
                print(f"over the line: {name}, {seconds} s: {took:.3f} s", flush=True)
    print(f"{n_runs} runs, {n_over} over the line; worst ratio {worst[0]:.2f} ({worst[1]})")

    slowest = max(
        (_interrupted(partial(work, None)), name)
        for name, work in cases
        if name.startswith(("c=100 n=100 r=2", "N="))
    )
    print(f"interrupted: ended after at most {slowest[0]:.3f} s ({slowest[1]})")
    rng = np.random.default_rng(1)
    decks = np.array([rng.permutation(np.repeat(np.arange(64), 3)) for _ in range(2000)])
    bulk = _interrupted(lambda: decide_many(6, decks // 8, decks % 8 + 1, n=8, c=8))
    print(f"bulk solve interrupted: ended after {bulk:.3f} s")


if __name__ == "__main__":
    main()
