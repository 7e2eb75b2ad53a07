"""All that the games of an environment are, to be kept and put back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hanabi.game import Rules

__all__ = ["Snapshot"]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The games of an environment at a moment; it can be pickled.

    Attributes
    ----------
    rules
        The rule set.
    seed
        Of the deals.
    decks, states
        int64 (n, ...): cards and positions, as :mod:`hanabi.game.kernels.words` lays them out.
    last, named
        int64 and uint8 (n, ...): the last action, and what was named of each card.
    streams
        uint64 (n,): where the stream of drawn actions is.
    games
        int64 (n,): how many games each place has begun.
    """

    rules: Rules
    seed: int
    decks: npt.NDArray[np.int64]
    states: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    named: npt.NDArray[np.uint8]
    streams: npt.NDArray[np.uint64]
    games: npt.NDArray[np.int64]

    @property
    def arrays(self) -> tuple[npt.NDArray[np.generic], ...]:
        """The arrays, in the order of the attributes."""
        return self.decks, self.states, self.last, self.named, self.streams, self.games
