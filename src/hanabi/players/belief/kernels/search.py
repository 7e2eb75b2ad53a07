"""Choosing an action by playing on in believable worlds; see :mod:`hanabi.players.belief`.

All actions are tried in the same worlds, first in few of them. The worse half is given up each time
the worlds are doubled (successive halving: Karnin, Koren & Somekh, ICML 2013), the inner policy's
own action never.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import split, word
from hanabi.game.kernels.facts import n_held
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.rules import score
from hanabi.game.kernels.words import (
    DECK_SIZE,
    DRAWN,
    MAX_ACTIONS,
    OPEN_HANDS,
    SEAT,
    Packed,
)
from hanabi.players.belief.kernels.policy import (
    CAUTION,
    MARGIN,
    MISREAD,
    SEARCHING,
    WORLDS,
    BeliefPolicy,
)
from hanabi.players.belief.kernels.worlds import draw_beliefs
from hanabi.players.endgame.kernels.trials import Worlds, enter, is_clear, most_points
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import play_on
from hanabi.players.kernels.trials import begin, open_trial

__all__ = ["BeliefPolicy", "search"]

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

_LEAST_TRIED = 25  # worlds before anything is given up


@jit_hot
def _try(
    policy: BeliefPolicy, worlds: Worlds, action: int, values: Words, first: int, last: int
) -> None:
    """Write the final scores after an action in the worlds from `first` to before `last`."""
    trial = worlds.trial
    for world in range(first, last):
        enter(worlds, world)
        policies.resume(policy.inner, trial.start, trial.memory, trial.scratch)
        begin(trial)
        policies.advance(policy.inner, trial.now, trial.learned, action, trial.scratch)
        play_on(policy.inner, trial.now, trial.rng, trial.learned, trial.scratch)
        values[world] = score(trial.now.rules, trial.now.state)


@jit
def _others(policy: BeliefPolicy, worlds: Worlds, own: int, actions: Words) -> int:
    """Write the actions to try beside the own one, and return their number.

    What the others would misread is asked in a world, so as to see no more than the seat does.
    """
    trial, n = worlds.trial, 0
    enter(worlds, 0)
    policies.resume(policy.inner, trial.start, trial.memory, trial.scratch)
    for index in range(legal_actions(trial.start, actions)):
        action = actions[index]
        if action != own and (
            policy.limits[MISREAD] != 0
            or policies.truthful(policy.inner, trial.start, trial.memory, action, trial.scratch)
        ):
            actions[n] = action
            n += 1
    return n


@jit_hot
def _drop_worse(actions: Words, gains: Words, values: Words, n: int, kept: int) -> None:
    """Keep the best of `n` actions, in their order; of equals the first."""
    while n > kept:
        worst = 0
        for index in range(1, n):
            if gains[index] <= gains[worst]:
                worst = index
        n -= 1
        for index in range(worst, n):
            actions[index], gains[index] = actions[index + 1], gains[index + 1]
            for world in range(values.shape[1]):
                values[index, world] = values[index + 1, world]


@jit
def _best_other(
    policy: BeliefPolicy, worlds: Worlds, before: Words, actions: Words, n: int
) -> tuple[int, int, int]:
    """Return the best of some actions, what it gains in all worlds, and the sum of the squares."""
    size, rounds = before.size, 0
    while 1 << rounds < n:
        rounds += 1
    values, gains = np.empty((n, size), np.int64), np.zeros(n, np.int64)
    tried, target = 0, min(size, max(size >> rounds, _LEAST_TRIED))
    while True:
        for index in range(n):
            _try(policy, worlds, actions[index], values[index], tried, target)
            for world in range(tried, target):
                gains[index] += values[index, world] - before[world]
        tried = target
        if tried == size:
            break
        _drop_worse(actions, gains, values, n, (n + 1) // 2)
        n, target = (n + 1) // 2, min(size, 2 * tried)
    _drop_worse(actions, gains, values, n, 1)
    squares = 0
    for world in range(size):
        squares += (values[0, world] - before[world]) ** 2
    return actions[0], gains[0], squares


@policies.decide.register(BeliefPolicy)
@jit
def search(
    policy: BeliefPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return an action that is better in the worlds by the margins, or the policy's own."""
    rules, state, limits = position.rules, position.state, policy.limits
    learned = memory[: policies.memory_size(policy.inner, rules)]
    own = policies.decide(policy.inner, position, rng, learned, scratch)
    if state[SEAT] >= limits[SEARCHING]:
        return own
    own_rng = split(rng)
    n_hidden = rules[DECK_SIZE] - state[DRAWN]
    if rules[OPEN_HANDS] == 0:
        n_hidden += n_held(rules, state, state[SEAT])
    places = np.empty(n_hidden, np.int64)
    cards = np.empty((limits[WORLDS], n_hidden), np.int64)
    n_worlds, _ = draw_beliefs(policy, position, memory, places, own_rng, scratch, cards)
    if n_worlds == 0:
        return own
    trial = open_trial(position, learned, np.empty(1, np.uint64), scratch)
    worlds = Worlds(trial, places, cards[:n_worlds], True, word(own_rng))
    actions = np.empty(rules[MAX_ACTIONS], np.int64)
    before, n = np.empty(n_worlds, np.int64), _others(policy, worlds, own, actions)
    if n == 0:
        return own
    _try(policy, worlds, own, before, 0, n_worlds)
    needed = max(limits[MARGIN] * n_worlds, 1)
    if 100 * (n_worlds * most_points(rules, state) - before.sum()) < needed:
        return own  # no action can gain as much
    best, gain, squares = _best_other(policy, worlds, before, actions, n)
    if 100 * gain >= needed and is_clear(gain, squares, n_worlds, limits[CAUTION]):
        return best
    return own
