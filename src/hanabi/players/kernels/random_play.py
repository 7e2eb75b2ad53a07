"""Random play: any legal action, all with the same probability. It remembers nothing.

The simplest of the compiled policies, and whole games of it.
"""

# ruff: noqa: ARG001 (all policies take the same arguments)

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean
from hanabi.compiled.rng import below
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import (
    BOMBED,
    COLORS,
    END,
    HAND_SIZE,
    IN_PROGRESS,
    KNOWN,
    MAX_ACTIONS,
    POINTS,
    RANK_BITS,
    RANKS,
    STATE_SIZE,
    legal_actions,
    step,
)

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]


@jit_lean
def memory_size(rules: Words) -> int:
    """Return the number of words of `memory`."""
    return 0


@jit_lean
def room_size(rules: Words) -> int:
    """Return the number of words of `room`."""
    return int(rules[MAX_ACTIONS])


@jit_lean
def start(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words
) -> None:
    """Do nothing: there is no memory."""


@jit_lean
def resume(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words
) -> None:
    """Do nothing: there is no memory."""


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
    """Return an action of the seat to act."""
    return int(room[below(stream, legal_actions(rules, deck, state, room))])


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
    """Take a legal action in `state`."""
    step(rules, deck, state, action)


@jit_lean
def possible(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, seat: int, slot: int
) -> int:
    """Return the set of cards that hints leave for a slot: bit color * ranks + rank - 1.

    For rule sets of at most 62 different cards.
    """
    known = state[rules[KNOWN] + seat * rules[HAND_SIZE] + slot]
    row, cards = known >> RANK_BITS, 0
    for color in range(rules[COLORS]):
        if known >> color & 1:
            cards |= row << color * rules[RANKS]
    return int(cards)


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
    actions = np.empty(rules[MAX_ACTIONS], np.int64)
    deck = np.empty(cards.size, np.int64)
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        while state[END] == IN_PROGRESS:
            n = legal_actions(rules, deck, state, actions)
            step(rules, deck, state, int(actions[below(stream, n)]))
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
