"""Cardinality constraints, proved for every small case by counting models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest
from pysat.solvers import Solver

from hanabi.errors import InvalidInputError
from hanabi.sat import Cnf, at_most, merge_counts, sequential_counter, totalizer

MOST = 7


def by_totalizer(cnf: Cnf, literals: list[int], k: int) -> None:
    cnf.add(-totalizer(cnf, literals, k + 1)[:, k:])


ENCODINGS: list[Callable[[Cnf, list[int], int], None]] = [
    at_most,
    sequential_counter,
    by_totalizer,
]


def cases(encode: object) -> Iterator[tuple[int, int]]:
    for m in range(MOST + 1):
        for k in range(-1, m + 2):
            if encode is at_most or 1 <= k < m:
                yield m, k


def assignments(m: int) -> Iterator[list[int]]:
    for signs in product((-1, 1), repeat=m):
        yield [sign * variable for variable, sign in enumerate(signs, start=1)]


@pytest.mark.parametrize("encode", ENCODINGS)
def test_models_are_exactly_the_assignments_within_the_bound(
    encode: Callable[[Cnf, list[int], int], None],
) -> None:
    for m, k in cases(encode):
        cnf = Cnf(n_vars=m)
        encode(cnf, list(range(1, m + 1)), k)
        with Solver(name="cadical195", bootstrap_with=list(cnf)) as solver:
            for assignment in assignments(m):
                true = sum(literal > 0 for literal in assignment)
                assert solver.solve(assumptions=assignment) == (true <= k), (m, k, assignment)


@pytest.mark.parametrize("encode", ENCODINGS)
def test_unit_propagation_is_enough(encode: Callable[[Cnf, list[int], int], None]) -> None:
    """With k literals true, propagation makes all others false; one more is a conflict."""
    for m, k in cases(encode):
        if k < 1:  # forced when the clauses are added, so not reported
            continue
        cnf = Cnf(n_vars=m)
        encode(cnf, list(range(1, m + 1)), k)
        with Solver(name="minisat22", bootstrap_with=list(cnf)) as solver:
            for assignment in assignments(m):
                true = [literal for literal in assignment if literal > 0]
                consistent, implied = solver.propagate(assumptions=true)
                assert consistent == (len(true) <= k)
                if len(true) == k and k < m:
                    others = {-variable for variable in range(1, m + 1)} - {-x for x in true}
                    assert others <= set(implied), (m, k, true)


@pytest.mark.parametrize(("m", "k"), [(m, k) for m in range(2, 9) for k in range(1, m)])
def test_sequential_counter_has_the_size_in_the_paper(m: int, k: int) -> None:
    cnf = Cnf(n_vars=m)
    sequential_counter(cnf, range(1, m + 1), k)
    assert cnf.n_vars - m == (m - 1) * k
    assert cnf.n_clauses == 2 * m * k + m - 3 * k - 1


def test_totalizer_counts() -> None:
    for m in range(1, MOST + 1):
        for most in range(m + 2):
            cnf = Cnf(n_vars=m)
            outputs = totalizer(cnf, range(1, m + 1), most)[0].tolist()
            assert len(outputs) == min(m, most)
            with Solver(name="minisat22", bootstrap_with=list(cnf)) as solver:
                for assignment in assignments(m):
                    true = sum(literal > 0 for literal in assignment)
                    # The outputs up to the count are forced, the others are free to be false.
                    _, implied = solver.propagate(assumptions=assignment)
                    assert set(outputs[:true]) <= set(implied) | set(assignment)
                    rest = [-x for x in outputs[true:] if x not in assignment]
                    assert solver.solve(assumptions=assignment + rest)


def test_rows_are_bounded_separately() -> None:
    for encode in (at_most, sequential_counter):
        cnf = Cnf(n_vars=8)
        encode(cnf, [[1, 2, 3, 4], [-5, -6, -7, -8]], 2)
        with Solver(name="cadical195", bootstrap_with=list(cnf)) as solver:
            for assignment in assignments(8):
                first = sum(literal > 0 for literal in assignment[:4])
                second = sum(literal < 0 for literal in assignment[4:])
                within = first <= 2 and second <= 2
                assert solver.solve(assumptions=assignment) == within


def test_merge_takes_counts_of_different_lengths() -> None:
    cnf = Cnf(n_vars=8)
    total = merge_counts(cnf, [[1, 2, 3], [5, 6, 7]], [[4], [8]], 3)
    assert total.shape == (2, 3)
    with Solver(name="minisat22", bootstrap_with=list(cnf)) as solver:
        _, implied = solver.propagate(assumptions=[1, 2, 4, 8])
    assert {int(total[0, 2]), int(total[1, 0])} <= set(implied)
    assert not {int(total[1, 1])} & set(implied)


def test_nothing_is_added_for_nothing() -> None:
    cnf = Cnf(n_vars=3)
    at_most(cnf, np.zeros((0, 3), dtype=np.int32), 1)
    at_most(cnf, [1, 2, 3], 3)
    assert (cnf.n_vars, cnf.n_clauses) == (3, 0)


def test_bad_requests_are_refused() -> None:
    cnf = Cnf(n_vars=3)
    with pytest.raises(InvalidInputError, match="k = 3: expected 1 <= k < 3"):
        sequential_counter(cnf, [1, 2, 3], 3)
    with pytest.raises(InvalidInputError, match="3 dimensions"):
        at_most(cnf, [[[1, 2, 3]]], 1)
