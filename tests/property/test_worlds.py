"""Worlds agree with what a seat knows, and all such deals are equally likely."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.compiled.rng import split
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players.compiled import borrow, complete_view
from hanabi.rules import Game, Rules, View, discard, hint_color, hint_rank
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck, DeckSpec
from hanabi.rules.packing import unpack_deck
from hanabi.worlds import Hidden
from hanabi.worlds.kernels import deals
from oracles import monte_carlo as slow
from property.test_game import PRESETS, SEEDS, play_some, rule_sets

QUICK = settings(max_examples=60)


def draw_world(view: View, stream: Stream) -> Deck:
    """Draw a deck as the Monte Carlo players do."""
    position = complete_view(view)
    dealer = deals.open_dealer(deals.open_hidden(position))
    with borrow(stream) as words:
        deals.deal_world(dealer, position.deck, position.deck.size, split(words))
    return unpack_deck(position.deck)


@QUICK
@given(rule_sets() | PRESETS, SEEDS, st.integers(0, 40))
def test_worlds_give_the_same_view(rules: Rules, seed: int, turns: int) -> None:
    game = play_some(rules, seed, turns)
    if not game.can_act:
        return
    view = game.view(game.seat_to_act)
    world = draw_world(view, Stream(seed))
    assert world == slow.draw_world(view, Stream(Stream(seed).word()), rules.deck_size)
    other = Game.start(rules, world)
    for action in game.actions:
        other = other.apply(action)
    assert other.view(view.seat) == view


@QUICK
@given(rule_sets() | PRESETS, SEEDS, st.integers(0, 40), st.booleans())
def test_kernels_find_hidden_what_views_hide(
    rules: Rules, seed: int, turns: int, is_open: bool
) -> None:
    """The same places, cards and knowledge, and with these the same worlds."""
    game = play_some(replace(rules, open_hands=is_open), seed, turns)
    if not game.can_act:
        return
    view = game.view(game.seat_to_act)
    hidden, found = Hidden.of(view), deals.open_hidden(game.packed)
    assert [each.tolist() for each in found] == [each.tolist() for each in hidden.packed()]
    assert list(hidden.places) == [
        *(place for place in view.hand_indices[view.seat] if not is_open),
        *range(rules.deck_size - view.deck_left, rules.deck_size),
    ]
    assert found.cards.tolist() == sorted(game.packed.deck[found.places].tolist())
    n = len(hidden.places)
    worlds, rng = np.empty((50, n), np.int64), np.array([Stream(seed).state], np.uint64)
    plain, listed = hidden.worlds(50), deals.list_worlds(found, worlds)
    if plain is None:
        assert listed == -1
    elif listed >= 0:  # it may have given up
        assert list(map(tuple, map(unpack_deck, worlds[:listed]))) == plain
    assert deals.sample_worlds(found, rng, worlds[:1]) == 1
    assert tuple(unpack_deck(worlds[0])) == hidden.draw(Stream(seed))


@QUICK
@given(rule_sets() | PRESETS, SEEDS, st.integers(0, 40))
def test_packed_views_are_packed_games(rules: Rules, seed: int, turns: int) -> None:
    game = play_some(replace(rules, open_hands=True), seed, turns)
    if not game.can_act:
        return
    packed = complete_view(game.view(game.seat_to_act))
    drawn = rules.deck_size - game.deck_left
    for mine, true in zip((packed[0], packed[1][:drawn], packed[2]), game.packed, strict=True):
        assert mine.tolist() == true[: mine.size].tolist()


def count_hands(view: View) -> Counter[tuple[Card, ...]]:
    """How many deals of single, distinct cards give each hand: by trying all."""
    unseen, rows = slow.possible_cards(view)
    hands: Counter[tuple[Card, ...]] = Counter()
    for places in permutations(range(len(unseen)), len(rows)):
        if all(place in row for place, row in zip(places, rows, strict=True)):
            hands[tuple(unseen[place] for place in places)] += 1
    return hands


TINY = Rules(
    spec=DeckSpec(((3, 2, 1), (2, 2, 1))),
    seats=2,
    hand_size=3,
    hints=4,
    keep_slots=True,
    discard_at_full_hints=True,
)
# Seat 1 hears a color, then a rank: sets of possible cards cross.
HINTS = [hint_color(1, 0), hint_color(0, 0), hint_rank(1, 1), hint_rank(0, 2)]


@pytest.mark.parametrize("told", range(5))
@pytest.mark.parametrize("seed", range(3))
def test_all_deals_are_equally_likely(seed: int, told: int) -> None:
    game = Game.start(TINY, TINY.spec.shuffle(seed))
    for hint in HINTS[:told]:
        game = game.apply(hint)
    # A new card, of which nothing is known, sits among the others.
    game = game.apply(discard(1)).apply(discard(2)) if told else game
    view = game.view(game.seat_to_act)
    hands, stream, draws = count_hands(view), Stream(seed), 2_000
    seen = Counter(
        tuple(world[index] for index in view.hand_indices[view.seat])
        for world in (draw_world(view, stream) for _ in range(draws))
    )
    assert set(seen) <= set(hands)
    assert dict(Hidden.of(view).hands(100_000) or ()) == hands
    expected = {hand: draws * count / hands.total() for hand, count in hands.items()}
    square = sum((seen[hand] - n) ** 2 / n for hand, n in expected.items())
    freedom = len(hands) - 1
    assert square < freedom + 4 * math.sqrt(2 * freedom) + 8


def test_the_deck_is_shuffled() -> None:
    game = Game.start(TINY, TINY.spec.shuffle(1))
    view, stream = game.view(0), Stream(2)
    firsts = Counter(draw_world(view, stream)[6] for _ in range(2_000))
    unseen = Counter(slow.possible_cards(view)[0])
    for card, count in unseen.items():
        p = count / unseen.total()
        assert abs(firsts[card] - 2_000 * p) < 4 * math.sqrt(2_000 * p)

    end = game
    while not end.is_over:
        end = end.apply(end.legal_actions[0])
    with pytest.raises(InvalidInputError, match="the game is over"):
        complete_view(end.view(0))
