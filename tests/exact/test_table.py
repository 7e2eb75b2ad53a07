"""The paper's table against brute force, on every small stream and entry by entry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from hanabi.ground.verdict import Status
from hanabi.solitaire import Instance, find_broken_rule
from hanabi.solitaire.table import columns, entries, solve
from oracles.solitaire import Card, all_streams, most_cards
from strategies import instances
from vectors import load_vectors

Entry = tuple[int, tuple[Card, ...], tuple[int, ...]]
"""(s, hand, heights of the first c - 1 piles)."""


def true_entries(instance: Instance) -> dict[Entry, int]:
    """Return what the paper says that each entry means, from every line of play."""
    n, c = instance.n, instance.c
    layer: set[tuple[tuple[int, ...], frozenset[Card]]] = {((0,) * c, frozenset())}
    truth: dict[Entry, int] = {}

    def close(states: set[tuple[tuple[int, ...], frozenset[Card]]]) -> None:
        """Add what follows by playing or throwing away cards in hand."""
        waiting = list(states)
        while waiting:
            piles, hand = waiting.pop()
            for card in hand:
                after = [(piles, hand - {card})]
                if piles[card[0]] == card[1] - 1:
                    after.append((raise_pile(piles, card[0]), hand - {card}))
                for state in after:
                    if state not in states:
                        states.add(state)
                        waiting.append(state)

    def raise_pile(piles: tuple[int, ...], color: int) -> tuple[int, ...]:
        return tuple(height + (k == color) for k, height in enumerate(piles))

    for s in range(instance.N + 1):
        for piles, hand in layer:
            key = s, tuple(sorted(hand)), piles[:-1]
            truth[key] = max(truth.get(key, -1), piles[-1])
        if s < instance.N:
            card = instance.cards[s]
            layer = set(layer)
            for piles, hand in list(layer):
                if piles[card[0]] == card[1] - 1:
                    layer.add((raise_pile(piles, card[0]), hand))
                if len(hand | {card}) <= instance.hand_size:
                    layer.add((piles, hand | {card}))
            close(layer)
    assert all(height <= n for height in truth.values())
    return truth


def table_entries(instance: Instance) -> Iterator[tuple[Entry, int]]:
    base = instance.n + 1
    for s, column in enumerate(columns(instance)):
        for hand, row in column.items():
            for index, value in enumerate(row):
                heights = tuple(index // base**i % base for i in range(instance.c - 1))
                yield (s, hand, heights), value


@pytest.mark.parametrize(("n", "c", "longest"), [(2, 1, 6), (3, 1, 5), (1, 2, 5), (2, 2, 4)])
@pytest.mark.parametrize("hand_size", [0, 1, 2])
def test_entries_are_right_but_where_a_held_card_counts_as_played(
    n: int, c: int, longest: int, hand_size: int
) -> None:
    """E2, exactly: every other entry is right, those with an empty hand among them."""
    for cards in all_streams(n, c, longest):
        instance = Instance(hand_size, cards, n=n, c=c)
        truth = true_entries(instance)
        for (s, hand, heights), value in table_entries(instance):
            expected = truth.get((s, hand, heights), -1)
            piles = (*heights, value)
            if all(value > piles[color] for color, value in hand):
                assert value == expected, (cards, s, hand, heights)
            else:
                assert value >= expected, (cards, s, hand, heights)


def test_no_smaller_instance_shows_the_slip() -> None:
    """E2's witness, (2)(1) with n = 2, c = 1, h = 1, is minimal in N, n c and h."""
    wrong = []
    for n, c in ((1, 1), (2, 1), (1, 2)):
        for cards in all_streams(n, c, 2):
            for hand_size in (0, 1):
                instance = Instance(hand_size, cards, n=n, c=c)
                truth = true_entries(instance)
                if any(truth.get(key, -1) != value for key, value in table_entries(instance)):
                    wrong.append((n, c, hand_size, cards))
    assert wrong == [(2, 1, 1, ((0, 2), (0, 1)))]


@pytest.mark.parametrize(("n", "c", "longest"), [(3, 1, 6), (2, 2, 5), (1, 3, 5)])
@pytest.mark.parametrize("hand_size", [0, 1, 2])
def test_every_small_stream(n: int, c: int, longest: int, hand_size: int) -> None:
    for cards in all_streams(n, c, longest):
        check(Instance(hand_size, cards, n=n, c=c))


@settings(max_examples=60)
@given(instances(most_values=3, most_colors=2, most_copies=2, most_hand=3, complete=False))
def test_random_streams(instance: Instance) -> None:
    check(instance)


def check(instance: Instance) -> None:
    verdict = solve(instance)
    assert verdict.lower == verdict.upper == most_cards(instance), instance.cards
    assert (verdict.status is Status.WINNABLE) == (verdict.upper == instance.goal)
    assert (verdict.witness is not None) == (verdict.status is Status.WINNABLE)
    if verdict.witness is not None:
        assert find_broken_rule(instance, verdict.witness) is None, instance.cards


def test_least_hand_vectors() -> None:
    checked = 0
    for vector in load_vectors("solitaire_small"):
        cards, least = vector["cards"], vector["min_h"]
        sizes = (0, 1, 2) if least is None else (least - 1, least)
        for hand_size in sizes:
            if hand_size < 0:
                continue
            instance = Instance(hand_size, cards, n=vector["n"], c=vector["c"])
            if (instance.N + 1) * entries(instance) <= 20_000:
                won = least is not None and hand_size >= least
                assert solve(instance).status is (Status.WINNABLE if won else Status.UNWINNABLE)
                checked += 1
    assert checked > 300
