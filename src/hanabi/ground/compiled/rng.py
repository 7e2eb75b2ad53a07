"""Random streams in compiled code, word for word those of :class:`hanabi.ground.rng.Stream`.

A stream is a uint64 array of one word, its state. A kernel advances it in place, so nothing is
returned or allocated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import config, jit

__all__ = ["below", "seed_stream", "shuffle", "split", "word"]

P = ParamSpec("P")
R = TypeVar("R")

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_LAST_WORD = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE, _27, _30, _31 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31)


def _wrapping(function: Callable[P, R]) -> Callable[P, R]:
    """Silence NumPy's overflow warnings (modulo 2**64) if the kernels run as plain Python."""
    return np.errstate(over="ignore")(function) if config.DISABLE_JIT else function


@_wrapping
@jit
def _mix(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> _30)) * _FIRST_FACTOR
    z = (z ^ (z >> _27)) * _SECOND_FACTOR
    return z ^ (z >> _31)


@_wrapping
@jit
def seed_stream(stream: npt.NDArray[np.uint64], seed: np.uint64, index: np.uint64) -> None:
    """Start `stream` as `Stream(seed, index)`; both are taken as uint64, modulo 2**64.

    >>> import numpy as np
    >>> stream = np.empty(1, np.uint64)
    >>> seed_stream(stream, np.uint64(1), np.uint64(0))
    >>> from hanabi.ground.rng import Stream
    >>> int(word(stream)) == Stream(seed=1, index=0).word()
    True
    """
    stream[0] = _mix(_mix(np.uint64(seed)) + (np.uint64(index) + _ONE) * _GAMMA)


@_wrapping
@jit
def word(stream: npt.NDArray[np.uint64]) -> np.uint64:
    """Return the next word, uniform on 0 .. 2**64 - 1.

    >>> import numpy as np
    >>> stream = np.empty(1, np.uint64)
    >>> seed_stream(stream, np.uint64(1), np.uint64(0))
    >>> f"{word(stream):x}"
    '55c55969ed403149'
    """
    stream[0] += _GAMMA
    return _mix(stream[0])


@jit
def below(stream: npt.NDArray[np.uint64], bound: int) -> np.int64:
    """Return an integer uniform on 0 .. bound - 1, for `bound` in 1 .. 2**63 - 1; see `word`.

    >>> import numpy as np
    >>> stream = np.empty(1, np.uint64)
    >>> seed_stream(stream, np.uint64(1), np.uint64(0))
    >>> [int(below(stream, 6)) for _ in range(3)]
    [5, 5, 0]
    """
    modulus = np.uint64(bound)
    while True:
        drawn = word(stream)
        # Only some of the last `bound` words are redrawn, so this is seldom checked.
        if drawn > _LAST_WORD - modulus:
            surplus = (_LAST_WORD % modulus + _ONE) % modulus
            if drawn > _LAST_WORD - surplus:
                continue
        return np.int64(drawn % modulus)


@jit
def split(rng: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return a separate stream for one decision, seeded with the next word.

    >>> import numpy as np
    >>> split(np.zeros(1, np.uint64)).shape
    (1,)
    """
    own = np.empty(1, np.uint64)
    seed_stream(own, word(rng), np.uint64(0))
    return own


@jit
def shuffle(stream: npt.NDArray[np.uint64], items: npt.NDArray[np.integer]) -> None:
    """Shuffle `items` uniformly in place, exactly as `Stream.shuffled` does. O(items).

    >>> import numpy as np
    >>> stream, items = np.empty(1, np.uint64), np.arange(8)
    >>> seed_stream(stream, np.uint64(1), np.uint64(0))
    >>> shuffle(stream, items)
    >>> from hanabi.ground.rng import Stream
    >>> items.tolist() == Stream(1).shuffled(range(8))
    True
    """
    for i in range(items.size - 1, 0, -1):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
