from __future__ import annotations

import io

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.hardness import (
    Formula,
    planted_formula,
    random_formula,
    read_dimacs,
    sparse_formula,
    to_three_sat,
    write_dimacs,
)
from oracles.hardness import all_assignments


def test_a_literal_out_of_range_is_named_with_its_clause() -> None:
    with pytest.raises(InvalidInputError, match="clause 2: literal 4 is not in 1"):
        Formula(3, ((1, 2, 3), (1, 2, 4)))
    with pytest.raises(InvalidInputError, match="clause 1: literal 0"):
        Formula(3, ((0,),))


def test_an_assignment_of_another_length_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="2 values for 3 variables"):
        Formula(3, ()).satisfied_by((True, False))


def test_dimacs_round_trip_with_the_tail_of_satlib() -> None:
    formula = Formula(3, ((1, -2, 3), (), (2,)))
    file = io.StringIO()
    write_dimacs(formula, file, comments=["three clauses"])
    text = file.getvalue()
    assert read_dimacs([*text.splitlines(), "%", "0", ""]) == formula
    with pytest.raises(InvalidInputError, match="line 3: 'x' is not a literal"):
        read_dimacs(text.replace("1 -2", "1 x").splitlines())


@pytest.mark.parametrize(
    "clauses",
    [
        (),
        ((),),
        ((1,),),
        ((1,), (-1,)),
        ((1, 2), (-1, 2), (1, -2)),
        ((1, 2), (-1, 2), (1, -2), (-1, -2)),
        ((1, 1, 2), (2, -2, 3), (-1, -1, -1)),
        ((1, 2, 3, 4), (-1, -2, -3, -4)),
        ((1, 2, 3, 4, -5), (-1,), (-2,), (-3,), (-4,)),
        ((5, 4, 3, 2, 1, -5), (1, 3, 5, 2, 4)),
    ],
)
def test_normal_form_is_satisfied_by_what_satisfies_the_original(
    clauses: tuple[tuple[int, ...], ...],
) -> None:
    original = Formula(5, clauses)
    three = to_three_sat(original)
    assert three.formula.is_three_sat
    satisfiable = False
    for assignment in all_assignments(5):
        extended = three.extend(assignment)
        assert three.restore(extended) == assignment
        assert three.formula.satisfied_by(extended) == original.satisfied_by(assignment)
        satisfiable |= original.satisfied_by(assignment)
    if three.formula.n_vars <= 12:
        models = [a for a in all_assignments(three.formula.n_vars) if three.formula.satisfied_by(a)]
        assert bool(models) == satisfiable
        assert all(original.satisfied_by(three.restore(model)) for model in models)


def test_a_formula_in_normal_form_is_kept() -> None:
    formula = random_formula(10, seed=1)
    assert to_three_sat(formula).formula is formula


def test_generators_are_determined_by_their_seed_and_keep_their_word() -> None:
    assert random_formula(20, seed=4) == random_formula(20, seed=4) != random_formula(20, seed=5)
    formula = random_formula(20, ratio=3, size=4, seed=4)
    assert formula.n_clauses == 60
    assert all(len({abs(x) for x in clause}) == len(clause) == 4 for clause in formula.clauses)
    planted, hidden = planted_formula(30, ratio=6, seed=2)
    assert planted.satisfied_by(hidden)
    assert planted.n_clauses == 180


@pytest.mark.parametrize("seed", range(20))
def test_sparse_formulas_fill_their_variables_to_the_brim(seed: int) -> None:
    formula = sparse_formula(9, 15, most=5, seed=seed)
    assert formula.is_three_sat
    assert set(formula.occurrences()) == {5}
    assert max(sparse_formula(12, 10, most=3, seed=seed).occurrences()) <= 3


def test_impossible_random_formulas_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="16 clauses do not fit 9 variables"):
        sparse_formula(9, 16, most=5)
    with pytest.raises(InvalidInputError, match="3 different variables cannot be drawn from 2"):
        random_formula(2)
