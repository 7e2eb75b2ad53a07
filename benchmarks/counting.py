"""Counting bad sequences: the fast form against the printed sum and the recurrence.

x = 4 copies of each of k values. Times are milliseconds of processor time, the best of three (the
slow ones once). "sum" is the printed theorem with equal terms combined, "recur." the recurrence
over sorted vectors, "python" the fast form without python-flint, and "flint" with it, if installed.
"ratio" is the best of the slow ones divided by "python". In the second table all k values differ:
1 .. k copies.

``python -m benchmarks.counting FOLDER`` draws the figures of the documentation instead.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import numpy.typing as npt

from hanabi.lab.report.charts import COLORS, open_figure, plot_playability, save_figure
from hanabi.rules.deck import STANDARD_COPIES
from hanabi.solitaire.counting import good, total
from hanabi.solitaire.counting.generating import load_flint
from hanabi.solitaire.counting.playability import Point, estimate_curve, exact_curve
from hanabi.solitaire.counting.theorem import bad_by_recurrence, bad_collected
from hanabi.solitaire.counting.vector import Vector

_SUM_TO = 100
_EQUAL_TO, _DIFFERENT_TO = 20, 10  # what the recurrence can do
_SAMPLES = 20_000
_FIT_RUNS = 10

Array = npt.NDArray[np.float64]


def _milliseconds(work: Callable[[], object], runs: int = 3) -> float:
    times = []
    for _ in range(runs):
        start = process_time()
        work()
        times.append(process_time() - start)
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
            f"{copies} copies of each of N/{copies} values": [
                (copies,) * k for k in (13, 30, 100, 300, 1000, 3000, 10_000)
            ]
            for copies in (2, 4)
        },
        "a + bN + cN² log N",
        lambda N: (1, N, N * N * math.log(N)),
        (100, 1000, 10_000),
    )
    _draw_growth(
        folder / "counting-copies.svg",
        {"N/13 copies of each of 13 values": [(v,) * 13 for v in (2, 4, 8, 16, 32, 64, 128)]},
        "a + bN² + cN⁴ log²(N/13)",
        lambda N: (1, N**2, N**4 * math.log(N / 13) ** 2),
        (26, 52, 104, 208, 416, 832, 1664),
    )


def _draw_growth(
    path: Path,
    vectors: dict[str, list[Vector]],
    law: str,
    terms: Callable[[int], tuple[float, ...]],
    ticks: tuple[int, ...],
) -> None:
    """Draw times against N, each series with the law that fits it best, and say how well."""
    figure = open_figure(path)
    axes = figure.add_subplot()
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(alpha=0.3)
    worst = 0.0
    for color, (name, cases) in zip(COLORS, vectors.items(), strict=False):
        sizes = [sum(x) for x in cases]
        works = [partial(_fast_bad, x, use_flint=False) for x in cases]
        # In rounds, so that what slows the machine down for a while slows no size down always.
        rounds = [[_milliseconds(work, 1) / 1e3 for work in works] for _ in range(_FIT_RUNS)]
        times = [min(column) for column in zip(*rounds, strict=True)]
        axes.plot(sizes, times, color=color, linestyle="", marker="o", markersize=4, label=name)
        factors, misfit = _fit([terms(N) for N in sizes], times)
        worst = max(worst, misfit)
        curve = np.geomspace(sizes[0], sizes[-1], 100)
        axes.plot(curve, [np.dot(factors, terms(N)) for N in curve], color=color, linewidth=1)
    axes.plot([], [], color="gray", linewidth=1, label=f"{law}, within {worst:.0%}")
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("N (cards)")
    axes.set_ylabel("seconds, without python-flint")
    axes.legend(frameon=False)
    save_figure(figure, path)


def _fit(terms: list[tuple[float, ...]], times: list[float]) -> tuple[Array, float]:
    """Return the factors of the terms that make the relative errors small, and the largest one."""
    relative = np.array(terms) / np.array(times)[:, None]
    factors = np.linalg.lstsq(relative, np.ones(len(times)))[0]
    return factors, float(np.abs(relative @ factors - 1).max())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
    else:
        main()
