"""Choosing an action by playing on in believable worlds; see :mod:`hanabi.players.belief`.

All actions are tried in the same worlds, first in few of them. Each time the worlds are doubled,
what will hardly turn out better than the best, or gain enough on the inner policy's own action, is
given up: a race (Maron & Moore, NIPS 1993) of paired differences, with stochastic curtailment, as
of trials in medicine: what counts is where the mean of all worlds can still come to.
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import split, word
from hanabi.game import layout as k
from hanabi.game.kernels.facts import is_next, most_points, n_held
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.rules import score
from hanabi.game.kernels.words import Packed, card_of, kind_of, target_of
from hanabi.players.belief.kernels.policy import (
    CAUTION,
    DEALS,
    MARGIN,
    MISREAD,
    SEARCHING,
    WORLDS,
    BeliefPolicy,
)
from hanabi.players.belief.kernels.worlds import deal_again, draw_beliefs
from hanabi.players.endgame.kernels.trials import Worlds, enter
from hanabi.players.endgame.kernels.worlds import ANY_CARD
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import play_on
from hanabi.players.kernels.trials import begin, open_trial

__all__ = ["BeliefPolicy", "search"]


_FIRST = 40  # worlds before anything is given up
_CLEAR = 2.0  # standard errors by which what is still to be tried may differ from what was


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
def _may_bomb(policy: BeliefPolicy, worlds: Worlds, action: int) -> bool:
    """Whether an action may cost the last life, and so all points, by hints and conventions.

    Beliefs may hold a card for playable in all worlds and be wrong: others search, too.
    """
    trial, kind, is_sure = worlds.trial, kind_of(action), False
    rules, state = trial.start.rules, trial.start.state
    if state[k.LIVES] > 1 or rules[k.BOMBED_SCORES_ZERO] == 0 or rules[k.OPEN_HANDS] != 0:
        return False
    if kind not in (k.PLAY, k.PLAY_DECK):
        return False
    cards = ANY_CARD
    if kind == k.PLAY:
        cards = policies.possible(
            policy.inner, trial.start, trial.memory, state[k.SEAT], target_of(action)
        )
    for code in worlds.cards[0]:  # all that the seat does not see
        if cards >> card_of(rules, code) & 1:
            if not is_next(rules, state, code):
                return True
            is_sure = True
    return not is_sure


@jit
def _others(policy: BeliefPolicy, worlds: Worlds, actions: Words) -> int:
    """Write the actions to try after the own one, and return their number.

    `actions` begins with the own one. What the others would misread is asked in a world, so as to
    see no more than the seat does.
    """
    trial, n, legal = worlds.trial, 1, np.empty_like(actions)
    enter(worlds, 0)
    policies.resume(policy.inner, trial.start, trial.memory, trial.scratch)
    for index in range(legal_actions(trial.start, legal)):
        action = legal[index]
        if action == actions[0] or _may_bomb(policy, worlds, action):
            continue
        if policy.limits[MISREAD] != 0 or policies.truthful(
            policy.inner, trial.start, trial.memory, action, trial.scratch
        ):
            actions[n] = action
            n += 1
    return n


@jit_hot
def _prospects(
    one: Words, other: Words, n_worlds: int, needed: float, caution: float
) -> tuple[float, float]:
    """Return between what bounds one action will be better than another by more than is needed.

    Of the worlds `n_worlds` those of `one` and `other` are tried; the bounds are for the mean of
    all, times the number tried. `needed` are hundredths of a point, `caution` of standard errors,
    whichever is more. A difference of one in one world is added to the squares: none seen yet does
    not mean that there is none.
    """
    tried, gain, squares = one.size, 0, 1
    for world in range(tried):
        difference = one[world] - other[world]
        gain += difference
        squares += difference * difference
    spread, share = squares - gain * gain / tried, tried / n_worlds
    surplus = gain - max(needed * tried, caution * np.sqrt(spread * share)) / 100
    to_come = _CLEAR * np.sqrt(spread * (1 - share))
    return float(surplus - to_come), float(surplus + to_come)


@jit
def _drop_worse(
    actions: Words, values: Words, n: int, tried: int, needed: float, caution: float
) -> int:
    """Keep the own action, the first, and what may be the best; return how many are left."""
    leader, n_worlds = 0, values.shape[1]
    for index in range(1, n):
        if values[index, :tried].sum() > values[leader, :tried].sum():
            leader = index
    own, best, kept = values[0, :tried], values[leader, :tried].copy(), 1
    for index in range(1, n):
        row = values[index, :tried]
        is_open = _prospects(row, own, n_worlds, needed, caution)[1] >= 0
        if is_open and (index == leader or _prospects(row, best, n_worlds, 0.0, 0.0)[1] >= 0):
            actions[kept] = actions[index]
            values[kept, :tried] = row
            kept += 1
    return kept


@jit
def _race(
    policy: BeliefPolicy, worlds: Worlds, actions: Words, n: int, n_hands: int, masked: int
) -> int:
    """Return the best of some actions, or the first if none is better by the margins.

    The first `n_hands` worlds are there; the others are dealt when they are needed. The margin is
    in proportion to the cards left to draw: the fewer, the fewer decisions are still to be told by.
    """
    limits, size, trial = policy.limits, worlds.cards.shape[0], worlds.trial
    highest = np.full(size, most_points(trial.start.rules, trial.start.state))
    needed = max(
        limits[MARGIN] * (worlds.places.size - masked) / trial.start.rules[k.DECK_SIZE], 1.0
    )
    caution = float(limits[CAUTION])
    values, tried, target = np.empty((n, size), np.int64), 0, min(size, _FIRST)
    while True:
        for row in range(max(tried, n_hands), target):
            deal_again(worlds.cards, n_hands, masked, row, worlds.seed)
        for index in range(n):
            _try(policy, worlds, actions[index], values[index], tried, target)
            own = values[0, :target]
            if index == 0 and _prospects(highest[:target], own, size, needed, 0.0)[1] < 0:
                return int(actions[0])  # no action can gain as much
        tried, target = target, min(size, 2 * target)
        n = _drop_worse(actions, values, n, tried, needed, caution)
        if n == 1:
            return int(actions[0])
        best = values[1, :tried]
        if n == 2 and _prospects(best, values[0, :tried], size, needed, caution)[0] >= 0:
            return int(actions[1])
        if tried == size:
            return int(actions[1])


@policies.decide.register(BeliefPolicy)
@jit
def search(
    policy: BeliefPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return an action that is better in the worlds by the margins, or the policy's own."""
    rules, state, limits = position.rules, position.state, policy.limits
    learned = memory[: policies.memory_size(policy.inner, rules)]
    own = policies.decide(policy.inner, position, rng, learned, scratch)
    if state[k.SEAT] >= limits[SEARCHING]:
        return own
    own_rng, n_left, masked = split(rng), rules[k.DECK_SIZE] - state[k.DRAWN], 0
    seed = word(own_rng)
    if rules[k.OPEN_HANDS] == 0:
        masked = n_held(rules, state, state[k.SEAT])
    places = np.empty(masked + n_left, np.int64)
    deals = limits[DEALS] if n_left > 1 else 1
    cards = np.empty((deals * limits[WORLDS], places.size), np.int64)
    n_hands, _ = draw_beliefs(
        policy, position, memory, places, own_rng, scratch, cards[: limits[WORLDS]]
    )
    if n_hands == 0:
        return own
    trial = open_trial(position, learned, np.empty(1, np.uint64), scratch)
    worlds = Worlds(trial, places, cards[: deals * n_hands], True, seed)
    actions = np.empty(rules[k.MAX_ACTIONS], np.int64)
    actions[0] = own
    n = _others(policy, worlds, actions)
    return _race(policy, worlds, actions, n, n_hands, masked) if n > 1 else own
