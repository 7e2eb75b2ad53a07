"""Drawing worlds in which the other seats would have done what they did.

Of a world only the cards in the own hand matter to that: the others have seen them, and nobody has
seen the deck. So the game is played again once, and every decision since the oldest of them was
drawn is asked anew for each hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import below, seed_stream
from hanabi.game import layout as k
from hanabi.game.kernels.facts import cards_known, index_at, known_at, n_held
from hanabi.game.kernels.rules import deal_from, first_seat
from hanabi.game.kernels.words import Packed
from hanabi.players.belief.kernels.policy import (
    MISREAD,
    SEARCHING,
    SLACK,
    SLACK_UNIT,
    TRIES,
    BeliefPolicy,
)
from hanabi.players.endgame.kernels.worlds import find_hidden, sample_worlds
from hanabi.players.kernels import policy as policies

Weights = npt.NDArray[np.float64]

# How strictly the worlds of a decision agree with what others did: all of them with all that seats
# which do not search did; mismatches of all seats forgiven; there are none.
EXACT, RELAXED, NO_WORLDS = range(3)
_RELAXED_SLACK = 100  # thousandths of the mismatches that are forgiven then, at least
_DOUBT = 100  # thousandths of the worlds in which a partner that may mislead is not believed
_ROUNDS = 4  # of draws, until the weights are about equal
_CHANCES = 1 << 53


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
    slack
        Thousandths of chance that another action than the inner policy's is taken: a row a stage,
        a column a decision.
    order
        Rows in the order in which they are looked at, those that tell worlds apart first.
    """

    now: Packed
    learned: Words
    states: Words
    memories: Words
    actions: Words
    slack: Words
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
    size, seat, oldest = policies.memory_size(inner, rules), state[k.SEAT], rules[k.DECK_SIZE]
    if rules[k.OPEN_HANDS] == 0:
        for slot in range(n_held(rules, state, seat)):
            oldest = min(oldest, index_at(rules, state, seat * rules[k.HAND_SIZE] + slot))
    now, learned = Packed(rules, world, np.empty_like(state)), np.empty(size, np.int64)
    states, memories = (
        np.empty((history.size, state.size), np.int64),
        np.empty((history.size, size), np.int64),
    )
    actions, n = np.empty(history.size, np.int64), 0
    slack = np.empty((NO_WORLDS, history.size), np.int64)
    deal_from(now, first_seat(rules, state))
    policies.start(inner, now, learned, scratch)
    for turn in range(history.size):
        if now.state[k.SEAT] != seat and now.state[k.DRAWN] > oldest:
            states[n], memories[n], actions[n] = now.state, learned, history[turn]
            searches = now.state[k.SEAT] < policy.limits[SEARCHING]
            slack[EXACT, n] = policy.limits[SLACK] if searches else 0
            slack[RELAXED, n] = max(slack[EXACT, n], _RELAXED_SLACK)
            n += 1
        policies.advance(inner, now, learned, history[turn], scratch)
    order = np.arange(n)[::-1].copy()
    return Past(now, learned, states[:n], memories[:n], actions[:n], slack[:, :n], order)


@jit
def weigh_world(
    policy: BeliefPolicy,
    past: Past,
    stage: int,
    floor: float,
    rng: RandomStream,
    scratch: Words,
) -> float:
    """Return how likely the others do what they did, had the deck of `past` been dealt.

    A mismatch makes that so many thousandths of what it was as `past.slack` says. A world that
    falls below `floor` is given up, or counts `floor`, by chance so that it counts the same on
    average.
    """
    now, weight = past.now, 1.0
    for number in range(past.order.size):
        row = past.order[number]
        forgiven = past.slack[stage, row]
        if forgiven == SLACK_UNIT:
            continue
        now.state[:] = past.states[row]
        past.learned[:] = past.memories[row]  # which a decision may use as it likes
        if policies.decide(policy.inner, now, rng, past.learned, scratch) == past.actions[row]:
            continue
        weight *= forgiven / SLACK_UNIT
        if weight < floor or weight == 0:
            if weight == 0 or below(rng, _CHANCES) >= weight / floor * _CHANCES:
                for later in range(number, 0, -1):
                    past.order[later] = past.order[later - 1]
                past.order[0] = row
                return 0.0
            weight = floor
    return weight


@jit_hot
def redeal(cards: Words, first: int, rng: RandomStream) -> None:
    """Shuffle the cards of a world from `first` on, those that are still to be drawn."""
    for last in range(cards.size - 1, first, -1):
        other = first + below(rng, last - first + 1)
        cards[last], cards[other] = cards[other], cards[last]


@jit
def _resample(worlds: Words, weights: Weights, masked: int, rng: RandomStream) -> None:
    """Write worlds that all count the same in place of some with weights (systematic resampling).

    They come in an order by chance. What is still to be drawn is dealt anew.
    """
    n, drawn, total = weights.size, worlds[: weights.size].copy(), weights.sum()
    if weights.min() == weights.max():
        return
    offset = below(rng, _CHANCES) / _CHANCES
    order, source, reached = np.arange(n), 0, weights[0]
    redeal(order, 0, rng)
    for number in range(n):
        while source < n - 1 and reached * n <= (number + offset) * total:
            source += 1
            reached += weights[source]
        worlds[order[number]] = drawn[source]
        redeal(worlds[order[number]], masked, rng)


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

    If there are fewer than a quarter after so many tries, that quarter is wanted of the next stage.
    `places` gets the deck indices of the cards of a world.
    """
    rules, state, limits = position.rules, position.state, policy.limits
    masks, hinted, doubt = np.empty_like(places), np.empty_like(places), 0
    masked = find_hidden(policy, position, memory, places, masks)
    for slot in range(masked):
        known = known_at(rules, state, state[k.SEAT] * rules[k.HAND_SIZE] + slot)
        hinted[slot] = cards_known(rules, known)
    if limits[MISREAD] != 0 and limits[SEARCHING] > 1:
        doubt = _DOUBT
    if sample_worlds(position, places, masks, masked, rng, worlds[:1]) == 0:
        doubt = SLACK_UNIT
        if sample_worlds(position, places, hinted, masked, rng, worlds[:1]) == 0:
            return 0, NO_WORLDS
    deck = position.deck.copy()
    for index in range(places.size):
        deck[places[index]] = worlds[0, index]
    size, quarter = policies.memory_size(policy.inner, rules), (worlds.shape[0] + 3) // 4
    past = open_past(policy, position, deck, memory[size : size + state[k.TURN]], scratch)
    weights = np.empty(worlds.shape[0], np.float64)
    wanted, floor, stage, number = worlds.shape[0], 0.0, EXACT, 0
    while stage < NO_WORLDS:
        n, tries = 0, limits[TRIES] * worlds.shape[0]
        while n < wanted and tries > 0:
            tries -= 1
            fitting = hinted if doubt > 0 and below(rng, SLACK_UNIT) < doubt else masks
            if sample_worlds(position, places, fitting, masked, rng, worlds[n : n + 1]) == 0:
                break
            for index in range(masked):
                deck[places[index]] = worlds[n, index]
            weights[n] = weigh_world(policy, past, stage, floor, rng, scratch)
            n += weights[n] > 0
        number += 1
        if n < quarter:
            stage, wanted, floor, number = stage + 1, quarter, 0.0, 0
            continue
        total, squares = weights[:n].sum(), (weights[:n] ** 2).sum()
        if total * total >= 0.5 * n * squares or number == _ROUNDS:
            _resample(worlds, weights[:n], masked, rng)
            return n, stage
        floor = max(squares / total, 2 * floor)  # the weight of what is likely
    return 0, NO_WORLDS


@jit
def deal_again(worlds: Words, n: int, masked: int, row: int, seed: np.uint64) -> None:
    """Write row `row` of `worlds`: the hand of row `row` - `n`, with the rest dealt anew.

    The order of the rest follows from `seed` and `row`.
    """
    rng = np.empty(1, np.uint64)
    seed_stream(rng, seed, np.uint64(row))
    worlds[row] = worlds[row - n]
    redeal(worlds[row], masked, rng)
