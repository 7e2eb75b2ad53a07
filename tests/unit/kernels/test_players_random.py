"""Deals, and random play, the simplest of the compiled policies."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import NumbaError

from hanabi.ground.compiled import config
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.rng import Stream
from hanabi.players import RandomLegal
from hanabi.players.compiled import play_deals
from hanabi.rules import Game, Rules
from hanabi.rules import layout as k
from hanabi.rules.kernels.deals import Deals, start_deal
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.packing import pack_deck, pack_rules

RULES = Rules.hanab_live(3)


def test_deals_are_those_of_the_spec() -> None:
    rules, cards = pack_rules(RULES), pack_deck(list(RULES.spec.cards()))
    deals = Deals(rules, cards, np.array([5, 6], np.uint64))
    position = Packed(rules, np.empty_like(cards), np.empty(rules[k.STATE_SIZE], np.int64))
    rng = np.empty(1, np.uint64)
    for index in range(3):
        start_deal(deals, index, position, rng)
        expected = Game.start(RULES, RULES.spec.shuffle(5, index)).packed
        assert position.deck.tolist() == expected.deck.tolist()
        assert position.state.tolist() == expected.state.tolist()


def test_a_game_by_the_policy_is_the_view_player_s() -> None:
    game, rng = Game.start(RULES, RULES.spec.shuffle(1, 4)), Stream(2, 4)
    while not game.is_over:
        game = game.apply(RandomLegal().act(game.view(game.seat_to_act), rng))
    (outcome,) = play_deals(RandomLegal().compiled(RULES), RULES, (1, 2), 4, 1)
    assert outcome == sum(game.piles) << 1 | (game.lives == 0)


@jit_hot
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
    @jit_hot
    def create(size: int) -> int:
        return np.empty(size, np.int64).size

    if config.DISABLE_JIT:
        assert create(3) == 3  # plain Python
        return
    with pytest.raises(NumbaError, match="empty"):
        create(3)
