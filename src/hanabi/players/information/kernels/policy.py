"""The information player: decisions, what they tell, and whole games.

:mod:`hanabi.players.information.player` says what it does. `memory` is public knowledge, the same
for all seats (see `knowledge`); `room` is for scratch. At most 62 different cards.
"""

# ruff: noqa: ARG001 (all policies take the same arguments)

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.lean import jit_lean
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import (
    BOMBED,
    CARDS,
    END,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    IN_PROGRESS,
    POINTS,
    SEAT,
    SEATS,
    STATE_SIZE,
    step,
)
from hanabi.players.information.kernels.decisions import decide
from hanabi.players.information.kernels.hints import (
    ask,
    choices,
    hear,
    message,
    nth_slot,
    plan_codes,
)
from hanabi.players.information.kernels.knowledge import (
    ALL,
    begin,
    count_left,
    eliminate,
    judge,
    n_levels,
    n_sets,
    pin,
)
from hanabi.players.information.kernels.options import (
    at_counts,
    at_free,
    at_hands,
    at_own,
    at_planes,
    at_told,
    room_size,
)

__all__ = [
    "advance",
    "decide",
    "memory_size",
    "play_games",
    "possible",
    "replay",
    "resume",
    "room_size",
    "start",
    "truthful",
]

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]


@jit_lean
def memory_size(rules: Words) -> int:
    """Return the number of words of `memory`."""
    return int(rules[SEATS] * rules[HAND_SIZE] + n_levels(rules))


@jit_lean
def start(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words
) -> None:
    """Write the memory of a position of which everybody knows what hints say, and no more."""
    sets = room[: n_sets(rules)]
    judge(rules, state, sets)
    begin(rules, state, sets, memory, room[at_counts(rules) : at_planes(rules)])


@jit_lean
def resume(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words
) -> None:
    """Do nothing: public knowledge does not depend on hidden cards."""


@jit_lean
def possible(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, seat: int, slot: int
) -> int:
    """Return the set of cards that a slot can hold as far as everybody knows."""
    return int(memory[seat * rules[HAND_SIZE] + slot])


@jit_lean
def truthful(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    action: int,
    room: Words,
) -> bool:
    """Return whether a legal action of the seat to act tells the others nothing false."""
    sets = room[: n_sets(rules)]
    judge(rules, state, sets)
    pin(memory, rules[SEATS] * rules[HAND_SIZE], sets)
    if action & 7 == HINT_COLOR or action & 7 == HINT_RANK:
        messages = plan_codes(rules, state, options, memory, room)
        if messages == 0:
            return True
        wanted = ask(rules, deck, state, options, memory, messages, room, -1, 0)
        return message(rules, deck, state, action, room) == wanted
    slots = choices(rules, state, options, memory, sets, action)
    if slots == 0:
        return True
    said = ask(rules, deck, state, options, memory, count_bits(slots), room, -1, 0)
    return nth_slot(slots, said) == action >> 8


@jit_lean
def _advance(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    action: int,
    room: Words,
    blind: int,
) -> None:
    """Advance, without a look at the cards in the hand of seat `blind` that it has not played."""
    n = rules[SEATS] * rules[HAND_SIZE]
    sets, told = room[: n_sets(rules)], room[at_told(rules) : at_free(rules)]
    judge(rules, state, sets)
    pin(memory, n, sets)
    messages, said = 0, 0
    if action & 7 == HINT_COLOR or action & 7 == HINT_RANK:
        messages = plan_codes(rules, state, options, memory, room)
        said = message(rules, deck, state, action, room)
    else:
        slots = choices(rules, state, options, memory, sets, action)
        messages = count_bits(slots)
        said = count_bits(slots & (1 << (action >> 8)) - 1)
    if messages > 0:
        ask(rules, deck, state, options, memory, messages, room, blind, said)
        if action & 7 == HINT_COLOR or action & 7 == HINT_RANK:
            hear(rules, deck, state, sets, action, told)
        for place in range(n):
            memory[place] = told[place]
    _move(rules, deck, state, action, memory, sets[ALL], room)
    counts = room[at_counts(rules) : at_planes(rules)]
    count_left(rules, state, counts)
    eliminate(memory[:n], counts, memory[n:])


@jit_lean
def advance(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    action: int,
    room: Words,
) -> None:
    """Take a legal action, anybody's, in `state` and bring `memory` up to date.

    The action is taken for truthful.
    """
    _advance(rules, deck, state, options, memory, action, room, -1)


@jit_lean
def _move(
    rules: Words, deck: Words, state: Words, action: int, memory: Words, new: int, room: Words
) -> None:
    """Take an action; what is known of a card moves with it."""
    hand = rules[HAND_SIZE]
    first = state[SEAT] * hand
    masks, indices = room[at_own(rules) : at_hands(rules)], room[at_hands(rules) : at_told(rules)]
    for slot in range(hand):
        masks[slot] = memory[first + slot]
        indices[slot] = state[rules[CARDS] + first + slot]
    step(rules, deck, state, action)
    for slot in range(hand):
        index = state[rules[CARDS] + first + slot]
        memory[first + slot] = new if index >= 0 else 0
        for old in range(hand):
            if index >= 0 and indices[old] == index:
                memory[first + slot] = masks[old]


@jit
def replay(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    actions: Words,
    room: Words,
    blind: int,
) -> None:
    """Take actions from the deal on, as seat `blind` sees them.

    `deck` may hold any cards that hints allow in its hand.
    """
    start(rules, deck, state, options, memory, room)
    for turn in range(actions.size):
        _advance(rules, deck, state, options, memory, actions[turn], room, blind)


@jit
def play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: npt.NDArray[np.uint64],
    first: int,
    outcomes: Words,
) -> None:
    """Play the deals `first`, `first` + 1, ... to the end; as `rule_based.play_games`."""
    stream = np.empty(1, np.uint64)
    state = np.empty(rules[STATE_SIZE], np.int64)
    memory = np.empty(memory_size(rules), np.int64)
    room = np.empty(room_size(rules), np.int64)
    deck = np.empty(cards.size, np.int64)
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        start(rules, deck, state, options, memory, room)
        while state[END] == IN_PROGRESS:
            action = decide(rules, deck, state, options, stream, memory, room)
            advance(rules, deck, state, options, memory, action, room)
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
