"""Compiled decisions next to those from views, action by action."""

from __future__ import annotations

import numpy as np

from hanabi.compiled.rng import seed_stream, word
from hanabi.game import Game
from hanabi.players import RuleBased
from hanabi.players.rule_based.kernels import policy as rule_based
from hanabi.rng import Stream


class CompiledDecisions:
    """The rule-based player, following a game from the deal on in compiled code."""

    def __init__(self, player: RuleBased, game: Game, seed: int, index: int) -> None:
        self.rules, self.deck, state = game.packed
        self.state = state.copy()
        self.options = player.policy(game.rules)
        self.memory = np.empty(rule_based.memory_size(self.rules), np.int64)
        self.room = np.empty(rule_based.room_size(self.rules), np.int64)
        self._stream = np.empty(1, np.uint64)
        seed_stream(self._stream, np.uint64(seed), np.uint64(index))
        rule_based.start(self.rules, self.deck, self.state, self.options, self.memory, self.room)
        self._turn = game.turn

    def follow(self, game: Game) -> None:
        """Take the actions of `game`, which goes on from the one seen last."""
        position = self.rules, self.deck, self.state, self.options
        for action in game.actions[self._turn :]:
            rule_based.advance(*position, self.memory, action.code, self.room)
        self._turn = game.turn

    def decide(self, game: Game) -> int:
        """Return the code of the action in `game`; see `follow`."""
        self.follow(game)
        position = self.rules, self.deck, self.state, self.options
        return int(rule_based.decide(*position, self._stream, self.memory, self.room))

    def is_at(self, stream: Stream) -> bool:
        """Whether both streams are at the same place; draws a word from each."""
        return int(word(self._stream)) == stream.word()
