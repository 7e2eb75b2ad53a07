"""Pictures of marks in rows and columns, with the rows in groups."""

from __future__ import annotations

from hanabi.svg.looks import hue_color, ink_on
from hanabi.svg.markup import fitted, number, picture, text, wrapped
from hanabi.svg.records import Grid

__all__ = ["draw_grid"]

_MARGIN, _ROW, _GROUP, _NAME, _WIDTH = 8, 24, 26, 66, 360


def draw_grid(grid: Grid, *, title: str, standalone: bool = False) -> str:
    """Return a table with a letter and a color for each group of rows, and its note below.

    The rows of a group are adjacent; rows without a group come last. O(cells).

    >>> grid = Grid(columns=("1",), rows=("r", "y"), marked=((0,), ()), groups=((0,), (1,)))
    >>> draw_grid(grid, title="Hints").count("hb-mark")
    1
    """
    columns = max(1, len(grid.columns))
    step = max(22.0, min(60.0, (_WIDTH - 2 * _MARGIN - _GROUP - _NAME) / columns))
    width = max(_WIDTH, 2 * _MARGIN + _GROUP + _NAME + step * columns)
    left = _MARGIN + _GROUP + _NAME
    parts = "".join(
        text(fitted(name, int(step / 7)), left + step * (n + 0.5), _MARGIN + 15, "hb-m hb-b")
        for n, name in enumerate(grid.columns)
    )
    y, group_of = _MARGIN + _ROW, {row: n for n, group in enumerate(grid.groups) for row in group}
    others = [row for row in range(len(grid.rows)) if row not in group_of]
    for row in [*(row for group in grid.groups for row in group), *others]:
        parts += _head(group_of[row], y) if row in group_of else ""
        parts += text(fitted(grid.rows[row], 8), _MARGIN + _GROUP + 8, y + 16)
        for n in range(len(grid.columns)):
            parts += _cell(left + step * n, y, step, n in grid.marked[row])
        y += _ROW
    y += 20
    for n, note in enumerate(grid.notes):
        for line in wrapped(f"{_letter(n)}: {note}", int((width - 16) / 7), 4):
            parts += text(line, _MARGIN, y)
            y += 17
    return picture(
        parts, (width, y), title=title, description=_described(grid), standalone=standalone
    )


def _letter(group: int) -> str:
    return chr(ord("A") + group) if group < 26 else str(group + 1)


def _head(group: int, y: float) -> str:
    color = hue_color(group, 0.75)
    words = "hb-k" if ink_on(color) == "#000000" else "hb-w"
    box = f'x="{_MARGIN}" y="{number(y)}" width="{_GROUP}" height="{_ROW}"'
    letter = text(_letter(group), _MARGIN + _GROUP / 2, y + 16, f"hb-m hb-b {words}")
    return f'<rect {box} fill="{color}"/>{letter}'


def _cell(x: float, y: float, step: float, is_marked: bool) -> str:
    frame = f'x="{number(x)}" y="{number(y)}" width="{number(step)}" height="{_ROW}"'
    cell = f'<rect class="hb-panel" {frame}/>'
    if is_marked:
        center = f'cx="{number(x + step / 2)}" cy="{number(y + _ROW / 2)}"'
        cell += f'<circle class="hb-mark" {center} r="6"/>'
    return cell


def _described(grid: Grid) -> str:
    sentences = [f"{len(grid.groups)} groups"]
    for n, group in enumerate(grid.groups):
        rows = (
            f"{grid.rows[row]} ({', '.join(grid.columns[at] for at in grid.marked[row]) or 'none'})"
            for row in group
        )
        sentences.append(f"{_letter(n)}: {', '.join(rows)}")
    return " ".join(f"{each}." for each in sentences)
