"""Seeds: `p3v0s17` is deal number 17 of variant 0 for 3 players.

The site takes the CRC-64 of the seed's text, starts the generator of Go's `math/rand` with it, and
shuffles the variant's cards, which are ordered by suit and then by rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from struct import unpack
from typing import TYPE_CHECKING

from hanabi.ground import InvalidInputError, quote
from hanabi.rules.deck import Deck
from hanabi.rules.variants import Variant, find_variant

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "LENGTH",
    "TAP",
    "Generator",
    "Seed",
    "SeedRange",
    "constants",
    "deal_many",
    "is_range",
    "is_seed",
    "parse_range",
    "parse_seed",
]

# The generator of Go's `math/rand`, which hanab.live uses to shuffle.
#
# It is an additive lagged Fibonacci generator: each output is the sum of the outputs 607 and 273
# steps earlier. `constants.bin` holds the 607 words that the seeding needs. They are stored because
# deriving them would take 40 ms and import NumPy in every process that reads a seed;
# `tests/oracles/go_random.py` derives them.

LENGTH, TAP = 607, 273

_FACTOR, _MODULUS = 48271, 2**31 - 1
_IN_PLACE_OF_ZERO = 89482311
_DISCARDED = 20


@lru_cache(maxsize=1)
def constants() -> tuple[int, ...]:
    """Return the 64-bit words that are mixed into the seeding.

    >>> len(constants()), f"{constants()[0]:x}"
    (607, 'c5f74a33eb98ffea')
    """
    return unpack(f"<{LENGTH}Q", Path(__file__).with_name("constants.bin").read_bytes())


class Generator:
    """A stream of numbers determined by a 64-bit seed; there are 2^31 - 2 different streams.

    >>> generator = Generator(1)
    >>> [generator.below(100) for _ in range(5)]
    [81, 87, 47, 59, 81]
    """

    __slots__ = ("_feed", "_words")

    def __init__(self, seed: int) -> None:
        x = seed % _MODULUS or _IN_PLACE_OF_ZERO
        states = []
        for _ in range(_DISCARDED + 3 * LENGTH):
            x = _FACTOR * x % _MODULUS
            states.append(x)
        high, middle, low = (states[_DISCARDED + i :: 3] for i in range(3))
        self._words = [
            a << 40 ^ b << 20 ^ c ^ constant
            for a, b, c, constant in zip(high, middle, low, constants(), strict=True)
        ]
        self._feed = LENGTH - TAP

    def below(self, bound: int) -> int:
        """Return an integer uniform on 0 .. bound - 1, for `bound` up to 2^31 - 1."""
        while True:
            number = self._word() >> 32 & _MODULUS
            if number < 2**31 - 2**31 % bound:
                return number % bound

    def _word(self) -> int:
        """Return the next output, with extra bits above its 64 bits."""
        words = self._words
        self._feed = (self._feed - 1) % LENGTH
        words[self._feed] += words[(self._feed + TAP) % LENGTH]
        return words[self._feed]


_SEED = re.compile(r"(?:legacy-.-)?(p([0-9]{1,3})v([0-9]{1,9})s(?:(?!\.\.)[!-~]){1,200})")
_PLAYERS = range(2, 7)

_POLYNOMIAL = 0xC96C5795D7870F42  # of ECMA-182, with reversed bits
_64_BITS = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Seed:
    """A seed of hanab.live.

    Attributes
    ----------
    text
        The text from which the site shuffles, such as `p3v0s17`.
    players
        2 to 6.
    variant
        The variant of the deck.

    >>> seed = parse_seed("legacy-1-p3v0s17")
    >>> seed.text, seed.players, seed.variant
    ('p3v0s17', 3, <Variant No Variant>)
    >>> seed.deck
    <Deck of 50 cards: b5 b2 r2 p4 r1 ...>
    """

    text: str
    players: int
    variant: Variant

    @property
    def deck(self) -> Deck:
        """The deck that the site deals. It takes half a millisecond; for many see `deal_many`."""
        generator = Generator(_checksum(self.text.encode()))
        cards = list(self.variant.spec.cards())
        for i in range(len(cards)):
            j = generator.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return Deck(cards)


def is_seed(text: str) -> bool:
    """Return whether a text has the form of a seed.

    >>> is_seed("p3v0s17"), is_seed("p3 v0"), is_seed("JSON")
    (True, False, False)
    """
    return _SEED.fullmatch(text) is not None


def parse_seed(text: str) -> Seed:
    """Return the seed that a text names.

    Raises
    ------
    InvalidInputError
        If the text does not have the form of a seed, or there is no such variant or number of
        players.

    >>> parse_seed("p3v99999s1")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: 'p3v99999s1': number 99999 is not a variant of
        hanab.live
    """
    match = _SEED.fullmatch(text)
    if match is None:
        raise InvalidInputError(f"{quote(text)} is not a seed such as p3v0s17")
    players = int(match[2])
    if players not in _PLAYERS:
        raise InvalidInputError(f"{quote(text)} is for {players} players; there are 2 .. 6")
    try:
        return Seed(match[1], players, find_variant(int(match[3])))
    except InvalidInputError as error:
        raise InvalidInputError(f"{quote(text)}: {error}") from None


def _checksum(data: bytes) -> int:
    """Return the CRC-64 of some bytes, as a signed number."""
    crc = _64_BITS
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (_POLYNOMIAL if crc & 1 else 0)
    crc ^= _64_BITS
    return crc - 2**64 if crc >> 63 else crc


# Ranges of seeds, and many decks at once.

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
    hanabi.ground.errors.InvalidInputError: 'p3v0s2..1': the last number is below the first
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

    from hanabi.rules.seeds.kernels import deal

    encoded = [text.encode() for text in texts]
    names = np.frombuffer(b"".join(encoded), np.uint8)
    ends = np.cumsum([len(name) for name in encoded], dtype=np.int64)
    decks = np.empty((len(encoded), cards), np.uint8)
    deal(names, ends, np.array(constants(), np.uint64), decks)
    return decks
