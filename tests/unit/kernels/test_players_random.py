"""Random play through the functions that all compiled policies share."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import NumbaError

from hanabi.compiled import config
from hanabi.compiled.lean import jit_lean
from hanabi.game import Game, Rules
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import STATE_SIZE
from hanabi.game.packing import pack_deck, pack_rules
from hanabi.players import RandomLegal
from hanabi.players.kernels import random_play
from hanabi.rng import Stream

RULES = Rules.hanab_live(3)


def test_deals_are_those_of_the_spec() -> None:
    rules, cards = pack_rules(RULES), pack_deck(list(RULES.spec.cards()))
    deck, state = np.empty_like(cards), np.empty(rules[STATE_SIZE], np.int64)
    stream, seeds = np.empty(1, np.uint64), np.array([5, 6], np.uint64)
    for index in range(3):
        start_deal(rules, cards, seeds, index, deck, state, stream)
        game = Game.start(RULES, RULES.spec.shuffle(5, index))
        _, expected, position = game.packed
        assert deck.tolist() == expected.tolist()
        assert state.tolist() == position.tolist()


def test_a_game_by_the_policy_is_the_view_player_s() -> None:
    game, slow = Game.start(RULES, RULES.spec.shuffle(1)), Stream(2)
    rules, deck, state = game.packed
    state, options = state.copy(), np.zeros(1, np.int64)
    memory = np.empty(random_play.memory_size(rules), np.int64)
    room = np.empty(random_play.room_size(rules), np.int64)
    fast, seeds = np.empty(1, np.uint64), np.array([0, 2], np.uint64)
    start_deal(rules, deck.copy(), seeds, 0, np.empty_like(deck), np.empty_like(state), fast)
    random_play.start(rules, deck, state, options, memory, room)
    while not game.is_over:
        random_play.resume(rules, deck, state, options, memory, room)
        action = random_play.decide(rules, deck, state, options, fast, memory, room)
        assert action == RandomLegal().act(game.view(game.seat_to_act), slow).code
        random_play.advance(rules, deck, state, options, memory, action, room)
        (code,) = [a for a in game.legal_actions() if a.code == action]
        game = game.apply(code)
        assert state.tolist() == game.packed[2].tolist()


@jit_lean
def _rotate(items: np.ndarray, by: int) -> int:
    """Return the sum of all items times their places, `by` places on."""
    total = 0
    for place in range(items.size):
        items[place] += by
        total += items[(place + by) % items.size] * place
    return total


def test_lean_kernels_index_as_others_do() -> None:
    items = np.arange(5)
    twin, total = items.tolist(), 0
    for place in range(5):
        twin[place] += 2
        total += twin[(place + 2) % 5] * place
    assert _rotate(items, 2) == total
    assert items.tolist() == twin


def test_lean_kernels_create_no_arrays() -> None:
    @jit_lean
    def create(size: int) -> int:
        return np.empty(size, np.int64).size

    if config.DISABLE_JIT:
        assert create(3) == 3  # plain Python
        return
    with pytest.raises(NumbaError, match="empty"):
        create(3)
