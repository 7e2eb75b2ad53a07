"""Curves: the probability of winning by hand size, and how times grow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hanabi.report.canvas import open_figure, save_figure

if TYPE_CHECKING:
    from hanabi.counting.playability import Point

__all__ = ["plot_growth", "plot_playability"]

Series = Sequence[tuple[float, float]]
"""Points (x, y)."""


def plot_playability(curves: Mapping[str, Sequence[Point]], path: str | Path) -> None:
    """Draw the probability of winning against the hand size, one curve a name.

    Estimates get their confidence intervals as error bars.

    Parameters
    ----------
    curves
        Points by the name of the curve, in the order of the legend.
    path
        A file ending in .svg, .png or .pdf; overwritten. The same curves give the same SVG file.

    Raises
    ------
    InvalidInputError
        If the file's ending is another.
    HanabiError
        If matplotlib is not installed.
    OSError
        If the file cannot be written.

    >>> from hanabi.counting.playability import exact_curve
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_playability({"x = 2,1,1": [*exact_curve([(2, 1, 1)])]}, f"{folder}/curve.svg")
    """
    figure, axes = _axes(path)
    for name, points in curves.items():
        hands = [point.hand_size for point in points]
        shares = [float(point.probability) for point in points]
        errors = [
            [max(p - point.low, 0.0) for p, point in zip(shares, points, strict=True)],
            [max(point.high - p, 0.0) for p, point in zip(shares, points, strict=True)],
        ]
        axes.errorbar(hands, shares, yerr=errors, marker="o", markersize=4, capsize=2, label=name)
    axes.set_xlabel("hand size h")
    axes.set_ylabel("probability that a shuffled deck can be won")
    axes.set_ylim(-0.02, 1.02)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend()
    save_figure(figure, path)


def plot_growth(
    measured: Mapping[str, Series],
    theory: Mapping[str, Series],
    path: str | Path,
    *,
    x_label: str,
    y_label: str,
) -> None:
    """Draw measurements as marks and what theory says as lines, both axes logarithmic.

    The parameters and errors are otherwise those of `plot_playability`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_growth({"time": [(1, 1), (2, 3.9)]}, {"quadratic": [(1, 1), (2, 4)]},
    ...                 f"{folder}/growth.svg", x_label="k", y_label="seconds")
    """
    figure, axes = _axes(path)
    for name, series in measured.items():
        axes.plot(*zip(*series, strict=True), marker="o", markersize=4, linestyle="", label=name)
    for name, series in theory.items():
        axes.plot(*zip(*series, strict=True), linewidth=1, color="gray", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.legend()
    save_figure(figure, path)


def _axes(path: str | Path) -> tuple[Any, Any]:
    figure = open_figure(path)
    axes = figure.add_subplot()
    axes.grid(alpha=0.3)
    return figure, axes
