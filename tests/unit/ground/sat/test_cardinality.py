"""Cardinality constraints, proved for every small case by counting models."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.sat import BudgetEndedError, ClauseBuilder, Cnf, IncrementalTotalizer, at_most

MOST = 7
INPUTS = 6


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


def test_memory_is_watched() -> None:
    builder = ClauseBuilder(Cnf(n_vars=100), memory=16 * 50)
    builder.pairs.extend((1, 2) * 25)
    builder.check()
    with pytest.raises(BudgetEndedError, match=r"more than 800 bytes \(51 literals"):
        builder.check(1)
    totalizer = IncrementalTotalizer(builder, slots=100, most=50)
    for slot in range(100):
        totalizer.set(slot, slot + 1)
    with pytest.raises(BudgetEndedError):
        totalizer.at_most(50)


def test_the_totalizer_has_limits() -> None:
    totalizer = IncrementalTotalizer(ClauseBuilder(Cnf(n_vars=4)), slots=4, most=2)
    for slot in (-1, 4):
        with pytest.raises(InvalidInputError, match=f"slot {slot} is not in 0 .. 3"):
            totalizer.set(slot, 1)
    with pytest.raises(InvalidInputError, match="k = 3: the totalizer counts up to 2"):
        totalizer.at_most(3)


steps = st.lists(
    st.tuples(
        st.dictionaries(
            st.integers(0, 8),
            st.none() | st.integers(1, INPUTS) | st.integers(-INPUTS, -1),
            max_size=5,
        ),
        st.integers(-1, 4),
    ),
    min_size=1,
    max_size=5,
)


@given(steps)
def test_models_of_a_changing_set_are_within_all_bounds(
    changes: list[tuple[dict[int, int | None], int]],
) -> None:
    builder = ClauseBuilder(Cnf(n_vars=INPUTS))
    totalizer = IncrementalTotalizer(builder, slots=9, most=4)
    held: dict[int, int] = {}
    bounds: list[tuple[list[int], int]] = []
    for change, k in changes:
        for slot, literal in change.items():
            totalizer.set(slot, literal)
            held.pop(slot, None)
            if literal is not None:
                held[slot] = literal
        assert len(totalizer) == len(held)
        totalizer.at_most(k)
        bounds.append((list(held.values()), k))
    builder.flush()
    with Solver(name="cadical195", bootstrap_with=list(builder.cnf)) as solver:
        for signs in product((-1, 1), repeat=INPUTS):
            assignment = [sign * variable for variable, sign in enumerate(signs, start=1)]
            true = set(assignment)
            within = all(sum(x in true for x in literals) <= k for literals, k in bounds)
            assert solver.solve(assumptions=assignment) == within


def test_a_small_change_costs_a_path_of_the_tree() -> None:
    builder = ClauseBuilder(Cnf(n_vars=129))
    totalizer = IncrementalTotalizer(builder, slots=128, most=2)
    for slot in range(128):
        totalizer.set(slot, slot + 1)
    totalizer.at_most(2)
    before = builder.cnf.n_vars
    totalizer.set(77, 129)
    totalizer.at_most(2)
    assert builder.cnf.n_vars - before == 2 + 5 * 3  # a pair, then nodes that count to 3
    totalizer.at_most(2)
    assert builder.cnf.n_vars - before == 2 + 5 * 3
