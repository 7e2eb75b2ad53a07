"""Arithmetic on sets of small numbers, stored as the bits of a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hanabi.ground.compiled import config, jit_inline

__all__ = ["count_bits", "lowest_bit", "wrapping"]

P = ParamSpec("P")
R = TypeVar("R")


def wrapping(function: Callable[P, R]) -> Callable[P, R]:
    """Silence NumPy's overflow warnings (modulo 2**64) if the kernels run as plain Python."""
    return np.errstate(over="ignore")(function) if config.DISABLE_JIT else function


def _instruction(plain: Callable[[int], int], build: Callable[[Any, Any], Any]) -> Any:
    """Return a function of a word that compiles to a single processor instruction."""
    if config.DISABLE_JIT:
        return plain

    def typed(_typing: Any, _word: Any) -> Any:
        return types.int64(types.int64), lambda _, builder, __, words: build(builder, words[0])

    return intrinsic(typed)


def _build_lowest(builder: Any, word: Any) -> Any:
    has_one = ir.Constant(ir.IntType(1), 1)
    return builder.cttz(word, has_one)


_ones = _instruction(lambda mask: int(mask).bit_count(), lambda builder, word: builder.ctpop(word))
_lowest = _instruction(lambda mask: (int(mask) & -int(mask)).bit_length() - 1, _build_lowest)


@jit_inline
def count_bits(mask: int) -> int:
    """Return the number of set bits of a nonnegative mask."""
    return int(_ones(mask))


@jit_inline
def lowest_bit(mask: int) -> int:
    """Return the index of the lowest set bit of a nonzero mask."""
    return int(_lowest(mask))
