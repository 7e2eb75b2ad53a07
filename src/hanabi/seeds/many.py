"""Ranges of seeds, and many decks at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from hanabi.deck import Deck
from hanabi.errors import InvalidInputError, quote
from hanabi.seeds.seed import Seed, constants, parse_seed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["SeedRange", "deal_many", "is_range", "parse_range"]

_RANGE = re.compile(r"([!-~]{1,40}s)([0-9]{1,18})\.\.([0-9]{1,18})")
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class SeedRange:
    """Seeds with consecutive numbers, for one variant and number of players.

    >>> seeds = parse_range("p3v0s9..11")
    >>> len(seeds), list(seeds.texts())
    (3, ['p3v0s9', 'p3v0s10', 'p3v0s11'])
    """

    first: Seed
    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    def texts(self) -> Iterator[str]:
        """Yield the text of each seed."""
        prefix = f"p{self.first.players}v{self.first.variant.id}s"
        return (f"{prefix}{number}" for number in self.numbers)

    def deals(self) -> Iterator[tuple[Seed, Deck]]:
        """Yield each seed with its deck, dealt on demand.

        >>> [str(deck[0]) for _, deck in parse_range("p3v0s1..4").deals()]
        ['g3', 'r2', 'g4', 'p4']
        """
        players, variant = self.first.players, self.first.variant
        cards, texts = tuple(variant.spec.cards()), self.texts()
        while chunk := list(islice(texts, _AT_ONCE)):
            for text, deck in zip(chunk, deal_many(chunk, len(cards)).tolist(), strict=True):
                yield Seed(text, players, variant), Deck(cards[place] for place in deck)


def is_range(text: str) -> bool:
    """Return whether a text has the form of a range of seeds.

    >>> is_range("p3v0s1..1000"), is_range("p3v0s1")
    (True, False)
    """
    return _RANGE.fullmatch(text) is not None


def parse_range(text: str) -> SeedRange:
    """Return the seeds from the first number to the last one, as in `p3v0s1..1000`.

    Raises
    ------
    InvalidInputError
        If the text does not have this form, names no variant or table, or ends before it begins.

    >>> parse_range("p3v0s2..1")
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: 'p3v0s2..1': the last number is below the first
    """
    match = _RANGE.fullmatch(text)
    if match is None:
        raise InvalidInputError(f"{quote(text)} is not a range of seeds such as p3v0s1..1000")
    low, high = int(match[2]), int(match[3])
    if low > high:
        raise InvalidInputError(f"{quote(text)}: the last number is below the first")
    return SeedRange(parse_seed(f"{match[1]}{low}"), range(low, high + 1))


def deal_many(texts: Sequence[str], cards: int) -> npt.NDArray[np.uint8]:
    """Return the decks of seeds whose variants all have `cards` cards, up to 255.

    This takes a few microseconds a deck; the first call compiles.

    Returns
    -------
    array
        Shape (len(texts), cards): places in the variant's deck before shuffling.

    >>> deal_many(["p3v0s1", "p3v0s2"], 50)[:, :3].tolist()
    [[26, 25, 31], [3, 18, 5]]
    """
    import numpy as np

    from hanabi.seeds.kernels import deal

    encoded = [text.encode() for text in texts]
    names = np.frombuffer(b"".join(encoded), np.uint8)
    ends = np.cumsum([len(name) for name in encoded], dtype=np.int64)
    decks = np.empty((len(encoded), cards), np.uint8)
    deal(names, ends, np.array(constants(), np.uint64), decks)
    return decks
