"""Writing numbers one after the other into a row of bits, and spreading bits over bytes.

A row is int64 words of which the 32 low bits are used; it needs one more word than its bits fill.
Whoever writes carries a *pen*: where the next bit stands, and the bits of the word it stands in. A
word is written whole, never read, so that no write waits for another one.
"""

from __future__ import annotations

from hanabi.compiled import Bytes, Words
from hanabi.compiled.hot import jit_hot, jit_hot_inline

Pen = tuple[int, int]

WORD_BITS = 32  # bits that a word of a row holds
_LOW = (1 << WORD_BITS) - 1
_SHORT = WORD_BITS - 1  # what is put into a word beside the bits that stand there must fit it


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
    """Set the ones among the `width` <= 62 bits of a number, in a row that has been written."""
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
    """Write what the pen still holds."""
    row[pen[0] >> 5] = pen[1]


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
