"""Reduced instances as SVG: the paper's figures 1 and 2, drawn from the cards."""

from __future__ import annotations

from html import escape

from hanabi.hardness.annotation import Annotation
from hanabi.hardness.explain import Cell, Column, columns, meaning_name
from hanabi.report.canvas import STYLE
from hanabi.solitaire.instance import Instance

__all__ = ["svg_of"]

_WIDTH, _HEIGHT, _GAP = 27, 42, 8
_TITLE = 22
_ROW = _TITLE + _HEIGHT + 14
_MARGIN = 8
_LETTER = 7.5  # the width of one in a title, on average
_SAMPLE = 14
_FONT = "font-family='Helvetica, Arial, sans-serif' font-size='13'"


def svg_of(
    instance: Instance,
    annotation: Annotation,
    *,
    first: int = 1,
    last: int | None = None,
    width: int = 460,
) -> str:
    """Return a drawing of the cards `first` .. `last`, gadget by gadget, in rows of `width` pixels.

    Each card shows its value and below it its color ("d": dummy). A variable has
    one hue; a positive literal is light, its negation dark with a line above the value, as the
    legend at the end says.

    >>> from hanabi.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> svg_of(reduction, reduction.annotation, last=32).count("<rect")
    39
    """
    shown = columns(instance, annotation, first, last)
    parts: list[str] = []
    x, y = _MARGIN, _MARGIN
    most = (width - 2 * _MARGIN) // _WIDTH  # a longer gadget is cut
    for column in shown:
        for start in range(0, len(column.cells), most):
            title = "" if start else column.title
            cells = column.cells[start : start + most]
            needed = max(_WIDTH * len(cells), int(_LETTER * len(title)))
            if x > _MARGIN and x + needed > width - _MARGIN:
                x, y = _MARGIN, y + _ROW
            parts.append(_gadget(Column(title, cells), x, y))
            x += needed + _GAP
    drawn = {cell.meaning for column in shown for cell in column.cells}
    meanings = [meaning for meaning in dict.fromkeys(annotation.colors) if meaning in drawn]
    legend, height = _legend(meanings, y + _ROW, width)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'"
        f" viewBox='0 0 {width} {height}' role='img' {_FONT}>\n{STYLE}\n"
        + "".join(parts)
        + legend
        + "</svg>\n"
    )


def _gadget(column: Column, x: int, y: int) -> str:
    end = x + _WIDTH * len(column.cells) - 2
    lines = [
        (
            f"<text x='{x}' y='{y + 11}'>{escape(column.title)}</text>\n"
            f"<path d='M{x} {y + 19}v-3H{end}v3' fill='none' stroke='#888888'/>\n"
        )
    ]
    lines += [_card(cell, x + i * _WIDTH, y + _TITLE) for i, cell in enumerate(column.cells)]
    return "".join(lines)


def _card(cell: Cell, x: int, y: int) -> str:
    _, ink = _colors(cell.meaning)
    middle = x + _WIDTH // 2 - 1
    return (
        f"{_box(cell.meaning, x, y, _WIDTH - 2, _HEIGHT)}"
        f"<text x='{middle}' y='{y + 20}' font-size='15' text-anchor='middle' fill='{ink}'>"
        f"{cell.value}</text>"
        f"<text x='{middle}' y='{y + 36}' font-size='12' text-anchor='middle' fill='{ink}'>"
        f"{cell.color}</text>\n"
    )


def _box(meaning: int | str, x: int, y: int, width: int, height: int) -> str:
    fill, ink = _colors(meaning)
    over = ""
    if isinstance(meaning, int) and meaning < 0:
        over = f"<path d='M{x + 4} {y + 4}h{width - 8}' stroke='{ink}'/>"
    return (
        f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='3' fill='{fill}'"
        f" stroke='#666666' stroke-width='.5'/>{over}"
    )


def _colors(meaning: int | str) -> tuple[str, str]:
    """Return the colors of a card and of its text."""
    if isinstance(meaning, str):
        return "#eeeeee", "#222222"
    hue = (abs(meaning) - 1) * 137 % 360  # the golden angle keeps neighbours apart
    return (f"hsl({hue},70%,82%)", "#111111") if meaning > 0 else (f"hsl({hue},55%,34%)", "#ffffff")


def _legend(meanings: list[int | str], y: int, width: int) -> tuple[str, int]:
    """Return what the cards mean, from the height y on, and the height where it ends."""
    parts = [
        f"<text x='{_MARGIN}' y='{y + 11}'>each card: its value, and below it its color</text>\n"
    ]
    x, y = _MARGIN, y + _TITLE
    for meaning in meanings:
        name = meaning_name(meaning)
        needed = _SAMPLE + 8 + int(_LETTER * len(name))
        if x > _MARGIN and x + needed > width - _MARGIN:
            x, y = _MARGIN, y + _TITLE
        parts.append(
            f"{_box(meaning, x, y, _SAMPLE, _SAMPLE)}"
            f"<text x='{x + _SAMPLE + 5}' y='{y + 12}'>{escape(name)}</text>\n"
        )
        x += needed + _GAP
    return "".join(parts), y + _TITLE
