"""All that the games of an environment are, to be kept and put back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout
from hanabi.game import Rules
from hanabi.game.packing import pack_rules

if TYPE_CHECKING:
    from hanabi.env.kernels.batch import Batch

__all__ = ["Snapshot", "arrays_of", "new_batch"]


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
    legal
        int64 (n, ...): the legal actions, as :mod:`hanabi.env.kernels.bits` keeps bits.
    """

    rules: Rules
    seed: int
    decks: npt.NDArray[np.int64]
    states: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    named: npt.NDArray[np.uint8]
    streams: npt.NDArray[np.uint64]
    games: npt.NDArray[np.int64]
    legal: npt.NDArray[np.int64]

    @classmethod
    def of(cls, rules: Rules, seed: int, batch: Batch) -> Snapshot:
        """Return copies of the arrays of games."""
        return cls(rules, seed, **{name: array.copy() for name, array in arrays_of(batch).items()})


def arrays_of(batch: Batch) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of games by their names."""
    return batch._asdict()


def new_batch(layout: Layout, n: int) -> Batch:
    """Return the arrays of `n` games that are not dealt yet."""
    from hanabi.env.kernels.batch import Batch
    from hanabi.env.kernels.bits import WORD_BITS
    from hanabi.env.kernels.memory import LAST_SIZE
    from hanabi.game.kernels.words import STATE_SIZE

    cards, words = layout.rules.deck_size, int(pack_rules(layout.rules)[STATE_SIZE])
    return Batch(
        np.zeros((n, cards), np.int64),
        np.zeros((n, words), np.int64),
        np.zeros((n, LAST_SIZE), np.int64),
        np.zeros((n, cards), np.uint8),
        np.zeros(n, np.uint64),
        np.zeros(n, np.int64),
        np.zeros((n, layout.actions // WORD_BITS + 2), np.int64),
    )
