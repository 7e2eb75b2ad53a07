"""The two linear-time solvers against certified answers, brute force and naive definitions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

import pytest

from hanabi.solitaire import Instance, find_broken_rule, single_color, unique
from oracles.solitaire import Card, all_streams, most_cards
from oracles.solitaire import least_hand as brute_force_least_hand
from vectors import load_vectors


@pytest.fixture(params=["plain", "compiled"], autouse=True)
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test once with the plain algorithms and once with the kernels."""
    start = 0 if request.param == "compiled" else 10**9
    monkeypatch.setattr(unique, "COMPILED_FROM", start)
    monkeypatch.setattr(single_color, "COMPILED_FROM", start)


def _wins(instance: Instance, solve: Callable[[Instance], Any]) -> bool:
    verdict = solve(instance)
    if not verdict.is_winnable:
        assert verdict.witness is None
        assert verdict.lower <= verdict.upper < instance.goal
        return False
    assert find_broken_rule(instance, verdict.witness) is None
    assert verdict.lower == verdict.upper == instance.goal
    return True


# Without repeated cards


def _naive_last_needed(cards: Sequence[Card]) -> list[int]:
    return [
        max(j for j, (other, b) in enumerate(cards, start=1) if other == color and b <= value)
        for color, value in cards
    ]


def _naive_thickness(needed: Sequence[int]) -> int:
    return max(
        (
            sum(i < j <= last for i, last in enumerate(needed, start=1))
            for j in range(1, len(needed) + 1)
        ),
        default=0,
    )


def _passes_of_an_actual_bubble_sort(keys: Sequence[object]) -> int:
    row: list[Any] = list(keys)
    passes, swapped = -1, True
    while swapped:
        passes, swapped = passes + 1, False
        for i in range(len(row) - 1):
            if row[i] > row[i + 1]:
                row[i], row[i + 1] = row[i + 1], row[i]
                swapped = True
    return passes


def _check_unique(instance: Instance) -> None:
    cards = instance.cards
    needed = _naive_last_needed(cards)
    thickness = _naive_thickness(needed)
    keys = [(last, value) for last, (_, value) in zip(needed, cards, strict=True)]
    assert list(unique.last_needed(instance)) == needed
    assert unique.interval_thickness(instance) == thickness
    assert unique.bubble_sort_passes(instance) == thickness
    assert _passes_of_an_actual_bubble_sort(keys) == thickness
    complete = len(cards) == instance.goal
    assert unique.least_hand(instance) == (thickness if complete else None)
    assert _wins(instance, unique.solve) == (complete and thickness <= instance.hand_size)


def test_unique_agrees_with_the_certified_answers() -> None:
    for vector in load_vectors("r1"):
        h = vector["min_h"]
        instance = Instance(h, vector["cards"], n=vector["n"], c=vector["c"])
        assert list(unique.last_needed(instance)) == vector["f"]
        assert unique.least_hand(instance) == h
        assert unique.interval_thickness(instance) == h
        assert unique.bubble_sort_passes(instance) == vector["bubble_passes"]
        _check_unique(instance)
        assert _wins(instance, unique.solve)
        if h > 0:
            assert not _wins(instance.with_hand_size(h - 1), unique.solve)


def _streams_without_repeats(n: int, c: int) -> Iterator[tuple[Card, ...]]:
    deck = [(color, value) for color in range(c) for value in range(1, n + 1)]
    for length in range(len(deck) + 1):
        yield from permutations(deck, length)


@pytest.mark.parametrize(("n", "c"), [(0, 0), (0, 3), (3, 0), (4, 1), (2, 2), (1, 4)])
def test_unique_agrees_with_brute_force(n: int, c: int) -> None:
    for cards in _streams_without_repeats(n, c):
        instance = Instance(0, cards, n=n, c=c)
        assert unique.least_hand(instance) == brute_force_least_hand(instance)
        for h in range(n * c + 1):
            held = instance.with_hand_size(h)
            _check_unique(held)
            verdict = unique.solve(held)
            assert verdict.lower <= most_cards(held) <= verdict.upper
            if c == 1:
                assert verdict.lower == verdict.upper


@pytest.mark.parametrize(("n", "c"), [(3, 2), (2, 3)])
def test_unique_agrees_with_brute_force_on_some_longer_streams(n: int, c: int) -> None:
    deck = [(color, value) for color in range(c) for value in range(1, n + 1)]
    for cards in [p[: 6 - i % 3] for i, p in enumerate(permutations(deck)) if i % 7 == 0]:
        for h in range(4):
            instance = Instance(h, cards, n=n, c=c)
            most = most_cards(instance)
            verdict = unique.solve(instance)
            assert verdict.is_winnable == (most == instance.goal)
            assert verdict.lower <= most <= verdict.upper


def test_the_position_named_by_unique_is_a_proof() -> None:
    n_proofs = 0
    for vector in load_vectors("r1"):
        for h in range(vector["min_h"]):
            instance = Instance(h, vector["cards"])
            reason = unique.solve(instance).reason
            match = re.match(r"after card (\d+) ", reason)
            assert match, reason
            position = int(match[1])
            for end, held in ((position - 1, h), (position, h + 1)):
                assert sum(last > end for last in vector["f"][:end]) == held
            n_proofs += 1
    assert n_proofs > 200


def test_every_card_must_occur() -> None:  # E3
    lonely = Instance(0, [(0, 2)])
    assert unique.interval_thickness(lonely) == 0
    assert unique.least_hand(lonely) is None
    assert unique.solve(lonely).reason == "card r1 never occurs"


@pytest.mark.parametrize(
    ("cards", "key"),
    [
        ([(0, 1), (0, 2), (1, 1), (1, 2)], lambda card: card[1]),
        ([(1, 1), (0, 1)], lambda card: (card[1], card[0])),
        ([(1, 1), (0, 1)], lambda card: card),
    ],
    ids=["value", "value then color", "color then value"],
)
def test_other_keys_mislead_bubble_sort(
    cards: list[Card], key: Callable[[Card], Any]
) -> None:  # E5
    instance = Instance(0, cards)
    assert unique.solve(instance).is_winnable
    assert unique.bubble_sort_passes(instance) == 0
    assert _passes_of_an_actual_bubble_sort([key(card) for card in cards]) == 1


# In one color


def _check_obstacle(instance: Instance) -> None:
    """Check the proof that an instance is lost, by what a useless card is.

    By induction from the largest value down: no winning play uses a copy of a value after its last
    playable index, because h + 1 larger values would be in hand.
    """
    obstacle = single_color.obstacle(instance)
    assert obstacle is not None
    values = list(instance.values)
    if not obstacle.witnesses:
        assert obstacle.value not in values
        return
    h, n = instance.hand_size, instance.n
    last = dict(enumerate(single_color.last_playable_indices(instance), start=1))
    assert last[obstacle.value] == 0
    for value in range(n, obstacle.value - 1, -1):
        for position, other in enumerate(values, start=1):
            if other == value and position > last[value]:
                assert sum(last[u] < position for u in range(value + 1, n + 1)) > h
    first = values.index(obstacle.value) + 1
    assert len(set(obstacle.witnesses)) == h + 1
    assert all(u > obstacle.value and 0 < last[u] < first for u in obstacle.witnesses)


def _check_single_color(instance: Instance) -> bool:
    wins = _wins(instance, single_color.solve)
    chosen = single_color.chosen_positions(instance)
    assert (chosen is not None) == wins
    assert (single_color.obstacle(instance) is None) == wins
    if chosen is None:
        _check_obstacle(instance)
        assert single_color.solve(instance).reason == str(single_color.obstacle(instance))
    else:
        assert chosen == single_color.last_playable_indices(instance)
    return wins


def test_single_color_agrees_with_the_certified_answers() -> None:
    for vector in load_vectors("c1"):
        cards = [(0, value) for value in vector["values"]]
        for h, expected in enumerate(vector["index_of_each_value_for_h"]):
            instance = Instance(h, cards, n=vector["n"])
            chosen = single_color.chosen_positions(instance)
            assert (None if chosen is None else list(chosen)) == expected
            assert _check_single_color(instance) == (expected is not None)


@pytest.mark.parametrize(("n", "longest"), [(0, 0), (1, 3), (2, 6), (3, 6), (4, 5), (6, 2)])
def test_single_color_agrees_with_brute_force(n: int, longest: int) -> None:
    for cards in all_streams(n, 1, longest):
        instance = Instance(0, cards, n=n, c=1)
        least = single_color.least_hand(instance)
        for h in range(n + 1):
            held = instance.with_hand_size(h)
            wins = _check_single_color(held)
            most = most_cards(held)
            verdict = single_color.solve(held)
            assert wins == (most == n) == (least is not None and least <= h)
            assert verdict.lower == verdict.upper == most


def test_values_are_not_sought_below_one() -> None:  # E6
    instance = Instance(9, [(0, 3), (0, 2), (0, 1)])
    assert _check_single_color(instance)


def test_every_value_must_occur() -> None:  # E7
    instance = Instance(1, [(0, 1)], n=2)
    assert not _check_single_color(instance)
    assert single_color.solve(instance).reason == "value 2 never occurs"
