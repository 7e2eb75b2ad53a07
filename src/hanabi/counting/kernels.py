"""Compiled shuffling of decks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.rng import seed_stream, shuffle

__all__ = ["deal"]

# Thousands of shuffled decks, for :mod:`hanabi.counting.playability`.


@jit
def deal(
    deck: npt.NDArray[np.int64],
    seed: np.uint64,
    first: np.uint64,
    decks: npt.NDArray[np.int32],
) -> None:
    """Fill row i of `decks` with `deck` shuffled by the random stream (seed, first + i).

    Row i equals `hanabi.rng.Stream(seed, first + i).shuffled(deck)`. O(size of `decks`).

    Parameters
    ----------
    deck
        Shape (N,): the cards, as numbers.
    seed, first
        The experiment's seed and the first index.
    decks
        Shape (count, N); overwritten.
    """
    rng = np.empty(1, np.uint64)
    row = np.empty(deck.size, np.int64)
    for i in range(decks.shape[0]):
        for j in range(deck.size):
            row[j] = deck[j]
        seed_stream(rng, np.uint64(seed), np.uint64(first) + np.uint64(i))
        shuffle(rng, row)
        for j in range(deck.size):
            decks[i, j] = row[j]
