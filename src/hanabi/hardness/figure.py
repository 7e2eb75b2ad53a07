"""Reduced instances as SVG: the paper's figures 1 and 2, drawn from the cards."""

from __future__ import annotations

from html import escape

from hanabi.hardness.annotation import Annotation
from hanabi.hardness.explain import Cell, Column, columns
from hanabi.solitaire.instance import Instance

__all__ = ["svg_of"]

_WIDTH, _HEIGHT, _GAP = 22, 34, 8
_ROW = _HEIGHT + 34
_MARGIN = 12
_FONT = "font-family='Helvetica, Arial, sans-serif'"


def svg_of(
    instance: Instance,
    annotation: Annotation,
    *,
    first: int = 1,
    last: int | None = None,
    width: int = 900,
) -> str:
    """Return a drawing of the cards `first` .. `last`, gadget by gadget, in rows of `width` pixels.

    Each card shows its value and below it its color, counted from 1 ("d": dummy). A variable has
    one hue; a positive literal is light, its negation dark with a line above the value.

    >>> from hanabi.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> svg_of(reduction, reduction.annotation, last=32).count("<rect")
    33
    """
    parts: list[str] = []
    x, y = _MARGIN, _MARGIN
    most = (width - 2 * _MARGIN) // _WIDTH  # a longer gadget is cut
    for column in columns(instance, annotation, first, last):
        for start in range(0, len(column.cells), most):
            chunk = Column(column.title, column.cells[start : start + most])
            needed = max(_WIDTH * len(chunk.cells), min(6 * len(chunk.title), 120))
            if x > _MARGIN and x + needed > width - _MARGIN:
                x, y = _MARGIN, y + _ROW
            parts.append(_gadget(chunk, x, y))
            x += needed + _GAP
    height = y + _ROW
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'"
        f" viewBox='0 0 {width} {height}' role='img' {_FONT}>\n"
        f"<rect width='{width}' height='{height}' fill='#ffffff'/>\n" + "".join(parts) + "</svg>\n"
    )


def _gadget(column: Column, x: int, y: int) -> str:
    end = x + _WIDTH * len(column.cells) - 2
    lines = [
        (
            f"<text x='{x}' y='{y + 9}' font-size='9' fill='#444444'>{_short(column)}</text>\n"
            f"<path d='M{x} {y + 16}v-3H{end}v3' fill='none' stroke='#888888'/>\n"
        )
    ]
    lines += [_card(cell, x + i * _WIDTH, y + 18) for i, cell in enumerate(column.cells)]
    return "".join(lines)


def _short(column: Column) -> str:
    most = max(20, _WIDTH * len(column.cells) // 5)
    title = column.title
    return escape(title if len(title) <= most else title[: most - 1] + "…")


def _card(cell: Cell, x: int, y: int) -> str:
    fill, ink = _colors(cell.meaning)
    middle = x + _WIDTH // 2 - 1
    over = ""
    if isinstance(cell.meaning, int) and cell.meaning < 0:
        over = f"<path d='M{x + 5} {y + 4}h{_WIDTH - 12}' stroke='{ink}'/>"
    return (
        f"<rect x='{x}' y='{y}' width='{_WIDTH - 2}' height='{_HEIGHT}' rx='3' fill='{fill}'"
        f" stroke='#666666' stroke-width='.5'/>{over}"
        f"<text x='{middle}' y='{y + 16}' font-size='11' text-anchor='middle' fill='{ink}'>"
        f"{cell.value}</text>"
        f"<text x='{middle}' y='{y + 29}' font-size='8' text-anchor='middle' fill='{ink}'>"
        f"{cell.color}</text>\n"
    )


def _colors(meaning: int | str) -> tuple[str, str]:
    """Return the colors of a card and of its text."""
    if isinstance(meaning, str):
        return "#eeeeee", "#222222"
    hue = (abs(meaning) - 1) * 137 % 360  # the golden angle keeps neighbours apart
    return (f"hsl({hue},70%,82%)", "#111111") if meaning > 0 else (f"hsl({hue},55%,34%)", "#ffffff")
