"""Good and bad sequences, fast: a sum over one index, from the generating function.

A sequence is good if it has the subsequence 1-2-...-k [Bergh2016, section 3]. Cut a good one at the
first 1, the next 2 after it, and so on. Before the cut at i there are no i's, and after the last
cut there is anything; so with z_i marking the copies of i and S = z_1 + ... + z_k, the good
sequences of all vectors x together are

    1/(1 - S) * product over i of z_i / (1 - S + z_i).

Expand each factor in powers of z_i/(1 - S), an alternating series (this is inclusion and
exclusion), and take the coefficient of z^x. With q_i >= 1 the exponents and Q their sum,

    good(x) = N! * sum over Q of (-1)^(Q-k)/Q! * [t^Q] product over i of
                   sum over q = 1 .. x_i of t^q / (x_i - q)!

This is symmetric in x at sight, and with Q for an index there is nothing left to sum but one
product of polynomials. Multiplied through by (x_i - 1)! all numbers are integers:

    good(x) = sum over j of (-1)^j c_j (k+j+1)(k+j+2)...N  /  product of (x_i - 1)!

with c_j the coefficients of the product of the A_{x_i} of :mod:`hanabi.counting.polynomials`. The
sum is taken by Horner's rule. For k = 1, x = (0) the printed theorem gives 0 bad sequences; there
is one, the empty sequence (E19), and so says this module.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from hanabi.counting.cost import Budget, refuse_absurd
from hanabi.counting.polynomials import load_flint, product
from hanabi.counting.vector import check_vector, multinomial

__all__ = ["bad", "good", "probability"]

_FLINT_FROM = 0.3
"""Estimated seconds from which python-flint, if installed, is worth its import of 30 ms."""


def good(x: Iterable[int], *, use_flint: bool | None = None, budget: Budget | None = None) -> int:
    """Return the number of sequences with x_i copies of i that have 1-2-...-k as a subsequence.

    Parameters
    ----------
    x
        k >= 1 counts, each >= 0.
    use_flint
        Whether python-flint multiplies, if it is installed; by default where it pays.
    budget
        Time for it; by default no limit.

    Raises
    ------
    InvalidInputError
        If `x` is no such vector, or so large that the answer would not fit in memory.
    UncountedError
        If the time ends.

    Notes
    -----
    O(N) steps with integers of O(N log k) bits for equal x_i; [Bergh2016, section 3].

    >>> good((2, 1, 1)), good((1,) * 5), good((0, 3))
    (3, 1, 0)
    """
    vector = check_vector(x)
    if 0 in vector:
        return 0
    if len(vector) == 1:
        return 1
    groups = Counter(vector)
    cost = refuse_absurd(tuple(groups.items()))
    if use_flint is None:
        use_flint = cost.seconds > _FLINT_FROM
    flint = load_flint() if use_flint else None
    acc, k = flint.fmpz(0) if flint is not None else 0, len(vector)
    check = (budget or Budget()).check
    for j, coefficient in enumerate(product(groups, flint, check)):
        check()
        acc = acc * (k + j) + (-coefficient if j & 1 else coefficient)
    for v, times in groups.items():
        acc //= math.factorial(v - 1) ** times
    return int(acc)


def bad(x: Iterable[int]) -> int:
    """Return F(x): the number of sequences without the subsequence 1-2-...-k.

    See `good` for the parameters, errors and cost. [Bergh2016, section 3]

    >>> bad((4,) * 13)
    91973270026324484565579418350194489655582912237019
    >>> bad((0,)), bad((3,)), bad((1, 1, 1, 1))
    (1, 0, 23)
    """
    vector = check_vector(x)
    n_good = good(vector)  # refuses what is too large before the factorials are taken
    return multinomial(vector) - n_good


def probability(x: Iterable[int]) -> Fraction:
    """Return the exact probability that a shuffled sequence is good.

    >>> probability((2, 1, 1))
    Fraction(1, 4)
    >>> f"{float(probability((4,) * 13)):.8f}"
    '0.00055390'
    """
    vector = check_vector(x)
    n_good = good(vector)
    return Fraction(n_good, multinomial(vector))
