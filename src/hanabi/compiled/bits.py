"""Arithmetic on sets of small numbers, kept as the bits of a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy as np

from hanabi.compiled import config, jit

__all__ = ["count_bits", "lowest_bit", "wrapping"]

P = ParamSpec("P")
R = TypeVar("R")


def wrapping(function: Callable[P, R]) -> Callable[P, R]:
    """Silence NumPy about arithmetic modulo 2**64 where the kernels run as plain Python."""
    return np.errstate(over="ignore")(function) if config.DISABLE_JIT else function


@jit
def count_bits(mask: int) -> int:
    """Return the number of ones of a mask below 2**62."""
    x = mask - ((mask >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x += x >> 8
    x += x >> 16
    return (x + (x >> 32)) & 127


@jit
def lowest_bit(mask: int) -> int:
    """Return the number of the lowest one of a mask that has one."""
    return count_bits((mask & -mask) - 1)
