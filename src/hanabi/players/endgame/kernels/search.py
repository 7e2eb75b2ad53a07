"""Choosing an action by playing on in every world that the seat to act cannot tell apart.

For each action, everybody goes on by the inner policy; the action with the best average score is
taken. See :mod:`hanabi.players.endgame`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import split, word
from hanabi.game import layout as k
from hanabi.game.kernels.facts import most_points, n_held
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.rules import score
from hanabi.game.kernels.words import Packed
from hanabi.players.endgame.kernels.trials import (
    Worlds,
    enter,
    is_clear,
    sort_by_shortfall,
)
from hanabi.players.endgame.kernels.worlds import find_hidden, list_worlds, sample_worlds
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy, play_on
from hanabi.players.kernels.trials import begin, open_trial
from hanabi.players.kernels.wrapped import keeps_inner_memory

# Words of `limits`: most worlds listed; worlds sampled where there are more; most cards left in
# the deck where either is done; standard errors, in hundredths, that a sampled gain must exceed.
WORLDS, SAMPLES, DECK_LEFT, MARGIN = range(4)
LIMITS = 4


@keeps_inner_memory
class EndgamePolicy(NamedTuple):
    """What searches, and what it goes on by."""

    inner: Policy
    limits: Words


@jit_hot
def _gain(
    policy: EndgamePolicy,
    worlds: Worlds,
    action: int,
    values: Words,
    order: Words,
    most: int,
    best: int,
) -> int:
    """Return what an action gains over `values`, summed over all worlds, if that exceeds `best`.

    Otherwise return `best`, as soon as that is clear: no score exceeds `most`. With best < 0
    `values` are written, not read.
    """
    trial, n_worlds = worlds.trial, order.size
    margin = policy.limits[MARGIN] if worlds.is_sample else 0
    gain, squares, left = 0, 0, 0
    for world in range(n_worlds):
        left += most - values[world]
    for number in range(n_worlds):
        world = order[number]
        enter(worlds, world)
        policies.resume(policy.inner, trial.start, trial.memory, trial.scratch)
        # Not by `play_out`: each function with all of the policy in it takes seconds to compile.
        begin(trial)
        policies.advance(policy.inner, trial.now, trial.learned, action, trial.scratch)
        play_on(policy.inner, trial.now, trial.rng, trial.learned, trial.scratch)
        value = score(trial.now.rules, trial.now.state)
        if best < 0:
            values[world] = value
            continue
        left -= most - values[world]
        gain += value - values[world]
        squares += (value - values[world]) ** 2
        if gain + left <= best or (left == 0 and not is_clear(gain, squares, n_worlds, margin)):
            return best
    return int(gain)


@jit
def _is_open(policy: EndgamePolicy, worlds: Worlds, memory: Words, action: int) -> bool:
    """Whether the conventions leave the action open; asked in a world, so as to see no more."""
    trial = worlds.trial
    enter(worlds, 0)
    return policies.truthful(policy.inner, trial.start, memory, action, trial.scratch)


@policies.decide.register(EndgamePolicy)
@jit
def search(
    policy: EndgamePolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action with the best average score, or the policy's own if none is better.

    Not cut into smaller functions: each that calls a policy is compiled with all of it again.
    """
    rules, state, limits, own_rng = position.rules, position.state, policy.limits, split(rng)
    own = policies.decide(policy.inner, position, own_rng, memory, scratch)
    n_hidden = rules[k.DECK_SIZE] - state[k.DRAWN]
    if n_hidden > limits[DECK_LEFT] or limits[WORLDS] + limits[SAMPLES] == 0:
        return own
    if rules[k.OPEN_HANDS] == 0:
        n_hidden += n_held(rules, state, state[k.SEAT])
    places, masks = np.empty(n_hidden, np.int64), np.empty(n_hidden, np.int64)
    masked = find_hidden(policy.inner, position, memory, places, masks)
    cards = np.empty((max(limits[WORLDS], limits[SAMPLES]), n_hidden), np.int64)
    n_worlds, is_sample = -1, False
    if limits[WORLDS] > 0:
        n_worlds = list_worlds(position, places, masks, cards[: limits[WORLDS]])
    if n_worlds < 0 and limits[SAMPLES] > 0:
        is_sample, cards = True, cards[: limits[SAMPLES]]
        n_worlds = sample_worlds(position, places, masks, masked, own_rng, cards)
    if n_worlds <= 0:
        return own
    trial = open_trial(position, memory, np.empty(1, np.uint64), scratch)
    worlds = Worlds(trial, places, cards[:n_worlds], is_sample, word(own_rng))
    actions = np.empty(rules[k.MAX_ACTIONS], np.int64)
    actions = actions[: legal_actions(position, actions)]
    most, best_gain, best = most_points(rules, state), 0, own
    values, order = np.zeros(n_worlds, np.int64), np.arange(n_worlds)
    number = -1
    while number < actions.size and n_worlds * most - values.sum() > best_gain:
        action = own if number < 0 else actions[number]
        if number < 0 or (action != own and _is_open(policy, worlds, memory, action)):
            known = -1 if number < 0 else best_gain
            gain = _gain(policy, worlds, action, values, order, most, known)
            if number < 0:
                sort_by_shortfall(values, most, order)
            elif gain > best_gain:
                best, best_gain = action, gain
        number += 1
    return int(best)
