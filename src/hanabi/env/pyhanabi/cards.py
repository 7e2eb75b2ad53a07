"""Cards, and what hints say of one; colors and ranks count from 0 here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from hanabi.errors import InvalidInputError, quote

__all__ = [
    "COLOR_CHAR",
    "HanabiCard",
    "HanabiCardKnowledge",
    "color_char_to_idx",
    "color_idx_to_char",
]

COLOR_CHAR = ["R", "Y", "G", "W", "B"]
"""One letter a color."""


def color_idx_to_char(color_idx: int) -> str | None:
    """Return the letter of a color, or None for -1, a hidden one.

    >>> color_idx_to_char(3), color_idx_to_char(-1)
    ('W', None)
    """
    return None if color_idx == -1 else COLOR_CHAR[color_idx]


def color_char_to_idx(color_char: str) -> int:
    """Return the color of a letter.

    Raises
    ------
    InvalidInputError
        A `ValueError`, too: if there is none.

    >>> color_char_to_idx("W")
    3
    """
    if color_char not in COLOR_CHAR:
        raise InvalidInputError(f"{quote(color_char)} is none of {' '.join(COLOR_CHAR)}")
    return COLOR_CHAR.index(color_char)


class _Card(NamedTuple):
    color: int
    rank: int


class HanabiCard:
    """A card; a hidden one has color and rank -1.

    >>> HanabiCard(3, 0), HanabiCard(-1, -1), HanabiCard(3, 0).to_dict()
    (W1, XX, {'color': 'W', 'rank': 0})
    """

    __slots__ = ("_card",)

    def __init__(self, color: int, rank: int) -> None:
        self._card = _Card(color, rank)

    def color(self) -> int:
        """Return the color, from 0."""
        return self._card.color

    def rank(self) -> int:
        """Return the rank, from 0."""
        return self._card.rank

    def valid(self) -> bool:
        """Return whether the card is seen."""
        return min(self._card) >= 0

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the letter of the color, or None, and the rank."""
        return {"color": color_idx_to_char(self.color()), "rank": self.rank()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HanabiCard) and self._card == other._card

    def __hash__(self) -> int:
        return hash(self._card)

    def __repr__(self) -> str:
        return f"{COLOR_CHAR[self.color()]}{self.rank() + 1}" if self.valid() else "XX"


@dataclass(frozen=True, slots=True, repr=False)
class HanabiCardKnowledge:
    """What hints say of a card: what was named, and what is left.

    A color is named only by a hint that touches the card; that all others are ruled out names none.

    >>> knowledge = HanabiCardKnowledge(None, 0, (0, 1), (0,))
    >>> knowledge, knowledge.color(), knowledge.rank(), knowledge.color_plausible(2)
    (X1|RY1, None, 0, False)
    """

    _color: int | None
    _rank: int | None
    _colors: Collection[int]
    _ranks: Collection[int]

    def color(self) -> int | None:
        """Return the named color, or None."""
        return self._color

    def rank(self) -> int | None:
        """Return the named rank, or None."""
        return self._rank

    def color_plausible(self, color_index: int) -> bool:
        """Return whether no hint rules the color out."""
        return color_index in self._colors

    def rank_plausible(self, rank_index: int) -> bool:
        """Return whether no hint rules the rank out."""
        return rank_index in self._ranks

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the named color's letter and the named rank, each None if there is none."""
        color = None if self._color is None else COLOR_CHAR[self._color]
        return {"color": color, "rank": self._rank}

    def __repr__(self) -> str:
        color = "X" if self._color is None else COLOR_CHAR[self._color]
        rank = "X" if self._rank is None else str(self._rank + 1)
        colors = "".join(COLOR_CHAR[each] for each in self._colors)
        return f"{color}{rank}|{colors}{''.join(str(each + 1) for each in self._ranks)}"
