"""The recurrence behind the theorem [Bergh2016, section 3]: by the first card of the sequence.

A bad sequence that starts with 1 goes on with anything in which 2-...-k does not occur, the other
1s spread at will; one that starts with i > 1 goes on with a bad sequence:

    F(x) = (N-1 over x_1 - 1) F(x_2, ..., x_k) + F(x_1, x_2 - 1, ...) + ... + F(..., x_k - 1)

for x_1 > 0. Terms with a negative entry are 0, F(0, ..., 0) = 1, and F(x_1) = 0 for x_1 > 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from hanabi.counting.vector import Vector, check_vector
from hanabi.errors import InvalidInputError

__all__ = ["bad_by_recurrence"]


def bad_by_recurrence(x: Iterable[int], *, most_vectors: int = 1_000_000) -> int:
    """Return F(x) by the recurrence.

    F is symmetric, so vectors are kept sorted, the largest entry first: all vectors below x
    together are then at most (N + k over k), but 2,380 and not 5^13 for four of each of 13 values.

    Parameters
    ----------
    x
        k >= 1 counts >= 0.
    most_vectors
        How many different vectors may be met.

    Raises
    ------
    InvalidInputError
        If `x` is no such vector or more than `most_vectors` are met.

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
