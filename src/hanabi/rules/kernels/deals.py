"""The deals of an experiment: its shuffled decks, and the random streams for decisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import seed_stream, shuffle
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import deal


class Deals(NamedTuple):
    """All deals of an experiment, given by two seeds.

    Attributes
    ----------
    rules
        The rule set.
    cards
        The deck in the order of `DeckSpec.cards`.
    seeds
        The seeds of the deals and of the decisions (see :func:`hanabi.players.arena.outcomes`).
    """

    rules: Words
    cards: Words
    seeds: npt.NDArray[np.uint64]


@jit_hot
def start_deal(deals: Deals, index: int, position: Packed, rng: npt.NDArray[np.uint64]) -> None:
    """Write the deck and the position of deal `index`, and start the stream of its decisions."""
    for place in range(deals.cards.size):
        position.deck[place] = deals.cards[place]
    seed_stream(rng, deals.seeds[0], np.uint64(index))
    shuffle(rng, position.deck)
    seed_stream(rng, deals.seeds[1], np.uint64(index))
    deal(position)
