"""Products of the polynomials A_v(t), exactly.

A_v(t) = sum over j = 0 .. v-1 of (v-1)(v-2)...(v-j) t^j: its coefficients are positive integers,
the first is 1. Powers of the short ones take one pass over the coefficients of the result; the rest
are multiplied as integers so large that coefficients cannot touch (Kronecker substitution), or
everything by python-flint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import zip_longest
from typing import Any

__all__ = ["TOGETHER", "factor", "load_flint", "power_product", "product"]

TOGETHER = 12
"""Up to this v the powers of all A_v are taken together."""


def factor(v: int) -> list[int]:
    """Return the coefficients of A_v, from t^0 up. v >= 1.

    >>> factor(4)
    [1, 3, 6, 6]
    """
    coefficients = [1]
    for j in range(v - 1, 0, -1):
        coefficients.append(coefficients[-1] * j)
    return coefficients


def load_flint() -> Any:
    """Return the module of python-flint, or None if it is not installed.

    >>> module = load_flint()
    >>> module is None or int(module.fmpz(2) ** 100) == 2**100
    True
    """
    return None if find_spec("flint") is None else import_module("flint")


def power_product(
    factors: Mapping[int, int], check: Callable[[], None] = lambda: None
) -> list[int]:
    """Return the coefficients of the product of A_v ** factors[v], each from those before it.

    The product B satisfies B'/B = sum of factors[v] A_v'/A_v. With D the product of the A_v, each
    once, and E = D times that sum, D B' = E B; comparing coefficients gives them in turn, in
    O(degree of D) products of a small and a large integer for each. `check` is called before each.

    >>> power_product({2: 4})
    [1, 4, 6, 4, 1]
    >>> power_product({2: 1, 3: 1})
    [1, 3, 4, 2]
    """
    D, E = [1], [0]
    for v, times in factors.items():
        a = factor(v)
        slope = [times * j * a[j] for j in range(1, v)]
        # E/D + slope/a over the common denominator.
        terms = zip_longest(_convolved(E, a), _convolved(slope, D), fillvalue=0)
        E = [x + y for x, y in terms]
        D = _convolved(D, a)
    steps = list(enumerate(zip(D[1:], [*E, *[0] * len(D)], strict=False), start=1))
    result = [1]
    for n in range(1, sum((v - 1) * times for v, times in factors.items()) + 1):
        check()
        acc = 0
        for i, (d, e) in steps[:n]:
            acc += (e - (n - i) * d) * result[n - i]
        result.append(acc // n)
    return result


def product(
    factors: Mapping[int, int], flint: Any = None, check: Callable[[], None] = lambda: None
) -> list[Any]:
    """Return the coefficients of the product of A_v ** factors[v], for at least one v >= 1.

    Parameters
    ----------
    factors
        Exponents by v.
    flint
        The module of python-flint, to let it do the work; then the coefficients are its `fmpz`.
    check
        Called now and then, to raise when the time is over.

    >>> product({2: 2, 1: 5})
    [1, 2, 1]
    """
    if flint is not None:
        result = flint.fmpz_poly([1])
        for v in sorted(factors):
            result *= flint.fmpz_poly(factor(v)) ** factors[v]
        coefficients: list[Any] = result.coeffs()
        return coefficients
    powers = [power_product({v: times}, check) for v, times in factors.items() if v > TOGETHER]
    short = {v: times for v, times in factors.items() if v <= TOGETHER}
    if short:
        powers.append(power_product(short, check))
    while len(powers) > 1:
        check()
        powers.sort(key=len, reverse=True)
        powers.append(_multiplied(powers.pop(), powers.pop()))
    return powers[0]


def _convolved(p: list[int], q: list[int]) -> list[int]:
    result = [0] * max(len(p) + len(q) - 1, 0)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return result


def _multiplied(p: list[int], q: list[int]) -> list[int]:
    """Multiply polynomials with coefficients >= 0 as integers in base 2**(8 width)."""
    width = (sum(p) * sum(q)).bit_length() // 8 + 1
    packed = [
        int.from_bytes(b"".join(a.to_bytes(width, "little") for a in given), "little")
        for given in (p, q)
    ]
    length = len(p) + len(q) - 1
    raw = (packed[0] * packed[1]).to_bytes(width * length, "little")
    return [int.from_bytes(raw[i : i + width], "little") for i in range(0, width * length, width)]
