"""Play-outs to the game's end by the rule-based player, and the choice among actions.

All actions are tried in the same worlds, so that luck of the deal counts for none of them, and the
worse half is given up each time that a share of the play-outs is spent (sequential halving: Karnin,
Koren & Somekh, ICML 2013). What the rule-based player would do itself is never given up: another
action is taken only if it is better beyond doubt.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean
from hanabi.compiled.rng import seed_stream, word
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import (
    BOMBED,
    DECK_SIZE,
    DISCARD,
    END,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    IN_PROGRESS,
    KNOWN,
    MAX_ACTIONS,
    PLAY,
    POINTS,
    RANK_BITS,
    SEAT,
    SIZES,
    STATE_SIZE,
    hint_bit,
    legal_actions,
    score,
)
from hanabi.players.monte_carlo.kernels.worlds import draw_world, prepare_worlds, worlds_size
from hanabi.players.rule_based.kernels import policy

__all__ = ["choose", "list_candidates", "play_games", "play_on", "put_first", "room_size"]

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

# Words of `options`; those of the policy follow.
PLAYOUTS, CAUTION, OPEN_HANDS, POLICY = range(4)
CAUTION_UNIT = 1000

_COLOR_BITS = (1 << RANK_BITS) - 1


@jit_lean
def _tells_nothing(rules: Words, state: Words, action: int) -> bool:
    """Whether every card is known already to have, or not to have, what is hinted."""
    seat = action >> 8
    bit = hint_bit(action & 7, action >> 3 & 31)
    half = _COLOR_BITS if action & 7 == HINT_COLOR else ~_COLOR_BITS
    first = rules[KNOWN] + seat * rules[HAND_SIZE]
    for place in range(first, first + state[rules[SIZES] + seat]):
        if state[place] & bit and state[place] & half != bit:
            return False
    return True


@jit_lean
def list_candidates(rules: Words, deck: Words, state: Words, is_open: bool, actions: Words) -> int:
    """Write the legal actions that are worth a trial to `actions`, and return their number.

    Slots of which the same is known have the same prospects, unless hands are open: one of them is
    enough. So is one of the hints that tell nothing.
    """
    n, kept, is_told = legal_actions(rules, deck, state, actions), 0, False
    first = rules[KNOWN] + state[SEAT] * rules[HAND_SIZE]
    for i in range(n):
        action, is_new = actions[i], True
        kind, slot = action & 7, action >> 8
        if kind == PLAY or kind == DISCARD:
            for other in range(0 if is_open else slot):
                if state[first + other] == state[first + slot]:
                    is_new = False
        elif (kind == HINT_COLOR or kind == HINT_RANK) and _tells_nothing(rules, state, action):
            is_new, is_told = not is_told, True
        if is_new:
            actions[kept] = action
            kept += 1
    return kept


@jit_lean
def play_on(
    rules: Words,
    world: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
) -> int:
    """Let the policy play to the end, and return the score."""
    while state[END] == IN_PROGRESS:
        action = policy.decide(rules, world, state, options, stream, memory, room)
        policy.advance(rules, world, state, options, memory, action, room)
    return score(rules, state)


@jit_lean
def _sort(actions: Words, gains: Words, squares: Words, n: int) -> None:
    """Put the actions after the first in the order of their gains, the best first."""
    for i in range(2, n):
        action, gain, square, j = actions[i], gains[i], squares[i], i
        while j > 1 and gains[j - 1] < gain:
            actions[j], gains[j], squares[j] = actions[j - 1], gains[j - 1], squares[j - 1]
            j -= 1
        actions[j], gains[j], squares[j] = action, gain, square


@jit_lean
def put_first(actions: Words, n: int, action: int) -> int:
    """Put an action first, and return the number of actions: it may be a new one."""
    for i in range(n):
        if actions[i] == action:
            actions[i], actions[0] = actions[0], action
            return n
    actions[n], actions[0] = actions[0], action
    return n + 1


@jit_lean
def _try_all(
    rules: Words,
    world: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    start: Words,
    room: Words,
    actions: Words,
    gains: Words,
    squares: Words,
    n: int,
    future: Words,
    memory: Words,
) -> None:
    """Try the actions in a world, and add up how much better than the first they are."""
    points = 0
    for i in range(n):
        for index in range(rules[STATE_SIZE]):
            future[index] = state[index]
        for index in range(memory.size):
            memory[index] = start[index]
        policy.advance(rules, world, future, options, memory, actions[i], room)
        gain = play_on(rules, world, future, options, stream, memory, room) - points
        if i == 0:
            points, gain = gain, 0
        gains[i] += gain
        squares[i] += gain * gain


@jit_lean
def _count_rounds(n: int) -> int:
    """Return how often `n` actions can be halved until one is left."""
    rounds = 0
    while 1 << rounds < n:
        rounds += 1
    return rounds


@jit
def room_size(rules: Words) -> int:
    """Return the number of words that `choose` works with."""
    return int(
        worlds_size(rules)
        + rules[DECK_SIZE]
        + rules[STATE_SIZE]
        + 2 * policy.memory_size(rules)
        + 3 * (rules[MAX_ACTIONS] + 1)
        + policy.room_size(rules)
    )


@jit
def choose(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
) -> int:
    """Return the action to take. The stream is the decision's own, `memory` the policy's."""
    memory_size, most = policy.memory_size(rules), rules[MAX_ACTIONS] + 1
    size = worlds_size(rules)
    world, size = room[size : size + rules[DECK_SIZE]], size + rules[DECK_SIZE]
    future, size = room[size : size + rules[STATE_SIZE]], size + rules[STATE_SIZE]
    trial, size = room[size : size + memory_size], size + memory_size
    start, size = room[size : size + memory_size], size + memory_size
    actions, size = room[size : size + most], size + most
    gains, size = room[size : size + most], size + most
    squares, size = room[size : size + most], size + most
    own, playing = room[size:], options[POLICY:]
    usual = policy.decide(rules, deck, state, playing, stream, memory, own)
    for index in range(memory_size):
        start[index] = memory[index]
    is_open = options[OPEN_HANDS] != 0
    n = put_first(actions, list_candidates(rules, deck, state, is_open, actions), usual)
    for i in range(n):
        gains[i] = squares[i] = 0
    prepare_worlds(rules, deck, state, is_open, world, room)
    rounds, done = _count_rounds(n), 0
    for _ in range(rounds):
        worlds = max(options[PLAYOUTS] // (rounds * n), 1)
        for _ in range(worlds):
            draw_world(rules, state, rules[DECK_SIZE], stream, world, room)
            policy.resume(rules, world, state, playing, start, own)
            _try_all(
                rules,
                world,
                state,
                playing,
                stream,
                start,
                own,
                actions,
                gains,
                squares,
                n,
                future,
                trial,
            )
        done += worlds
        _sort(actions, gains, squares, n)
        n = max((n + 1) // 2, 2)
    if n < 2:
        return int(usual)
    # Of few deals all differences can be equal: count one more that differs by a point.
    spread = math.sqrt(1 + squares[1] - gains[1] * gains[1] / done)
    is_better = gains[1] * CAUTION_UNIT > options[CAUTION] * spread
    return int(actions[1] if is_better else usual)


@jit
def play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: npt.NDArray[np.uint64],
    first: int,
    outcomes: Words,
) -> None:
    """Play deals to the end, and write an outcome each; see `hanabi.players.protocol`."""
    stream, own = np.empty(1, np.uint64), np.empty(1, np.uint64)
    state = np.empty(rules[STATE_SIZE], np.int64)
    memory = np.empty(policy.memory_size(rules), np.int64)
    room = np.empty(room_size(rules), np.int64)
    deck, playing = np.empty(cards.size, np.int64), options[POLICY:]
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        policy.start(rules, deck, state, playing, memory, room)
        while state[END] == IN_PROGRESS:
            seed_stream(own, word(stream), np.uint64(0))
            action = choose(rules, deck, state, options, own, memory, room)
            policy.advance(rules, deck, state, playing, memory, action, room)
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
