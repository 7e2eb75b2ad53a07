"""Sizes that no input has to spell out are checked before anything is allocated."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.counting.generating import UncountedError
from hanabi.solitaire.counting.playability import estimate_curve
from hanabi.solitaire.hardness import Formula, stream_of

ONE = ((1, -2, 3),)


@pytest.mark.parametrize(
    ("formula", "options", "message"),
    [
        (Formula(10**9, ONE), {}, "999999997 or more are in no clause"),
        (Formula(10**9, ONE), {"variant": "constant_two"}, "999999997 or more are in no clause"),
        (Formula(10**9, ()), {"variant": "constant_two"}, "1000000000 or more are in no clause"),
        (Formula(3, ONE), {"hand_size": 10**9}, "a hand of 1000000000 cards"),
        (Formula(3, ONE), {"players": 10**9, "hand_size": 5}, "a hand of 4999999999 cards"),
        (Formula(3, ONE), {"multiplicity": 2**31 - 1}, "2147483647 copies of each card"),
        (Formula(3, ONE), {"variant": "slides", "step": 2**31 - 1}, "step: 2147483647 is more"),
    ],
)
def test_a_reduction_is_refused_at_once(
    formula: Formula, options: dict[str, Any], message: str
) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InvalidInputError, match=message):
            stream_of(formula, **options)
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


def test_large_reductions_are_made_all_the_same() -> None:
    assert stream_of(Formula(100_000, ONE)).c == 200_001
    stream = stream_of(Formula(3, ONE), hand_size=100_000)
    assert sum(len(block.values) for block in stream.blocks()) > 100_000


def test_estimates_end_in_time_and_have_a_size() -> None:
    with pytest.raises(UncountedError, match="no deck was decided within 0 seconds"):
        estimate_curve([(2_000_000,)], samples=9, seed=1, hand_sizes=[0], seconds=0.0)
    with pytest.raises(InvalidInputError, match="20,000,000 cards are more than 10,000,000"):
        estimate_curve([(20_000_000,)], samples=1, seed=1)
