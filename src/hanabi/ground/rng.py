"""Counter-based random streams: one for each (seed, index), equal in Python and in compiled code.

A stream is SplitMix64 (Steele, Lea & Flood, OOPSLA 2014), started at a key mixed from the seed and
the index. Results therefore never depend on the division of games among workers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

__all__ = ["Stream"]

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Stream:
    """A random stream of 64-bit words for game number `index` of the experiment `seed`.

    >>> stream = Stream(seed=1, index=0)
    >>> stream.below(6), stream.below(6), stream.below(6)
    (5, 5, 0)
    >>> Stream(1).shuffled(range(8)) == Stream(1).shuffled(range(8))
    True

    Attributes
    ----------
    state
        The state of the stream, on which alone the next words depend.
    """

    __slots__ = ("state",)

    def __init__(self, seed: int, index: int = 0) -> None:
        self.state = _mix((_mix(seed & _MASK) + (index + 1) * _GAMMA) & _MASK)

    def word(self) -> int:
        """Return the next word, uniform on 0 .. 2**64 - 1."""
        self.state = (self.state + _GAMMA) & _MASK
        return _mix(self.state)

    def below(self, bound: int) -> int:
        """Return an integer uniform on 0 .. bound - 1.

        Words past the last whole multiple of `bound` are redrawn, so there is no bias.
        """
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            word = self.word()
            if word < limit:
                return word % bound

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items as a list in uniformly random order (Fisher-Yates from the top)."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result
