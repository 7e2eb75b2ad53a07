"""Every number that [Bergh2016] prints in section 3."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.counting import bad, good, probability, total
from hanabi.solitaire.counting.theorem import (
    bad_by_recurrence,
    bad_collected,
    bad_printed,
    parts,
    swap,
)
from vectors import load_vectors

F_4_13 = 91973270026324484565579418350194489655582912237019


def digits(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def is_prime(n: int) -> bool:
    """Miller and Rabin with the first 25 primes for bases: certain enough, and independent."""
    bases = [p for p in range(2, 98) if all(p % q for q in range(2, p))]
    if any(n % p == 0 for p in bases):
        return n in bases
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in bases:
        power = pow(base, odd, n)
        if power in (1, n - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % n
            if power == n - 1:
                break
        else:
            return False
    return True


@pytest.mark.parametrize("form", [bad, bad_collected, bad_by_recurrence])
def test_the_deck_of_52(form: object) -> None:
    assert form((4,) * 13) == F_4_13  # type: ignore[operator]


def test_the_printed_special_sum() -> None:
    """The sum over the number of values used and their copies, as the paper writes it."""
    N, k = 52, 13
    acc = 0
    weights = [1]  # by s: sum over i_1 .. i_l in 0..3 of s!/(i_1! ... i_l!)
    for size in range(k - 1):
        for s, weight in enumerate(weights):
            acc += (
                (-1) ** size
                * math.comb(k, size)
                * weight
                * math.comb(N, s)
                * (k - size - 1) ** (N - s)
            )
        grown = [0] * (len(weights) + 3)
        for s, weight in enumerate(weights):
            for i in range(4):
                grown[s + i] += weight * math.comb(s + i, i)
        weights = grown
    assert acc == F_4_13


def test_it_is_a_prime_near_nine_times_ten_to_the_49() -> None:
    assert is_prime(F_4_13)
    assert not is_prime(F_4_13 + 2)
    # The paper's exponent is lost in its text layer; the number has 50 digits.
    assert round(F_4_13 / 10**49) == 9


def test_the_folklore_probability() -> None:
    p = probability((4,) * 13)
    assert p == 1 - Fraction(F_4_13, math.factorial(52) // math.factorial(4) ** 13)
    assert round(float(p), 6) == 0.000554
    assert f"{float(p):.8f}" == "0.00055390"


def test_permutations() -> None:
    for k in range(1, 30):
        assert bad((1,) * k) == math.factorial(k) - 1
        by_sum = sum((-1) ** s * math.comb(k, s) * (k - s - 1) ** k for s in range(k - 1))
        assert by_sum == math.factorial(k) - 1


def test_small_values_in_the_text() -> None:
    assert all(bad((a, b)) == 1 for a in range(6) for b in range(6))
    assert all(bad((a,)) == 0 for a in range(1, 6))
    assert bad((0,) * 4) == bad((0,)) == 1
    assert [bad((1, *[0] * (k - 1))) for k in range(1, 5)] == [0, 1, 1, 1]
    # A value without cards: all sequences are bad.
    assert bad((3, 0, 2, 4)) == total((3, 0, 2, 4)) == math.comb(9, 3) * math.comb(6, 2)
    assert good((3, 0, 2, 4)) == 0


def test_e19_the_printed_sum_is_empty_for_a_single_value_without_cards() -> None:
    assert bad_printed((0,)) == bad_collected((0,)) == 0
    assert bad((0,)) == 1


def test_e20_the_vectors_of_the_example() -> None:
    below = product(range(3), range(4), range(2))
    assert {y for y in below if sum(map(bool, y)) == 1} == {
        (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0), (0, 0, 1),
    }  # fmt: skip
    # (N over y)* for y = (0, 3, 0), and the term without any y.
    assert math.factorial(6) // (math.factorial(2) * math.factorial(4)) == 15
    assert bad((2, 3, 1)) == bad_printed((2, 3, 1))


def test_the_example_of_a_subsequence() -> None:
    assert parts((1, 3, 2, 3), 3) == [(), (3,), (), ()]
    with pytest.raises(InvalidInputError, match=r"after 1 \.\. 1 there is no 2"):
        parts((2, 3, 1), 3)


def test_the_example_of_the_bijection() -> None:
    left, right = digits("2413134131321332421421"), digits("3234232311422331412412")
    assert swap(left, 1, 2, k=4) == right
    assert swap(right, 1, 2, k=4) == left
    assert left.count(1) == right.count(2)


def test_the_recurrence_as_printed() -> None:
    for x in [(1, 1, 1), (2, 3, 1), (3, 2, 2, 1), (1, 0, 2), (2, 0)]:
        N = sum(x)
        after_one = math.comb(N - 1, x[0] - 1) * bad(x[1:])
        others = sum(bad((*x[:i], x[i] - 1, *x[i + 1 :])) for i in range(1, len(x)) if x[i])
        assert bad(x) == after_one + others


def test_certified_values() -> None:
    values = load_vectors("F_values")
    assert len(values) > 200
    for x, text in values:
        assert str(bad(x)) == text
        if len(x) <= 9 and x != [0]:
            assert str(bad_collected(x)) == text
