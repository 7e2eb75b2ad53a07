"""Codes, questions and knowledge of the information player on positions small enough to check."""

from __future__ import annotations

import numpy as np
import pytest

from hanabi.players.information import Information
from hanabi.players.information.kernels.hints import SURE, Beliefs, answer, message_of, place_pivots
from hanabi.players.information.kernels.knowledge import (
    COLOR_SETS,
    eliminate,
    judge,
    lay_planes,
    n_sets,
)
from hanabi.rules import Game, Rules, discard
from hanabi.rules.packing import pack_rules
from oracles.information import CompiledInformation

RULES = Rules.hanab_live(3)
WORDS = pack_rules(RULES)
ANY = (1 << 25) - 1
RED = 0b11111
ONES = sum(1 << 5 * color for color in range(5))


def fresh() -> tuple[np.ndarray, np.ndarray]:
    """The sets and planes of a game in which nothing is known."""
    state = Game.start(RULES, RULES.spec.shuffle(1)).packed[2]
    sets, planes = np.zeros(n_sets(WORDS), np.int64), np.zeros(3, np.int64)
    judge(WORDS, state, sets)
    lay_planes(np.array([3, 2, 2, 2, 1] * 5), planes)
    return sets, planes


def pivots(masks: list[int], kind: int, likely: int, most: int = 9) -> list[int]:
    sets, planes = fresh()
    free, found = np.zeros(5, np.int64), np.full(len(masks), -1)
    first = COLOR_SETS + 5 * kind
    groups = sets[first : first + 5]
    n = place_pivots(planes, groups, np.array(masks), likely, most, free, found)
    return [int(slot) for slot in found[: n - 1]]


def test_nothing_known_gives_no_sure_pivot() -> None:
    assert pivots([ANY] * 5, 0, SURE) == []
    assert len(pivots([ANY] * 5, 0, 700)) == 2


def test_disjoint_cards_are_sure_pivots() -> None:
    hand = [ANY, RED, ANY & ~RED, RED]
    assert pivots(hand, 0, SURE) == [1]  # a hint of red, or one of another color
    assert pivots(hand, 0, SURE, most=1) == []
    assert pivots([ONES, ANY & ~ONES], 1, SURE) == [0]


def test_the_first_pivot_that_is_touched_is_the_message() -> None:
    places = np.array([2, 0])
    assert [message_of(places, 3, touched) for touched in (0b100, 0b101, 0b001, 0b010)] == [
        0,
        0,
        1,
        2,
    ]


def hands_of(masks: list[int]) -> list[list[int]]:
    hands: list[list[int]] = [[]]
    for mask in masks:
        hands = [[*hand, 1 << bit] for hand in hands for bit in range(25) if mask >> bit & 1]
    return hands


@pytest.mark.parametrize("budget", [1, 2, 3, 7, 12, 100])
def test_answers_split_all_hands_and_can_be_undone(budget: int) -> None:
    sets, planes = fresh()
    beliefs = Beliefs(planes, sets, RULES.colors)
    options = Information().compiled(RULES).options
    masks = [RED, ONES | 2, ANY & ~(RED | ONES)]
    parts: dict[int, set[tuple[int, ...]]] = {}
    for hand in hands_of(masks):
        left = np.array(masks)
        cards = np.array(hand)
        number = answer(options, beliefs, left, budget, cards, -1)
        assert 0 <= number < budget
        assert all(card & mask for card, mask in zip(hand, left.tolist(), strict=True))
        parts.setdefault(number, set()).add(tuple(left.tolist()))
        again = np.array(masks)
        answer(options, beliefs, again, budget, np.zeros(3, np.int64), number)
        assert again.tolist() == left.tolist()
    assert all(len(part) == 1 for part in parts.values())  # an answer says what is left, no more
    assert len(parts) == budget


def test_all_copies_found_are_taken_out_again_and_again() -> None:
    # Red 5 is known; the second card can then only be red 4 or green 5; green 5 is gone.
    masks = np.array([1 << 4, 1 << 4 | 1 << 3 | 1 << 9, 1 << 3 | 1 << 2])
    counts = np.array([3, 2, 2, 1, 1] + [3, 2, 2, 2, 0] + [3, 2, 2, 2, 1] * 3)
    eliminate(masks, counts, np.zeros(3, np.int64))
    assert masks.tolist() == [1 << 4, 1 << 3, 1 << 2]
    assert counts[2:5].tolist() == [1, 0, 0]


def test_copies_are_found_however_many_places_there_are() -> None:
    """More places than a word has bits: 2s are known at the first and at the last of them."""
    masks = np.array([1 << 1] + [ANY] * 64 + [1 << 1])
    eliminate(masks, np.array([3, 2, 2, 2, 1] * 5), np.zeros(3, np.int64))
    assert masks.tolist() == [1 << 1] + [ANY & ~(1 << 1)] * 64 + [1 << 1]


def test_false_hints_are_known_as_such() -> None:
    game = Game.start(RULES, RULES.spec.shuffle(3))
    compiled = CompiledInformation(Information(), game)
    hints = [action for action in game.legal_actions if action.is_hint]
    truthful = [hint for hint in hints if compiled.is_truthful(hint)]
    assert compiled.decide() in truthful
    assert 0 < len(truthful) < len(hints)


def test_discards_of_unknown_cards_tell_nothing() -> None:
    game = Game.start(RULES, RULES.spec.shuffle(3))
    compiled = CompiledInformation(Information(), game)
    hint = compiled.decide()
    compiled.take(hint)
    assert compiled.is_truthful(discard(0))
    before = compiled.masks()
    compiled.take(discard(0))
    assert compiled.masks()[2] == before[2]
