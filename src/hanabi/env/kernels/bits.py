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
    if width <= WORD_BITS - 1:
        return put_short(row, offset, (1 << count) - 1, width)
    at = offset
    while count > 0:
        ones = min(count, WORD_BITS - 1)
        at = put_short(row, at, (1 << ones) - 1, ones)
        count -= ones
    return offset + width


@jit_hot_inline
def _spread_byte(byte: int) -> int:
    """Return a word in whose bytes the bits of a byte stand, the lowest first.

    Seven bits times these powers of two lie side by side, so that nothing is carried.
    """
    return (byte & 127) * 0x2040810204081 & 0x1010101010101 | byte >> 7 << 56


@jit_hot_inline
def spread(row: Words, wide: Words, wide_bytes: Bytes, bits: Bytes) -> None:
    """Write each bit of a row as a byte of its own.

    `wide` needs four words for each of the row's, and `wide_bytes` are its bytes, the lowest first.
    """
    for word in range((bits.size + WORD_BITS - 1) >> 5):
        value, at = row[word], word << 2
        wide[at] = _spread_byte(value & 255)
        wide[at + 1] = _spread_byte(value >> 8 & 255)
        wide[at + 2] = _spread_byte(value >> 16 & 255)
        wide[at + 3] = _spread_byte(value >> 24)
    for at in range(bits.size):
        bits[at] = wide_bytes[at]


@jit_hot
def pack(row: Words, packed: Bytes) -> None:
    """Write the bits of a row eight to a byte, the lowest first."""
    for at in range(packed.size):
        packed[at] = row[at >> 2] >> ((at & 3) << 3) & 255
