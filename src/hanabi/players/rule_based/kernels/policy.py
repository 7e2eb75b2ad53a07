"""The rule-based player of [Bergh2016, section 4], compiled.

Decisions are those of :mod:`hanabi.players.rule_based`, drawn from the same random stream; that
module says what the rules mean. The rules of the game itself are :mod:`hanabi.game.kernels.rules`.

This module has the shape that all compiled policies share: `start`, `decide`, `advance`,
`possible` and `resume`, with `memory_size(rules)` words of memory and `room_size(rules)` words of
scratch.
"""

# ruff: noqa: ARG001 (all policies take the same arguments)

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean, jit_lean_inline
from hanabi.compiled.rng import below
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import (
    BOMBED,
    CARDS,
    COLORS,
    DISCARD,
    DRAWN,
    END,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    IN_PROGRESS,
    LIVES,
    MAX_ACTIONS,
    NO_RULE,
    PLAY,
    PLAY_DECK,
    POINTS,
    RANKS,
    SEAT,
    SIZES,
    STATE_SIZE,
    action_code,
    find_broken_rule,
    legal_actions,
    step,
)
from hanabi.players.kernels.random_play import possible
from hanabi.players.rule_based.kernels.hints import choose_hint, may_hint
from hanabi.players.rule_based.kernels.table import (
    DISCARD_RULE,
    HINTING,
    HINTING_OF,
    LANE_BITS,
    PICK_BEST,
    PLAY_FROM,
    PLAY_OF,
    PLAYABLE,
    SAFE,
    SPARE,
    USELESS,
    USELESS_FROM,
    USELESS_OF,
    memory_size,
    slots,
    start_table,
    weigh_table,
)
from hanabi.players.rule_based.kernels.updates import gone, hinted, replaced, seen

__all__ = [
    "advance",
    "decide",
    "memory_size",
    "play_games",
    "possible",
    "resume",
    "room_size",
    "start",
]

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]


@jit_lean
def room_size(rules: Words) -> int:
    """Return the number of words of `room`."""
    return int(max(rules[MAX_ACTIONS], rules[COLORS], rules[RANKS]))


@jit_lean
def start(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words
) -> None:
    """Write the memory of a position, just dealt or not."""
    start_table(rules, deck, state, options, memory)


@jit_lean
def resume(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words
) -> None:
    """Bring the memory of a position up to date after `deck` got other hidden cards."""
    weigh_table(rules, deck, state, options, memory)


@jit_lean_inline
def _happens(stream: RandomStream, chances: int, of: int) -> bool:
    """Draw from the stream, unless it is certain."""
    return bool(chances == of or (chances > 0 and below(stream, of) < chances))


@jit_lean_inline
def _find(
    memory: Words, first: int, size: int, lane: int, needed: int, of: int, is_first: bool
) -> int:
    """Return the first slot with a chance of needed / of, or the likeliest of them; -1: none."""
    chosen, best, best_of = -1, -1, 1
    for slot in range(size):
        weight = memory[first + slot]
        chance, total = weight >> lane & LANE_BITS, weight & LANE_BITS
        if chance * of >= needed * total:
            if is_first:
                return slot
            if chance * best_of > best * total:
                chosen, best, best_of = slot, chance, total
    return chosen


@jit_lean_inline
def _choose_discard(
    rules: Words, state: Words, options: Words, stream: RandomStream, memory: Words, words: int
) -> int:
    """Return the slot to discard when no card is certain enough to be useless."""
    rule = options[DISCARD_RULE]
    size = state[rules[SIZES] + state[SEAT]]
    if rule == 1:
        return int(below(stream, size))
    if rule == 3:
        first = rules[CARDS] + state[SEAT] * rules[HAND_SIZE]
        oldest = 0
        for slot in range(1, size):
            if state[first + slot] < state[first + oldest]:
                oldest = slot
        return oldest
    return _find(memory, words, size, USELESS if rule == 2 else SPARE, 0, 1, False)


@jit_lean_inline
def _decide(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
) -> int:
    size = state[rules[SIZES] + state[SEAT]]
    words = slots(rules) + state[SEAT] * rules[HAND_SIZE]
    is_first = options[PICK_BEST] == 0
    needed, of = options[PLAY_FROM], options[PLAY_OF]
    if options[SAFE] != 0 and state[LIVES] == 1:
        needed, of = 1, 1
    slot = _find(memory, words, size, PLAYABLE, needed, of, is_first)
    if slot >= 0:
        return action_code(PLAY, slot, 0)
    may_discard = find_broken_rule(rules, deck, state, action_code(DISCARD, 0, 0)) == NO_RULE
    if may_discard:
        needed, of = options[USELESS_FROM], options[USELESS_OF]
        slot = _find(memory, words, size, USELESS, needed, of, is_first)
        if slot >= 0:
            return action_code(DISCARD, slot, 0)
    if may_hint(rules, deck, state) and (
        not may_discard or _happens(stream, options[HINTING], options[HINTING_OF])
    ):
        return choose_hint(rules, deck, state, options, stream, memory, room)
    if may_discard:
        slot = _choose_discard(rules, state, options, stream, memory, words)
        return action_code(DISCARD, slot, 0)
    legal_actions(rules, deck, state, room)
    return int(room[0])


@jit_lean_inline
def _advance(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    action: int,
    room: Words,
) -> None:
    kind, target, seat, drawn = action & 7, action >> 8, state[SEAT], state[DRAWN]
    index = drawn
    if kind == PLAY or kind == DISCARD:
        index = state[rules[CARDS] + seat * rules[HAND_SIZE] + target]
    step(rules, deck, state, action)
    if kind == HINT_COLOR or kind == HINT_RANK:
        hinted(rules, deck, state, options, memory, action, room)
        return
    code = deck[index]
    if kind == PLAY_DECK:
        seen(rules, memory, code)
    else:
        replaced(rules, deck, state, options, memory, seat, target, code, drawn)
    gone(rules, deck, state, options, memory, code)


@jit_lean
def decide(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
) -> int:
    """Return the action of the seat to act."""
    return _decide(rules, deck, state, options, stream, memory, room)


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
    """Take a legal action, anybody's, in `state` and bring `memory` up to date."""
    _advance(rules, deck, state, options, memory, action, room)


@jit_lean
def _play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: npt.NDArray[np.uint64],
    first: int,
    outcomes: Words,
    deck: Words,
    state: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
) -> None:
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        start_table(rules, deck, state, options, memory)
        while state[END] == IN_PROGRESS:
            action = _decide(rules, deck, state, options, stream, memory, room)
            _advance(rules, deck, state, options, memory, action, room)
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)


@jit
def play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: npt.NDArray[np.uint64],
    first: int,
    outcomes: Words,
) -> None:
    """Play the deals `first`, `first` + 1, ... to the end, and write one outcome each.

    An outcome is the points << 1 | whether the game was bombed. See `start_deal`.
    """
    stream = np.empty(1, np.uint64)
    state = np.empty(rules[STATE_SIZE], np.int64)
    memory = np.empty(memory_size(rules), np.int64)
    room = np.empty(room_size(rules), np.int64)
    deck = np.empty(cards.size, np.int64)
    _play_games(rules, cards, options, seeds, first, outcomes, deck, state, stream, memory, room)
