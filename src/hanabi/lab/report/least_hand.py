"""The laws of random streams: as text, as data, as charts."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from hanabi.ground import Cell, csv_table, rounded, text_table
from hanabi.lab.least_hand import (
    EXACT_CARDS,
    LawResults,
    LeastHandLaw,
    Sample,
    Threshold,
    ThresholdRow,
)
from hanabi.lab.report.charts import COLORS, open_figure, save_figure

__all__ = [
    "law_csv",
    "law_json",
    "law_text",
    "plot_law",
    "plot_threshold",
    "threshold_csv",
    "threshold_json",
    "threshold_text",
    "with_error",
]

_DRAWN_COLORS = (1, 2, 5, 10)
_DECILES = slice(9, None, 10)  # of the quantiles 1 %, 2 %, ..., 99 %


def with_error(value: float, error: float) -> str:
    """Return a number with its standard error, in units of its last digit, in parentheses.

    >>> with_error(1.24668, 0.00654), with_error(31.2, 4.0), with_error(2, 0), with_error(731, 25)
    ('1.2467(65)', '31.2(40)', '2', '731(25)')
    """
    if not error > 0:  # nan too
        return f"{value:g}"
    digits = max(1 - math.floor(math.log10(error)), 0)
    return f"{value:.{digits}f}({error * 10**digits:.0f})"


def law_text(results: LawResults) -> str:
    """Return the law as tables in 80 columns: streams beside the limit, its growth, few values."""
    limits = {row.c: row for row in results.of("limit")}
    rows: list[list[Cell]] = []
    lengths: list[int] = []
    for c, limit in limits.items():
        ours = [row for row in results.of("streams") if row.c == c]
        if not ours:  # the limit for many colors
            continue
        lengths = lengths or [row.N or 0 for row in ours]  # of one color: the others are rounded
        last = ours[-1]
        means = [with_error(row.mean, row.standard_error) for row in ours]
        distance = f"{last.distance:.4f} ({last.level:.4f})"
        middle = with_error(limit.mean, limit.standard_error)
        rows.append([c, *means, middle, f"{last.gap:+.1f}", distance])
    header = ["c", *(f"N = {N:,}" for N in lengths), "L(c)", "gap", "distance"]
    exact = [row for row in results.of("streams") if row.exact is not None]
    formula = ", ".join(f"{row.exact:.4f}" for row in exact)
    small = ", ".join(f"{c}: {mean:.3f}" for c, mean in results.exact.items())
    return "\n".join(
        [
            "Mean of (N - h) / sqrt(N), standard errors of the last digits in parentheses",
            text_table(header, rows, left=()),
            "gap: of the last N from L(c), in standard errors; distance: of their",
            "distribution functions (in parentheses what 5 % of equal laws exceed)",
            "",
            f"exact, c = 1: {formula}; in the limit {math.sqrt(math.pi / 2):.4f}",
            f"exact, {EXACT_CARDS} cards, c = {small}",
            f"played from beginning to end: {results.played:,} streams, all as their ends tell",
            "",
            _growth_text(results.of("limit")),
            "",
            _held_text(results.of("held")),
        ]
    )


def _growth_text(limits: Sequence[Sample]) -> str:
    rows: list[list[Cell]] = [
        [
            row.c, f"{row.samples:,}", with_error(row.mean, row.standard_error),
            with_error(row.mean / row.expected, row.standard_error / row.expected),
            with_error(row.mean - row.expected, row.standard_error), f"{row.deviation:.3f}",
        ]
        for row in limits
    ]  # fmt: skip
    header = ["c", "samples", "mean of L(c)", "/ (2 sqrt c)", "- 2 sqrt c", "deviation"]
    return f"The limit, and its growth\n{text_table(header, rows, left=())}"


def _held_text(held: Sequence[Sample]) -> str:
    rows: list[list[Cell]] = [
        [
            row.n, f"{row.c:,}", f"{row.samples:,}",
            with_error(row.mean, row.standard_error), f"{row.expected:.6f}",
        ]
        for row in held
    ]  # fmt: skip
    header = ["n", "c", "streams", "mean of h / N", "limit"]
    return f"Few values in many colors\n{text_table(header, rows, left=())}"


def law_csv(results: LawResults) -> str:
    """Return all rows as comma-separated values: the fields of `Sample`, quantiles aside."""
    names = [each.name for each in fields(Sample) if each.name != "quantiles"]
    rows = [[_cell(getattr(row, name)) for name in names] for row in results.rows]
    return csv_table(names, rows)


def _cell(value: str | int | float | None) -> Cell:
    return rounded(value) if isinstance(value, float) else value


def law_json(law: LeastHandLaw, results: LawResults) -> str:
    """Return everything as JSON, with the quantiles of the laws."""
    data = {
        "experiment": law.name,
        "streams": law.deals,
        "seed": law.seed,
        "played": results.played,
        "exact_cards": EXACT_CARDS,
        "exact_means": {str(c): mean for c, mean in results.exact.items()},
        "rows": [_plain(asdict(row)) for row in results.rows],
    }
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """Return a value for JSON, numbers rounded; there is no nan in JSON."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return _cell(value)


def plot_law(results: LawResults, path: str | Path) -> None:
    """Draw the laws beside the limit, its growth, and the share held of few values.

    Errors are those of `hanabi.lab.report.charts.plot_matrix`.
    """
    figure = open_figure(path, height=10)
    law, growth, held = figure.subplots(3, 1)
    percents = [percent / 100 for percent in range(1, 100)]
    limits = {row.c: row for row in results.of("limit")}
    streams = {row.c: row for row in results.of("streams")}  # the longest come last
    for color, c in zip(COLORS, _DRAWN_COLORS, strict=False):
        law.plot(limits[c].quantiles, percents, color=color, linewidth=1, label=f"c = {c}")
        law.plot(streams[c].quantiles[_DECILES], percents[_DECILES], "o", color=color, markersize=4)
    law.set_title(f"lines: L(c); dots: streams of {streams[1].N:,} cards", fontsize=11)
    law.set_xlabel("(N − h) / √N")
    law.set_ylabel("share of streams below")
    growth.errorbar(
        [*limits], [row.mean / row.expected for row in limits.values()],
        yerr=[row.standard_error / row.expected for row in limits.values()],
        color=COLORS[0], marker="o", markersize=3, linewidth=1, capsize=2,
    )  # fmt: skip
    growth.axhline(1, color="gray", linestyle="--", linewidth=1)
    growth.set_xscale("log")
    growth.set_xlabel("colors c")
    growth.set_ylabel("mean of L(c) / (2 √c)")
    for color, n in zip(COLORS, sorted({row.n or 0 for row in results.of("held")}), strict=False):
        rows = [row for row in results.of("held") if row.n == n]
        held.errorbar(
            [row.c for row in rows], [row.mean for row in rows],
            yerr=[row.standard_error for row in rows],
            color=color, marker="o", markersize=3, linewidth=1, capsize=2, label=f"n = {n}",
        )  # fmt: skip
        held.axhline(rows[0].expected, color=color, linestyle="--", linewidth=1)
    held.set_xscale("log")
    held.set_ylim(0, 0.6)
    held.set_title("dashed: the limit for many colors", fontsize=11)
    held.set_xlabel("colors c")
    held.set_ylabel("h / N")
    for axes in (law, growth, held):
        axes.grid(alpha=0.3)
    law.legend(frameon=False)
    held.legend(frameon=False, loc="upper center", ncols=4)
    save_figure(figure, path)


def threshold_text(rows: Sequence[ThresholdRow]) -> str:
    """Return a line for each n, c and r in 80 columns, and few colors beside their limit."""
    table: list[list[Cell]] = []
    for row in rows:
        hands = (row.hand_for(0.1), row.hand_for(0.5), row.hand_for(0.9))
        table.append(
            [
                row.n, row.c, row.r, f"{row.N:,}", row.open,
                with_error(row.mean, row.standard_error),
                with_error(row.mean / row.N, row.standard_error / row.N),
                f"{row.deviation / math.sqrt(row.N):.3f}", ", ".join(map(str, hands)),
            ]
        )  # fmt: skip
    header = ["n", "c", "r", "N", "open", "mean h", "h / N", "dev/rtN", "10, 50, 90 %"]
    known = {row.r: row.expected for row in rows if row.expected is not None}
    limits = ", ".join(f"{limit:.5f} (r = {r})" for r, limit in known.items())
    return "\n".join(
        [
            text_table(header, table, left=()),
            "",
            "h: the least hand of a stream; open: streams in which it is only bounded;",
            "dev/rtN: its standard deviation over sqrt(N); 10, 50, 90 %: the least hands",
            "that win so many of the streams",
            *([f"limit of h / N for many colors, n = 2: {limits}"] if limits else []),
            *_spare_text(rows),
        ]
    )


def _spare_text(rows: Sequence[ThresholdRow]) -> list[str]:
    """Return the table of few colors beside their limit, if there are any."""
    table: list[list[Cell]] = [
        [
            row.c, row.r, f"{row.n:,}", f"{row.N:,}",
            with_error(row.spare, row.standard_error / row.scale),
            f"{row.deviation / row.scale:.3f}", with_error(row.limit, row.limit_error),
        ]
        for row in sorted(rows, key=lambda row: (row.c, row.r, row.n))
        if row.limit is not None
    ]  # fmt: skip
    if not table:
        return []
    header = ["c", "r", "n", "N", "(N/r - h) / N^(r/(r+1))", "dev", "L(c, r)"]
    return ["", "Few colors, many values", text_table(header, table, left=())]


def threshold_csv(rows: Sequence[ThresholdRow]) -> str:
    """Return the share of streams won, with its 95 % interval, for each n, c, r and hand."""
    header = ["n", "c", "r", "N", "hand_size", "won", "streams", "share", "low", "high"]
    table = [
        [
            row.n, row.c, row.r, row.N, point.hand_size, point.won, point.decks,
            rounded(float(point.probability)), rounded(point.low), rounded(point.high),
        ]
        for row in rows
        for point in row.points
    ]  # fmt: skip
    return csv_table(header, table)


def threshold_json(threshold: Threshold, rows: Sequence[ThresholdRow]) -> str:
    """Return everything as JSON."""
    data = {
        "experiment": threshold.name,
        "streams": threshold.deals,
        "seed": threshold.seed,
        "rows": [{**_plain(asdict(row)), "N": row.N} for row in rows],
    }
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def plot_threshold(rows: Sequence[ThresholdRow], path: str | Path) -> None:
    """Draw the share won by h / N for more colors and for more values, and how h / N falls.

    Errors are those of `hanabi.lab.report.charts.plot_matrix`.
    """
    figure = open_figure(path, height=10)
    colors, values, means = figure.subplots(3, 1)
    for axes, chosen, name in (
        (colors, [row for row in rows if (row.n, row.r) == (5, 2)], "c"),
        (values, [row for row in rows if (row.c, row.r) == (5, 2)], "n"),
    ):
        axes.set_prop_cycle(color=COLORS)
        for row in chosen:
            hands = [point.hand_size / row.N for point in row.points]
            shares = [float(point.probability) for point in row.points]
            label = f"{name} = {getattr(row, name)}"
            (line,) = axes.plot(hands, shares, drawstyle="steps-post", linewidth=1, label=label)
            low, high = zip(*((point.low, point.high) for point in row.points), strict=True)
            axes.fill_between(
                hands, low, high, step="post", color=line.get_color(), alpha=0.2, linewidth=0
            )
        axes.set_xlabel("h / N")
        axes.set_ylabel("share of streams won")
    colors.set_title("n = 5 values, r = 2 copies, c colors", fontsize=11)
    values.set_title("n values, r = 2 copies, c = 5 colors", fontsize=11)
    shapes = dict.fromkeys((row.n, row.r) for row in rows)
    for color, shape in zip(COLORS, shapes, strict=False):
        chosen = [row for row in rows if (row.n, row.r) == shape]
        if len(chosen) < 3:
            continue
        means.errorbar(
            [row.c for row in chosen], [row.mean / row.N for row in chosen],
            yerr=[row.standard_error / row.N for row in chosen],
            color=color, marker="o", markersize=3, linewidth=1, capsize=2,
            label=f"n = {shape[0]}, r = {shape[1]}",
        )  # fmt: skip
        if chosen[0].expected is not None:
            means.axhline(chosen[0].expected, color=color, linestyle="--", linewidth=1)
    means.set_xscale("log")
    means.set_ylim(0)
    means.set_title("dashed: the limit for many colors", fontsize=11)
    means.set_xlabel("colors c")
    means.set_ylabel("mean of h / N")
    for axes in (colors, values, means):
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False)
    save_figure(figure, path)
