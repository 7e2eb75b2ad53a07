"""Whole games of compiled policies: the deals of a seed, or given decks, one after the other."""

from __future__ import annotations

import numpy as np

from hanabi.compiled import Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import seed_stream
from hanabi.game import layout as k
from hanabi.game.kernels.deals import Deals, start_deal
from hanabi.game.kernels.rules import deal, points_kept
from hanabi.game.kernels.words import Packed
from hanabi.players.kernels.policy import (
    Policy,
    is_shared,
    memory_size,
    play_on,
    scratch_size,
    start,
)

UNTOLD = -1
"""In place of an outcome: what the seats remember has parted, so it has to be played from views."""


@jit_hot
def _outcome(policy: Policy, position: Packed, memory: Words) -> int:
    if not is_shared(policy, position.rules, memory):
        return UNTOLD
    is_bombed = 1 if position.state[k.END] == k.BOMBED else 0
    return points_kept(position.rules, position.state) << 1 | is_bombed


@jit
def play_games(policy: Policy, deals: Deals, first: int, outcomes: Words) -> None:
    """Play the deals `first`, `first` + 1, ... to the end, and write one outcome each.

    An outcome is the points << 1 | whether the game was bombed; or `UNTOLD`.
    """
    rules = deals.rules
    position = Packed(
        rules, np.empty(deals.cards.size, np.int64), np.empty(rules[k.STATE_SIZE], np.int64)
    )
    memory = np.empty(memory_size(policy, rules), np.int64)
    scratch = np.empty(scratch_size(policy, rules), np.int64)
    rng = np.empty(1, np.uint64)
    for game in range(outcomes.size):
        start_deal(deals, first + game, position, rng)
        start(policy, position, memory, scratch)
        play_on(policy, position, rng, memory, scratch)
        outcomes[game] = _outcome(policy, position, memory)


@jit
def play_decks(
    policy: Policy,
    rules: Words,
    decks: Words,
    seed: np.uint64,
    first: int,
    outcomes: Words,
) -> None:
    """Play the decks, one a row, to the end, and write one outcome each, as `play_games` does.

    Row i draws its decisions from the stream of `seed` and `first` + i.
    """
    position = Packed(
        rules, np.empty(decks.shape[1], np.int64), np.empty(rules[k.STATE_SIZE], np.int64)
    )
    memory = np.empty(memory_size(policy, rules), np.int64)
    scratch = np.empty(scratch_size(policy, rules), np.int64)
    rng = np.empty(1, np.uint64)
    for game in range(outcomes.size):
        for place in range(decks.shape[1]):
            position.deck[place] = decks[game, place]
        seed_stream(rng, seed, np.uint64(first + game))
        deal(position)
        start(policy, position, memory, scratch)
        play_on(policy, position, rng, memory, scratch)
        outcomes[game] = _outcome(policy, position, memory)
