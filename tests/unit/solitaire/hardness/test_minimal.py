"""The reductions by windows: their numbers, and limits that need no cards."""

from __future__ import annotations

from typing import Any

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.hardness import Formula, random_formula, reduce, stream_of

EIGHT = Formula(3, tuple((a, b, c) for a in (1, -1) for b in (2, -2) for c in (3, -3)))


def numbers(variant: str, formula: Formula) -> tuple[int, int, int, int]:
    """Return h, n, c and N - n c: the table in `hanabi.solitaire.hardness.minimal`."""
    v, m = formula.n_vars, formula.n_clauses
    lengths = [len(clause) for clause in formula.clauses]
    literals = sum(lengths)
    if variant == "four_values":
        return 1, max(4, *(k + 1 for k in lengths)), v + m, v + literals - m
    if variant == "three_values":
        return 2, 3, v + 3 * m + 3 * literals, v + 2 * literals
    used = sum(count > 0 for count in formula.occurrences())
    ordered = [sorted(clause, key=abs) for clause in formula.clauses]
    padded = [clause + clause[-1:] * (3 - len(clause)) for clause in ordered]
    negative = sum(literal < 0 for clause in padded for literal in clause)
    return 5 * m, 2 * used + 22 * m + negative + 1, 2, 10 * m


@pytest.mark.parametrize("variant", ["four_values", "three_values", "two_colors"])
def test_the_numbers_of_every_variant(variant: str) -> None:
    formulas = [random_formula(v, ratio=m / v, seed=m) for v, m in ((3, 1), (4, 7), (11, 40))]
    formulas += [random_formula(6, ratio=2, size=size, seed=size) for size in (1, 2)]
    for formula in [*formulas, EIGHT]:
        reduction = reduce(formula, variant=variant)
        hand, n, c, rest = numbers(variant, formula)
        assert (reduction.hand_size, reduction.n, reduction.c) == (hand, n, c)
        assert n * c + rest == reduction.N
        assert reduction.r == 2
        assert reduction.missing_card() is None


def test_satlib_s_formulas_of_fifty_variables_have_1558_cards() -> None:
    assert reduce(random_formula(50, ratio=218 / 50, seed=1), variant="four_values").N == 1558


@pytest.mark.parametrize("variant", ["four_values", "three_values", "two_colors"])
def test_exactly_r_copies_of_every_card(variant: str) -> None:
    for r in (2, 3):
        cards = reduce(EIGHT, variant=variant, multiplicity=r, copies="exact", values=200)
        assert r * cards.n * cards.c == cards.N
        assert cards.r == r
        assert cards.n == 200


@pytest.mark.parametrize(
    ("clauses", "options", "message"),
    [
        (((1, 2, 3, 4),), {"variant": "three_values"}, r"clause 1 .* more than 3 different"),
        (((1,), (1, 2, 3, 4)), {"variant": "two_colors"}, r"clause 2 .* more than 3 different"),
        (((1,), ()), {"variant": "two_colors"}, "clause 2 is empty"),
        (((1,),), {"variant": "two_colors", "hand_size": 4}, "is its own, 5 for this formula"),
        (((1,),), {"variant": "two_colors", "hand_size": 6}, "is its own, 5 for this formula"),
        (((1,),), {"variant": "four_values", "values": 3}, "needs 4 or more here, got 3"),
        (((1,),), {"variant": "four_values", "values": 0}, "values: 0 is not an integer >= 1"),
        (((1,),), {"variant": "four_values", "multiplicity": 1}, "has 2 copies of some cards"),
        (((1,),), {"variant": "four_values", "as_printed": True}, "no source prints a text"),
        (
            ((1,),),
            {"variant": "three_values", "hand_size": 3, "reduction_by": "same"},
            "no values to spare",
        ),
        (
            ((1, 2, 3),),
            {"variant": "paper", "as_printed": True, "values": 99},
            "has its own in print",
        ),
    ],
    ids=str,
)
def test_options_that_do_not_fit_are_refused(
    clauses: tuple[tuple[int, ...], ...], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        reduce(Formula(4, clauses), **options)


@pytest.mark.parametrize(
    ("n_vars", "options", "message"),
    [
        (10**9, {"variant": "four_values"}, "999999998 or more are in no clause"),
        (3, {"variant": "four_values", "values": 2**31 - 1}, r"more than 2\*\*31"),
        (3, {"variant": "three_values", "values": 2**28}, r"more than 2\*\*31"),
    ],
)
def test_sizes_beyond_all_bounds_are_refused_at_once(
    n_vars: int, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        stream_of(Formula(n_vars, ((1, -2),)), **options)


def test_what_fits_no_memory_is_refused_before_it_is_laid_out() -> None:
    stream = stream_of(Formula(3, ((1, -2),)), variant="four_values", values=10**8)
    assert len(next(stream.blocks()).values) < 100
    with pytest.raises(InvalidInputError, match="400,000,000 different cards: more than 268,435"):
        reduce(Formula(3, ((1, -2),)), variant="four_values", values=10**8)


def test_many_values_come_in_blocks() -> None:
    stream = stream_of(Formula(1, ((1,),)), variant="four_values", values=10**6)
    lengths = [len(block.values) for block in stream.blocks()]
    assert max(lengths) < 300_000
    assert sum(lengths) == 2 * 10**6 + 1
