"""Rule-based play-outs to the end of the game, and the choice among actions.

All actions are tried in the same worlds, so that the luck of the deal favours none. The worse half
is dropped each time a share of the play-outs is spent (sequential halving: Karnin, Koren & Somekh,
ICML 2013). The inner player's own action is never dropped: another one is taken only if it is
clearly better.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import split
from hanabi.game import layout as k
from hanabi.game.kernels.facts import known_at, n_held
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.packed import Packed, clue_bit, kind_of, target_of, value_of
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.games import Trial, open_trial, play_out
from hanabi.players.kernels.policy import Policy, keeps_inner_memory
from hanabi.players.monte_carlo.kernels.playouts import draw_world, prepare_worlds, worlds_size

# Words of `options`.
PLAYOUTS, CAUTION = range(2)
CAUTION_UNIT = 1000


@jit_hot
def _tells_nothing(rules: Words, state: Words, action: int) -> bool:
    """Whether the hint adds nothing to what is known of any card."""
    seat = target_of(action)
    bit = clue_bit(kind_of(action), value_of(action))
    half = k.COLOR_BITS if kind_of(action) == k.HINT_COLOR else ~k.COLOR_BITS
    first = seat * rules[k.HAND_SIZE]
    for place in range(first, first + n_held(rules, state, seat)):
        known = known_at(rules, state, place)
        if known & bit and known & half != bit:
            return False
    return True


@jit_hot
def list_candidates(position: Packed, actions: Words) -> int:
    """Write the legal actions worth trying to `actions`, and return their number.

    Unless hands are open, slots with the same knowledge have the same prospects, so one of them is
    enough. So is one of the hints that add nothing.
    """
    rules, state = position.rules, position.state
    n, kept, is_told = legal_actions(position, actions), 0, False
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for i in range(n):
        action, is_new = actions[i], True
        kind, slot = kind_of(action), target_of(action)
        if kind == k.PLAY or kind == k.DISCARD:
            for other in range(0 if rules[k.OPEN_HANDS] else slot):
                if known_at(rules, state, first + other) == known_at(rules, state, first + slot):
                    is_new = False
        elif (kind == k.HINT_COLOR or kind == k.HINT_RANK) and _tells_nothing(rules, state, action):
            is_new, is_told = not is_told, True
        if is_new:
            actions[kept] = action
            kept += 1
    return kept


@keeps_inner_memory
class RolloutsPolicy(NamedTuple):
    """The searching policy and the inner policy of its play-outs."""

    inner: Policy
    options: Words


class Contest(NamedTuple):
    """Actions with their gains over the first: sums, and sums of squares."""

    actions: Words
    gains: Words
    squares: Words


@jit_hot
def _sort(contest: Contest, n: int) -> None:
    """Sort the actions after the first by their gains, the best first."""
    actions, gains, squares = contest
    for i in range(2, n):
        action, gain, square, j = actions[i], gains[i], squares[i], i
        while j > 1 and gains[j - 1] < gain:
            actions[j], gains[j], squares[j] = actions[j - 1], gains[j - 1], squares[j - 1]
            j -= 1
        actions[j], gains[j], squares[j] = action, gain, square


@jit_hot
def put_first(actions: Words, n: int, action: int) -> int:
    """Put an action first, adding it if it is new, and return the number of actions."""
    for i in range(n):
        if actions[i] == action:
            actions[i], actions[0] = actions[0], action
            return n
    actions[n], actions[0] = actions[0], action
    return n + 1


@jit_hot
def _try_all(inner: Policy, trial: Trial, contest: Contest, n: int) -> None:
    """Try the actions in a world, and add up their gains over the first."""
    points = 0
    for i in range(n):
        gain = play_out(inner, trial, contest.actions[i]) - points
        if i == 0:
            points, gain = gain, 0
        contest.gains[i] += gain
        contest.squares[i] += gain * gain


@jit_hot
def _count_rounds(n: int) -> int:
    """Return how often `n` actions can be halved until one is left."""
    rounds = 0
    while 1 << rounds < n:
        rounds += 1
    return rounds


@policies.scratch_size.register(RolloutsPolicy)
@jit_hot
def _scratch_size(policy: RolloutsPolicy, rules: Words) -> int:
    return worlds_size(rules) + policies.scratch_size(policy.inner, rules)


@policies.decide.register(RolloutsPolicy)
@jit
def decide(
    policy: RolloutsPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> int:
    """Return the action to take."""
    rules, state = position.rules, position.state
    inner, options = policy.inner, policy.options
    own, free = split(rng), scratch[worlds_size(rules) :]
    trial = open_trial(position, memory, own, free)
    most = rules[k.MAX_ACTIONS] + 1
    contest = Contest(np.empty(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64))
    usual = policies.decide(inner, position, own, memory, free)
    n = put_first(contest.actions, list_candidates(position, contest.actions), usual)
    prepare_worlds(position, trial.start.deck, scratch)
    rounds, done = _count_rounds(n), 0
    for _ in range(rounds):
        worlds = max(options[PLAYOUTS] // (rounds * n), 1)
        for _ in range(worlds):
            draw_world(rules, state, rules[k.DECK_SIZE], own, trial.start.deck, scratch)
            policies.resume(inner, trial.start, trial.memory, free)
            _try_all(inner, trial, contest, n)
        done += worlds
        _sort(contest, n)
        n = max((n + 1) // 2, 2)
    if n < 2:
        return int(usual)
    # In few deals all differences can be equal, so count one more that differs by a point.
    gain, squares = contest.gains[1], contest.squares[1]
    spread = math.sqrt(1 + squares - gain * gain / done)
    is_better = gain * CAUTION_UNIT > options[CAUTION] * spread
    return int(contest.actions[1] if is_better else usual)
