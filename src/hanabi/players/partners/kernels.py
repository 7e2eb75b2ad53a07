"""Trying actions in all deals of a seat, compiled."""

from __future__ import annotations

import numpy as np

from hanabi.compiled import Words, jit
from hanabi.game import layout as k
from hanabi.game.kernels.packed import Packed
from hanabi.game.kernels.rules import score
from hanabi.players.belief.kernels import EXACT, BeliefPolicy, open_past, weigh_world
from hanabi.players.endgame.kernels import Worlds, enter, find_hidden, list_worlds
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.games import begin, open_trial
from hanabi.players.kernels.policy import play_on

# A seat's possible deals, and the results of an action in them.


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
    past = open_past(policy, position, deck, memory[size : size + state[k.TURN]], scratch)
    kept, is_kept, spare = 0, False, np.empty(places.size, np.int64)
    for world in range(n):
        is_new = world == 0  # in lexicographic order, deals with the same hand are adjacent
        for index in range(masked):
            if deck[places[index]] != worlds[world, index]:
                deck[places[index]] = worlds[world, index]
                is_new = True
        if is_new:
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
