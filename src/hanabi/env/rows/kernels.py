"""Kernels that write numbers one after the other into a row of bits, and spread bits over bytes.

A row is an array of int64 words of which the 32 low bits are used; it needs one more word than its
bits fill. A writer carries a *pen*: the offset of the next bit, and the bits so far of that bit's
word. Words are written whole and never read, so no write waits for another one.
"""

from __future__ import annotations

from hanabi.ground.compiled import Bytes, Words
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline

Pen = tuple[int, int]

WORD_BITS = 32  # bits that a word of a row holds
_LOW = (1 << WORD_BITS) - 1
_SHORT = WORD_BITS - 1  # most bits to put at once: with a word's earlier bits they must fit int64


@jit_hot_inline
def put_short(row: Words, pen: Pen, value: int, width: int) -> Pen:
    """Write the `width` <= 31 bits of a number, the lowest first."""
    offset, bits = pen
    bits |= value << (offset & 31)
    row[offset >> 5] = bits & _LOW
    after = offset + width
    return after, bits >> (((after >> 5) - (offset >> 5)) << 5)


@jit_hot_inline
def put(row: Words, pen: Pen, value: int, width: int) -> Pen:
    """Write the `width` <= 62 bits of a number, the lowest first."""
    if width <= _SHORT:
        return put_short(row, pen, value, width)
    pen = put_short(row, pen, value & ((1 << _SHORT) - 1), _SHORT)
    return put_short(row, pen, value >> _SHORT, width - _SHORT)


@jit_hot_inline
def add(row: Words, offset: int, value: int, width: int) -> None:
    """Set the ones of a number of `width` <= 62 bits in a row that has already been written."""
    while width > 0:
        few = min(width, _SHORT)
        shifted = (value & ((1 << few) - 1)) << (offset & 31)
        row[offset >> 5] |= shifted & _LOW
        row[(offset >> 5) + 1] |= shifted >> WORD_BITS
        value >>= few
        offset += few
        width -= few


@jit_hot_inline
def put_ones(row: Words, pen: Pen, count: int, width: int) -> Pen:
    """Write a thermometer: `count` ones, then zeros up to `width`."""
    while width > _SHORT:
        ones = min(count, _SHORT)
        pen = put_short(row, pen, (1 << ones) - 1, _SHORT)
        count -= ones
        width -= _SHORT
    return put_short(row, pen, (1 << count) - 1, width)


@jit_hot_inline
def end_row(row: Words, pen: Pen) -> None:
    """Write the bits that the pen still holds."""
    row[pen[0] >> 5] = pen[1]


@jit_hot_inline
def put_copy(row: Words, pen: Pen, source: Words, start: int, width: int) -> Pen:
    """Write `width` bits of a row that has been ended, its own if they come before the pen."""
    for at in range(start, start + width - WORD_BITS + 1, WORD_BITS):
        offset, bits = pen
        bits |= _bits_at(source, at) << (offset & 31)
        row[offset >> 5] = bits & _LOW
        pen = offset + WORD_BITS, bits >> WORD_BITS
    rest = width & 31
    return put_short(row, pen, _bits_at(source, start + width - rest) & (1 << rest) - 1, rest)


@jit_hot_inline
def _bits_at(row: Words, offset: int) -> int:
    """Return the next 32 bits of a row."""
    word, shift = offset >> 5, offset & 31
    return int((row[word] >> shift | row[word + 1] << WORD_BITS - shift) & _LOW)


@jit_hot_inline
def _spread_byte(byte: int) -> int:
    """Return a word whose bytes are the bits of a byte, the lowest first.

    The products of seven bits with these powers of two do not overlap, so nothing is carried.
    """
    return (byte & 127) * 0x2040810204081 & 0x1010101010101 | byte >> 7 << 56


@jit_hot_inline
def widen(row: Words, wide: Words, n_bits: int) -> None:
    """Write each bit of a row as a byte of `wide`, which needs four words for each of the row."""
    for word in range((n_bits + WORD_BITS - 1) >> 5):
        value, at = row[word], word << 2
        wide[at] = _spread_byte(value & 255)
        wide[at + 1] = _spread_byte(value >> 8 & 255)
        wide[at + 2] = _spread_byte(value >> 16 & 255)
        wide[at + 3] = _spread_byte(value >> 24)


@jit_hot_inline
def copy(source: Bytes, start: int, bits: Bytes, at: int, n: int) -> int:
    """Copy so many bytes, and return the place after them."""
    for byte in range(n):
        bits[at + byte] = source[start + byte]
    return at + n


@jit_hot_inline
def spread(row: Words, wide: Words, wide_bytes: Bytes, bits: Bytes) -> None:
    """Write each bit of a row as a separate byte.

    `wide` needs four words for each word of the row; `wide_bytes` are its bytes, the lowest first.
    """
    widen(row, wide, bits.size)
    copy(wide_bytes, 0, bits, 0, bits.size)


@jit_hot
def pack(row: Words, packed: Bytes) -> None:
    """Write the bits of a row eight to a byte, the lowest first."""
    for at in range(packed.size):
        packed[at] = row[at >> 2] >> ((at & 3) << 3) & 255
