"""Pictures of the best score still reachable, position by position."""

from __future__ import annotations

from hanabi.errors import counted
from hanabi.svg.markup import number, picture, text
from hanabi.svg.records import Scores

__all__ = ["draw_scores"]

_WIDTH, _LEFT, _TOP, _HEIGHT = 360, 24, 34, 70


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
        parts += _linked(bar, x, step, move, _label(scores, move), link) if link else bar
        if move in lost:
            words = f"-{lost[move]}"
            labels += text(words, x + step / 2, _TOP - 8 - 12 * row, "hb-m hb-s hb-lost")
            row = 1 - row
        if move in scores.errors:
            labels += text("×", x + step / 2, base + 12, "hb-m hb-b")
    every = 10 if len(scores.bounds) > 20 else 5
    for move in range(0, len(scores.bounds), every):
        labels += text(str(move), _LEFT + step * (move + 0.5), base + 26, "hb-m hb-s hb-dim")
    svg = picture(
        f'{parts}<g class="hb-over">{labels}</g>',
        (_WIDTH, base + 32),
        title=title,
        description=_described(scores),
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


def _linked(bar: str, x: float, step: float, move: int, label: str, link: str) -> str:
    reach = "" if label.endswith("lost") else ' tabindex="-1"'
    box = f'x="{number(x)}" y="0" width="{number(step)}" height="{_TOP + _HEIGHT + 14}"'
    hit = f'<rect class="hb-hit" {box}/>'
    return f'<a class="hb-a" href="{link.format(move)}" aria-label="{label}"{reach}>{bar}{hit}</a>'


def _described(scores: Scores) -> str:
    """Return the losses in words."""
    first = scores.bounds[0][1] if scores.bounds else 0
    falls = [f"move {move} lost {cost}" for move, cost in scores.lost]
    told = ", ".join(falls) if falls else "no move is known to have lost any"
    errors = f" Lives were lost at moves {', '.join(map(str, scores.errors))}." * bool(
        scores.errors
    )
    return f"At most {first} of {scores.top} points at the deal; {told}.{errors}"
