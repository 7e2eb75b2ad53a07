"""Unary numbers in clauses, against sums worked out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from hanabi.ground.sat import Satisfiability, solve_here
from hanabi.solvers.winnable.sat import TRUE, Clauses, values


@pytest.mark.parametrize("lengths", [(), (2,), (2, 1), (1, 3, 2), (1, 1, 2, 1)])
def test_a_sum_is_that_of_its_parts_and_of_nothing_else(lengths: tuple[int, ...]) -> None:
    """Every choice of parts and total, each given by constants in a column of its own formula."""
    for numbers in product(*(range(length + 1) for length in lengths)):
        for claimed in range(sum(lengths) + 1):
            clauses = Clauses()
            parts = [
                _unary(number, length) for number, length in zip(numbers, lengths, strict=True)
            ]
            clauses.is_sum(_unary(claimed, sum(lengths)), parts)
            status = solve_here(clauses.cnf).status
            assert (status is Satisfiability.SATISFIABLE) is (claimed == sum(numbers))


def test_a_sum_is_found_for_variables_too() -> None:
    clauses = Clauses()
    ones, others, total = clauses.fresh(3, 2), clauses.fresh(2, 2), clauses.fresh(5, 2)
    for numbers in (ones, others, total):
        clauses.order(numbers)
    clauses.is_sum(total, [ones, others])
    clauses.add(ones[0, :1])  # at least one in the first column
    clauses.add(-total[1, :1])  # at most one in all
    clauses.add(total[4, 1:])  # all five in the second
    model = solve_here(clauses.cnf).model
    assert model is not None
    assert [values(numbers, model).sum(axis=0).tolist() for numbers in (ones, others, total)] == [
        [1, 3],
        [0, 2],
        [1, 5],
    ]


def _unary(number: int, length: int) -> np.ndarray:
    return np.where(np.arange(length) < number, TRUE, -TRUE).astype(np.int32)[:, None]
