"""The theorem of [Bergh2016, section 3] as printed: a slow oracle for the fast form.

    F(x) = sum over y of (-1)^|y| (N over y)* (k - |y| - 1)^(N - s(y))

over all vectors y with 0 <= y_i <= x_i and at most k - 2 non-zero entries, where |y| is the number
of non-zero entries, s(y) the sum of y_i - 1 over them, and (N over y)* the multinomial coefficient
N! / (product of (y_i - 1)! over the non-zero y_i, times (N - s(y))!).

For k = 1 the sum is empty, which is right except for x = (0): the empty sequence is bad (E19). In
the paper's example, the list of the y with one non-zero entry has (0,1,0) twice; the second should
be (0,0,1) (E20).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product

from hanabi.ground import InvalidInputError, quote
from hanabi.solitaire.counting.vector import Vector, check_vector

__all__ = ["bad_by_recurrence", "bad_collected", "bad_printed", "parts", "swap"]

_MOST_TERMS = 10_000_000


def bad_printed(x: Iterable[int]) -> int:
    """Return F(x) by the printed sum, term by term; 0 for x = (0), where 1 is correct (E19).

    Raises InvalidInputError if there are more than ten million vectors y <= x.

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

    The collected terms are the O(k N) coefficients of a polynomial in two variables;
    O(k^2 N max(x)) steps. Like the printed sum, this gives 0 for x = (0) (E19).

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


# The recurrence from which the theorem follows [Bergh2016, section 3]: by the first card.
#
# A bad sequence that starts with 1 continues with any sequence without the subsequence 2-...-k, and
# with the other 1s anywhere. One that starts with i > 1 continues with a bad sequence:
#
#     F(x) = (N-1 over x_1 - 1) F(x_2, ..., x_k) + F(x_1, x_2 - 1, ...) + ... + F(..., x_k - 1)
#
# for x_1 > 0. Terms with a negative entry are 0, F(0, ..., 0) = 1, and F(x_1) = 0 for x_1 > 0.


def bad_by_recurrence(x: Iterable[int], *, most_vectors: int = 1_000_000) -> int:
    """Return F(x) by the recurrence.

    F is symmetric, so vectors are kept sorted, the largest entry first. At most (N + k over k)
    vectors are then below x: for four of each of 13 values, 2,380 instead of 5^13.

    Parameters
    ----------
    x
        k >= 1 counts >= 0.
    most_vectors
        Limit on the number of different vectors.

    Raises
    ------
    InvalidInputError
        If `x` is not such a vector, or the recurrence needs more than `most_vectors`.

    >>> bad_by_recurrence((2, 1, 1)), bad_by_recurrence((0,)), bad_by_recurrence((2,))
    (9, 1, 0)
    """
    root = _sorted(check_vector(x))
    known: dict[Vector, int] = {}
    waiting = [root]
    while waiting:
        vector = waiting[-1]
        if vector in known:
            waiting.pop()
            continue
        if len(vector) == 1 or vector[0] == 0:
            known[vector] = int(vector[0] == 0)
            continue
        if len(known) >= most_vectors:
            raise InvalidInputError(f"x: the recurrence meets more than {most_vectors:,} vectors")
        smaller = [
            _sorted((*vector[:i], vector[i] - 1, *vector[i + 1 :]))
            for i in range(1, len(vector))
            if vector[i]
        ]
        unknown = [v for v in (*smaller, vector[1:]) if v not in known]
        if unknown:
            waiting += unknown
            continue
        others = math.comb(sum(vector) - 1, vector[0] - 1)
        known[vector] = others * known[vector[1:]] + sum(known[v] for v in smaller)
    return known[root]


def _sorted(vector: Vector) -> Vector:
    return tuple(sorted(vector, reverse=True))


# The bijection of [Bergh2016, section 3] between good sequences, which interchanges two numbers of
# copies.
#
# A good sequence is cut into parts: up to the first 1, from there to the next 2, and so on; part i
# has no i in it. Interchange parts i and j, and exchange the names i and j in all parts; the
# cutting cards stay. The result is good, has x_j copies of i and x_i of j, and doing this twice
# restores the sequence. So F is symmetric. The paper shows it for 1 and 2.


def parts(sequence: Sequence[int], k: int) -> list[tuple[int, ...]]:
    """Cut a good sequence into its k + 1 parts, without the cutting cards 1, 2, ..., k.

    Raises InvalidInputError if 1-2-...-k is not a subsequence, or k < 1.

    >>> parts((2, 1, 1, 3, 2, 3, 1), 3)
    [(2,), (1, 3), (), (1,)]
    """
    if k < 1:
        raise InvalidInputError(f"k: {quote(k)} is not an integer >= 1")
    found: list[tuple[int, ...]] = []
    start = 0
    for index, value in enumerate(sequence):
        if value == len(found) + 1 <= k:
            found.append(tuple(sequence[start:index]))
            start = index + 1
    if len(found) < k:
        raise InvalidInputError(
            f"the sequence is bad: after 1 .. {len(found)} there is no {len(found) + 1}"
        )
    return [*found, tuple(sequence[start:])]


def swap(sequence: Sequence[int], i: int = 1, j: int = 2, *, k: int) -> tuple[int, ...]:
    """Return the good sequence that the bijection assigns, with the counts of i and j exchanged.

    Parameters
    ----------
    sequence
        Values 1 .. k with the subsequence 1-2-...-k.
    i, j
        Two values of 1 .. k.
    k
        Number of values.

    Raises
    ------
    InvalidInputError
        If the sequence is bad, or `i` or `j` is out of range.

    >>> swap((2, 1, 1, 3, 2, 3, 1), k=3)
    (2, 3, 1, 1, 2, 3, 2)
    >>> swap(swap((2, 1, 1, 3, 2, 3, 1), k=3), k=3)
    (2, 1, 1, 3, 2, 3, 1)
    """
    for name, value in (("i", i), ("j", j)):
        if not 1 <= value <= k:
            raise InvalidInputError(f"{name}: {quote(value)} is not in 1 .. {k}")
    cut = parts(sequence, k)
    cut[i - 1], cut[j - 1] = cut[j - 1], cut[i - 1]
    renamed = {i: j, j: i}
    result: list[int] = []
    for index, part in enumerate(cut, start=1):
        result += (renamed.get(value, value) for value in part)
        result += [index] if index <= k else []
    return tuple(result)
