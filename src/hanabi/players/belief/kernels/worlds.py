"""Drawing worlds in which the other seats would have done what they did.

Of a world only the cards in the own hand matter to that: the others have seen them, and nobody has
seen the deck. So the game is played again from the turn on when the oldest of them was drawn.
"""

from __future__ import annotations

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
    END,
    HAND_SIZE,
    IN_PROGRESS,
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
from hanabi.players.endgame.kernels.worlds import ANY_CARD, sample_worlds
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.trials import Trial, begin

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

# How strictly the worlds of a decision agree with what others did: all of them with all that seats
# which do not search did; some with mismatches forgiven; some with no look at it; there are none.
EXACT, RELAXED, UNCHECKED, NO_WORLDS = range(4)
_RELAXED_SLACK = 100  # thousandths of the mismatches that are forgiven then, at least


@jit_hot
def find_hidden(
    policy: BeliefPolicy, position: Packed, memory: Words, places: Words, masks: Words
) -> int:
    """Write the places that the seat to act does not see, and return how many have a mask."""
    rules, state = position.rules, position.state
    seat, n = state[SEAT], 0
    if rules[OPEN_HANDS] == 0:
        for slot in range(n_held(rules, state, seat)):
            places[n] = index_at(rules, state, seat * rules[HAND_SIZE] + slot)
            masks[n] = policies.possible(policy, position, memory, seat, slot)
            n += 1
    masked = n
    for index in range(state[DRAWN], rules[DECK_SIZE]):
        places[n], masks[n] = index, ANY_CARD
        n += 1
    return masked


@jit
def open_past(policy: BeliefPolicy, position: Packed, memory: Words, scratch: Words) -> Trial:
    """Return a trial of the turn when the oldest card of the seat to act was drawn.

    Its deck is a copy, in which worlds are written.
    """
    rules, state, inner = position.rules, position.state, policy.inner
    size, seat, oldest = policies.memory_size(inner, rules), state[SEAT], rules[DECK_SIZE]
    for slot in range(n_held(rules, state, seat)):
        oldest = min(oldest, index_at(rules, state, seat * rules[HAND_SIZE] + slot))
    past = Packed(rules, position.deck.copy(), np.empty_like(state))
    learned = np.empty(size, np.int64)
    deal(past)
    policies.start(inner, past, learned, scratch)
    while past.state[TURN] < state[TURN] and past.state[DRAWN] <= oldest:
        action = memory[size + past.state[TURN]]
        policies.advance(inner, past, learned, action, scratch)
    now = Packed(rules, past.deck, np.empty_like(state))
    return Trial(past, learned, now, np.empty_like(learned), np.zeros(1, np.uint64), scratch)


@jit
def is_believable(
    policy: BeliefPolicy, past: Trial, history: Words, seat: int, slack: Words, rng: RandomStream
) -> bool:
    """Whether all seats but one would have done what they did, had the deck of `past` been dealt.

    A mismatch of a seat is forgiven with `slack` thousandths of chance.
    """
    now = past.now
    begin(past)
    for turn in range(past.start.state[TURN], history.size):
        if now.state[END] != IN_PROGRESS:
            return False
        actor = now.state[SEAT]
        if actor != seat and slack[actor] < SLACK_UNIT:
            action = policies.decide(policy.inner, now, past.rng, past.learned, past.scratch)
            is_forgiven = action == history[turn]
            if not is_forgiven and slack[actor] > 0:
                is_forgiven = below(rng, SLACK_UNIT) < slack[actor]
            if not is_forgiven:
                return False
        policies.advance(policy.inner, now, past.learned, history[turn], past.scratch)
    return bool(now.state[END] == IN_PROGRESS)


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
    past = open_past(policy, position, memory, scratch)
    size = policies.memory_size(policy.inner, rules)
    history = memory[size : size + state[TURN]]
    wanted, n = worlds.shape[0], 0
    for stage in range(NO_WORLDS):
        _write_slack(limits, stage, slack)
        for _ in range(limits[TRIES] * worlds.shape[0]):
            if n == wanted:
                return n, stage
            if sample_worlds(position, places, masks, masked, rng, worlds[n : n + 1]) == 0:
                return 0, NO_WORLDS
            for index in range(masked):
                past.start.deck[places[index]] = worlds[n, index]
            if is_believable(policy, past, history, state[SEAT], slack, rng):
                n += 1
        wanted = (worlds.shape[0] + 3) // 4
        if n >= wanted:
            return n, stage
    return n, NO_WORLDS
