"""The theorem of [Bergh2016, section 3] as it is printed, slow: an oracle for the fast form.

    F(x) = sum over y of (-1)^|y| (N over y)* (k - |y| - 1)^(N - s(y))

over all vectors y with 0 <= y_i <= x_i and at most k - 2 non-zero entries, where |y| is the number
of non-zero entries, s(y) the sum of y_i - 1 over them, and (N over y)* the multinomial coefficient
N! / (product of (y_i - 1)! over the non-zero y_i, times (N - s(y))!).

For k = 1 the sum is empty, which is right but for x = (0) (E19): the empty sequence is bad. In the
paper's example the list of the y with one non-zero entry has (0,1,0) twice; the second should be
(0,0,1) (E20).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product

from hanabi.counting.vector import check_vector
from hanabi.errors import InvalidInputError

__all__ = ["bad_collected", "bad_printed"]

_MOST_TERMS = 10_000_000


def bad_printed(x: Iterable[int]) -> int:
    """Return F(x) by the printed sum, term by term; 0 for x = (0), where the truth is 1 (E19).

    Raises
    ------
    InvalidInputError
        If there are more than ten million vectors y <= x.

    >>> bad_printed((2, 1, 1)), bad_printed((0,))
    (9, 0)
    """
    vector = check_vector(x)
    k, N = len(vector), sum(vector)
    n_terms = math.prod(count + 1 for count in vector)
    if n_terms > _MOST_TERMS:
        raise InvalidInputError(f"x: the printed sum has {n_terms:,} terms, over {_MOST_TERMS:,}")
    acc = 0
    for y in product(*(range(count + 1) for count in vector)):
        size = sum(map(bool, y))
        if size > k - 2:
            continue
        s = sum(max(count - 1, 0) for count in y)
        coefficient = math.factorial(N) // math.factorial(N - s)
        coefficient //= math.prod(math.factorial(max(count - 1, 0)) for count in y)
        acc += (-1) ** size * coefficient * (k - size - 1) ** (N - s)
    return acc


def bad_collected(x: Iterable[int]) -> int:
    """Return F(x) by the printed sum with the terms of equal |y| and s(y) taken together.

    They are the coefficients of a polynomial in two variables; O(k N) of them, O(k^2 N max(x))
    steps. As printed, so 0 for x = (0) (E19).

    >>> bad_collected((4,) * 13)
    91973270026324484565579418350194489655582912237019
    """
    vector = check_vector(x)
    k, N = len(vector), sum(vector)
    # rows[size][s]: sum over the y of product of 1/(y_i - 1)!, times s! to keep it whole.
    rows = [[1]]
    for count in vector:
        grown = [[*row] for row in rows] + [[0]]
        for size, row in enumerate(rows):
            target = grown[size + 1]
            target += [0] * (len(row) + max(count - 1, 0) - len(target))
            for s, weight in enumerate(row):
                for more in range(count):
                    target[s + more] += weight * math.comb(s + more, more)
        rows = grown
    return sum(
        (-1) ** size * weight * math.comb(N, s) * (k - size - 1) ** (N - s)
        for size, row in enumerate(rows[: max(k - 1, 0)])
        for s, weight in enumerate(row)
        if weight
    )
