"""Parts of the Monte Carlo kernels on positions where the answer can be seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hanabi.ground.compiled.rng import seed_stream
from hanabi.ground.rng import Stream
from hanabi.players.monte_carlo import MonteCarlo
from hanabi.players.monte_carlo.kernels.playouts import random_action, weigh
from hanabi.players.monte_carlo.kernels.search import (
    CHANCES,
    NODE,
    TOTAL,
    VISITS,
    _add_child,
    _choose_new,
    _select,
    list_candidates,
)
from hanabi.rules import Action, Game, Rules, hint_color, hint_rank, play
from hanabi.rules import layout as k
from hanabi.rules.kernels.packed import card_code, identity
from hanabi.rules.packing import pack_deck
from hanabi.worlds.kernels.deals import deal_world, open_dealer, open_hidden
from oracles import monte_carlo as slow

RULES = Rules.bergh2016(3)


def candidates(game: Game) -> list[Action]:
    actions = np.empty(game.packed.rules[k.MAX_ACTIONS], np.int64)
    n = list_candidates(game.packed, actions)
    return [Action.from_code(code) for code in actions[:n].tolist()]


def test_slots_of_which_the_same_is_known_count_once() -> None:
    game = Game.start(RULES, RULES.spec.cards())  # seat 0: 1, 1, 1, 2, 2 of color 0
    kinds = [action for action in candidates(game) if not action.is_hint]
    assert kinds == [play(0)]
    game = game.apply(hint_rank(1, 1)).apply(hint_rank(0, 2)).apply(hint_rank(1, 2))
    assert game.seat_to_act == 0
    assert [a for a in candidates(game) if a.kind == play(0).kind] == [play(0), play(3)]


def test_one_hint_that_tells_nothing_is_enough() -> None:
    game = Game.start(RULES, RULES.spec.cards())
    assert len([action for action in candidates(game) if action.is_hint]) == 20
    told = [hint_color(1, 4), hint_color(2, 4)]
    game = game.apply(told[0]).apply(told[1]).apply(hint_color(0, 4))
    after = [action for action in candidates(game) if action.is_hint]
    assert [hint in after for hint in told] == [True, False]
    assert len(after) == 19


@pytest.mark.parametrize(
    ("player", "weights"),
    [(MonteCarlo(), [1, 5, 9]), (MonteCarlo(narrow=True), [2**40 // 625, 2**40 // 25, 2**40])],
)
def test_known_cards_weigh_more(player: MonteCarlo, weights: list[int]) -> None:
    options = player.compiled(RULES).options
    anything = 31 | 31 << 32
    known = [anything, 1 | 31 << 32, identity(card_code(0, 1))]
    assert [weigh(options, bits) for bits in known] == weights


@pytest.mark.parametrize("variant", ["No Variant", "Orange (5 Suits)"])
def test_the_random_player_on_the_decks_last_card(variant: str) -> None:
    """It plays or, with inverted suits, discards it when the slow twin does."""
    rules = Rules.hanab_live(2, variant=variant)
    rules = replace(rules, deck_plays=True, lives=60, stop_when_stuck=False)
    player, found = MonteCarlo(), set()
    rng, weights = np.empty(1, np.uint64), np.empty(rules.hand_size, np.int64)
    options, game = player.compiled(rules).options, Game.start(rules, rules.spec.shuffle(seed=1))
    while game.deck_left > 1:
        game = game.apply(play(0))
    for seed in range(200):
        seed_stream(rng, np.uint64(seed), np.uint64(0))
        code = int(random_action(game.packed, options, rng, weights))
        assert Action.from_code(code) == slow.random_action(player, game, Stream(seed))
        found.add(code)
    assert found == {action.code for action in game.legal_actions}


def test_a_world_uses_up_what_only_one_slot_can_be() -> None:
    """Both copies of a card are in one hand, and known."""
    rules = Rules.official(2)
    cards = list(rules.spec.cards())
    deck = [cards[4], cards[3], cards[9], *cards[:3], *cards[5:9], *cards[10:]]
    game = Game.start(rules, deck)
    game = game.apply(hint_rank(1, 1)).apply(hint_rank(0, 2)).apply(hint_rank(1, 1))
    game = game.apply(hint_color(0, 0))
    dealer, dealt = open_dealer(open_hidden(game.packed)), game.packed.deck.copy()
    rng = np.empty(1, np.uint64)
    seed_stream(rng, np.uint64(1), np.uint64(0))
    twos = pack_deck([(0, 2)])[0]
    slots = game.view(0).knowledge[0]
    known = [slot for slot, k in enumerate(slots) if k.colors == (0,) and k.ranks == (2,)]
    assert len(known) == 2
    for _ in range(50):
        deal_world(dealer, dealt, dealt.size, rng)
        assert all(dealt[slot] == twos for slot in known)
        assert sorted(dealt) == sorted(game.packed.deck)


def test_the_upper_bound_decides() -> None:
    """After two visits each, the better child; after many of it, the other one's turn."""
    width = 0.1 * RULES.max_score
    stream = np.zeros(1, np.uint64)
    nodes = np.zeros(3 * NODE, np.int64)
    actions = np.array([play(1).code, play(0).code], np.int64)
    assert _choose_new(nodes, 0, actions, 2, stream) == play(1).code  # what is usual
    _add_child(nodes, 0, 1, actions[0])
    assert _choose_new(nodes, 0, actions, 2, stream) == play(0).code
    _add_child(nodes, 0, 2, actions[1])
    assert _choose_new(nodes, 0, actions, 2, stream) == -1
    for child, points in ((1, 20), (2, 30)):
        nodes[NODE * child + VISITS], nodes[NODE * child + TOTAL] = 2, points
        nodes[NODE * child + CHANCES] = 2
    assert _select(width, nodes, 0, actions, 2) == 2
    nodes[NODE * 2 + VISITS], nodes[NODE * 2 + TOTAL] = 1000, 10_500
    nodes[NODE * 2 + CHANCES] = nodes[NODE + CHANCES] = 1000
    assert _select(width, nodes, 0, actions, 2) == 1


def test_few_replies_are_tried() -> None:
    """Away from the root a second action must wait for a visit, a third one for four."""
    stream, nodes = np.zeros(1, np.uint64), np.zeros(5 * NODE, np.int64)
    actions = np.array([play(slot).code for slot in range(3)], np.int64)
    _add_child(nodes, 0, 1, play(0).code)
    _add_child(nodes, 1, 2, play(0).code)
    assert _choose_new(nodes, 1, actions, 3, stream) == -1
    nodes[NODE + VISITS] = 1
    second = _choose_new(nodes, 1, actions, 3, stream)
    assert second in (play(1).code, play(2).code)
    _add_child(nodes, 1, 3, second)
    nodes[NODE + VISITS] = 3
    assert _choose_new(nodes, 1, actions, 3, stream) == -1
    nodes[NODE + VISITS] = 4
    assert _choose_new(nodes, 1, actions, 3, stream) not in (-1, play(0).code, second)
