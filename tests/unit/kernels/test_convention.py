"""The convention player's kernels: what everyone knows."""

from __future__ import annotations

import pytest

from hanabi.ground.rng import Stream
from hanabi.players.convention import Convention
from hanabi.rules import Game, Rules
from oracles.players import Compiled

PLAYER = Convention()


def start(seats: int, seed: int) -> tuple[Game, Compiled]:
    rules = Rules.hanab_live(seats)
    game = Game.start(rules, rules.spec.shuffle(seed))
    return game, Compiled(PLAYER, game)


@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_publicly_possible_is_so(seats: int) -> None:
    wrong = narrow = slots = 0
    for seed in range(12):
        game, compiled = start(seats, seed)
        while not game.is_over:
            for seat, hand in enumerate(game.hands):
                for slot, card in enumerate(hand):
                    cards = compiled.possible(seat, slot)
                    slots += 1
                    wrong += not cards >> (card.color * 5 + card.rank - 1) & 1
                    narrow += cards.bit_count() <= 3
            action = compiled.decide()
            game = game.apply(action)
            compiled.take(action)
    assert wrong < 0.003 * slots  # hints that break the conventions are given when nothing else is
    assert narrow > 0.1 * slots


def test_memory_is_public() -> None:
    """It stays the same when cards are exchanged that no hint has told apart."""
    (_, one), (_, other) = (start(2, 1) for _ in range(2))
    deck = other.position.deck.copy()
    deck[20:] = deck[20:][::-1]
    other.position = other.position._replace(deck=deck)
    for _ in range(6):
        action = one.decide()
        assert other.decide() == action
        for each in (one, other):
            each.take(action)
        assert (one.memory == other.memory).all()


def test_a_game_can_be_followed_from_its_start() -> None:
    game, compiled = start(2, 9)
    while not game.is_over:
        action = PLAYER.act(game.view(game.seat_to_act), Stream(1))
        assert compiled.decide() == action
        game = game.apply(action)
        compiled.take(action)
    assert (game.packed.state == compiled.position.state).all()
