"""Cardinality constraints, proved for every small case by counting models."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from pysat.solvers import Solver

from hanabi.errors import InvalidInputError
from hanabi.sat import Cnf, at_most

MOST = 7


def cases() -> Iterator[tuple[int, int]]:
    for m in range(MOST + 1):
        for k in range(-1, m + 2):
            yield m, k


def assignments(m: int) -> Iterator[list[int]]:
    for signs in product((-1, 1), repeat=m):
        yield [sign * variable for variable, sign in enumerate(signs, start=1)]


def test_models_are_exactly_the_assignments_within_the_bound() -> None:
    for m, k in cases():
        cnf = Cnf(n_vars=m)
        at_most(cnf, list(range(1, m + 1)), k)
        with Solver(name="cadical195", bootstrap_with=list(cnf)) as solver:
            for assignment in assignments(m):
                true = sum(literal > 0 for literal in assignment)
                assert solver.solve(assumptions=assignment) == (true <= k), (m, k, assignment)


def test_unit_propagation_is_enough() -> None:
    """With k literals true, propagation makes all others false; one more is a conflict."""
    for m, k in cases():
        if k < 1:  # forced when the clauses are added, so not reported
            continue
        cnf = Cnf(n_vars=m)
        at_most(cnf, list(range(1, m + 1)), k)
        with Solver(name="minisat22", bootstrap_with=list(cnf)) as solver:
            for assignment in assignments(m):
                true = [literal for literal in assignment if literal > 0]
                consistent, implied = solver.propagate(assumptions=true)
                assert consistent == (len(true) <= k)
                if len(true) == k and k < m:
                    others = {-variable for variable in range(1, m + 1)} - {-x for x in true}
                    assert others <= set(implied), (m, k, true)


@pytest.mark.parametrize(("m", "k"), [(m, k) for m in range(3, 9) for k in range(1, m - 1)])
def test_sequential_counter_has_the_size_in_the_paper(m: int, k: int) -> None:
    cnf = Cnf(n_vars=m)
    at_most(cnf, list(range(1, m + 1)), k)
    assert cnf.n_vars - m == (m - 1) * k
    assert cnf.n_clauses == 2 * m * k + m - 3 * k - 1


def test_rows_are_bounded_separately() -> None:
    cnf = Cnf(n_vars=8)
    at_most(cnf, [[1, 2, 3, 4], [-5, -6, -7, -8]], 2)
    with Solver(name="cadical195", bootstrap_with=list(cnf)) as solver:
        for assignment in assignments(8):
            first = sum(literal > 0 for literal in assignment[:4])
            second = sum(literal < 0 for literal in assignment[4:])
            within = first <= 2 and second <= 2
            assert solver.solve(assumptions=assignment) == within


def test_nothing_is_added_for_nothing() -> None:
    cnf = Cnf(n_vars=3)
    at_most(cnf, np.zeros((0, 3), dtype=np.int32), 1)
    at_most(cnf, [1, 2, 3], 3)
    assert (cnf.n_vars, cnf.n_clauses) == (3, 0)


def test_bad_requests_are_refused() -> None:
    cnf = Cnf(n_vars=3)
    with pytest.raises(InvalidInputError, match="3 dimensions"):
        at_most(cnf, [[[1, 2, 3]]], 1)
