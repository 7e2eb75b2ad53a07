"""Choosing an action by playing on in every world that the seat to act cannot tell apart.

For each action, everybody goes on by the policy; the action with the best average score is taken.
See :mod:`hanabi.players.endgame`. `with_policies` are the three last arguments of the functions of
:mod:`hanabi.players.kernels.policies`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean
from hanabi.game.kernels.rules import (
    CARDS,
    DECK_SIZE,
    DRAWN,
    END,
    HAND_SIZE,
    IN_PROGRESS,
    MAX_ACTIONS,
    SEAT,
    SIZES,
    legal_actions,
    score,
)
from hanabi.players.endgame.kernels.trials import (
    Trials,
    begin_trial,
    is_clear,
    make_trials,
    most_points,
    sort_by_shortfall,
)
from hanabi.players.endgame.kernels.worlds import ANY_CARD, list_worlds, sample_worlds
from hanabi.players.kernels.policies import advance, decide, possible, resume, truthful

Words = npt.NDArray[np.int64]
Worlds = npt.NDArray[np.int64]  # a world a row
RandomStream = npt.NDArray[np.uint64]

# Words of `limits`: most worlds listed; worlds sampled where there are more; most cards left in
# the deck where either is done; standard errors, in hundredths, that a sampled gain must exceed;
# whether seats see their own cards.
WORLDS, SAMPLES, DECK_LEFT, MARGIN, OPEN_HANDS = range(5)
LIMITS = 5


@jit_lean
def _find_hidden(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    limits: Words,
    memory: Words,
    places: Words,
    masks: Words,
    *with_policies: int | None,
) -> int:
    """Write the places that the seat to act does not see, and return how many have a mask."""
    seat, n = state[SEAT], 0
    if limits[OPEN_HANDS] == 0:
        for slot in range(state[rules[SIZES] + seat]):
            places[n] = state[rules[CARDS] + seat * rules[HAND_SIZE] + slot]
            masks[n] = possible(rules, deck, state, options, memory, seat, slot, *with_policies)
            n += 1
    masked = n
    for index in range(state[DRAWN], rules[DECK_SIZE]):
        places[n], masks[n] = index, ANY_CARD
        n += 1
    return masked


@jit
def _find_worlds(
    rules: Words,
    deck: Words,
    limits: Words,
    stream: RandomStream,
    places: Words,
    masks: Words,
    masked: int,
    worlds: Worlds,
) -> tuple[int, int]:
    """Write worlds, and return how many there are and by how much an action must be better."""
    n_worlds = -1
    if limits[WORLDS] > 0:
        n_worlds = list_worlds(rules, deck, places, masks, worlds[: limits[WORLDS]])
    if n_worlds >= 0 or limits[SAMPLES] == 0:
        return n_worlds, 0
    worlds = worlds[: limits[SAMPLES]]
    n_worlds = sample_worlds(rules, deck, places, masks, masked, stream, worlds)
    return n_worlds, int(limits[MARGIN])


@jit_lean
def _gain(
    trials: Trials,
    action: int,
    values: Words,
    order: Words,
    most: int,
    margin: int,
    best: int,
    *with_policies: int | None,
) -> int:
    """Return what an action gains over `values`, summed over all worlds, if that exceeds `best`.

    Otherwise return `best`, as soon as that is clear: no score exceeds `most`. With best < 0
    `values` are written, not read.
    """
    rules, deck, options, room = trials.rules, trials.deck, trials.options, trials.room
    state, memory, n_worlds = trials.after, trials.learned, order.size
    gain, squares, left = 0, 0, 0
    for world in range(n_worlds):
        left += most - values[world]
    for number in range(n_worlds):
        world, follow = order[number], action
        begin_trial(trials, world)
        resume(rules, deck, state, options, memory, room, *with_policies)
        while True:
            advance(rules, deck, state, options, memory, follow, room, *with_policies)
            if state[END] != IN_PROGRESS:
                break
            follow = decide(
                rules, deck, state, options, trials.stream, memory, room, *with_policies
            )
        value = score(rules, state)
        if best < 0:
            values[world] = value
            continue
        left -= most - values[world]
        gain += value - values[world]
        squares += (value - values[world]) ** 2
        if gain + left <= best or (left == 0 and not is_clear(gain, squares, n_worlds, margin)):
            return best
    return int(gain)


@jit
def _is_open(
    trials: Trials,
    action: int,
    *with_policies: int | None,
) -> bool:
    """Whether the conventions leave the action open; asked in a world, so as to see no more."""
    for index in range(trials.places.size):
        trials.deck[trials.places[index]] = trials.worlds[0, index]
    return truthful(
        trials.rules,
        trials.deck,
        trials.state,
        trials.options,
        trials.memory,
        action,
        trials.room,
        *with_policies,
    )


@jit
def search(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    limits: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
    *with_policies: int | None,
) -> int:
    """Return the action with the best average score, or the policy's own if none is better.

    Not cut into smaller functions: each that calls a policy is compiled with all of it again.
    """
    own = decide(rules, deck, state, options, stream, memory, room, *with_policies)
    n_hidden = rules[DECK_SIZE] - state[DRAWN]
    if n_hidden > limits[DECK_LEFT] or limits[WORLDS] + limits[SAMPLES] == 0:
        return own
    if limits[OPEN_HANDS] == 0:
        n_hidden += state[rules[SIZES] + state[SEAT]]
    places, masks = np.empty(n_hidden, np.int64), np.empty(n_hidden, np.int64)
    masked = _find_hidden(
        rules, deck, state, options, limits, memory, places, masks, *with_policies
    )
    worlds = np.empty((max(limits[WORLDS], limits[SAMPLES]), n_hidden), np.int64)
    n_worlds, margin = _find_worlds(rules, deck, limits, stream, places, masks, masked, worlds)
    if n_worlds <= 0:
        return own
    trials = make_trials(
        rules, deck, state, options, stream, memory, room, places, worlds[:n_worlds]
    )
    actions = np.empty(rules[MAX_ACTIONS], np.int64)
    actions = actions[: legal_actions(rules, deck, state, actions)]
    most, best_gain, best = most_points(rules, state), 0, own
    values, order = np.zeros(n_worlds, np.int64), np.arange(n_worlds)
    number = -1
    while number < actions.size and n_worlds * most - values.sum() > best_gain:
        action = own if number < 0 else actions[number]
        if number < 0 or (action != own and _is_open(trials, action, *with_policies)):
            known = -1 if number < 0 else best_gain
            gain = _gain(trials, action, values, order, most, margin, known, *with_policies)
            if number < 0:
                sort_by_shortfall(values, most, order)
            elif gain > best_gain:
                best, best_gain = action, gain
        number += 1
    return int(best)
