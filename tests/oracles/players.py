"""Compiled policies asked action by action, as kernels ask them."""

from __future__ import annotations

from typing import Any

import numpy as np

from hanabi.ground.compiled.rng import seed_stream, word
from hanabi.ground.rng import Stream
from hanabi.players.kernels import policy as policies
from hanabi.players.protocol import CompiledPlayer
from hanabi.rules import Action, Game


class Compiled:
    """A policy that follows a game from the deal on, with the random stream of a seed."""

    def __init__(self, player: CompiledPlayer, game: Game, seed: int = 0, index: int = 0) -> None:
        policy = player.compiled(game.rules)
        assert policy is not None
        self.policy: Any = policy
        self.position = game.packed
        rules = self.position.rules
        self.memory = np.zeros(policies.memory_size(policy, rules), np.int64)
        self.scratch = np.zeros(policies.scratch_size(policy, rules), np.int64)
        self.rng = np.empty(1, np.uint64)
        seed_stream(self.rng, np.uint64(seed), np.uint64(index))
        self._turn = game.turn
        policies.start(policy, self.position, self.memory, self.scratch)

    def decide(self) -> Action:
        """Return the action of the seat to act."""
        words = self.rng, self.memory, self.scratch
        return Action.from_code(int(policies.decide(self.policy, self.position, *words)))

    def chance(self, action: Action) -> float:
        """Return the probability of an action of the seat to act."""
        words = self.rng, self.memory, self.scratch, action.code
        return float(policies.chance(self.policy, self.position, *words))

    def take(self, action: Action) -> None:
        """Take an action."""
        policies.advance(self.policy, self.position, self.memory, action.code, self.scratch)
        self._turn += 1

    def follow(self, game: Game) -> None:
        """Take the actions of `game`, which goes on from the one seen last."""
        for action in game.actions[self._turn :]:
            self.take(action)

    def is_truthful(self, action: Action) -> bool:
        """Whether an action tells the others nothing false."""
        words = self.memory, action.code, self.scratch
        return bool(policies.truthful(self.policy, self.position, *words))

    def possible(self, seat: int, slot: int) -> int:
        """Return what a slot can hold as far as everybody knows, as bits."""
        return int(policies.possible(self.policy, self.position, self.memory, seat, slot))

    def resume(self) -> None:
        """Mend the memory for the cards that the deck has now."""
        policies.resume(self.policy, self.position, self.memory, self.scratch)

    def is_at(self, rng: Stream) -> bool:
        """Whether both streams are at the same place; draws a word from each."""
        return int(word(self.rng)) == rng.word()
