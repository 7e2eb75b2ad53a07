"""Formulas as arrays: order, bulk and single clauses, runs, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.ground.sat import ClauseBuilder, Cnf


def test_clauses_keep_the_order_in_which_they_were_added() -> None:
    cnf = Cnf(n_vars=4)
    cnf.add_clause([1])
    cnf.add([[1, 2], [3, -4]])
    cnf.add_clause([-1, -2, -3])
    cnf.add_clause([])
    cnf.add_ragged([4, -4, 2], [1, 2])
    expected = [[1], [1, 2], [3, -4], [-1, -2, -3], [], [4], [-4, 2]]
    assert list(cnf) == expected
    assert list(cnf) == expected  # gathering does not lose anything
    assert (cnf.n_clauses, cnf.n_literals, len(cnf)) == (7, 11, 7)
    assert cnf.runs() == [(1, 1), (2, 2), (1, 3), (1, 0), (1, 1), (1, 2)]
    literals, lengths = cnf.arrays()
    assert literals.dtype == lengths.dtype == np.int32
    assert lengths.tolist() == [len(clause) for clause in expected]


def test_variables_are_numbered_in_order() -> None:
    cnf = Cnf()
    assert cnf.new_vars((2, 2)).tolist() == [[1, 2], [3, 4]]
    assert cnf.new_vars(0).shape == (0,)
    assert cnf.n_vars == 4
    with pytest.raises(SolverError, match="more than 2"):
        cnf.new_vars(2**31 - 1)


def test_an_empty_formula() -> None:
    cnf = Cnf()
    assert list(cnf) == []
    assert cnf.runs() == []


@pytest.mark.parametrize("literal", [0, 3, -3])
def test_unknown_literals_are_refused(literal: int) -> None:
    cnf = Cnf(n_vars=2)
    message = f"literal {literal}: its variable is not in 1 .. 2"
    with pytest.raises(InvalidInputError, match=message):
        cnf.add([[1, 2], [literal, -2]])
    with pytest.raises(InvalidInputError, match=message):
        cnf.add_ragged([1, literal], [1, 1])
    with pytest.raises(InvalidInputError, match=message):
        cnf.add_clause([1, literal])
    assert list(cnf) == []


def test_misshapen_blocks_are_refused() -> None:
    cnf = Cnf(n_vars=2)
    with pytest.raises(InvalidInputError, match="two dimensions, not 1"):
        cnf.add([1, 2])
    with pytest.raises(InvalidInputError, match="3 literals in all cannot be cut from 2"):
        cnf.add_ragged([1, 2], [1, 2])
    with pytest.raises(InvalidInputError, match="cannot be cut"):
        cnf.add_ragged([1, 2], [3, -1])


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
