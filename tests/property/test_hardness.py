"""Random formulas over four and five variables, every variant, there and back."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.solitaire.hardness import (
    VARIANTS,
    Formula,
    assignment_of,
    decide_by_cards,
    partial_assignment_of,
    reduce,
    to_three_sat,
    winning_play,
)
from oracles.hardness import all_assignments, is_satisfiable


@st.composite
def formulas(draw: st.DrawFn, *, most: int, size: int | None = 3) -> Formula:
    """Draw a formula over four or five variables; clauses of `size` variables, or of any length."""
    n_vars = draw(st.integers(4, 5))
    if size is None:
        literal = st.integers(1, n_vars).flatmap(lambda x: st.sampled_from((x, -x)))
        clauses = draw(st.lists(st.lists(literal, max_size=6).map(tuple), max_size=most))
        return Formula(n_vars, tuple(clauses))
    clause = st.permutations(range(1, n_vars + 1)).flatmap(
        lambda p: st.tuples(*(st.sampled_from((x, -x)) for x in p[:size]))
    )
    return Formula(n_vars, tuple(draw(st.lists(clause, min_size=1, max_size=most))))


VARIANT = st.sampled_from(VARIANTS)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "hand_size": st.integers(2, 5),
        "multiplicity": st.integers(3, 5),
        "copies": st.sampled_from(("beside", "exact")),
        "step": st.integers(2, 6),
    },
)


@settings(max_examples=60)
@given(formulas(most=40), VARIANT)
def test_satisfiable_exactly_if_winnable(formula: Formula, variant: str) -> None:
    if variant == "two_colors":  # hard with more clauses: the hand grows by five with each
        formula = Formula(formula.n_vars, formula.clauses[:6])
    decision = decide_by_cards(formula, variant=variant)
    assert decision.is_satisfiable == is_satisfiable(formula)
    if decision.assignment is not None:
        assert formula.satisfied_by(decision.assignment)


@settings(max_examples=40)
@given(formulas(most=12, size=None), st.sampled_from(("four_values", "three_values", "compact")))
def test_clauses_of_any_length(formula: Formula, variant: str) -> None:
    decision = decide_by_cards(formula, variant=variant)
    assert decision.is_satisfiable == is_satisfiable(formula)
    if decision.assignment is not None:
        assert formula.satisfied_by(decision.assignment)
    three = to_three_sat(formula)
    for assignment in all_assignments(formula.n_vars):
        extended = three.extend(assignment)
        assert three.formula.satisfied_by(extended) == formula.satisfied_by(assignment)


@settings(max_examples=60)
@given(formulas(most=12), VARIANT, OPTIONS)
def test_assignment_to_play_and_back(
    formula: Formula, variant: str, options: dict[str, Any]
) -> None:
    if variant == "two_colors":
        options = {key: value for key, value in options.items() if key != "hand_size"}
    reduction = reduce(formula, variant=variant, **options)
    asked = options.get("multiplicity", reduction.stream.layout.copies)
    assert reduction.r == asked
    if options.get("copies") == "exact":
        assert asked * reduction.goal == reduction.N
    for assignment in filter(formula.satisfied_by, all_assignments(formula.n_vars)):
        play = winning_play(reduction, assignment)
        found = partial_assignment_of(reduction, reduction.annotation, play)
        # Two colors have no cards for a variable that occurs nowhere.
        assert all(x in (y, None) for x, y in zip(found, assignment, strict=True))
        assert (None in found) <= (variant == "two_colors" and 0 in formula.occurrences())
        assert assignment_of(reduction, reduction.annotation, play)
        break
