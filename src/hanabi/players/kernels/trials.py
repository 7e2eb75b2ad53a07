"""Playing on from a position in worlds: decks with other cards where the seat to act sees none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.dispatch import by_type
from hanabi.compiled.hot import jit_hot
from hanabi.game.kernels.rules import score
from hanabi.game.kernels.words import Packed
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy, play_on


class Trial(NamedTuple):
    """What it takes to play on from a position again and again.

    Attributes
    ----------
    start
        The position, with the deck of the world.
    memory
        What the policy remembers there, in the world.
    now, learned
        Packed and memory as a trial goes on; the deck is that of `start`.
    rng
        What decisions are drawn from.
    scratch
        The policy's.
    """

    start: Packed
    memory: Words
    now: Packed
    learned: Words
    rng: RandomStream
    scratch: Words


@jit
def open_trial(position: Packed, memory: Words, rng: RandomStream, scratch: Words) -> Trial:
    """Return a trial of a position whose world is still to be written."""
    rules, state = position.rules, position.state
    world = position.deck.copy()
    now = Packed(rules, world, np.empty_like(state))
    return Trial(
        Packed(rules, world, state), memory.copy(), now, np.empty_like(memory), rng, scratch
    )


@jit_hot
def begin(trial: Trial) -> None:
    """Go back to the position."""
    state, after = trial.start.state, trial.now.state
    for index in range(state.size):
        after[index] = state[index]
    for index in range(trial.memory.size):
        trial.learned[index] = trial.memory[index]


@by_type
@jit_hot
def play_out(policy: Policy, trial: Trial, action: int) -> int:
    """Take an action in the position, let the policy play to the end, and return the score."""
    begin(trial)
    policies.advance(policy, trial.now, trial.learned, action, trial.scratch)
    play_on(policy, trial.now, trial.rng, trial.learned, trial.scratch)
    return score(trial.now.rules, trial.now.state)
