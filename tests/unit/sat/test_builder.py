"""Clauses from plain loops, and bounds on a set that changes, proved by counting models."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from hanabi.errors import InvalidInputError
from hanabi.sat import BudgetEndedError, ClauseBuilder, Cnf, IncrementalTotalizer

INPUTS = 6


def test_flush_adds_every_clause_once() -> None:
    builder = ClauseBuilder(Cnf(n_vars=3))
    builder.triples.extend((1, 2, 3))
    builder.units.append(-1)
    builder.pairs.extend((1, 2, -2, 3))
    builder.flush()
    assert list(builder.cnf) == [[-1], [1, 2], [-2, 3], [1, 2, 3]]
    builder.flush()
    assert builder.cnf.n_clauses == 4
    assert builder.new_var() == 4
    assert builder.new_vars(2) == (5, 6)
    assert builder.cnf.n_vars == 6


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
def test_models_are_exactly_the_assignments_within_all_bounds(
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
