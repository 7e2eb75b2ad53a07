"""[Baffier2017], section 5 and slides: the figures, the numbers, and the slips E9 to E18."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hanabi.ground.errors import SolverError
from hanabi.solitaire import DrawAction, Instance, solve, verify_play
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.hardness import (
    Formula,
    assignment_of,
    partial_assignment_of,
    random_formula,
    reduce,
    winning_play,
)
from hanabi.solitaire.hardness.gadgets import BLUEPRINTS, Blueprint, Cards, Gadget, Group, blueprint
from hanabi.solitaire.hardness.layout import Layout
from oracles.hardness import (
    CLAUSES,
    all_assignments,
    all_formulas,
    forced,
    is_game_won,
    is_satisfiable,
)
from oracles.solitaire import is_winnable
from vectors import load_vectors

EXAMPLE = Formula(3, ((1, -2, 3), (1, 2, -3)))
"""W1 and W2 of figure 2."""
ALL_EIGHT = Formula(3, CLAUSES)


def instance_of(plan: Blueprint, formula: Formula) -> Instance:
    layout = Layout(formula, plan)
    blocks = list(layout.blocks())
    return Instance.from_arrays(
        plan.hand,
        np.concatenate([block.colors for block in blocks]),
        np.concatenate([block.values for block in blocks]),
        n=layout.n,
        c=layout.c,
    )


def colors_replaced(instance: Instance, colors: Any) -> Instance:
    values = np.asarray(instance.values)
    return Instance.from_arrays(instance.hand_size, colors, values, n=instance.n, c=instance.c)


def wins(instance: Instance) -> bool | None:
    return solve(instance, method="search").is_winnable


def rows(instance: Instance, first: int, last: int) -> tuple[str, str]:
    """Return the two rows of a figure: values, and colors from 1 with d for the dummy."""
    values = " ".join(map(str, instance.values[first - 1 : last]))
    colors = (("d" if k == 6 else str(k + 1)) for k in instance.colors[first - 1 : last])
    return values, " ".join(colors)


def test_figure_1() -> None:
    assert rows(reduce(EXAMPLE), 1, 32) == (
        "2 2 2 1 3 4 5 1 3 4 5 2 2 1 3 4 5 1 3 4 5 2 2 1 3 4 5 1 3 4 5 1",
        "d 1 2 1 1 1 1 2 2 2 2 3 4 3 3 3 3 4 4 4 4 5 6 5 5 5 5 6 6 6 6 d",
    )


def test_figure_2() -> None:
    high = "6 7 8 9 10"
    rest, test = "5 6 7 8 9 10 2 3 4", "3 3 3 2 4 5 6 2 4 5 6 2 4 5 6"
    repeated = [(1, 5), (4, 5), (5, 5), (2, 9), (3, 9), (6, 9)]
    colors = " ".join(str(k) for k, times in repeated for _ in range(times))
    assert rows(reduce(EXAMPLE), 33, 95) == (
        f"4 5 3 {high} {high} {high} {rest} {rest} {rest} 7 8 6 {test}",
        f"d d d {colors} d d d 1 4 5 1 1 1 1 4 4 4 4 5 5 5 5",
    )
    assert rows(reduce(EXAMPLE), 96, 98) == ("10 11 9", "d d d")
    assert rows(reduce(EXAMPLE), 141, 158) == (
        "13 14 12 8 8 8 7 9 10 11 7 9 10 11 7 9 10 11",
        "d d d 1 3 6 1 1 1 1 3 3 3 3 6 6 6 6",
    )


def numbers(variant: str, v: int, m: int, k: int, q: int) -> tuple[int, int, int]:
    """Return n, c and N - n c: the table in `hardness.gadgets`, with l = 7 for the slides.

    k is the most clauses with one variable, q the hand reductions that share a dummy color.
    """
    one = 2 * v + 1
    return {
        "paper": (max(6 * m + 2, 5 * m + 5), one, 8 * v * (m + 1) + 3 * m),
        "one_card_a": (5 * m + 5, one, 8 * v * (m + 1) + 15 * m),
        "one_card_b": (max(6 * m, 5 * m + 5), one, 8 * v + 10 * v * m + 12 * m),
        "slides": (max(12 * m + 2, 7 * (m + 1)), one, 2 * v * (7 * (m + 1) - 1)),
        "compact": (3 * m + 2, one, 2 * v * (2 * m + 1)),
        "constant_five": (5 * k + 5, one - (-2 * m // q), 8 * v + 27 * m),
        "constant_two": (2 * k + 2, one - (-m // q), 2 * v + 12 * m),
    }[variant]


@pytest.mark.parametrize("variant", BLUEPRINTS)
def test_the_numbers_of_every_variant(variant: str) -> None:
    one_card = variant.startswith("one_card")
    for v, m in ((0, 0), (2, 0), (3, 1), (3, 2), (4, 7), (7, 13), (11, 40), (9, 3)):
        formula = random_formula(v, ratio=m / v, seed=m) if m else Formula(v, ())
        reduction = reduce(formula, variant=variant, step=7)
        k = max(formula.occurrences(), default=0)
        n, c, rest = numbers(variant, v, m, k, max(1, reduction.n // 3))
        assert (reduction.n, reduction.c, reduction.N) == (n, c, n * c + rest)
        assert reduction.hand_size == (1 if one_card else 2)
        assert reduction.r == (3 if one_card else 2) or not m
        assert reduction.missing_card() is None


def test_theorem_5_6_has_the_paper_s_numbers_from_three_clauses_on() -> None:
    for m in (3, 8, 20):
        formula = random_formula(6, ratio=m / 6, seed=1)
        reduction = reduce(formula)
        assert (reduction.n, reduction.c, reduction.r) == (6 * m + 2, 13, 2)
        assert 2 * 13 * (6 * m + 2) >= reduction.N


def test_constant_n_is_30_for_five_occurrences() -> None:
    formula = Formula(9, tuple(map(tuple, load_vectors("formula_kappa5_unsat")["clauses"])))
    assert reduce(formula, variant="constant_five").n == 30
    assert reduce(formula, variant="constant_two").n == 12


def test_e9_the_printed_tail_makes_a_third_copy() -> None:
    for m in (1, 2, 3, 8):
        formula = Formula(3, CLAUSES[:m])
        assert reduce(formula, as_printed=True).r == 3
        assert reduce(formula).r == 2
    printed = reduce(Formula(3, CLAUSES[:3]), as_printed=True)
    thrice = {card for card in printed.cards if printed.cards.count(card) == 3}
    # o_m + 6 in the last clause's colors, and nowhere else
    assert thrice == {(color, 16) for color in (0, 3, 4)}


def test_e10_the_printed_n_is_below_the_cards_of_one_or_two_clauses() -> None:
    for m in (1, 2, 3, 4):
        formula = Formula(3, CLAUSES[:m])
        assert reduce(formula, as_printed=True).n == 6 * m + 2
        assert (reduce(formula).n > 6 * m + 2) == (m < 3)


def test_as_printed_the_equivalence_holds() -> None:
    for formula in all_formulas(ordered=False):
        if formula.n_clauses in (1, 2, 8):
            assert wins(reduce(formula, as_printed=True)) == is_satisfiable(formula)


def with_carry(*carry: Cards) -> Blueprint:
    """Return the paper's blueprint with other cards for the literals outside the clause."""
    plan = blueprint("paper")
    return replace(plan, clause=(*plan.clause[:3], *carry, *plan.clause[4:]))


def one_after_the_other(values: Iterable[int]) -> Gadget:
    """Each value in all colors of a group before the next: interleaved, not color by color."""
    return tuple(Cards(Group.REST, (value,), "carry") for value in values)


def test_e11_interleaved_by_value_satisfiable_formulas_are_lost() -> None:
    order = (5, 6, 7, 8, 9, 10, 2, 3, 4)
    two = Formula(3, ((-1, -2, 3), (-1, -2, -3)))
    assert wins(instance_of(with_carry(Cards(Group.REST, order, "carry")), two))
    assert wins(instance_of(with_carry(*one_after_the_other(order)), two)) is False


def test_e11_the_order_6_to_10_then_2_to_6_allows_cheating() -> None:
    plan = with_carry(Cards(Group.REST, (6, 7, 8, 9, 10, 2, 3, 4, 5, 6), "carry"))
    assert wins(instance_of(plan, ALL_EIGHT))
    assert wins(reduce(ALL_EIGHT)) is False


def test_e12_a_winning_play_may_leave_a_variable_open() -> None:
    reduction = reduce(Formula(3, ((1, 2, 3),)))
    gadget = next(s for s in reduction.annotation.spans if (s.role, s.number) == ("variable", 3))
    # Without the two 2s of this gadget the cards can still be won.
    cards = list(enumerate(reduction.cards))
    cards = [x for x in cards if not (gadget.first - 1 <= x[0] < gadget.last and x[1].rank == 2)]
    assert len(cards) == reduction.N - 2
    fewer = Instance(2, [card for _, card in cards])
    witness = solve(fewer, method="sat").witness
    assert witness is not None
    play = eager_play(
        reduction, [cards[i - 1][0] for i, action in witness if action is DrawAction.PLAY]
    )
    verify_play(reduction, play)
    assert partial_assignment_of(reduction, reduction.annotation, play)[2] is None
    for free in (False, True):
        assignment = assignment_of(reduction, reduction.annotation, play, free=free)
        assert assignment[2] is free


def test_e13_the_slides_copies_beside_each_card_are_twice_too_many() -> None:
    plain = reduce(EXAMPLE)
    r = 3
    colors, values = (np.repeat(column, r) for column in (plain.colors, plain.values))
    assert Instance.from_arrays(2, colors, values).r == 2 * r
    assert reduce(EXAMPLE, multiplicity=r).r == r
    exact = reduce(EXAMPLE, multiplicity=r, copies="exact")
    assert {exact.cards.count(card) for card in set(exact.cards)} == {r}


def test_e14_a_fresh_dummy_left_incomplete_loses() -> None:
    reduction = reduce(EXAMPLE, hand_size=3)
    dummy = reduction.c - 1
    cards = [card for card in reduction.cards if card.color != dummy or card.rank <= 2]
    assert solve(Instance(3, cards, n=reduction.n)).is_winnable is False
    assert solve(reduction, method="sat").is_winnable


def test_e14_low_values_of_the_same_dummy_lose() -> None:
    """R(1) around everything from dummies 1 and 2, the gadgets' own dummies moved up by two."""
    plain = reduce(EXAMPLE)
    moved = [(k, value + 2) if k == 6 else (k, value) for k, value in plain.cards]
    n = plain.n + 2
    ends = [(k, value) for k in range(6) for value in (n - 1, n)]
    instance = Instance(3, [(6, 2), *moved, *ends, (6, 1)], n=n)
    assert instance.missing_card() is None
    assert wins(instance) is False


def test_e15_one_card_as_printed_never_wins() -> None:
    for clauses in ((CLAUSES[0],), CLAUSES[:3]):
        printed = reduce(Formula(3, clauses), variant="one_card_a", as_printed=True)
        assert printed.hand_size == 1
        assert wins(printed) is False
        with pytest.raises(SolverError, match="does not win"):
            winning_play(printed, next(filter(printed.formula.satisfied_by, all_assignments(3))))


def test_e15_5_to_10_needs_two_cards() -> None:
    """Even with the dumps mended, low colors outside the clause are lost."""
    plan = blueprint("one_card_a")
    order = Cards(Group.REST, (5, 6, 7, 8, 9, 10, 2, 3, 4), "carry")
    clause = (*plan.clause[:3], order, *plan.clause[4:])
    one = Formula(3, ((1, 2, 3),))
    assert wins(instance_of(plan, one))
    assert wins(instance_of(replace(plan, clause=clause), one)) is False


def test_in_the_slides_a_dump_follows_every_clause() -> None:
    """Printed: R(1), the variables, D; for each clause R(2), D, D, .., D. Three cards each."""
    for clauses in ((), CLAUSES[:1], CLAUSES[:3]):
        formula = Formula(3, tuple(clauses))
        cards = reduce(formula, variant="slides", as_printed=True)
        roles = [span.role for span in cards.annotation.spans]
        assert roles.count("hand dump") == 1 + 3 * len(clauses)
        last = cards.annotation.spans[roles.index("last cards") - 1]
        assert last.role == "hand dump"
        dummy = 2 * formula.n_vars
        stream = list(cards.cards)[last.first - 1 : last.last]
        top = 2 + 3 + 12 * len(clauses)
        assert stream == [(dummy, top - 1), (dummy, top), (dummy, top - 2)]
        assert cards.n >= top


def test_e16_the_slides_never_test_the_first_clause() -> None:
    for step in (2, 3, 5):
        printed = reduce(ALL_EIGHT, variant="slides", step=step, as_printed=True)
        assert wins(printed)
        assert wins(reduce(ALL_EIGHT, variant="slides", step=step)) is False
        for first, second in ((0, 7), (3, 5), (6, 1)):
            formula = Formula(3, (CLAUSES[first], CLAUSES[second]))
            two = reduce(formula, variant="slides", step=step, as_printed=True)
            for assignment in all_assignments(3):
                rest = Formula(3, (CLAUSES[second],)).satisfied_by(assignment)
                assert wins(colors_replaced(two, forced(two, assignment)[0])) == rest


def test_e17_the_colors_of_a_variable() -> None:
    """2j - 1 and 2j from 1; the paper's 2j and 2j + 1 here would share colors with the dummy."""
    for variant in ("paper", "constant_five"):
        assert reduce(EXAMPLE, variant=variant).annotation.colors[:6] == (1, -1, 2, -2, 3, -3)


@pytest.mark.parametrize("example", load_vectors("players"), ids=lambda e: f"n{e['n']}p{e['p']}")
def test_e18_players(example: dict[str, Any]) -> None:
    cards, n, c, p, h = (example[key] for key in ("cards", *"ncph"))
    game = (cards, n, c, p, h)
    endless = is_game_won(*game, last_round=False)
    assert endless == example["no_final_round_limit"]
    assert is_game_won(*game, last_round=True) == example["final_round"]
    assert is_winnable(Instance(p * h, cards, n=n, c=c)) == example["solitaire_ph"]
    # The statement that holds, and what the last round takes is given back by p h inert cards.
    assert is_winnable(Instance(p * h - 1, cards, n=n, c=c)) == endless
    longer = [*cards, *[(0, n + 1)] * (p * h)]
    assert is_game_won(longer, n, c, p, h, last_round=True) == endless


def test_e18_the_smallest_witnesses() -> None:
    three = [(0, 2), (0, 2), (0, 3), (0, 1)]
    assert is_winnable(Instance(2, three))
    assert not is_game_won(three, 3, 1, 2, 1, last_round=False)
    two = [(0, 2), (0, 2), (0, 1)]
    assert is_winnable(Instance(1, two))
    assert not is_game_won(two, 2, 1, 2, 1, last_round=True)


def test_a_deck_for_players_ends_with_cards_of_no_use() -> None:
    plain, deck = reduce(EXAMPLE, hand_size=5), reduce(EXAMPLE, hand_size=3, players=2)
    assert deck.hand_size == plain.hand_size == 5
    assert deck.cards[deck.n : deck.n + plain.N] == tuple(plain.cards)
    filler = deck.c - 1
    assert deck.cards[: deck.n] == tuple((filler, value) for value in range(1, deck.n + 1))
    assert deck.cards[deck.n + plain.N :] == deck.cards[:6]
    assert deck.r == 2


def test_hand_reduction_needs_one_value_more_than_it_takes() -> None:
    """With h - 2 >= n values a single color cannot do it: further colors are used."""
    wide = reduce(EXAMPLE, variant="constant_two", hand_size=40)
    assert wide.n == 6
    assert wide.annotation.colors.count("reduction") == 8
