"""Counting bad sequences: the fast form against the printed sum and the recurrence.

x = 4 copies of each of k values; milliseconds, the best of three (the slow ones once). "sum" is the
printed theorem with equal terms taken together, "recur." the recurrence over sorted vectors,
"python" the fast form without python-flint and "flint" with it, if it is installed. "ratio" is the
best of the slow ones to "python". A second table is for all k values different, 1 .. k copies.

`python -m benchmarks.counting FOLDER` draws the figures of the documentation instead.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from hanabi.counting import good, total
from hanabi.counting.playability import Point, estimate_curve, exact_curve
from hanabi.counting.polynomials import load_flint
from hanabi.counting.recurrence import bad_by_recurrence
from hanabi.counting.theorem import bad_collected
from hanabi.counting.vector import Vector
from hanabi.deck import STANDARD_COPIES
from hanabi.report.canvas import open_figure, save_figure
from hanabi.report.charts import plot_playability

_SUM_TO = 100
_EQUAL_TO, _DIFFERENT_TO = 20, 10  # what the recurrence can do
_SAMPLES = 20_000


def _milliseconds(work: Callable[[], object], runs: int = 3) -> float:
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return 1e3 * min(times)


def _fast_bad(x: Vector, *, use_flint: bool) -> int:
    return total(x) - good(x, use_flint=use_flint)


def _row(k: int, x: Vector) -> str:
    slow = [math.inf, math.inf]
    if k <= _SUM_TO:
        slow[0] = _milliseconds(partial(bad_collected, x), 1)
    if k <= (_EQUAL_TO if x[0] == x[-1] else _DIFFERENT_TO):
        slow[1] = _milliseconds(partial(bad_by_recurrence, x), 1)
    fast = _milliseconds(partial(_fast_bad, x, use_flint=False))
    flint = math.inf
    if load_flint() is not None:
        flint = _milliseconds(partial(_fast_bad, x, use_flint=True))
    cells = [f"{t:11.3f}" if t < math.inf else f"{'-':>11}" for t in (*slow, fast, flint)]
    ratio = min(slow) / fast
    return f"{k:6}{sum(x):7}{''.join(cells)}" + (f"{ratio:9.0f}" if ratio < math.inf else "")


def main() -> None:
    for title, sizes, vector in (
        ("x = 4 times k", (13, 20, 50, 100, 1000, 3000), lambda k: (4,) * k),
        ("x = 1 .. k", (6, 10, 20, 40), lambda k: (*range(1, k + 1),)),
    ):
        print(f"{title}\n{'k':>6}{'N':>7}{'sum':>11}{'recur.':>11}{'python':>11}{'flint':>11}")
        for k in sizes:
            print(_row(k, vector(k)))


def draw(folder: Path) -> None:
    """Draw the figures of docs/counting.md."""
    folder.mkdir(parents=True, exist_ok=True)
    curves: dict[str, list[Point]] = {}
    for colors in (1, 2):
        curves[f"{colors} color{'s' * (colors > 1)} (exact)"] = [
            *exact_curve([STANDARD_COPIES] * colors)
        ]
    for colors in (3, 4, 5):
        points = estimate_curve([STANDARD_COPIES] * colors, samples=_SAMPLES, seed=1)
        last = next(i for i, point in enumerate(points) if point.won == point.decks)
        curves[f"{colors} colors"] = points[: last + 1]
    plot_playability(curves, folder / "playability.svg")

    _draw_growth(
        folder / "counting-growth.svg",
        {
            f"{copies} copies of each, N = {copies} k": [
                (copies * k, (copies,) * k) for k in (13, 30, 100, 300, 1000, 3000, 10_000)
            ]
            for copies in (2, 4)
        },
        "a N + b N^2 log N",
        lambda N: N * N * math.log(N),
    )
    _draw_growth(
        folder / "counting-copies.svg",
        {"13 values, N / 13 copies of each": [(13 * v, (v,) * 13) for v in (2, 4, 8, 16, 32, 64)]},
        "a N + b N^3 log(N / 13)",
        lambda N: N**3 * math.log(N / 13),
    )


def _draw_growth(
    path: Path,
    vectors: dict[str, list[tuple[int, Vector]]],
    law: str,
    growth: Callable[[float], float],
) -> None:
    """Draw times against N, and the law with a fitted at the left end and b at the right."""
    measured, theory = {}, {}
    for name, cases in vectors.items():
        times = [
            (float(N), _milliseconds(partial(_fast_bad, x, use_flint=False)) / 1e3)
            for N, x in cases
        ]
        (first, least), (last, most) = times[0], times[-1]
        b = (most - least * last / first) / growth(last)
        measured[name] = times
        theory[f"{law} ({name.split(',')[0]})"] = [
            (N, least * N / first + b * growth(N)) for N, _ in times
        ]
    figure = open_figure(path)
    axes = figure.add_subplot()
    axes.grid(alpha=0.3)
    for name, series in measured.items():
        axes.plot(*zip(*series, strict=True), marker="o", markersize=4, linestyle="", label=name)
    for name, series in theory.items():
        axes.plot(*zip(*series, strict=True), linewidth=1, color="gray", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("N (cards)")
    axes.set_ylabel("seconds, without python-flint")
    axes.legend()
    save_figure(figure, path)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
    else:
        main()
