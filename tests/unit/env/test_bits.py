"""The writer of bits, against a list of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hanabi.env.kernels import draw_number
from hanabi.env.rows.kernels import WORD_BITS, add, end_row, pack, put, put_copy, put_ones, spread

NUMBERS = st.integers(0, 62).flatmap(
    lambda width: st.tuples(st.integers(0, (1 << width) - 1), st.just(width))
)
THERMOMETERS = st.integers(0, 150).flatmap(
    lambda width: st.tuples(st.integers(0, width).map(lambda count: -1 - count), st.just(width))
)


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


@given(st.binary(min_size=40, max_size=40), st.data())
def test_what_is_copied_comes_after_what_was_put(content: bytes, data: st.DataObject) -> None:
    """From another row, and from the row itself."""
    source = np.frombuffer(content, "<u4").astype(np.int64)
    bits = [int(word) >> at & 1 for word in source for at in range(WORD_BITS)]
    start = data.draw(st.integers(0, 200))
    width, before = data.draw(st.integers(0, 280 - start)), data.draw(st.integers(0, 62))
    row = np.full(30, -1)
    pen = put_copy(row, put(row, (0, 0), 0, before), source, start, width)
    end_row(row, pen)
    expected = [0] * before + bits[start : start + width]
    again = data.draw(st.integers(0, len(expected)))
    pen = put_copy(row, pen, row, again, len(expected) - again)
    end_row(row, pen)
    expected += expected[again:]
    assert pen[0] == len(expected)
    assert [int(row[at >> 5]) >> (at & 31) & 1 for at in range(len(expected))] == expected


@given(st.lists(st.tuples(st.integers(0, 90), NUMBERS), max_size=9))
def test_what_is_added_is_there(parts: list[tuple[int, tuple[int, int]]]) -> None:
    row, expected = np.zeros(152 // WORD_BITS + 2, np.int64), 0
    for offset, (value, width) in parts:
        add(row, offset, value, width)
        expected |= value << offset
    assert sum(word << WORD_BITS * at for at, word in enumerate(row.tolist())) == expected


def test_each_number_is_drawn_as_often() -> None:
    numbers, stream = [0, 5, 31, 32, 40, 70, 95], np.array([11], np.uint64)
    row, draws = np.zeros(4, np.int64), 7_000
    for number in numbers:
        add(row, number, 1, 1)
    drawn = np.bincount([draw_number(row, stream) for _ in range(draws)], minlength=128)
    assert np.flatnonzero(drawn).tolist() == numbers
    assert abs(drawn[numbers] - draws / len(numbers)).max() < 5 * np.sqrt(draws / len(numbers))
    assert draw_number(np.zeros(4, np.int64), stream) == 0
