"""The generator of Go's `math/rand`, by which hanab.live shuffles.

It is an additive lagged Fibonacci generator: each output is the sum of those 607 and 273 steps
before. `constants.bin` holds the 607 words that its seeding takes for granted. They are stored, not
derived each time, as every process that reads a seed would wait 40 ms and import NumPy for them;
`tests/oracles/go_random.py` derives them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from struct import unpack

__all__ = ["LENGTH", "TAP", "Generator", "constants"]

LENGTH, TAP = 607, 273

_FACTOR, _MODULUS = 48271, 2**31 - 1
_IN_PLACE_OF_ZERO = 89482311
_DISCARDED = 20


@lru_cache(maxsize=1)
def constants() -> tuple[int, ...]:
    """Return the words that are mixed into the seeding, of 64 bits.

    >>> len(constants()), f"{constants()[0]:x}"
    (607, 'c5f74a33eb98ffea')
    """
    return unpack(f"<{LENGTH}Q", Path(__file__).with_name("constants.bin").read_bytes())


class Generator:
    """A stream of numbers, determined by a seed of 64 bits; there are 2^31 - 2 different ones.

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
        """Return the next output, with whatever is above its 64 bits."""
        words = self._words
        self._feed = (self._feed - 1) % LENGTH
        words[self._feed] += words[(self._feed + TAP) % LENGTH]
        return words[self._feed]
