"""Trying actions in all deals of a seat, compiled."""

from __future__ import annotations

import numpy as np

from hanabi.compiled import RandomStream, Words, jit
from hanabi.game import layout as k
from hanabi.game.kernels.packed import Packed
from hanabi.game.kernels.rules import score
from hanabi.players.belief.kernels import (
    EXACT,
    BeliefPolicy,
    Past,
    Weights,
    chance_of,
    open_past,
    weigh_world,
)
from hanabi.players.endgame.kernels import Worlds, enter, find_hidden, list_worlds
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.games import begin, open_trial
from hanabi.players.kernels.policy import play_on

# A seat's possible deals, and the results of an action in them.


@jit
def weigh_worlds(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    places: Words,
    worlds: Words,
    rng: RandomStream,
    weights: Weights,
) -> None:
    """Write the probability of what the others did in each world, as far as it depends on it."""
    past, deck, scratch = _open(policy, position, memory, places, worlds, False)
    for world in range(worlds.shape[0]):
        for index in range(places.size):
            deck[places[index]] = worlds[world, index]
        weights[world] = weigh_world(policy, past, EXACT, 0.0, rng, scratch)


@jit
def count_contradictions(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    places: Words,
    worlds: Words,
    rng: RandomStream,
) -> tuple[int, int]:
    """Return the number of the others' decisions, and of those that the policy would never take.

    The latter is that of the world with the fewest.
    """
    past, deck, scratch = _open(policy, position, memory, places, worlds, True)
    fewest = past.actions.size
    for world in range(worlds.shape[0]):
        for index in range(places.size):
            deck[places[index]] = worlds[world, index]
        n = 0
        for row in range(past.actions.size):
            n += chance_of(policy, past, row, rng, scratch) == 0
        fewest = min(fewest, n)
    return past.actions.size, fewest


@jit
def _open(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    places: Words,
    worlds: Words,
    is_whole: bool,
) -> tuple[Past, Words, Words]:
    """Return the decisions to check, the deck of their world, and work space."""
    rules, state = position.rules, position.state
    scratch, deck = np.empty(policies.scratch_size(policy, rules), np.int64), position.deck.copy()
    for index in range(places.size):
        deck[places[index]] = worlds[0, index]
    size = policies.memory_size(policy.inner, rules)
    history = memory[size : size + state[k.TURN]]
    return open_past(policy, position, deck, history, scratch, is_whole), deck, scratch


@jit
def list_deals(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    places: Words,
    scratch: Words,
    worlds: Words,
) -> tuple[int, int]:
    """Write all deals of the seat to act; return their number and the number of believable ones.

    The believable ones, in which the others would have acted as they did, come first. -1 means that
    the deals do not fit. `places` receives the deck indices of a deal's cards.
    """
    rules, state = position.rules, position.state
    masks = np.empty_like(places)
    masked = find_hidden(policy, position, memory, places, masks)
    n = list_worlds(position, places, masks, worlds)
    if n <= 0:
        return n, 0
    deck, rng = position.deck.copy(), np.zeros(1, np.uint64)
    for index in range(places.size):
        deck[places[index]] = worlds[0, index]
    size = policies.memory_size(policy.inner, rules)
    past = open_past(policy, position, deck, memory[size : size + state[k.TURN]], scratch, False)
    kept, is_kept, spare = 0, False, np.empty(places.size, np.int64)
    for world in range(n):
        is_new = world == 0  # in lexicographic order, deals with the same hand are adjacent
        for index in range(masked):
            is_new |= deck[places[index]] != worlds[world, index]
        if is_new:
            for index in range(places.size):
                deck[places[index]] = worlds[world, index]
            is_kept = weigh_world(policy, past, EXACT, 0.0, rng, scratch) > 0
        if is_kept:
            spare[:] = worlds[kept]
            worlds[kept] = worlds[world]
            worlds[world] = spare
            kept += 1
    return n, kept


@jit
def open_deals(
    policy: BeliefPolicy, position: Packed, memory: Words, places: Words, cards: Words
) -> Worlds:
    """Return the deals with a trial to continue in."""
    rules = position.rules
    size = policies.memory_size(policy.inner, rules)
    scratch = np.empty(policies.scratch_size(policy, rules), np.int64)
    trial = open_trial(position, memory[:size], np.empty(1, np.uint64), scratch)
    return Worlds(trial, places, cards, False, np.uint64(0))


@jit
def is_told_truly(policy: BeliefPolicy, worlds: Worlds, action: int) -> bool:
    """Whether nobody would misread an action; checked in a deal, so as to see no more."""
    trial = worlds.trial
    enter(worlds, 0)
    policies.resume(policy.inner, trial.start, trial.memory, trial.scratch)
    return policies.truthful(policy.inner, trial.start, trial.memory, action, trial.scratch)


@jit
def try_action(
    policy: BeliefPolicy, worlds: Worlds, action: int, first: int, last: int
) -> tuple[int, int]:
    """Return the number of perfect games in some deals after an action, and the sum of scores."""
    trial, perfect, points = worlds.trial, 0, 0
    for world in range(first, last):
        enter(worlds, world)
        policies.resume(policy.inner, trial.start, trial.memory, trial.scratch)
        begin(trial)
        policies.advance(policy.inner, trial.now, trial.learned, action, trial.scratch)
        play_on(policy.inner, trial.now, trial.rng, trial.learned, trial.scratch)
        value = score(trial.now.rules, trial.now.state)
        points += value
        perfect += value == trial.now.rules[k.MAX_SCORE]
    return perfect, points
