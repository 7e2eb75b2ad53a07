"""The compiled random streams give the words of the Python ones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanabi.ground.compiled.rng import below, seed_stream, shuffle, word
from hanabi.ground.rng import Stream

WORDS = st.integers(0, 2**64 - 1)


def compiled(seed: int, index: int) -> npt.NDArray[np.uint64]:
    stream = np.empty(1, np.uint64)
    seed_stream(stream, np.uint64(seed), np.uint64(index))
    return stream


@given(WORDS, st.integers(0, 2**40))
def test_words_are_equal(seed: int, index: int) -> None:
    slow, fast = Stream(seed, index), compiled(seed, index)
    assert [int(word(fast)) for _ in range(8)] == [slow.word() for _ in range(8)]


@given(WORDS, st.lists(st.integers(1, 2**63 - 1) | st.integers(1, 100), max_size=20))
def test_bounded_numbers_are_equal(seed: int, bounds: list[int]) -> None:
    slow, fast = Stream(seed), compiled(seed, 0)
    for bound in bounds:
        assert below(fast, bound) == slow.below(bound)
    assert int(word(fast)) == slow.word()


@pytest.mark.parametrize("bound", [1, 2, 3, 2**62, 2**62 + 1, 2**63 - 1])
def test_the_same_words_are_redrawn(bound: int) -> None:
    # Just above 2**62 a quarter of the words is redrawn.
    slow, fast = Stream(5), compiled(5, 0)
    assert [below(fast, bound) for _ in range(60)] == [slow.below(bound) for _ in range(60)]
    assert int(word(fast)) == slow.word()


@pytest.mark.parametrize("size", [0, 1, 2, 50])
def test_shuffles_are_equal(size: int) -> None:
    for seed in range(20):
        items = np.arange(size, dtype=np.int64)
        shuffle(compiled(seed, seed), items)
        assert items.tolist() == Stream(seed, seed).shuffled(range(size))
