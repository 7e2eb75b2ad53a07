"""The deals of an experiment: which cards come, and which stream decisions are drawn from."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled.lean import jit_lean
from hanabi.compiled.rng import seed_stream, shuffle
from hanabi.game.kernels.rules import deal

Words = npt.NDArray[np.int64]


@jit_lean
def start_deal(
    rules: Words,
    cards: Words,
    seeds: npt.NDArray[np.uint64],
    index: int,
    deck: Words,
    state: Words,
    stream: npt.NDArray[np.uint64],
) -> None:
    """Write the deck and the position of deal `index`, and start the stream of its decisions.

    `cards` is the deck in the order of `DeckSpec.cards`; deals are `seeds[0]`'s, decisions
    `seeds[1]`'s (see :func:`hanabi.players.arena.outcomes`).
    """
    for place in range(cards.size):
        deck[place] = cards[place]
    seed_stream(stream, seeds[0], np.uint64(index))
    shuffle(stream, deck)
    seed_stream(stream, seeds[1], np.uint64(index))
    deal(rules, deck, state)
