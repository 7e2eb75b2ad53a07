"""The convention player's kernels: what everyone knows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from hanabi.game import Game, Rules
from hanabi.game.kernels.rules import CARDS, END, IN_PROGRESS, SIZES, STATE_SIZE, deal
from hanabi.game.packing import pack_deck, pack_rules
from hanabi.players.convention import Convention
from hanabi.players.convention.kernels import policy as convention
from hanabi.players.convention.kernels import sets

Words = npt.NDArray[np.int64]
PLAYER = Convention()


class Position:
    """A game of the convention player as the kernels see it."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules, self.options = pack_rules(rules), PLAYER.policy(rules)
        self.deck = pack_deck(rules.spec.shuffle(seed))
        self.state = np.zeros(int(self.rules[STATE_SIZE]), np.int64)
        self.memory = np.zeros(convention.memory_size(self.rules), np.int64)
        self.room = np.zeros(convention.room_size(self.rules), np.int64)
        self.stream = np.zeros(1, np.uint64)
        deal(self.rules, self.deck, self.state)
        convention.start(self.rules, self.deck, self.state, self.options, self.memory, self.room)

    @property
    def args(self) -> tuple[Words, Words, Words, Words]:
        return self.rules, self.deck, self.state, self.options

    @property
    def is_over(self) -> bool:
        return bool(self.state[END] != IN_PROGRESS)

    def move(self) -> None:
        action = convention.decide(*self.args, self.stream, self.memory, self.room)
        convention.advance(*self.args, self.memory, action, self.room)

    def hand(self, seat: int) -> list[tuple[int, int]]:
        """Return what can be in each slot, and what is."""
        size = int(self.state[self.rules[SIZES] + seat])
        first = int(self.rules[CARDS]) + seat * 5
        return [
            (
                convention.possible(*self.args, self.memory, seat, slot),
                sets.card_bit(self.rules, int(self.deck[self.state[first + slot]])),
            )
            for slot in range(size)
        ]


@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_publicly_possible_is_so(seats: int) -> None:
    wrong = narrow = slots = 0
    for seed in range(12):
        position = Position(Rules.hanab_live(seats), seed)
        while not position.is_over:
            for seat in range(seats):
                for cards, card in position.hand(seat):
                    slots += 1
                    wrong += not cards & card
                    narrow += cards.bit_count() <= 3
            position.move()
    assert wrong < 0.003 * slots  # hints that break the conventions are given when nothing else is
    assert narrow > 0.1 * slots


def test_memory_is_public() -> None:
    """It stays the same when cards are exchanged that no hint has told apart."""
    one, other = (Position(Rules.hanab_live(2), 1) for _ in range(2))
    other.deck[20:] = other.deck[20:][::-1]
    for _ in range(6):
        action = convention.decide(*one.args, one.stream, one.memory, one.room)
        assert convention.decide(*other.args, other.stream, other.memory, other.room) == action
        for each in (one, other):
            convention.advance(*each.args, each.memory, action, each.room)
        assert (one.memory == other.memory).all()


def test_a_game_can_be_followed_from_its_start() -> None:
    rules = Rules.hanab_live(2)
    position, game = Position(rules, 9), Game.start(rules, rules.spec.shuffle(9))
    while not position.is_over:
        action = PLAYER.act(game.view(game.seat_to_act), None)  # type: ignore[arg-type]
        position.move()
        game = game.apply(action)
    assert (game.packed[2] == position.state).all()
