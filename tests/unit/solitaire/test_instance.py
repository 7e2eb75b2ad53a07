"""Instances: derived numbers, refusals, sharing of arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import SolitaireInput, solitaire_to_json
from hanabi.solitaire import Instance


def test_letters_are_derived_or_declared() -> None:
    instance = Instance(2, [(0, 2), (0, 1), (2, 1)])
    assert (instance.N, instance.n, instance.c, instance.r, instance.goal) == (3, 2, 3, 1, 6)
    declared = Instance(2, [(0, 2), (0, 1)], n=4, c=5)
    assert (declared.n, declared.c, declared.missing_card()) == (4, 5, (0, 3))


def test_the_empty_stream_is_an_instance() -> None:
    instance = Instance(0, [])
    assert (instance.N, instance.n, instance.c, instance.r) == (0, 0, 0, 0)
    assert instance.missing_card() is None


@pytest.mark.parametrize(
    ("cards", "n", "c", "message"),
    [
        ([(0, 1), (0, 0)], None, None, "card 2: value 0 is not in 1 .. 1"),
        ([(-1, 1)], None, None, "card 1: color -1"),
        ([(0, 3)], 2, None, "card 1: value 3 is not in 1 .. 2"),
        ([(4, 1)], None, 4, "card 1: color 4 is not in 0 .. 3"),
        ([(0, 1), (0, 1.5)], None, None, "card 2: (0, 1.5)"),
        ([(1, 0, 0)], None, None, "card 1: (1, 0, 0)"),
        ([7], None, None, "card 1: 7"),
        ([(0, 2**40)], None, None, "card 1: (0, 1099511627776)"),
        ([(0, 1)], True, None, "n: True"),
        ([(60_000, 60_000)], None, None, "more than 2**31"),
    ],
)
def test_bad_cards_are_quoted(cards: list[object], n: int, c: int, message: str) -> None:
    with pytest.raises(InvalidInputError) as error:
        Instance(1, cards, n=n, c=c)  # type: ignore[arg-type]
    assert message in str(error.value)


@pytest.mark.parametrize("hand_size", [-1, 1.5, "2", None, True])
def test_bad_hand_sizes_are_quoted(hand_size: int) -> None:
    with pytest.raises(InvalidInputError, match="hand size"):
        Instance(hand_size, [(0, 1)])


def test_cards_are_those_of_a_deck() -> None:
    deck = DeckSpec.standard(3).shuffle(seed=4)
    instance = Instance(2, deck)
    assert instance.cards == deck
    assert (instance.colors[7], instance.values[7]) == deck[7]
    written = solitaire_to_json(SolitaireInput(deck))
    assert written == {"cards": [[card.rank, card.color] for card in deck]}


def test_arrays_are_shared_and_checked() -> None:
    values, colors = np.array([1, 2], np.int32), np.array([0, 0], np.int32)
    instance = Instance.from_arrays(1, colors, values)
    assert np.shares_memory(np.asarray(instance.values), values)
    assert instance == Instance(1, [(0, 1), (0, 2)])
    with pytest.raises(InvalidInputError, match="float64"):
        Instance.from_arrays(1, np.array([0]), np.array([1.0]))
    with pytest.raises(InvalidInputError, match="shape"):
        Instance.from_arrays(1, colors[:1], values)
    with pytest.raises(InvalidInputError, match="outside"):
        Instance.from_arrays(1, np.array([0]), np.array([2**40]))


def test_long_streams_give_the_same_numbers_as_short_ones() -> None:
    cards = [(k, v) for v in range(1, 71) for k in range(40)] * 2
    long = Instance(1, cards)
    assert (long.r, long.missing_card()) == (2, None)
    with_gap = Instance(1, [card for card in cards if card != (3, 7)])
    assert with_gap.missing_card() == (3, 7)
    with pytest.raises(InvalidInputError, match="card 5601: value 0"):
        Instance(1, [*cards, (0, 0)])


def test_a_huge_goal_costs_no_memory() -> None:
    instance = Instance(1, [(0, 1)] * 5000 + [(1, 1)], n=40_000, c=40_000)
    assert (instance.r, instance.missing_card()) == (5000, (0, 2))


def test_equality_hash_and_pickle() -> None:
    one, two = Instance(1, [(0, 1), (0, 2)]), Instance(1, [(0, 1), (0, 2)])
    assert one == two
    assert hash(one) == hash(two)
    assert one != one.with_hand_size(2)
    assert pickle.loads(pickle.dumps(one)) == one
