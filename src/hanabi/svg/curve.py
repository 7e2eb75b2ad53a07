"""Pictures of curves: one share for each of several sizes, as points on a line."""

from __future__ import annotations

from hanabi.svg.markup import number, picture, text
from hanabi.svg.records import Curve

__all__ = ["draw_curve"]

_WIDTH, _LEFT, _RIGHT, _TOP, _HEIGHT = 360, 44, 16, 12, 140
_QUARTERS = ("0", "25 %", "50 %", "75 %", "100 %")


def draw_curve(curve: Curve, *, title: str, standalone: bool = False) -> str:
    """Return the picture of a curve from 0 to 100 %; its description lists the numbers.

    >>> curve = Curve(points=(("0", 0.1), ("1", 0.6)), across="hand")
    >>> "hand 0: 10.0 %; hand 1: 60.0 %" in draw_curve(curve, title="Decks that can be won")
    True
    """
    base, room = _TOP + _HEIGHT, _WIDTH - _LEFT - _RIGHT
    parts = ""
    for quarter, words in enumerate(_QUARTERS):
        y = base - _HEIGHT * quarter / 4
        parts += f'<path class="hb-axis" d="M{_LEFT} {number(y)}H{_WIDTH - _RIGHT}"/>'
        parts += text(words, 4, y + 4, "hb-s hb-dim")
    step = room / max(1, len(curve.points))
    spots = [
        (_LEFT + step * (place + 0.5), base - _HEIGHT * share)
        for place, (_, share) in enumerate(curve.points)
    ]
    if spots:
        line = "L".join(f"{number(x)} {number(y)}" for x, y in spots)
        parts += f'<path class="hb-line" d="M{line}"/>'
    for (x, y), (name, _) in zip(spots, curve.points, strict=True):
        parts += f'<circle class="hb-note" cx="{number(x)}" cy="{number(y)}" r="4"/>'
        parts += text(name, x, base + 16, "hb-m hb-s")
    parts += text(curve.across, _LEFT + room / 2, base + 33, "hb-m hb-s hb-dim")
    told = "; ".join(f"{curve.across} {name}: {100 * share:.1f} %" for name, share in curve.points)
    size = (_WIDTH, base + 40)
    return picture(parts, size, title=title, description=told, standalone=standalone)
