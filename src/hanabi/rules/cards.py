"""Cards: pairs of a color and a rank, and their text forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hanabi.ground import InvalidInputError, quote

__all__ = [
    "COLOR_LETTERS",
    "COLOR_NAMES",
    "Card",
    "format_card",
    "format_cards",
    "format_color",
    "parse_color",
]

COLOR_LETTERS = "rygbpt"
"""One letter for each color, in the order of hanab.live's suits."""

COLOR_NAMES = ("red", "yellow", "green", "blue", "purple", "teal")

# The printed game has white where hanab.live has purple, and a multicolored sixth suit.
_LETTER_TO_COLOR = {letter: color for color, letter in enumerate(COLOR_LETTERS)} | {"w": 4, "m": 5}


class Card(NamedTuple):
    """A card of the game: `color` counts from 0, `rank` from 1.

    >>> Card(color=3, rank=5)
    Card(color=3, rank=5)
    >>> str(Card(3, 5)), str(Card(40, 12))
    ('b5', '40:12')
    """

    color: int
    rank: int

    def __str__(self) -> str:
        return format_card(self.color, self.rank)


def format_color(color: int, colors: int = 0) -> str:
    """Return the name of a color: a letter if each of `colors` colors has one, else a number.

    Numbers count from 0. With `colors` = 0, only this color must have a letter.

    >>> format_color(3, 5), format_color(3, 7), format_color(3)
    ('b', '3', 'b')
    """
    has_letter = color >= 0 and max(color + 1, colors) <= len(COLOR_LETTERS)
    return COLOR_LETTERS[color] if has_letter else str(color)


def format_card(color: int, rank: int, colors: int = 0) -> str:
    """Return a card's text form, `b5` or `40:12`; `colors` is as in `format_color`.

    >>> format_card(0, 1), format_card(0, 1, colors=7)
    ('r1', '0:1')
    """
    name = format_color(color, colors)
    return f"{name}:{rank}" if name[-1].isdigit() else f"{name}{rank}"


def format_cards(cards: Iterable[Card | None]) -> str:
    """Return the text forms of cards in order; `??` stands for a hidden card.

    >>> format_cards([Card(0, 1), None])
    'r1 ??'
    """
    return " ".join("??" if card is None else str(card) for card in cards)


def parse_color(text: str) -> int:
    """Return the color that a letter (`r y g b p t`; `w` = `p`, `m` = `t`) or a number names.

    Raises
    ------
    InvalidInputError
        If `text` names no color.

    >>> parse_color("B"), parse_color("17")
    (3, 17)
    """
    color = _LETTER_TO_COLOR.get(text.lower())
    if color is not None:
        return color
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return int(text)
    raise InvalidInputError(
        f"unknown color {quote(text)}: colors are {' '.join(COLOR_LETTERS)}"
        " (also w for p, m for t) or a number"
    )
