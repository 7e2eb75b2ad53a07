"""Charts: colored tables, surfaces, curves of scores, and the chance of winning by hand size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from hanabi.ground import InvalidInputError, MissingPackageError, printable, quote

if TYPE_CHECKING:
    from hanabi.solitaire import Point

__all__ = [
    "COLORS",
    "STYLE",
    "Panel",
    "Spot",
    "Surface",
    "open_figure",
    "plot_matrix",
    "plot_panels",
    "plot_playability",
    "plot_surfaces",
    "save_figure",
]

# Files of charts. matplotlib (the extra `plots`) is imported when a chart is drawn.
#
# An SVG chart follows the reader's color scheme with its foreground and its background, because the
# page around it may not follow the scheme. Other files have a white background.

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Colors that color-blind readers can distinguish (Okabe and Ito 2008), most different first."""

STYLE = (
    "<style>:root{color:#222;fill:currentColor;background:#fff}"
    "@media(prefers-color-scheme:dark){:root{color:#ddd;background:#16161a}}</style>"
)
"""A style that makes `currentColor` the default ink of an SVG chart, in light and dark schemes."""

_FORMATS = (".pdf", ".png", ".svg")
_BLACK = "#000000"


def open_figure(path: str | Path, *, width: float = 5, height: float = 3.6) -> Any:
    """Return an empty matplotlib figure, sized in inches, if it can be saved to this path.

    Raises InvalidInputError if the file name does not end in .svg, .png or .pdf;
    MissingPackageError if matplotlib is not installed.

    >>> open_figure("picture.bmp")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: 'picture.bmp': a plot's file ends in .pdf .png .svg
    """
    if Path(path).suffix not in _FORMATS:
        raise InvalidInputError(f"{quote(str(path))}: a plot's file ends in {' '.join(_FORMATS)}")
    if find_spec("matplotlib") is None:
        raise MissingPackageError("plots need matplotlib", extra="plots")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Any, path: str | Path) -> None:
    """Write a figure; equal figures give equal files, and in SVG black becomes `currentColor`.

    Raises OSError if the file cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_figure(open_figure("a.svg"), f"{folder}/a.svg")
    """
    from matplotlib import rc_context

    if Path(path).suffix != ".svg":
        undated = {"CreationDate": None} if Path(path).suffix == ".pdf" else None
        figure.savefig(path, dpi=150, metadata=undated)
        return
    drawing = StringIO()
    # A fixed salt and no date keep the file the same from run to run.
    with rc_context({"svg.hashsalt": "hanabi"}):
        figure.savefig(drawing, format="svg", metadata={"Date": None}, transparent=True)
    text = drawing.getvalue().replace(_BLACK, "currentColor")
    Path(path).write_text(text.replace("<defs>", f"{STYLE}<defs>", 1), encoding="utf-8")


# Readable without color vision, and in gray.
_MAP = "viridis"
_DARK = 0.55
_ON_DARK, _ON_BRIGHT = "#ffffff", "#111111"  # whatever the ink of the page
_PANE = (0.5, 0.5, 0.5, 0.08)
_MARGIN = 0.15


def plot_matrix(
    values: Sequence[Sequence[float]],
    path: str | Path,
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    row_label: str,
    column_label: str,
    value_label: str,
    texts: Sequence[Sequence[str]] | None = None,
) -> None:
    """Draw a table whose cells are colored by their values.

    Parameters
    ----------
    values
        One row for each of `rows`, with one number for each of `columns`.
    path
        A file ending in .svg, .png or .pdf; overwritten. Equal data give equal SVG files.
    rows, columns
        The headings of the rows and columns.
    row_label, column_label, value_label
        The meaning of the rows, the columns and the colors.
    texts
        The texts of the cells; by default the values to two decimals.

    Raises
    ------
    InvalidInputError
        If the file name has another ending.
    MissingPackageError
        If matplotlib is not installed.
    OSError
        If the file cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_matrix([[1.0, 2.5]], f"{folder}/m.svg", rows=["a"], columns=["b", "c"],
    ...                 row_label="one", column_label="others", value_label="points")
    """
    rows, columns = ([*map(printable, names)] for names in (rows, columns))
    if texts is None:
        texts = [[f"{value:.2f}" for value in row] for row in values]
    longest = max(len(text) for row in texts for text in row)
    names = max(map(len, rows))
    width = 0.5 + 0.085 * names + max(0.6, 0.1 * longest) * len(columns)
    figure = open_figure(path, width=width, height=1.4 + 0.36 * len(rows))
    axes = figure.add_subplot()
    image = axes.imshow(values, cmap=_MAP, aspect="auto")
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            is_dark = image.norm(values[row][column]) < _DARK
            color = _ON_DARK if is_dark else _ON_BRIGHT
            axes.text(column, row, text, ha="center", va="center", color=color, fontsize=11)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.set_xlabel(column_label)
    axes.set_ylabel(row_label)
    for side in axes.spines.values():
        side.set_visible(False)
    # The cells show the numbers, so no color scale is needed.
    axes.set_title(value_label, fontsize=11, fontweight="bold", pad=10)
    save_figure(figure, path)


@dataclass(frozen=True, slots=True)
class Surface:
    """A height over each point of a grid: `z` has a row for each of `y`, a number for each of `x`.

    The title is shown above the surface; the labels name the two axes.
    """

    title: str
    x_label: str
    y_label: str
    x: Sequence[float]
    y: Sequence[float]
    z: Sequence[Sequence[float]]

    @property
    def top(self) -> tuple[float, float, float]:
        """The highest point (x, y, z); the first one if several are equal.

        >>> Surface("", "x", "y", (0, 1), (0,), [[3.0, 4.0]]).top
        (1, 0, 4.0)
        """
        height, row, column = max(
            (height, -row, -column)
            for row, line in enumerate(self.z)
            for column, height in enumerate(line)
        )
        return self.x[-column], self.y[-row], height


def plot_surfaces(surfaces: Sequence[Surface], path: str | Path, *, z_label: str) -> None:
    """Draw surfaces below each other, with the highest point of each marked.

    All share one scale of heights and colors. Errors are those of `plot_matrix`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     flat = Surface("a", "x", "y", (0, 1), (0, 1), [[1.0, 2.0], [2.0, 3.0]])
    ...     plot_surfaces([flat], f"{folder}/s.svg", z_label="points")
    """
    import numpy as np

    figure = open_figure(path, height=3.7 * len(surfaces))
    heights = [height for surface in surfaces for row in surface.z for height in row]
    low, high = min(heights), max(heights)
    mesh = None
    for number, surface in enumerate(surfaces, start=1):
        axes = figure.add_subplot(len(surfaces), 1, number, projection="3d", computed_zorder=False)
        x, y = np.meshgrid(surface.x, surface.y)
        mesh = axes.plot_surface(
            x, y, np.array(surface.z), cmap=_MAP, vmin=low, vmax=high,
            rstride=1, cstride=1, edgecolor="white", linewidth=0.35, zorder=1,
        )  # fmt: skip
        _mark_top(axes, surface)
        axes.set_title(surface.title, fontsize=11, y=1.0)
        axes.set_xlabel(surface.x_label)
        axes.set_ylabel(surface.y_label)
        margin = _MARGIN * (high - low)
        axes.set_zlim(low - margin, high + margin)
        axes.view_init(elev=27, azim=-125)
        axes.set_box_aspect(None, zoom=0.98)
        axes.tick_params(labelsize=9, pad=0)
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            axis.set_pane_color(_PANE)
    figure.colorbar(mesh, ax=figure.axes, label=z_label, shrink=0.3, pad=0.04)
    save_figure(figure, path)


def _mark_top(axes: Any, surface: Surface) -> None:
    x, y, z = surface.top
    axes.scatter([x], [y], [z], color=COLORS[1], edgecolor="black", s=36, zorder=3)
    label = axes.text(x, y, z, f"{z:.2f}\n", zorder=4, ha="center", va="bottom", linespacing=0.5)
    label.set_fontweight("bold")


Spot: TypeAlias = tuple[float, float, float, float]
"""A point of a curve: x, mean, standard error of the mean, standard deviation."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves over one quantity, by name in the order of the legend, with a note above them.

    `levels` are heights to mark with dashed lines, by name.
    """

    x_label: str
    curves: Mapping[str, Sequence[Spot]]
    note: str = ""
    levels: Mapping[str, float] = field(default_factory=dict)


def plot_panels(
    panels: Sequence[Panel], path: str | Path, *, y_label: str, y_range: tuple[float, float]
) -> None:
    """Draw panels below each other on one scale: boxes for errors, thin bars for deviations.

    Errors are those of `plot_matrix`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     panel = Panel("turns", {"ours": [(1, 9.0, 0.2, 2.0), (2, 12.0, 0.2, 2.5)]})
    ...     plot_panels([panel], f"{folder}/p.svg", y_label="score", y_range=(0, 25))
    """
    figure = open_figure(path, height=3.5 * len(panels))
    axes = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
    for each, panel in zip(axes, panels, strict=True):
        for color, (name, spots) in zip(COLORS, panel.curves.items(), strict=False):
            x, mean, error, deviation = zip(*spots, strict=True)
            each.plot(x, mean, color=color, linewidth=1, label=f"{name}: mean score")
            each.errorbar(
                x, mean, yerr=error, color=color, linestyle="", elinewidth=7,
                label="± standard error of the mean",
            )  # fmt: skip
            each.errorbar(
                x, mean, yerr=deviation, color=color, linestyle="", elinewidth=0.9, capsize=3,
                label="± standard deviation of a game",
            )  # fmt: skip
        for name, height in panel.levels.items():
            each.axhline(height, color="gray", linestyle="--", linewidth=1, label=name, zorder=0)
        each.set_xlabel(panel.x_label)
        each.set_ylabel(y_label)
        each.set_ylim(*y_range)
        each.grid(alpha=0.3)
        each.set_title(panel.note, fontsize=11)
    handles, labels = axes[0].get_legend_handles_labels()
    entries = dict(zip(labels, handles, strict=True))  # the bars of all curves once
    axes[0].legend(entries.values(), entries.keys(), loc="lower right", frameon=False)
    save_figure(figure, path)


def plot_playability(curves: Mapping[str, Sequence[Point]], path: str | Path) -> None:
    """Draw the probability of winning by hand size: one curve for each name, with its interval.

    `curves` are in the order of the legend; `path` and the errors are as for `plot_matrix`.

    >>> from hanabi.solitaire.counting.playability import exact_curve
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_playability({"x = 2,1,1": [*exact_curve([(2, 1, 1)])]}, f"{folder}/curve.svg")
    """
    figure = open_figure(path)
    axes = figure.add_subplot()
    axes.set_prop_cycle(color=COLORS)
    axes.grid(alpha=0.3)
    for name, points in curves.items():
        hands = [point.hand_size for point in points]
        shares = [float(point.probability) for point in points]
        errors = [
            [max(p - point.low, 0.0) for p, point in zip(shares, points, strict=True)],
            [max(point.high - p, 0.0) for p, point in zip(shares, points, strict=True)],
        ]
        axes.errorbar(hands, shares, yerr=errors, marker="o", markersize=3, capsize=2, label=name)
    axes.set_xlabel("hand size h")
    axes.set_ylabel("probability that a shuffled deck can be won")
    axes.set_ylim(-0.02, 1.02)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False)
    save_figure(figure, path)
