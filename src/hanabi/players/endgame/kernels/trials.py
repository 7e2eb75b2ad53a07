"""The worlds in which a position is played on, and what that can show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.compiled import Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import seed_stream
from hanabi.players.kernels.trials import Trial


class Worlds(NamedTuple):
    """The worlds of a decision: how the hidden cards can lie, and a trial to play on in each.

    Attributes
    ----------
    trial
        Of the position.
    places
        Where in the deck the hidden cards are.
    cards
        Their codes, a world a row.
    is_sample
        Whether there are more worlds than these.
    seed
        World number `w` draws its decisions from the stream of `seed` and `w`, whatever is tried.
    """

    trial: Trial
    places: Words
    cards: Words
    is_sample: bool
    seed: np.uint64


@jit_hot
def enter(worlds: Worlds, world: int) -> None:
    """Put the hidden cards of a world into the deck of the trial, and start its random stream."""
    deck = worlds.trial.start.deck
    for index in range(worlds.places.size):
        deck[worlds.places[index]] = worlds.cards[world, index]
    seed_stream(worlds.trial.rng, worlds.seed, np.uint64(world))


@jit_hot
def is_clear(gain: int, squares: int, n_worlds: int, margin: int) -> bool:
    """Whether a sum of differences is so many hundredths of its standard error above zero."""
    spread = n_worlds * squares - gain * gain
    return gain > 0 and 1e4 * n_worlds * gain * gain >= float(margin * margin) * spread


@jit
def sort_by_shortfall(values: Words, most: int, order: Words) -> None:
    """Write the worlds where most can be gained first."""
    n = 0
    for value in range(values.min(), most + 1):
        for world in range(values.size):
            if values[world] == value:
                order[n] = world
                n += 1
