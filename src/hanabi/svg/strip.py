"""Pictures of cards in order: a winning line, a stream, or the gadgets of a reduction."""

from __future__ import annotations

from hanabi.svg.cards import SMALL_HEIGHT, SMALL_WIDTH, row, small
from hanabi.svg.markup import Sheet, fitted, number, picture, text, use
from hanabi.svg.records import SmallCard, Strip, StripGroup

__all__ = ["draw_strip"]

_MARGIN, _GAP = 8, 10
_LETTER = 7.5  # average width of a letter in a title
_TITLE = 20


def draw_strip(
    strip: Strip,
    *,
    title: str,
    width: int = 360,
    standalone: bool = False,
    sheet: Sheet | None = None,
) -> str:
    """Return a picture of cards in rows of this width, by group, with a legend. O(cards).

    >>> from hanabi.svg.looks import looks_of
    >>> card = SmallCard(look=looks_of(("Red",), "r")[0], rank="1")
    >>> strip = Strip(groups=(StripGroup(cards=(card,) * 3),), words="Three cards")
    >>> draw_strip(strip, title="Ones").count("<use")
    3
    """
    own = Sheet() if sheet is None else sheet
    cards = [card for group in strip.groups for card in group.cards]
    has_words = any(card.number or card.verb for card in cards)
    step = 49 if any(card.verb for card in cards) else SMALL_WIDTH + 2
    has_titles = any(group.title for group in strip.groups)
    height = SMALL_HEIGHT + (28 if has_words else 0) + (_TITLE if has_titles else 0) + 10
    parts, x, y = "", float(_MARGIN), float(_MARGIN)
    most = int((width - 2 * _MARGIN) // step)  # longer groups are cut
    for group in strip.groups:
        for start in range(0, len(group.cards), most):
            piece = group.cards[start : start + most]
            name = "" if start else group.title
            needed = max(step * len(piece), _LETTER * len(name) * (len(name) > 0))
            if x > _MARGIN and x + needed > width - _MARGIN:
                x, y = _MARGIN, y + height
            parts += _group(own, StripGroup(title=name, cards=piece), x, y, step, has_titles)
            x += needed + _GAP
    y += height
    legend, y = _legend(own, strip, y, width)
    return picture(
        parts + legend,
        (width, y),
        title=title,
        description=strip.words,
        defs=own.defs if sheet is None else "",
        standalone=standalone,
    )


def _group(
    sheet: Sheet, group: StripGroup, x: float, y: float, step: float, has_titles: bool
) -> str:
    parts = ""
    if has_titles:
        end = x + step * len(group.cards) - 2
        parts = text(group.title, x, y + 11) if group.title else ""
        parts += f'<path class="hb-axis" d="M{number(x)} {number(y + 18)}v-3H{number(end)}v3"/>'
        y += _TITLE
    return parts + row(sheet, group.cards, x, y, step)


def _legend(sheet: Sheet, strip: Strip, y: float, width: int) -> tuple[str, float]:
    """Return the legend of the looks, drawn from the height y on, and the height where it ends."""
    if not strip.legend:
        return "", y
    parts, x = "", float(_MARGIN)
    for look in strip.legend:
        name = fitted(look.name, 40)
        needed = SMALL_WIDTH + 6 + _LETTER * len(name)
        if x > _MARGIN and x + needed > width - _MARGIN:
            x, y = _MARGIN, y + SMALL_HEIGHT + 6
        parts += use(small(sheet, SmallCard(look=look, rank="n")), x, y)
        parts += text(name, x + SMALL_WIDTH + 6, y + 26)
        x += needed + _GAP
    return parts, y + SMALL_HEIGHT + 8
