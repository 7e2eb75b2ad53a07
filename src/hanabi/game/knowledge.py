"""What hints say of a card."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from hanabi.cards import Card

__all__ = ["Knowledge", "unpack_cards", "unpack_product"]


class Knowledge(NamedTuple):
    """What hints say of a card, positive and negative: the colors and ranks that it can have.

    It is public: hints are heard by everyone. What follows from the cards that a seat sees is not
    in it. In a variant not all of the colors go with all of the ranks: `cards` are those that do;
    None stands for all.

    >>> Knowledge(colors=(0,), ranks=(1, 2)).is_possible(Card(0, 2))
    True
    """

    colors: tuple[int, ...]
    ranks: tuple[int, ...]
    cards: frozenset[Card] | None = None

    def is_possible(self, card: Card) -> bool:
        """Whether the card can be `card` as far as hints say."""
        if self.cards is not None:
            return card in self.cards
        return card.color in self.colors and card.rank in self.ranks


@lru_cache(maxsize=4096)
def unpack_product(bits: int, rank_bits: int) -> Knowledge:
    """Return the meaning of a word as `hanabi.game.kernels.words.identity` lays it out."""
    return Knowledge(
        tuple(color for color in range(rank_bits) if bits >> color & 1),
        tuple(rank for rank in range(1, 32) if bits >> (rank_bits - 1 + rank) & 1),
    )


@lru_cache(maxsize=4096)
def unpack_cards(bits: int, ranks: int) -> Knowledge:
    """Return the meaning of a set of cards."""
    numbers = [number for number in range(bits.bit_length()) if bits >> number & 1]
    cards = frozenset(Card(number // ranks, number % ranks + 1) for number in numbers)
    return Knowledge(
        tuple(sorted({card.color for card in cards})),
        tuple(sorted({card.rank for card in cards})),
        cards,
    )
