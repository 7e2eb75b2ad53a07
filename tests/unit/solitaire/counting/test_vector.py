from __future__ import annotations

import math
from itertools import pairwise

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.counting.generating import estimate, refuse_absurd
from hanabi.solitaire.counting.vector import (
    approximate,
    check_vector,
    expand_groups,
    format_integer,
    format_vector,
    multinomial,
    parse_groups,
    parse_vector,
)


@pytest.mark.parametrize(
    ("text", "vector"),
    [
        ("4x13", (4,) * 13),
        ("3,2,2", (3, 2, 2)),
        (" 3, 2x3 ,1", (3, 2, 2, 2, 1)),
        ("0", (0,)),
        ("5x0,2", (2,)),
        ("2X2,1*2", (2, 2, 1, 1)),
    ],
)
def test_vectors_are_read_and_written_back(text: str, vector: tuple[int, ...]) -> None:
    assert parse_vector(text) == vector
    assert parse_vector(format_vector(vector)) == vector


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty vector"),
        ("3,,2", "item 2: ''"),
        ("3,-2", "item 2: '-2'"),
        ("1.5", "item 1: '1.5'"),
        ("4x", "item 1: '4x'"),
        ("4x13x2", "item 1: '4x13x2'"),
        ("4x0", "no values at all"),
        ("٣", "item 1"),
    ],
)
def test_what_is_no_vector_is_quoted(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        parse_vector(text)


def test_huge_vectors_are_never_written_out() -> None:
    groups = parse_groups("4x999999999999")
    assert groups == ((4, 999_999_999_999),)
    with pytest.raises(InvalidInputError, match="999,999,999,999 values"):
        expand_groups(groups)
    with pytest.raises(InvalidInputError, match=r"too large to count: k = .* years and .* TB"):
        refuse_absurd(groups)
    with pytest.raises(InvalidInputError, match=r"about \S+ (minutes|seconds) and"):
        refuse_absurd(((4, 20_000),), seconds=0.5)


def test_estimates_grow_with_the_vector() -> None:
    costs = [estimate(((4, k),)) for k in (10, 100, 1000, 10_000)]
    for smaller, larger in pairwise(costs):
        assert smaller.seconds < larger.seconds
        assert smaller.memory < larger.memory
    digits = len(format_integer(multinomial((4,) * 1000)))
    assert abs(costs[2].digits - digits) < 2


@pytest.mark.parametrize("x", [[], [1, -1], [1, 2.0], [True], ["1"]])
def test_bad_entries_are_named(x: list[object]) -> None:
    with pytest.raises(InvalidInputError, match="x"):
        check_vector(x)  # type: ignore[arg-type]


def test_multinomial_with_one_huge_count_is_quick() -> None:
    assert multinomial((10**9,)) == 1
    assert multinomial((10**9, 1)) == 10**9 + 1
    assert multinomial((3, 3, 2)) == math.factorial(8) // 72


@pytest.mark.parametrize("digits", [1, 4299, 4300, 4301, 20_000])
def test_no_digit_is_cut(digits: int) -> None:
    number = 10 ** (digits - 1) + 7 * (digits > 1)
    text = format_integer(number)
    assert len(text) == digits
    assert text == "1" + "0" * (digits - 2) + "7" * (digits > 1)
    assert format_integer(-number) == "-" + text


def test_approximate_survives_where_floats_end() -> None:
    assert approximate(10**500, 3 * 10**500, 4) == "0.3333"
    assert approximate(1, 3**2000, 3).endswith("e-955")
    assert approximate(3**2000, 1, 3).endswith("e+954")
