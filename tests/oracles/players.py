"""Compiled decisions next to those from views, action by action."""

from __future__ import annotations

import numpy as np

from hanabi.game import Game
from hanabi.game.packing import pack_rules
from hanabi.kernels.game import MAX_ACTIONS
from hanabi.kernels.player_chances import start_table, table_size
from hanabi.kernels.players import decide
from hanabi.kernels.rng import seed_stream, word
from hanabi.players import RuleBased
from hanabi.rng import Stream


class CompiledDecisions:
    """The rule-based player, deciding in compiled code from the position of a game."""

    def __init__(self, player: RuleBased, game: Game, seed: int, index: int) -> None:
        rules = pack_rules(game.rules)
        self._options = player.options(game.rules)
        self._table = np.empty((3, table_size(rules)), np.int64)
        self._hand = np.empty(game.rules.hand_size, np.int64)
        self._actions = np.empty(rules[MAX_ACTIONS], np.int64)
        self._stream = np.empty(1, np.uint64)
        seed_stream(self._stream, np.uint64(seed), np.uint64(index))

    def decide(self, game: Game) -> int:
        """Return the code of the action."""
        rules, deck, state = game.packed
        start_table(rules, deck, state, self._options, self._table)
        return int(
            decide(
                rules,
                deck,
                state,
                self._options,
                self._stream,
                self._table,
                self._hand,
                self._actions,
            )
        )

    def is_at(self, stream: Stream) -> bool:
        """Whether both streams are at the same place; draws a word from each."""
        return int(word(self._stream)) == stream.word()
