"""Suits: which clues touch their cards, how many copies there are, and which way they are built."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["Suit"]

_REVERSED = " Reversed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suit:
    """A suit of a variant.

    Attributes
    ----------
    name
        As on the site; two suits of a variant have different names.
    clue_colors
        The colors that touch its cards, unless another attribute or the variant says otherwise.
    one_of_each
        Whether there is one copy of each card.
    all_clue_colors, no_clue_colors
        Whether every color clue touches its cards, or none.
    all_clue_ranks, no_clue_ranks
        Whether every rank clue touches its cards, or none.
    prism
        Whether the rank of a card says which color touches it.
    inverted
        Whether what is called playing such a card discards it, and discarding it plays it.
    is_reversed
        Whether it is built downwards.

    >>> Suit(name="Gold", clue_colors=("Red", "Green")).reverse().name
    'Gold Reversed'
    """

    name: str
    clue_colors: tuple[str, ...] = ()
    one_of_each: bool = False
    all_clue_colors: bool = False
    no_clue_colors: bool = False
    all_clue_ranks: bool = False
    no_clue_ranks: bool = False
    prism: bool = False
    inverted: bool = False
    is_reversed: bool = False

    def reverse(self) -> Suit:
        """Return the suit of the same cards that is built downwards."""
        return replace(self, name=self.name + _REVERSED, is_reversed=True)
