"""Writing numbers into a row of bits, and spreading bits over bytes.

A row is int64 words of which the 32 low bits are used, so that whatever is shifted into place fits
a word; it needs one more word than its bits fill.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled.hot import jit_hot, jit_hot_inline

Words = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

WORD_BITS = 32  # bits that a word of a row holds
_LOW = (1 << WORD_BITS) - 1


@jit_hot_inline
def put_short(row: Words, offset: int, value: int, width: int) -> int:
    """Write the `width` <= 32 bits of a number, the lowest first; return the next offset."""
    word, shift = offset >> 5, offset & 31
    shifted = value << shift
    row[word] |= shifted & _LOW
    row[word + 1] |= shifted >> WORD_BITS
    return offset + width


@jit_hot_inline
def put(row: Words, offset: int, value: int, width: int) -> int:
    """Write the `width` <= 62 bits of a number, the lowest first; return the next offset."""
    if width <= WORD_BITS - 1:
        return put_short(row, offset, value, width)
    half = put_short(row, offset, value & 0x7FFFFFFF, WORD_BITS - 1)
    return put_short(row, half, value >> WORD_BITS - 1, width - WORD_BITS + 1)


@jit_hot_inline
def put_ones(row: Words, offset: int, count: int, width: int) -> int:
    """Write a thermometer: `count` ones, then zeros up to `width`; return the next offset."""
    at = offset
    while count > 0:
        ones = min(count, WORD_BITS - 1)
        at = put_short(row, at, (1 << ones) - 1, ones)
        count -= ones
    return offset + width


@jit_hot
def spread(row: Words, bits: Bytes) -> None:
    """Write each bit of a row as a byte of its own."""
    whole = bits.size >> 5
    for word in range(whole):
        value, first = row[word], word << 5
        for bit in range(WORD_BITS):
            bits[first + bit] = value >> bit & 1
    for at in range(whole << 5, bits.size):
        bits[at] = row[at >> 5] >> (at & 31) & 1


@jit_hot
def pack(row: Words, packed: Bytes) -> None:
    """Write the bits of a row eight to a byte, the lowest first."""
    for at in range(packed.size):
        packed[at] = row[at >> 2] >> ((at & 3) << 3) & 255
