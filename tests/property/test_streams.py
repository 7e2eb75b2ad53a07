"""All solvers on streams of some dozens of cards against a search that is written from the rules.

Brute force over all lines ends at about ten cards. `oracles.solitaire.wins_by_layers` goes on, and
shares no code with the solvers.
"""

from __future__ import annotations

import random
from itertools import product

import pytest

from hanabi.solitaire import (
    Instance,
    few_values,
    find_broken_rule,
    least_hand,
    paths,
    search,
    solve,
)
from hanabi.solitaire import sat as solitaire_sat
from hanabi.solitaire.hardness import VARIANTS, Formula, reduce
from oracles import solitaire as brute
from oracles.hardness import is_satisfiable

METHODS = (solve, paths.solve, solitaire_sat.solve, search.solve)

SHAPES = [
    # values, colors, copies, how far cards lie from their place in order, streams
    (5, 5, 2, 1.5, 60),
    (5, 5, 3, 2.0, 20),
    (5, 3, 3, 9.0, 60),
    (4, 6, 2, 1.0, 40),
    (2, 12, 2, 0.8, 30),
    (3, 8, 2, 0.8, 30),
    (10, 2, 2, 3.0, 60),
    (12, 3, 3, 4.0, 30),
    (30, 2, 2, 4.0, 30),
    (25, 1, 3, 9.0, 30),
]


def test_the_search_by_layers_finds_what_brute_force_finds() -> None:
    for n, c, longest in ((2, 2, 5), (3, 1, 6)):
        for cards in brute.all_streams(n, c, longest):
            for hand_size in (0, 1, 2):
                instance = Instance(hand_size, cards, n=n, c=c)
                assert brute.wins_by_layers(instance) is brute.is_winnable(instance), instance


@pytest.mark.parametrize(("n", "c", "copies", "noise", "number"), SHAPES)
def test_the_least_hand_that_wins(n: int, c: int, copies: int, noise: float, number: int) -> None:
    """Each solver wins with it, and with one card less it finds the stream lost."""
    rng, sizes = random.Random(49), set()
    deck = [(k, v) for v in range(1, n + 1) for k in range(c) for _ in range(copies)]
    for _ in range(number):
        cards = sorted(deck, key=lambda card: card[1] + rng.gauss(0, noise))
        instance = Instance(0, cards, n=n, c=c)
        while not brute.wins_by_layers(instance):
            instance = instance.with_hand_size(instance.hand_size + 1)
        found = least_hand(instance)
        assert found.lower == found.upper == instance.hand_size, cards
        sizes.add(instance.hand_size)
        methods = (*METHODS, few_values.solve_forced) if n <= 2 else METHODS
        for solver in methods:
            won = solver(instance)
            assert won.is_winnable, (won, instance.hand_size, cards)
            assert won.witness is not None
            assert find_broken_rule(instance, won.witness) is None
            if instance.hand_size:
                lost = solver(instance.with_hand_size(instance.hand_size - 1))
                assert lost.is_winnable is False, (lost, instance.hand_size, cards)
    assert len(sizes) > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_formula_is_satisfiable_exactly_if_its_cards_win(variant: str) -> None:
    """By a search of the whole stream, without help from the reduction, close to the boundary."""
    rng, signs = random.Random(49), product((1, -1), repeat=3)
    every = [tuple(s * x for s, x in zip(each, (1, 2, 3), strict=True)) for each in signs]
    repeated = 2
    if variant == "two_colors":  # whose hand grows by five with each clause
        every, repeated = [(1, 1, 1), (-1, -1, -1)], 0
    for number in range(8):
        some = every[number % 2 :]
        clauses = some + rng.choices(some, k=rng.randint(0, repeated))
        rng.shuffle(clauses)
        formula = Formula(1 if variant == "two_colors" else 3, tuple(clauses))
        assert is_satisfiable(formula) is (number % 2 == 1)
        reduction = reduce(formula, variant=variant)
        assert brute.wins_by_layers(reduction) is (number % 2 == 1), clauses
