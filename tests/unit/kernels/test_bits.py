"""Bits of words, against Python's whole numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanabi.ground.compiled import jit
from hanabi.ground.compiled.bits import count_bits, lowest_bit


@jit
def both(mask: int) -> int:
    return count_bits(mask) * 100 + lowest_bit(mask)


@given(st.integers(1, (1 << 63) - 1))
def test_ones_and_the_lowest(mask: int) -> None:
    ones, lowest = mask.bit_count(), (mask & -mask).bit_length() - 1
    assert count_bits(mask) == ones
    assert lowest_bit(mask) == lowest
    assert both(mask) == ones * 100 + lowest


@pytest.mark.parametrize("mask", [0, 1, 1 << 62, (1 << 63) - 1])
def test_ones_at_the_ends(mask: int) -> None:
    assert count_bits(mask) == mask.bit_count()
