"""Counts of sequences and decks against brute force over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product

import pytest

from hanabi.solitaire import Instance
from hanabi.solitaire.counting import bad, good, total
from hanabi.solitaire.counting.classes import CLASSES, survey
from hanabi.solitaire.counting.hands import count_by_marks, winnable, winnable_decks
from hanabi.solitaire.counting.playability import count_winnable
from hanabi.solitaire.counting.ranking import Sequences
from hanabi.solitaire.counting.theorem import bad_by_recurrence, bad_collected, bad_printed
from oracles.sequences import progress
from oracles.solitaire import is_winnable, least_hand

Card = tuple[int, int]
Rows = Sequence[tuple[int, ...]]


def orders(cards: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the different orders of a multiset, with no idea of how to count them."""
    yield from set(permutations(cards))


def decks(rows: Rows) -> Iterator[tuple[Card, ...]]:
    return orders(
        (color, value)
        for color, row in enumerate(rows)
        for value, count in enumerate(row, start=1)
        for _ in range(count)
    )


SMALL = [
    x for k in range(1, 5) for x in product(range(4), repeat=k) if sum(x) <= (8 if k < 4 else 6)
]


@pytest.mark.parametrize("k", range(1, 5))
def test_every_small_vector(k: int) -> None:
    """All forms, and the listing, against the definition of good and bad."""
    for x in (x for x in SMALL if len(x) == k):
        streams = [tuple(value for _, value in deck) for deck in decks([x])]
        n_good = sum(progress(stream) == k for stream in streams)
        assert (total(x), good(x), bad(x)) == (len(streams), n_good, len(streams) - n_good)
        assert bad_by_recurrence(x) == bad(x)
        if x != (0,):  # E19
            assert bad_printed(x) == bad_collected(x) == bad(x)


@pytest.mark.parametrize("x", [(2, 1, 1), (1, 2, 2), (2, 2, 1, 1), (0, 1, 2), (0,), (2,), (0, 0)])
def test_ranking_is_the_sorted_list(x: tuple[int, ...]) -> None:
    streams = sorted(tuple(value for _, value in deck) for deck in decks([x]))
    for kind in ("good", "bad"):
        sequences = Sequences(x, kind)
        expected = [s for s in streams if (progress(s) == len(x)) == (kind == "good")]
        assert [*sequences] == expected
        assert sequences.count == len(expected)
        assert [sequences.rank(stream) for stream in expected] == [*range(len(expected))]
        assert [sequences.unrank(index) for index in range(len(expected))] == expected


@pytest.mark.parametrize(
    "x", [(2, 1, 1), (1, 2, 2), (2, 2, 1, 1), (1, 1, 1, 1, 1), (1, 1, 2, 1, 1)]
)
def test_one_color_with_a_hand(x: tuple[int, ...]) -> None:
    for h in range(len(x) + 1):
        won = sum(is_winnable(Instance(h, deck, n=len(x), c=1)) for deck in decks([x]))
        assert winnable(x, h) == winnable_decks([x], h) == won
        assert count_by_marks(x, h) == won


@pytest.mark.parametrize(
    "rows",
    [
        [(2, 1), (2, 1)],
        [(2, 2), (1, 2)],
        [(1, 1), (1, 1), (2, 1)],
        [(1, 2, 1), (1, 1, 1)],
    ],
)
def test_several_colors_with_a_hand(rows: Rows) -> None:
    n, c = len(rows[0]), len(rows)
    needed = [least_hand(Instance(0, deck, n=n, c=c)) for deck in decks(rows)]
    for h in range(c * (n - 1) + 2):
        won = sum(hand is not None and hand <= h for hand in needed)
        assert winnable_decks(rows, h) == count_winnable(rows, h) == won


def test_the_two_exact_methods_agree_where_brute_force_ends() -> None:
    for x in [(3, 2, 2, 2, 1), (2,) * 6, (1, 4, 2, 3)]:
        for h in range(len(x)):
            assert count_by_marks(x, h) == winnable_decks([x], h)
    assert winnable_decks([(3, 2, 2, 2, 1)] * 3, 0) == count_winnable([(3, 2, 2, 2, 1)] * 3, 0)


@pytest.mark.parametrize("rows", [[(2, 1), (2, 1)], [(1, 2, 1), (1, 1, 1)], [(2, 2, 1)]])
@pytest.mark.parametrize("h", [0, 1])
def test_every_class_is_sound(rows: Rows, h: int) -> None:
    """No deck in a class can be won; each class holds those that it is said to hold."""
    n, c = len(rows[0]), len(rows)
    lost = dict.fromkeys(CLASSES, 0)
    n_lost = 0
    for deck in decks(rows):
        instance = Instance(h, deck, n=n, c=c)
        can_win = is_winnable(instance)
        n_lost += not can_win
        members = {name for name, holds in CLASSES.items() if holds(instance)}
        assert not (can_win and members)
        for smaller, larger in (
            ("late_card", "crowd"),
            ("late_card", "lost_color"),
            ("crowd", "tight_crowd"),
            ("lost_color", "tight_crowd"),
            ("tight_crowd", "full_hand"),
        ):
            assert smaller not in members or larger in members
        for name in members:
            lost[name] += 1
    found = survey(rows, h)
    assert found.lost == n_lost
    assert {group.name: group.decks for group in found.classes} == lost
    assert found.lost == found.unexplained + sum(group.new for group in found.classes)
    if c == 1 or h == 0:
        assert lost["lost_color"] == n_lost


def test_the_classes_on_a_larger_deck() -> None:
    found = survey([(2, 1, 1), (2, 1, 1)], 1)
    assert (found.total, found.lost, found.unexplained) == (10080, 5248, 0)
    assert [(group.decks, group.new) for group in found.classes[:2]] == [(3080, 3080), (5248, 2168)]
