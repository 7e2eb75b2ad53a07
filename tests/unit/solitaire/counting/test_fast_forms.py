"""Both ways of multiplying, with and without python-flint, give the same numbers."""

from __future__ import annotations

import importlib.util
import math
import random
import subprocess
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.counting import bad, generating, good
from hanabi.solitaire.counting import generating as polynomials
from hanabi.solitaire.counting.theorem import bad_by_recurrence, bad_collected, bad_printed


def naive_product(factors: dict[int, int]) -> list[int]:
    result = [1]
    for v, times in factors.items():
        for _ in range(times):
            a = polynomials.factor(v)
            grown = [0] * (len(result) + len(a) - 1)
            for i, p in enumerate(result):
                for j, q in enumerate(a):
                    grown[i + j] += p * q
            result = grown
    return result


@pytest.mark.parametrize(
    "factors", [{1: 3}, {4: 7}, {2: 3, 5: 2, 1: 9}, {13: 2, 14: 1, 3: 4}, {12: 1, 20: 2, 30: 1}]
)
def test_products(factors: dict[int, int]) -> None:
    assert polynomials.product(factors) == naive_product(factors)


class FakePolynomial:
    """What is used of python-flint's fmpz_poly, over Python integers."""

    def __init__(self, coefficients: list[int]) -> None:
        self.c = coefficients

    def __mul__(self, other: FakePolynomial) -> FakePolynomial:
        grown = [0] * (len(self.c) + len(other.c) - 1)
        for i, p in enumerate(self.c):
            for j, q in enumerate(other.c):
                grown[i + j] += p * q
        return FakePolynomial(grown)

    def __pow__(self, exponent: int) -> FakePolynomial:
        result = FakePolynomial([1])
        for _ in range(exponent):
            result *= self
        return result

    def coeffs(self) -> list[int]:
        return self.c


def flint_or_fake() -> Any:
    """The real module if it is installed; its interface in Python if not."""
    if importlib.util.find_spec("flint") is not None:
        return importlib.import_module("flint")
    return SimpleNamespace(fmpz=int, fmpz_poly=FakePolynomial)


@pytest.mark.parametrize("x", [(4,) * 13, (1, 2, 3, 4, 20), (7,) * 9])
def test_the_way_through_flint(x: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    expected = good(x, use_flint=False)
    monkeypatch.setattr(generating, "load_flint", flint_or_fake)
    assert good(x, use_flint=True) == good(x) == expected


def test_flint_is_loaded_if_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("flint")
    monkeypatch.setitem(sys.modules, "flint", module)
    monkeypatch.setattr(polynomials, "find_spec", lambda name: name)
    assert polynomials.load_flint() is module
    monkeypatch.setattr(polynomials, "find_spec", lambda _: None)
    assert polynomials.load_flint() is None


@pytest.mark.parametrize("k", [100, 1000])
def test_large_vectors_against_arithmetic_modulo_a_prime(k: int) -> None:
    """The same sum with fractions modulo a prime, and the power taken factor by factor."""
    p = 2**61 - 1
    # N! sum (-1)^(Q-k)/Q! [t^Q] of the k-th power of t (1/6 + t/2 + t^2 + t^3).
    base = [pow(6, -1, p), pow(2, -1, p), 1, 1]
    power = [1]
    for _ in range(k):
        grown = [0] * (len(power) + 3)
        for i, a in enumerate(power):
            for j, b in enumerate(base):
                grown[i + j] = (grown[i + j] + a * b) % p
        power = grown
    N = 4 * k
    acc = 0
    for j, c in enumerate(power):
        acc = (acc * (k + j) + (-c if j & 1 else c)) % p
    assert good((4,) * k) % p == acc
    assert 0 < good((4,) * k) < math.factorial(N) // 24**k


def test_random_vectors_with_zeros() -> None:
    rng = random.Random(4)
    for _ in range(60):
        x = [rng.randrange(5) for _ in range(rng.randrange(1, 6))]
        assert bad(x) == bad_by_recurrence(x)
        if x != [0]:
            assert bad(x) == bad_printed(x) == bad_collected(x)


def test_slow_forms_refuse_what_is_beyond_them() -> None:
    with pytest.raises(InvalidInputError, match="1,220,703,125 terms"):
        bad_printed((4,) * 13)
    with pytest.raises(InvalidInputError, match="more than 100 vectors"):
        bad_by_recurrence((4,) * 13, most_vectors=100)
    with pytest.raises(InvalidInputError, match="too large to count"):
        bad((4,) * 100_000)


def test_counting_imports_nothing_heavy() -> None:
    code = (
        "import sys, hanabi.solitaire.counting as c\n"
        "c.bad((4,) * 13)\n"
        "print([m for m in ('numpy', 'numba', 'flint', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
