"""Winnability of every class of hanab.live's variants against all lines of small games.

`python -m benchmarks.variant_check` does the same with as many games as one likes.
"""

from __future__ import annotations

from random import Random

from benchmarks.variant_check import classes
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.rules.variants import VARIANT_COUNT, find_variant, variant_names
from oracles.small_games import check, small_variant

CLASSES = list(classes().values())


def test_every_variant_is_of_one_class() -> None:
    names = [name for group in CLASSES for name in group]
    assert len(names) == len(set(names)) == VARIANT_COUNT


def test_every_class_against_all_lines() -> None:
    """One game of each, drawn by its number."""
    wrong = []
    for number, names in enumerate(CLASSES):
        chance = Random(number)
        checked = check(find_variant(chance.choice(names)), chance)
        if checked.wrong is not None:
            wrong.append(str(checked))
    assert wrong == []


@settings(max_examples=100)
@given(st.sampled_from(CLASSES), st.randoms(use_true_random=False))
def test_any_class_against_all_lines(names: list[str], chance: Random) -> None:
    checked = check(find_variant(chance.choice(names)), chance)
    assert checked.wrong is None, str(checked)


def test_all_or_nothing_with_piles_that_must_begin_differently() -> None:
    """The game ends by a bound for each pile alone, which may be too high: no harm is done."""
    names = [name for name in variant_names() if find_variant(name).sudoku]
    answers, wrong = set(), []
    for number in range(150):
        chance = Random(number)
        checked = check(find_variant(chance.choice(names)), chance, only_all=True)
        answers.add(checked.is_won)
        if checked.wrong is not None:
            wrong.append(str(checked))
    assert (wrong, answers) == ([], {True, False})


@settings(max_examples=100)
@given(st.sampled_from(CLASSES), st.randoms(use_true_random=False))
def test_a_small_variant_is_of_the_same_kind(names: list[str], chance: Random) -> None:
    variant = find_variant(names[0])
    small = small_variant(variant, chance)
    assert {suit.name for suit in small.suits} <= {suit.name for suit in variant.suits}
    kinds = ("sudoku", "up_or_down", "alternating_clues", "clue_starved", "throw_it_in_a_hole")
    assert all(getattr(small, kind) == getattr(variant, kind) for kind in kinds)
    assert all(
        len(order) == small.ranks
        for color in range(len(small.suits))
        for order in small.orders(color)
    )
