"""Drawing worlds in which the other seats would have done what they did.

Of a world only the cards in the own hand matter to that: the others have seen them, and nobody has
seen the deck. So the game is played again once, and every decision since the oldest of them was
drawn is asked anew for each hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import below
from hanabi.game.kernels.facts import index_at, n_held
from hanabi.game.kernels.rules import deal
from hanabi.game.kernels.words import (
    DECK_SIZE,
    DRAWN,
    HAND_SIZE,
    OPEN_HANDS,
    SEAT,
    SEATS,
    TURN,
    Packed,
)
from hanabi.players.belief.kernels.policy import (
    SEARCHING,
    SLACK,
    SLACK_UNIT,
    TRIES,
    BeliefPolicy,
)
from hanabi.players.endgame.kernels.worlds import find_hidden, sample_worlds
from hanabi.players.kernels import policy as policies

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

# How strictly the worlds of a decision agree with what others did: all of them with all that seats
# which do not search did; some with mismatches forgiven; some with no look at it; there are none.
EXACT, RELAXED, UNCHECKED, NO_WORLDS = range(4)
_RELAXED_SLACK = 100  # thousandths of the mismatches that are forgiven then, at least


class Past(NamedTuple):
    """The decisions of other seats for which the cards now in the own hand may have counted.

    Attributes
    ----------
    now
        Rules, the deck of a world, and a free state.
    learned
        Room for what is remembered.
    states, memories
        The position and what the inner policy remembered at each, a row a decision.
    actions
        What was done.
    order
        Rows in the order in which they are looked at, those that tell worlds apart first.
    """

    now: Packed
    learned: Words
    states: Words
    memories: Words
    actions: Words
    order: Words


@jit
def open_past(
    policy: BeliefPolicy, position: Packed, world: Words, history: Words, scratch: Words
) -> Past:
    """Play the game again with the deck `world`, and return the decisions to ask about.

    Positions, but for the hidden cards, and memories are the same in all worlds: what is remembered
    is public.
    """
    rules, state, inner = position.rules, position.state, policy.inner
    size, seat, oldest = policies.memory_size(inner, rules), state[SEAT], rules[DECK_SIZE]
    if rules[OPEN_HANDS] == 0:
        for slot in range(n_held(rules, state, seat)):
            oldest = min(oldest, index_at(rules, state, seat * rules[HAND_SIZE] + slot))
    now, learned = Packed(rules, world, np.empty_like(state)), np.empty(size, np.int64)
    states, memories = (
        np.empty((history.size, state.size), np.int64),
        np.empty((history.size, size), np.int64),
    )
    actions, n = np.empty(history.size, np.int64), 0
    deal(now)
    policies.start(inner, now, learned, scratch)
    for turn in range(history.size):
        if now.state[SEAT] != seat and now.state[DRAWN] > oldest:
            states[n], memories[n], actions[n] = now.state, learned, history[turn]
            n += 1
        policies.advance(inner, now, learned, history[turn], scratch)
    order = np.arange(n)[::-1].copy()
    return Past(now, learned, states[:n], memories[:n], actions[:n], order)


@jit
def is_believable(
    policy: BeliefPolicy, past: Past, slack: Words, rng: RandomStream, scratch: Words
) -> bool:
    """Whether the others would have done what they did, had the deck of `past` been dealt.

    A mismatch of a seat is forgiven with `slack` thousandths of chance.
    """
    now = past.now
    for number in range(past.order.size):
        row = past.order[number]
        forgiven = slack[past.states[row, SEAT]]
        if forgiven == SLACK_UNIT:
            continue
        now.state[:] = past.states[row]
        past.learned[:] = past.memories[row]  # which a decision may use as it likes
        action = policies.decide(policy.inner, now, rng, past.learned, scratch)
        if action != past.actions[row] and (forgiven == 0 or below(rng, SLACK_UNIT) >= forgiven):
            for later in range(number, 0, -1):
                past.order[later] = past.order[later - 1]
            past.order[0] = row
            return False
    return True


@jit_hot
def _write_slack(limits: Words, stage: int, slack: Words) -> None:
    """Write for each seat how much is forgiven it at a stage."""
    for seat in range(slack.size):
        slack[seat] = limits[SLACK] if seat < limits[SEARCHING] else 0
        if stage == RELAXED:
            slack[seat] = max(slack[seat], _RELAXED_SLACK)
        elif stage == UNCHECKED:
            slack[seat] = SLACK_UNIT


@jit
def draw_beliefs(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    places: Words,
    rng: RandomStream,
    scratch: Words,
    worlds: Words,
) -> tuple[int, int]:
    """Fill `worlds`, and return how many there are, and how strict they are.

    If there are fewer than a quarter after so many tries, the next stage fills up that quarter.
    `places` gets the deck indices of the cards of a world.
    """
    rules, state, limits = position.rules, position.state, policy.limits
    masks, slack = np.empty_like(places), np.empty(rules[SEATS], np.int64)
    masked = find_hidden(policy, position, memory, places, masks)
    if sample_worlds(position, places, masks, masked, rng, worlds[:1]) == 0:
        return 0, NO_WORLDS
    deck = position.deck.copy()
    for index in range(places.size):
        deck[places[index]] = worlds[0, index]
    size = policies.memory_size(policy.inner, rules)
    past = open_past(policy, position, deck, memory[size : size + state[TURN]], scratch)
    wanted, n = worlds.shape[0], 0
    for stage in range(NO_WORLDS):
        _write_slack(limits, stage, slack)
        for _ in range(limits[TRIES] * worlds.shape[0]):
            if n == wanted:
                return n, stage
            if sample_worlds(position, places, masks, masked, rng, worlds[n : n + 1]) == 0:
                break
            for index in range(masked):
                deck[places[index]] = worlds[n, index]
            n += is_believable(policy, past, slack, rng, scratch)
        wanted = (worlds.shape[0] + 3) // 4
        if n >= wanted:
            return n, stage
    return n, NO_WORLDS
