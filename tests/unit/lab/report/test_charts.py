from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.errors import HanabiError, InvalidInputError
from hanabi.lab.report import charts
from hanabi.lab.report import charts as canvas
from hanabi.lab.report.charts import Panel, Surface, plot_matrix, plot_panels, plot_surfaces

SURFACE = Surface("a", "x", "y", (0, 0.5, 1), (0, 1), [[1, 2, 3], [2, 4, 4]])


def matrix(path: Path) -> None:
    plot_matrix(
        [[1.0, 2.0], [3.0, 4.0]], path, rows=["a", "b"], columns=["1", "2"], row_label="one",
        column_label="others", value_label="points",
    )  # fmt: skip


def surfaces(path: Path) -> None:
    plot_surfaces([SURFACE, SURFACE], path, z_label="points")


def panels(path: Path) -> None:
    ours = [(1.0, 9.0, 0.2, 2.0), (2.0, 12.0, 0.2, 2.5)]
    curves = {"ours": ours, "theirs": [(1.0, 8.0, 0.0, 0.0)]}
    plot_panels([Panel("turns", curves, "note")], path, y_label="score", y_range=(0, 25))


PLOTS = [matrix, surfaces, panels]


@pytest.mark.parametrize("plot", PLOTS)
def test_the_same_data_give_the_same_file(plot: Callable[[Path], None], tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        plot(tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert b"<svg" in (tmp_path / "a.svg").read_bytes()


@pytest.mark.parametrize("plot", PLOTS)
def test_the_ink_of_a_drawing_follows_the_color_scheme(
    plot: Callable[[Path], None], tmp_path: Path
) -> None:
    plot(tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert text.count(canvas.STYLE) == 1
    if plot is not matrix:  # which has only words, and these take the color of the whole
        assert "currentColor" in text.replace(canvas.STYLE, "")
    assert "#000000" not in text
    assert not re.search(r'<g id="patch_1">\s*<path [^>]*fill: #ffffff', text)  # no background


def test_every_kind_of_bar_is_in_the_legend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(charts, "save_figure", lambda figure, _: drawn.append(figure))
    panels(tmp_path / "a.svg")
    (figure,) = drawn
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    bars = ["± standard error of the mean", "± standard deviation of a game"]
    assert sorted(texts) == sorted(["ours: mean score", "theirs: mean score", *bars])


@pytest.mark.parametrize("plot", PLOTS)
def test_png(plot: Callable[[Path], None], tmp_path: Path) -> None:
    plot(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("plot", PLOTS)
def test_what_cannot_be_drawn(
    plot: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidInputError, match=r"a\.gif': a plot's file ends in \.pdf \.png"):
        plot(Path("a.gif"))
    with pytest.raises(OSError, match="nowhere"):
        plot(tmp_path / "nowhere" / "a.png")
    monkeypatch.setattr(canvas, "find_spec", lambda _: None)
    with pytest.raises(HanabiError, match=r"pip install '\.\[plots\]'"):
        plot(tmp_path / "a.png")


def test_the_top_of_a_surface_is_the_first_of_the_highest() -> None:
    assert SURFACE.top == (0.5, 1, 4)
