"""Worlds: every one once, or a fair sample, whatever the hidden cards are."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.compiled.rng import seed_stream
from hanabi.ground.rng import Stream
from hanabi.players import RandomLegal, play_game
from hanabi.rules import Rules
from hanabi.rules.kernels.facts import most_points
from hanabi.rules.packing import pack_deck, pack_rules
from hanabi.worlds.kernels.deals import Hidden, limit, list_worlds, sample_worlds
from property.test_game import PRESETS, play_some, rule_sets

QUICK = settings(max_examples=60)
RULES = Rules.official(2)
KINDS = 25


def bit(card: tuple[int, int]) -> int:
    return 1 << (card[0] * 5 + card[1] - 1)


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[tuple[int, int]], list[int]]:
    """Some hidden cards of few kinds, and masks of the first places; the cards fit."""
    kinds = st.sampled_from([(0, 1), (0, 2), (2, 1), (4, 5)])
    cards = draw(st.lists(kinds, min_size=1, max_size=5))
    n = draw(st.integers(0, len(cards)))
    others = [draw(st.sets(kinds)) for _ in range(n)]
    masks = [
        sum(bit(each) for each in {card, *other})
        for card, other in zip(cards[:n], others, strict=True)
    ]
    return cards, masks


def ask(cards: list[tuple[int, int]], masks: list[int]) -> Hidden:
    fits = np.zeros((len(masks), len(cards)), np.bool_)
    hidden, rules = Hidden(np.arange(len(cards)), pack_deck(sorted(cards)), fits), pack_rules(RULES)
    for slot, mask in enumerate(masks):
        limit(hidden, rules, slot, mask)
    return hidden


def brute_force(cards: list[tuple[int, int]], masks: list[int]) -> list[tuple[int, ...]]:
    fitting = {
        order
        for order in permutations(cards)
        if all(bit(card) & mask for card, mask in zip(order, masks, strict=False))
    }
    return [tuple(pack_deck(list(order)).tolist()) for order in sorted(fitting)]


@QUICK
@given(questions())
def test_every_world_is_listed_once(question: tuple[list[tuple[int, int]], list[int]]) -> None:
    wanted = brute_force(*question)
    worlds = np.empty((len(wanted), len(question[0])), np.int64)
    assert list_worlds(ask(*question), worlds) == len(wanted)
    assert list(map(tuple, worlds.tolist())) == wanted
    assert list_worlds(ask(*question), worlds[1:]) == -1


def test_there_is_one_world_of_no_cards() -> None:
    assert list_worlds(ask([], []), np.empty((1, 0), np.int64)) == 1


def draw(
    cards: list[tuple[int, int]], masks: list[int], n: int, seed: int
) -> list[tuple[int, ...]]:
    worlds, stream = np.empty((n, len(cards)), np.int64), np.empty(1, np.uint64)
    seed_stream(stream, np.uint64(seed), np.uint64(0))
    assert sample_worlds(ask(cards, masks), stream, worlds) == n
    return list(map(tuple, worlds.tolist()))


@QUICK
@given(questions(), st.integers(0, 2**32))
def test_what_is_drawn_fits_and_does_not_show_the_hidden_cards(
    question: tuple[list[tuple[int, int]], list[int]], seed: int
) -> None:
    cards, masks = question
    drawn = draw(cards, masks, 5, seed)
    assert set(drawn) <= set(brute_force(cards, masks))
    assert drawn == draw(cards[::-1], masks, 5, seed)


def test_all_worlds_are_drawn_equally_often() -> None:
    cards = [(0, 1), (0, 1), (0, 2), (2, 1), (0, 2)]
    masks = [bit((0, 1)) | bit((2, 1)), bit((0, 1)) | bit((0, 2)), bit((0, 1)) | bit((4, 5))]
    wanted = brute_force(cards, masks)
    counts = Counter(draw(cards, masks, 2000 * len(wanted), 1))
    assert set(counts) == set(wanted)
    chi_squared = sum((n - 2000) ** 2 / 2000 for n in counts.values())
    assert chi_squared < 4 * len(wanted)


def test_impossible_masks_give_no_world() -> None:
    stream = np.ones(1, np.uint64)
    question = ask([(0, 1)], [bit((0, 2))])
    worlds = np.empty((1, 1), np.int64)
    assert list_worlds(question, worlds) == 0
    assert sample_worlds(question, stream, worlds) == 0


@QUICK
@given(rule_sets() | PRESETS, st.integers(0, 2**32), st.integers(0, 30))
def test_no_play_exceeds_the_bound(rules: Rules, seed: int, turns: int) -> None:
    game = play_some(rules, seed, turns)
    packed, _, state = game.packed
    bound = most_points(packed, state)
    assert bound <= rules.max_score
    for index in range(5):
        end = play_game([RandomLegal()] * rules.seats, game, Stream(seed, index))
        assert sum(end.piles) <= bound
