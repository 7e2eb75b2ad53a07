"""Decks: multisets of cards and immutable draw orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from typing import overload

from hanabi.ground import InvalidInputError, Stream, counted, quote
from hanabi.rules.cards import Card

__all__ = ["STANDARD_COPIES", "Deck", "DeckSpec"]

STANDARD_COPIES = (3, 2, 2, 2, 1)
"""Copies of ranks 1..5 in each color of the printed game."""

_SHOWN = 5
_MOST = 2**31 - 1
"""Largest color, rank, and number of different cards: the limit of the columns of instances."""


@dataclass(frozen=True, slots=True)
class DeckSpec:
    """A multiset of cards: `copies[color][rank - 1]` copies of each card.

    >>> DeckSpec.standard().size
    50
    >>> DeckSpec.uniform(colors=2, ranks=3, copies=2)
    DeckSpec(copies=((2, 2, 2), (2, 2, 2)))
    """

    copies: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        for color, row in enumerate(self.copies):
            for rank, count in enumerate(row, start=1):
                if count < 0:
                    raise InvalidInputError(
                        f"copies[{color}][{rank - 1}]: {quote(count)} copies of a card"
                    )

    @classmethod
    def standard(cls, colors: int = 5) -> DeckSpec:
        """Return the printed game's multiset (1,1,1,2,2,3,3,4,4,5) in `colors` colors."""
        return cls((STANDARD_COPIES,) * colors)

    @classmethod
    def uniform(cls, colors: int, ranks: int, copies: int) -> DeckSpec:
        """Return `copies` copies of every card of `ranks` ranks in `colors` colors.

        Raises InvalidInputError beyond 2**31 - 1 different cards.
        """
        if not 0 <= colors * ranks <= _MOST or max(colors, ranks) > _MOST:
            raise InvalidInputError(f"{quote(colors)} colors of {quote(ranks)} ranks: too many")
        return cls(((copies,) * ranks,) * colors)

    @property
    def colors(self) -> int:
        """Number of colors."""
        return len(self.copies)

    @property
    def ranks(self) -> int:
        """Largest number of ranks of any color."""
        return max((len(row) for row in self.copies), default=0)

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(sum(row) for row in self.copies)

    def cards(self) -> Iterator[Card]:
        """Yield every card of the multiset, color by color, rank by rank."""
        for color, row in enumerate(self.copies):
            for rank, count in enumerate(row, start=1):
                for _ in range(count):
                    yield Card(color, rank)

    def counts(self) -> Counter[Card]:
        """Return the number of copies of each card.

        >>> DeckSpec.uniform(colors=1, ranks=1, copies=2).counts()
        Counter({Card(color=0, rank=1): 2})
        """
        return _counts(self).copy()

    def shuffle(self, seed: int, index: int = 0) -> Deck:
        """Shuffle the cards with the random stream (`seed`, `index`), uniformly over all orders.

        >>> str(DeckSpec.uniform(colors=1, ranks=3, copies=1).shuffle(seed=1))
        'r1 r2 r3'
        """
        return Deck(Stream(seed, index).shuffled(self.cards()))


class Deck(Sequence[Card]):
    """An immutable draw order; the first card is drawn first.

    >>> deck = Deck([(0, 1), (3, 5)])
    >>> str(deck), deck[1], len(deck)
    ('r1 b5', Card(color=3, rank=5), 2)
    """

    __slots__ = ("_cards",)

    def __init__(self, cards: Iterable[tuple[int, int]]) -> None:
        self._cards = tuple(starmap(Card, cards))
        for index, card in enumerate(self._cards):
            if not (0 <= card.color <= _MOST and 1 <= card.rank <= _MOST):
                raise InvalidInputError(f"card {index + 1}: {quote(tuple(card))} is not a card")

    @overload
    def __getitem__(self, index: int) -> Card: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Card, ...]: ...
    def __getitem__(self, index: int | slice) -> Card | tuple[Card, ...]:
        return self._cards[index]

    def __len__(self) -> int:
        return len(self._cards)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self._cards == other._cards

    def __hash__(self) -> int:
        return hash(self._cards)

    def __str__(self) -> str:
        return " ".join(map(str, self._cards))

    def __repr__(self) -> str:
        more = " ..." if len(self) > _SHOWN else ""
        return f"<Deck of {counted(len(self), 'card')}: {' '.join(map(str, self[:_SHOWN]))}{more}>"

    @property
    def spec(self) -> DeckSpec:
        """The multiset of the deck's cards."""
        counts = Counter(self._cards)
        colors = 1 + max((card.color for card in self._cards), default=-1)
        ranks = max((card.rank for card in self._cards), default=0)
        return DeckSpec(
            tuple(
                tuple(counts[Card(color, rank)] for rank in range(1, ranks + 1))
                for color in range(colors)
            )
        )


@lru_cache(maxsize=64)
def _counts(spec: DeckSpec) -> Counter[Card]:
    return Counter(spec.cards())
