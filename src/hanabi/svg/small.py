"""Small cards, in rows of many: rank above, suit below."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.svg.markup import Sheet, number, text, use
from hanabi.svg.records import SmallCard
from hanabi.svg.shapes import PATHS

__all__ = ["SMALL_HEIGHT", "SMALL_WIDTH", "row", "small"]

SMALL_WIDTH, SMALL_HEIGHT = 28, 44
"""Size of a small card."""

_LETTERS = 8  # of the words below a card


def small(sheet: Sheet, card: SmallCard) -> str:
    """Return the name of the drawing of a small card, without what stands below it."""
    key = card.look, card.rank, card.mark
    return sheet.known(key) or sheet.remember(key, sheet.add(_drawn(sheet, card)))


def row(sheet: Sheet, cards: Sequence[SmallCard], x: float, y: float, step: float) -> str:
    """Return cards side by side, with numbers and verbs below them."""
    parts = ""
    for n, card in enumerate(cards):
        left = x + step * n + (step - SMALL_WIDTH) / 2
        parts += use(small(sheet, card), left, y)
        middle = left + SMALL_WIDTH / 2
        for words, line in ((card.verb, 12), (card.number, 24)):
            if words:
                parts += text(words[:_LETTERS], middle, y + SMALL_HEIGHT + line, "hb-m hb-s")
    return parts


def _drawn(sheet: Sheet, card: SmallCard) -> str:
    look, middle = card.look, SMALL_WIDTH / 2
    frame = f'width="{SMALL_WIDTH}" height="{SMALL_HEIGHT}" rx="4"'
    ink = ""
    if look is None or not card.rank or card.mark == "past":
        parts = f'<rect class="hb-empty" {frame}/>'
    else:
        parts = f'<rect class="hb-edge" {frame} fill="{sheet.gradient(look.colors)}"/>'
        ink = "#000000" if len(look.colors) > 1 else look.ink
        if len(look.colors) > 1:
            parts += (
                f'<rect x="3" y="3" width="{SMALL_WIDTH - 6}" height="{SMALL_HEIGHT - 6}"'
                ' rx="3" fill="#ffffff"/>'
            )
    words = {"#000000": " hb-k", "#ffffff": " hb-w"}.get(ink, "")
    size = "hb-rank-s" if len(card.rank) <= 2 else "hb-m hb-s hb-b"
    y = 27 if look is None else 19
    parts += text(card.rank[:5], middle, y, size + words) if card.rank else ""
    if look is None:
        return _marked(parts, card)
    if look.is_barred and card.rank:
        stroke = f'stroke="{ink}"' if ink else 'class="hb-edge"'
        parts += f'<path d="M8 4.5H20" {stroke} stroke-width="1.5"/>'
    is_short = len(look.letter) == 1
    if look.shape and is_short:
        place = f'transform="translate(4 {SMALL_HEIGHT - 14}) scale(.6)"'
        fill = f'fill="{ink or sheet.gradient(look.colors)}"'
        edge = "" if ink else ' class="hb-edge"'
        parts += f'<path d="{PATHS[look.shape]}" {fill}{edge} {place}/>'
    x = middle + 6 if look.shape and is_short else middle
    parts += text(look.letter[:4], x, SMALL_HEIGHT - 6, f"hb-m hb-s hb-b{words}")
    return _marked(parts, card)


def _marked(parts: str, card: SmallCard) -> str:
    if card.mark == "now":
        side = f'width="{number(SMALL_WIDTH + 4)}" height="{number(SMALL_HEIGHT + 4)}"'
        return f'{parts}<rect class="hb-current" x="-2" y="-2" {side} rx="6"/>'
    return parts
