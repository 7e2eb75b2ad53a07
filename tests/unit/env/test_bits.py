"""The writer of bits, against a list of them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.env.kernels.bits import WORD_BITS, end_row, pack, put, put_ones, spread

NUMBERS = st.integers(0, 62).flatmap(
    lambda width: st.tuples(st.integers(0, (1 << width) - 1), st.just(width))
)
THERMOMETERS = st.integers(0, 150).flatmap(
    lambda width: st.tuples(st.integers(0, width).map(lambda count: -1 - count), st.just(width))
)


@settings(deadline=None)  # the first call compiles
@given(st.lists(NUMBERS | THERMOMETERS, max_size=30))
def test_what_is_put_is_read(parts: list[tuple[int, int]]) -> None:
    expected: list[int] = []
    for value, width in parts:
        bits = value if value >= 0 else (1 << -1 - value) - 1
        expected += [bits >> at & 1 for at in range(width)]
    words = len(expected) // WORD_BITS + 2
    row, pen = np.full(words, -1), (0, 0)
    for value, width in parts:
        pen = put(row, pen, value, width) if value >= 0 else put_ones(row, pen, -1 - value, width)
    end_row(row, pen)
    assert pen[0] == len(expected)
    assert (row[: words - 1] >= 0).all()
    wide = np.zeros(4 * words, np.int64)
    entries = np.full(len(expected), 7, np.uint8)
    spread(row, wide, wide.view(np.uint8), entries)
    assert entries.tolist() == expected
    packed = np.zeros(-(-len(expected) // 8), np.uint8)
    pack(row, packed)
    assert packed.tolist() == np.packbits(np.array(expected, np.uint8), bitorder="little").tolist()
