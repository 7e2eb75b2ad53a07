"""Pictures of numbers: best scores as bars, shares as a curve, and marks in a grid."""

from __future__ import annotations

from hanabi.ground.errors import counted
from hanabi.ground.svg.looks import hue_color, ink_on
from hanabi.ground.svg.markup import fitted, number, picture, text, wrapped
from hanabi.ground.svg.records import Curve, Grid, Scores

__all__ = ["draw_curve", "draw_grid", "draw_scores"]

# The best score still reachable, position by position.

_WIDTH = 360  # of every picture, unless a grid needs more
_LEFT, _TOP, _HEIGHT = 24, 34, 70


def draw_scores(
    scores: Scores,
    *,
    title: str = "Best score that could still be had",
    link: str = "",
    standalone: bool = False,
) -> str:
    """Return a bar for each position, and a mark above each move that lost points.

    Parameters
    ----------
    link
        The address behind each bar, with `{}` for the number of moves made. The links of losing
        moves can be reached by keyboard.

    >>> scores = Scores(bounds=((25, 25), (24, 24)), top=25, lost=((1, 1),))
    >>> "-1" in draw_scores(scores)
    True
    """
    step = (_WIDTH - _LEFT - 6) / max(1, len(scores.bounds))
    lost, unit = dict(scores.lost), _HEIGHT / max(1, scores.top)
    base = _TOP + _HEIGHT
    parts = f'<path class="hb-axis" d="M{_LEFT} {_TOP}V{base}H{_WIDTH - 6}"/>'
    parts += text(str(scores.top), 4, _TOP + 5, "hb-s hb-dim") + text("0", 4, base, "hb-s hb-dim")
    labels, row = "", 0  # the row of a label, which must not cover that of its neighbor
    for move, (lower, upper) in enumerate(scores.bounds):
        x = _LEFT + step * move
        bar = _bar(x, step, base, lower * unit, "hb-fall" if move in lost else "hb-bar")
        if upper > lower:
            bar += _bar(x, step, base - lower * unit, (upper - lower) * unit, "hb-open")
        if link:
            bar = _linked(bar, x, step, _label(scores, move), link.format(move), move in lost)
        parts += bar
        if move in lost:
            words = f"-{lost[move]}"
            labels += text(words, x + step / 2, _TOP - 8 - 12 * row, "hb-m hb-s hb-lost")
            row = 1 - row
        if move in scores.errors:
            labels += text("×", x + step / 2, base + 12, "hb-m hb-b")
    every = 10 if len(scores.bounds) > 20 else 5
    for move in range(0, len(scores.bounds), every):
        labels += text(str(move), _LEFT + step * (move + 0.5), base + 26, "hb-m hb-s hb-dim")
    below = 32
    if scores.errors:
        labels, below = labels + text("× a life was lost", _LEFT, base + 40, "hb-s hb-dim"), 46
    svg = picture(
        f'{parts}<g class="hb-over">{labels}</g>',
        (_WIDTH, base + below),
        title=title,
        description=_scores_words(scores),
        standalone=standalone,
    )
    return svg.replace(' role="img"', ' role="group"', 1) if link else svg


def _bar(x: float, step: float, base: float, height: float, name: str) -> str:
    width, top = number(max(step - 1, step * 0.7)), number(base - height)
    return (
        f'<rect class="{name}" x="{number(x)}" y="{top}" width="{width}"'
        f' height="{number(height)}"/>'
    )


def _label(scores: Scores, move: int) -> str:
    lower, upper = scores.bounds[move]
    best = (
        f"move {move}: best {upper}" if lower == upper else f"move {move}: best {lower} to {upper}"
    )
    cost = dict(scores.lost).get(move)
    return best if cost is None else f"{best}, {counted(cost, 'point')} lost"


def _linked(bar: str, x: float, step: float, label: str, link: str, is_loss: bool) -> str:
    reach = "" if is_loss else ' tabindex="-1"'
    box = f'x="{number(x)}" y="0" width="{number(step)}" height="{_TOP + _HEIGHT + 14}"'
    hit = f'<rect class="hb-hit" {box}/>'
    return f'<a class="hb-a" href="{link}" aria-label="{label}"{reach}>{bar}{hit}</a>'


def _scores_words(scores: Scores) -> str:
    """Return the losses in words."""
    first = scores.bounds[0][1] if scores.bounds else 0
    falls = [f"move {move} lost {cost}" for move, cost in scores.lost]
    told = ", ".join(falls) if falls else "no move is known to have lost any"
    errors = f" Lives were lost at moves {', '.join(map(str, scores.errors))}." * bool(
        scores.errors
    )
    return f"At most {first} of {scores.top} points at the deal; {told}.{errors}"


# A curve: one share for each of several sizes, as points on a line.

_CURVE_LEFT, _CURVE_RIGHT, _CURVE_TOP, _CURVE_HEIGHT = 44, 16, 12, 140
_QUARTERS = ("0", "25 %", "50 %", "75 %", "100 %")


def draw_curve(curve: Curve, *, title: str, standalone: bool = False) -> str:
    """Return the picture of a curve from 0 to 100 %; its description lists the numbers.

    >>> curve = Curve(points=(("0", 0.1), ("1", 0.6)), across="hand")
    >>> "hand 0: 10.0 %; hand 1: 60.0 %" in draw_curve(curve, title="Decks that can be won")
    True
    """
    base, room = _CURVE_TOP + _CURVE_HEIGHT, _WIDTH - _CURVE_LEFT - _CURVE_RIGHT
    parts = ""
    for quarter, words in enumerate(_QUARTERS):
        y = base - _CURVE_HEIGHT * quarter / 4
        parts += f'<path class="hb-axis" d="M{_CURVE_LEFT} {number(y)}H{_WIDTH - _CURVE_RIGHT}"/>'
        parts += text(words, 4, y + 4, "hb-s hb-dim")
    step = room / max(1, len(curve.points))
    spots = [
        (_CURVE_LEFT + step * (place + 0.5), base - _CURVE_HEIGHT * share)
        for place, (_, share) in enumerate(curve.points)
    ]
    if spots:
        line = "L".join(f"{number(x)} {number(y)}" for x, y in spots)
        parts += f'<path class="hb-line" d="M{line}"/>'
    for (x, y), (name, _) in zip(spots, curve.points, strict=True):
        parts += f'<circle class="hb-note" cx="{number(x)}" cy="{number(y)}" r="4"/>'
        parts += text(name, x, base + 16, "hb-m hb-s")
    parts += text(curve.across, _CURVE_LEFT + room / 2, base + 33, "hb-m hb-s hb-dim")
    told = "; ".join(f"{curve.across} {name}: {100 * share:.1f} %" for name, share in curve.points)
    size = (_WIDTH, base + 40)
    return picture(parts, size, title=title, description=told, standalone=standalone)


# Marks in rows and columns, with the rows in groups.

_MARGIN, _ROW, _GROUP, _NAME = 8, 24, 26, 66


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
        for line in wrapped(f"{_group_letter(n)}: {note}", int((width - 16) / 7), 4):
            parts += text(line, _MARGIN, y)
            y += 17
    return picture(
        parts, (width, y), title=title, description=_grid_words(grid), standalone=standalone
    )


def _group_letter(group: int) -> str:
    return chr(ord("A") + group) if group < 26 else str(group + 1)


def _head(group: int, y: float) -> str:
    color = hue_color(group, 0.75)
    words = "hb-k" if ink_on(color) == "#000000" else "hb-w"
    box = f'x="{_MARGIN}" y="{number(y)}" width="{_GROUP}" height="{_ROW}"'
    letter = text(_group_letter(group), _MARGIN + _GROUP / 2, y + 16, f"hb-m hb-b {words}")
    return f'<rect {box} fill="{color}"/>{letter}'


def _cell(x: float, y: float, step: float, is_marked: bool) -> str:
    frame = f'x="{number(x)}" y="{number(y)}" width="{number(step)}" height="{_ROW}"'
    cell = f'<rect class="hb-panel" {frame}/>'
    if is_marked:
        center = f'cx="{number(x + step / 2)}" cy="{number(y + _ROW / 2)}"'
        cell += f'<circle class="hb-mark" {center} r="6"/>'
    return cell


def _grid_words(grid: Grid) -> str:
    sentences = [f"{len(grid.groups)} groups"]
    for n, group in enumerate(grid.groups):
        rows = (
            f"{grid.rows[row]} ({', '.join(grid.columns[at] for at in grid.marked[row]) or 'none'})"
            for row in group
        )
        sentences.append(f"{_group_letter(n)}: {', '.join(rows)}")
    return " ".join(f"{each}." for each in sentences)
