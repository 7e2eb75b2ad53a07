"""Search on top of the convention player: each action tried in worlds that could be the real one.

A world gives the seat to act a hand that fits what it knows, and the deck an order. The game is
played on from every candidate by the player without search, in all worlds alike. The player's own
choice is left only for one that is better by `MARGIN` tenths of the standard error of the mean
difference. Candidates that fall behind by a standard error are dropped on the way.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hanabi.kernels import convention, jit, jit_inline
from hanabi.kernels.convention_hands import WRONG, outlook, write_own
from hanabi.kernels.convention_hints import MARGIN, SEARCH_FROM, WORLDS, load_hand, tell
from hanabi.kernels.convention_sets import (
    PLAYABLE,
    UNSEEN,
    hand_room,
    weigh,
)
from hanabi.kernels.convention_worlds import fill_pool, imagine
from hanabi.kernels.deals import start_deal
from hanabi.kernels.game import (
    BOMBED,
    DECK_SIZE,
    DISCARD,
    DRAWN,
    END,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    IN_PROGRESS,
    MAX_ACTIONS,
    PLAY,
    POINTS,
    STATE_SIZE,
    legal_actions,
    score,
    touched_slots,
)
from hanabi.kernels.rng import seed_stream, word

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

FEWEST = 6  # worlds before a candidate may be dropped


# Parts of `room` after the player's own.
WORLD, POOL, AFTER, KNOWLEDGE, OWN_HAND, ACTIONS, TOTALS, SQUARES, PARTS = range(1, 10)


@jit
def _list_candidates(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    room: Words,
    actions: Words,
    legal: Words,
) -> int:
    """Write what is worth a try after actions[0]; no untrue hints and no hopeless plays."""
    told, trial = hand_room(rules, convention.TOLD), hand_room(rules, convention.TRIAL)
    own, kept = hand_room(rules, convention.OWN), 1
    for index in range(legal_actions(rules, deck, state, legal)):
        action = legal[index]
        kind, target = action & 7, action >> 8
        is_good = kind == DISCARD
        if kind == PLAY:
            cards = room[own + target]
            chance = weigh(room, UNSEEN, cards & room[PLAYABLE])
            is_good = 3 * chance >= weigh(room, UNSEEN, cards)
        elif kind == HINT_COLOR or kind == HINT_RANK:
            load_hand(rules, state, memory, target, room, told)
            touched = touched_slots(rules, deck, state, action)
            tell(rules, state, options, touched, action, room, told)
            is_good = convention.is_true(rules, deck, state, target, room, told) and (
                outlook(rules, deck, state, options, target, room, told, trial) != WRONG
            )
        if is_good and action != actions[0]:
            actions[kept] = action
            kept += 1
    return kept


@jit
def _play_on(
    rules: Words,
    world: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    action: int,
    room: Words,
) -> int:
    """Play a world to its end, `action` first; return the score. Changes `state` and `memory`."""
    convention.advance(rules, world, state, options, memory, action, room)
    while state[END] == IN_PROGRESS:
        action = convention.decide(rules, world, state, options, stream, memory, room)
        convention.advance(rules, world, state, options, memory, action, room)
    return score(rules, state)


@jit_inline
def _copy(source: Words, target: Words) -> None:
    for index in range(target.size):
        target[index] = source[index]


@jit
def _part(rules: Words, number: int) -> int:
    """Return where a part of `room` begins; part 0 is the player's own room."""
    deck, actions = rules[DECK_SIZE], rules[MAX_ACTIONS]
    start = convention.room_size(rules)
    if number >= POOL:
        start += deck
    if number >= AFTER:
        start += deck
    if number >= KNOWLEDGE:
        start += rules[STATE_SIZE]
    if number >= OWN_HAND:
        start += convention.memory_size(rules)
    if number >= ACTIONS:
        start += 2 * rules[HAND_SIZE] + (number - ACTIONS) * actions
    return int(start)


@jit
def room_size(rules: Words) -> int:
    """Return the number of words of `room` that `decide` needs."""
    return _part(rules, PARTS)


@jit
def _try_in_a_world(
    rules: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
    n: int,
) -> None:
    """Play the world in `room` on from each of `n` actions; add up differences to the first."""
    small, world = room[: _part(rules, WORLD)], room[_part(rules, WORLD) : _part(rules, POOL)]
    after = room[_part(rules, AFTER) : _part(rules, KNOWLEDGE)]
    knowledge = room[_part(rules, KNOWLEDGE) : _part(rules, OWN_HAND)]
    actions, totals = _part(rules, ACTIONS), _part(rules, TOTALS)
    squares, yardstick = _part(rules, SQUARES), 0
    for index in range(n):
        _copy(state, after)
        _copy(memory, knowledge)
        action = int(room[actions + index])
        points = _play_on(rules, world, after, options, stream, knowledge, action, small)
        if index == 0:
            yardstick = points
        difference = points - yardstick
        room[totals + index] += difference
        room[squares + index] += difference * difference


@jit
def _drop(rules: Words, room: Words, n: int, worlds: int) -> int:
    """Drop the candidates that are worse than the first by a standard error, or never differ."""
    actions, totals = _part(rules, ACTIONS), _part(rules, TOTALS)
    squares, index = _part(rules, SQUARES), 1
    while index < n:
        total, square = room[totals + index], room[squares + index]
        if total <= 0 and total * total * worlds >= square * worlds - total * total:
            n -= 1
            for part in (actions, totals, squares):
                room[part + index] = room[part + n]
        else:
            index += 1
    return n


@jit
def _best(rules: Words, options: Words, room: Words, n: int, worlds: int) -> int:
    """Return the action with the best total among those that are better by the margin."""
    actions, totals = _part(rules, ACTIONS), _part(rules, TOTALS)
    squares, best = _part(rules, SQUARES), 0
    for index in range(1, n):
        total = room[totals + index]
        spread = math.sqrt(max(room[squares + index] - total * total / worlds, 0.0))
        if total > room[totals + best] and 10.0 * total > options[MARGIN] * spread:
            best = index
    return int(room[actions + best])


@jit
def search(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    seed: np.uint64,
    memory: Words,
    room: Words,
) -> int:
    """Return the action of the seat to act, drawing worlds from the stream of `seed`."""
    stream = np.empty(1, np.uint64)
    seed_stream(stream, seed, np.uint64(0))
    small = room[: _part(rules, WORLD)]
    action = convention.decide(rules, deck, state, options, stream, memory, small)
    if rules[DECK_SIZE] - state[DRAWN] > options[SEARCH_FROM]:
        return action
    world = room[_part(rules, WORLD) : _part(rules, POOL)]
    pool = room[_part(rules, POOL) : _part(rules, AFTER)]
    own = room[_part(rules, OWN_HAND) : _part(rules, ACTIONS)]
    actions = room[_part(rules, ACTIONS) : _part(rules, TOTALS)]
    totals, squares = _part(rules, TOTALS), _part(rules, SQUARES)
    write_own(rules, deck, state, options, memory, small, hand_room(rules, convention.OWN))
    for index in range(own.size):
        own[index] = small[hand_room(rules, convention.OWN) + index]
    actions[0] = action
    n = _list_candidates(rules, deck, state, options, memory, small, actions, room[totals:squares])
    n_pool = fill_pool(rules, state, small, pool)
    _copy(deck, world)
    for index in range(n):
        room[totals + index] = room[squares + index] = 0
    worlds = 0
    while n > 1 and worlds < options[WORLDS]:
        worlds += 1
        imagine(rules, state, stream, pool, n_pool, own, world)
        _try_in_a_world(rules, state, options, stream, memory, room, n)
        if worlds >= FEWEST:
            n = _drop(rules, room, n, worlds)
    return _best(rules, options, room, n, worlds) if worlds > 0 else action


@jit
def decide(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
) -> int:
    """Return the action of the seat to act; draws a word from the stream if it may search."""
    if options[WORLDS] == 0:
        return convention.decide(rules, deck, state, options, stream, memory, room)
    return search(rules, deck, state, options, word(stream), memory, room)


@jit
def play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: npt.NDArray[np.uint64],
    first: int,
    outcomes: Words,
) -> None:
    """Play the deals `first`, `first` + 1, ... to the end; write `points << 1 | is_bombed` each."""
    stream = np.empty(1, np.uint64)
    state = np.empty(rules[STATE_SIZE], np.int64)
    deck = np.empty(cards.size, np.int64)
    memory = np.empty(convention.memory_size(rules), np.int64)
    room = np.empty(room_size(rules), np.int64)
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        convention.start(rules, deck, state, options, memory, room)
        while state[END] == IN_PROGRESS:
            action = decide(rules, deck, state, options, stream, memory, room)
            convention.advance(rules, deck, state, options, memory, action, room)
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
