"""Actions tried in worlds: enter one, take an action, let a policy play on, and take the score.

A world is an arrangement of the cards that the seat to act does not see (:mod:`hanabi.worlds`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.dispatch import by_type
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import seed_stream
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy, play_on
from hanabi.rules import layout as k
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import score
from hanabi.worlds.kernels.deals import Hidden, lay, limit, open_hidden


@jit
def open_believed(policy: Policy, position: Packed, memory: Words) -> Hidden:
    """Return what the seat to act does not see, by a policy's conventions."""
    hidden = open_hidden(position)
    for slot in range(hidden.fits.shape[0]):
        cards = policies.possible(policy, position, memory, position.state[k.SEAT], slot)
        limit(hidden, position.rules, slot, cards)
    return hidden


class Trial(NamedTuple):
    """The data of repeated play-outs from a position.

    Attributes
    ----------
    start
        The position, with the deck of the world.
    memory
        The policy's memory at the start, in the world.
    now, learned
        Position and memory during a trial; the deck is that of `start`.
    rng
        The source of random decisions.
    scratch
        The policy's scratch.
    """

    start: Packed
    memory: Words
    now: Packed
    learned: Words
    rng: RandomStream
    scratch: Words


@jit
def open_trial(position: Packed, memory: Words, rng: RandomStream, scratch: Words) -> Trial:
    """Return a trial of a position; its world is still to be written."""
    rules, state = position.rules, position.state
    world = position.deck.copy()
    now = Packed(rules, world, np.empty_like(state))
    return Trial(
        Packed(rules, world, state), memory.copy(), now, np.empty_like(memory), rng, scratch
    )


@jit_hot
def begin(trial: Trial) -> None:
    """Return to the position."""
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


class Worlds(NamedTuple):
    """The worlds of a decision, and a trial.

    Attributes
    ----------
    trial
        The trial of the position.
    places
        The deck indices of the hidden cards.
    cards
        Their codes, one world per row.
    is_sample
        Whether more worlds than these exist.
    seed
        World `w` draws its decisions from the stream of `seed` and `w`, whichever action is tried.
    """

    trial: Trial
    places: Words
    cards: Words
    is_sample: bool
    seed: np.uint64


@by_type
@jit_hot
def enter(policy: Policy, worlds: Worlds, world: int) -> None:
    """Let a policy find itself in a world, whose random stream starts anew."""
    trial = worlds.trial
    lay(worlds.places, worlds.cards[world], trial.start.deck)
    seed_stream(trial.rng, worlds.seed, np.uint64(world))
    policies.resume(policy, trial.start, trial.memory, trial.scratch)


@by_type
@jit_hot
def try_action(policy: Policy, worlds: Worlds, world: int, action: int) -> int:
    """Return the score in a world after an action."""
    enter(policy, worlds, world)
    return play_out(policy, worlds.trial, action)


@jit
def sum_scores(
    policy: Policy, worlds: Worlds, action: int, first: int, last: int
) -> tuple[int, int]:
    """Return the sum of the scores in some worlds after an action, and how many are perfect."""
    points, perfect = 0, 0
    for world in range(first, last):
        value = try_action(policy, worlds, world, action)
        points += value
        perfect += value == worlds.trial.now.rules[k.MAX_SCORE]
    return points, perfect


@jit
def is_told_truly(policy: Policy, worlds: Worlds, action: int) -> bool:
    """Whether nobody would misread an action; checked in a world, so as to see no more."""
    trial = worlds.trial
    enter(policy, worlds, 0)
    return policies.truthful(policy, trial.start, trial.memory, action, trial.scratch)


# What a search found of an action, beside its inner policy's own: the number of worlds, 0 if there
# is no search; how they were found; and the points in all of them after the own action, and after
# the other one, -1 if that is not tried.
WORLDS_TRIED, HOW, OWN_POINTS, POINTS = range(4)


@jit
def compare_actions(
    policy: Policy, worlds: Worlds, own: int, action: int, is_open: bool, found: Words
) -> None:
    """Write what the worlds say of a policy's own action, and of another one if it is open to it.

    `found` are the words above.
    """
    n = found[WORLDS_TRIED] = worlds.cards.shape[0]
    found[OWN_POINTS], found[POINTS] = -1, -1
    if n > 0:
        found[OWN_POINTS] = sum_scores(policy, worlds, own, 0, n)[0]
        if action == own or is_open:
            found[POINTS] = sum_scores(policy, worlds, action, 0, n)[0]


@jit_hot
def is_clear(gain: int, squares: int, n_worlds: int, margin: int) -> bool:
    """Whether a sum of differences exceeds 0 by a number of hundredths of its standard error."""
    spread = n_worlds * squares - gain * gain
    return gain > 0 and 1e4 * n_worlds * gain * gain >= float(margin * margin) * spread
