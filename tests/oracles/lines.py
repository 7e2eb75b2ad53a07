"""The best final score of every position of a small game, by all lines through the engine.

Positions are told apart by all words but two: the turn, and what hints say, of which no rule makes
anything. So nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hanabi.rules import Game
from hanabi.rules import layout as k
from hanabi.rules.kernels import doors
from hanabi.rules.kernels.rules import score


class Lines:
    """All positions that can come of one, each with the best score with which the game can end."""

    def __init__(self, game: Game) -> None:
        self.start = game
        self.rules, self.deck, state = game.packed
        self.best: dict[bytes, int] = {}
        self.seen: list[np.ndarray] = []
        self._search(state)

    def positions(self) -> Iterator[tuple[Game, int]]:
        """Yield each position, and its best final score."""
        for state in self.seen:
            game = Game(self.start.rules, self.start.deck, (), state.tobytes())
            yield game, self.best[self._key(state)]

    def _key(self, state: np.ndarray) -> bytes:
        words = state.copy()
        words[k.TURN] = 0
        words[self.rules[k.KNOWN] :] = 0
        return words.tobytes()

    def _search(self, state: np.ndarray) -> int:
        key = self._key(state)
        if key not in self.best:
            actions = np.empty(self.rules[k.MAX_ACTIONS], np.int64)
            n = doors.legal_actions(self.rules, self.deck, state, actions)
            self.seen.append(state)
            self.best[key] = int(score(self.rules, state))  # if this is the end
            successors = []
            for action in actions[:n].tolist():
                after = np.empty_like(state)
                assert not doors.apply(self.rules, self.deck, state, action, after)
                successors.append(self._search(after))
            if successors:
                self.best[key] = max(successors)
        return self.best[key]
