"""Every choice on a small formula's cards: stuck exactly where the formula is false."""

from __future__ import annotations

import random

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.hardness import Formula, reduce, winning_play
from hanabi.solitaire.hardness.choices import choices_of, sections_of
from hanabi.solitaire.windows import loads_of, windows_of


def random_clauses(rng: random.Random, n_vars: int) -> Formula:
    def clause() -> tuple[int, ...]:
        size = rng.randint(1, min(3, n_vars))
        return tuple(rng.choice((1, -1)) * x for x in rng.sample(range(1, n_vars + 1), size))

    return Formula(n_vars, tuple(clause() for _ in range(rng.randint(1, 8))))


def test_choices_are_stuck_where_the_formula_is_false() -> None:
    rng = random.Random(1)
    for _ in range(60):
        formula = random_clauses(rng, rng.randint(1, 4))
        cards = reduce(formula, variant="four_values")
        choices = list(choices_of(cards))
        assert len({choice.assignment for choice in choices}) == 2**formula.n_vars
        for choice in choices:
            wrong = [
                number
                for number, clause in enumerate(formula.clauses, start=1)
                if not any(choice.assignment[abs(x) - 1] == (x > 0) for x in clause)
            ]
            assert list(choice.stuck) == wrong
            assert max(loads_of(choice.windows, cards.N), default=0) <= 1
            if not wrong:  # these are the windows of the play that is replayed
                held = windows_of(cards, winning_play(cards, choice.assignment))
                assert tuple(sorted(held, key=lambda each: each.opens)) == choice.windows


def test_sections_share_out_all_cards() -> None:
    cards = reduce(Formula(3, ((1, 2, 3), (-1, -2, -3))), variant="four_values")
    sections = sections_of(cards)
    assert [number for number, _, _ in sections] == [1, 2, 3]
    places = [at for _, first, last in sections for at in range(first, last + 1)]
    assert places == list(range(1, cards.N + 1))


def test_other_cards_are_refused() -> None:
    formula = Formula(1, ((1,),))
    with pytest.raises(InvalidInputError, match="four_values"):
        next(choices_of(reduce(formula, variant="three_values")))
    with pytest.raises(InvalidInputError, match="one card in hand"):
        next(choices_of(reduce(formula, variant="four_values", hand_size=2)))
    wide = Formula(11, tuple((x,) for x in range(1, 12)))
    with pytest.raises(InvalidInputError, match="at most 10"):
        next(choices_of(reduce(wide, variant="four_values")))
