"""Cards: a color and a rank, and their names in text."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.errors import InvalidInputError, quote

__all__ = ["COLOR_LETTERS", "COLOR_NAMES", "Card", "format_card", "parse_color"]

COLOR_LETTERS = "rygbpt"
"""One letter a color, in the order of hanab.live's suits."""

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


def format_card(color: int, rank: int) -> str:
    """Return a card's text form: `b5` for the six colors that have a letter, else `40:12`.

    >>> format_card(0, 1)
    'r1'
    """
    if 0 <= color < len(COLOR_LETTERS):
        return f"{COLOR_LETTERS[color]}{rank}"
    return f"{color}:{rank}"


def parse_color(text: str) -> int:
    """Return the color named by a letter (`r y g b p t`; `w` = `p`, `m` = `t`) or a number.

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
