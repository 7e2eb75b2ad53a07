"""Marks in rows and columns, of which groups belong together."""

from __future__ import annotations

from hanabi.svg.looks import hue_color, ink_on
from hanabi.svg.markup import fitted, number, picture, text, wrapped
from hanabi.svg.records import Grid

__all__ = ["draw_grid"]

_MARGIN, _ROW, _NAME = 8, 24, 62
_WIDTH = 360


def draw_grid(grid: Grid, *, title: str, standalone: bool = False) -> str:
    """Return a table with a letter and a color for each group, and its note below. O(cells).

    >>> grid = Grid(columns=("r", "y"), rows=("1",), marked=((0,),), groups=((0,), (1,)))
    >>> draw_grid(grid, title="Hints").count("hb-mark")
    1
    """
    step = max(26.0, min(48.0, (_WIDTH - 2 * _MARGIN - _NAME) / max(1, len(grid.columns))))
    group_of = {column: n for n, group in enumerate(grid.groups) for column in group}
    order = [column for group in grid.groups for column in group]
    order += [column for column in range(len(grid.columns)) if column not in group_of]
    width = max(_WIDTH, 2 * _MARGIN + _NAME + step * len(order))
    bottom = _MARGIN + _ROW * (2 + len(grid.rows))
    parts = ""
    for place, column in enumerate(order):
        x = _MARGIN + _NAME + step * place
        group = group_of.get(column)
        if group is not None:
            parts += _head(group, x, step)
        parts += text(grid.columns[column][:6], x + step / 2, _MARGIN + _ROW + 16, "hb-m hb-b")
        for n, marked in enumerate(grid.marked):
            y = _MARGIN + 2 * _ROW + _ROW * n
            parts += (
                f'<rect class="hb-panel" x="{number(x)}" y="{y}" width="{number(step)}"'
                f' height="{_ROW}"/>'
            )
            if column in marked:
                center = f'cx="{number(x + step / 2)}" cy="{number(y + _ROW / 2)}"'
                parts += f'<circle class="hb-mark" {center} r="6"/>'
    for n, row in enumerate(grid.rows):
        parts += text(fitted(row, 8), _MARGIN, _MARGIN + 2 * _ROW + _ROW * n + 16)
    below = bottom + 20
    for n, note in enumerate(grid.notes):
        for line in wrapped(f"{_letter(n)}: {note}", int((width - 16) / 7), 4):
            parts += text(line, _MARGIN, below)
            below += 17
    return picture(
        parts, (width, below), title=title, description=_described(grid), standalone=standalone
    )


def _letter(group: int) -> str:
    return chr(ord("A") + group) if group < 26 else str(group + 1)


def _head(group: int, x: float, step: float) -> str:
    color = hue_color(group, 0.75)
    words = "hb-k" if ink_on(color) == "#000000" else "hb-w"
    box = f'x="{number(x)}" y="{_MARGIN}" width="{number(step)}" height="{_ROW}"'
    letter = text(_letter(group), x + step / 2, 24, f"hb-m hb-b {words}")
    return f'<rect {box} fill="{color}"/>{letter}'


def _described(grid: Grid) -> str:
    groups = "; ".join(
        f"{_letter(n)}: {', '.join(grid.columns[column] for column in group)}"
        for n, group in enumerate(grid.groups)
    )
    rows = "; ".join(
        f"{row} can be touched by {', '.join(grid.columns[n] for n in marked)}"
        for row, marked in zip(grid.rows, grid.marked, strict=True)
    )
    return f"{len(grid.groups)} groups. {groups}. {rows}".rstrip(". ") + "."
