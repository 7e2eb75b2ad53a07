"""The search over all determinizations (possible deals), compiled.

After each action, everybody follows the inner policy; the search takes the action with the best
average score. See :mod:`hanabi.players.endgame`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import split, word
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy, keeps_inner_memory
from hanabi.players.kernels.trials import (
    HOW,
    WORLDS_TRIED,
    Worlds,
    compare_actions,
    is_clear,
    is_told_truly,
    open_believed,
    open_trial,
    try_action,
)
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import deck_left, most_points
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed
from hanabi.worlds.kernels.deals import list_worlds, sample_worlds

# Words of `limits`: most worlds to list; worlds to sample if there are more; most cards left in the
# deck for either; hundredths of a standard error that a sampled gain must exceed.
WORLDS, SAMPLES, DECK_LEFT, MARGIN = range(4)
LIMITS = 4


@keeps_inner_memory
class EndgamePolicy(NamedTuple):
    """The searching policy and the inner policy of its play-outs."""

    inner: Policy
    limits: Words


@jit_hot
def _may_search(policy: EndgamePolicy, position: Packed) -> bool:
    """Whether few enough cards are left to draw."""
    limits, n = policy.limits, deck_left(position.rules, position.state)
    return bool(n <= limits[DECK_LEFT] and limits[WORLDS] + limits[SAMPLES] > 0)


@jit
def _open_worlds(
    policy: EndgamePolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> Worlds:
    """Return the worlds to search, none if they are too many."""
    limits, hidden = policy.limits, open_believed(policy.inner, position, memory)
    cards = np.empty((max(limits[WORLDS], limits[SAMPLES]), hidden.cards.size), np.int64)
    n_worlds, is_sample = -1, False
    if limits[WORLDS] > 0:
        n_worlds = list_worlds(hidden, cards[: limits[WORLDS]])
    if n_worlds < 0 and limits[SAMPLES] > 0:
        is_sample, n_worlds = True, sample_worlds(hidden, rng, cards[: limits[SAMPLES]])
    n_worlds = max(n_worlds, 0)
    seed = word(rng) if n_worlds > 0 else np.uint64(0)
    trial = open_trial(position, memory, np.empty(1, np.uint64), scratch)
    return Worlds(trial, hidden.places, cards[:n_worlds], is_sample, seed)


@jit
def _sort_by_shortfall(values: Words, most: int, order: Words) -> None:
    """Order the worlds by the possible gain, the greatest first."""
    n = 0
    for value in range(values.min(), most + 1):
        for world in range(values.size):
            if values[world] == value:
                order[n] = world
                n += 1


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
    """Return an action's gain over `values`, summed over all worlds, if it exceeds `best`.

    Otherwise return `best`, as soon as that is clear, since no score exceeds `most`.
    """
    n_worlds = order.size
    margin = policy.limits[MARGIN] if worlds.is_sample else 0
    gain, squares, left = 0, 0, 0
    for world in range(n_worlds):
        left += most - values[world]
    for number in range(n_worlds):
        world = order[number]
        gained = try_action(policy.inner, worlds, world, action) - values[world]
        left -= most - values[world]
        gain += gained
        squares += gained * gained
        if gain + left <= best or (left == 0 and not is_clear(gain, squares, n_worlds, margin)):
            return best
    return int(gain)


@jit
def compare(
    policy: EndgamePolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
    found: Words,
) -> int:
    """Return the policy's own action, and write what the worlds say about another one.

    `found` is as in `compare_actions`; how the worlds were found is whether they are a sample.
    """
    own_rng = split(rng)
    own = policies.decide(policy.inner, position, own_rng, memory, scratch)
    found[WORLDS_TRIED] = 0
    if _may_search(policy, position):
        worlds = _open_worlds(policy, position, own_rng, memory, scratch)
        is_open = worlds.cards.shape[0] > 0 and is_told_truly(policy.inner, worlds, action)
        found[HOW] = worlds.is_sample
        compare_actions(policy.inner, worlds, own, action, is_open, found)
    return int(own)


@policies.decide.register(EndgamePolicy)
@jit
def search(
    policy: EndgamePolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action with the best average score, or the policy's own if none is better."""
    own_rng = split(rng)
    own = policies.decide(policy.inner, position, own_rng, memory, scratch)
    if not _may_search(policy, position):
        return own
    worlds = _open_worlds(policy, position, own_rng, memory, scratch)
    n_worlds = worlds.cards.shape[0]
    if n_worlds == 0:
        return own
    actions = np.empty(position.rules[k.MAX_ACTIONS], np.int64)
    actions = actions[: legal_actions(position, actions)]
    most, best_gain, best = most_points(position.rules, position.state), 0, own
    values, order = np.empty(n_worlds, np.int64), np.empty(n_worlds, np.int64)
    for world in range(n_worlds):
        values[world] = try_action(policy.inner, worlds, world, own)
    _sort_by_shortfall(values, most, order)
    shortfall = n_worlds * most - values.sum()
    for action in actions:
        if shortfall <= best_gain:
            break
        if action != own and is_told_truly(policy.inner, worlds, action):
            gain = _gain(policy, worlds, action, values, order, most, best_gain)
            if gain > best_gain:
                best, best_gain = action, gain
    return int(best)
