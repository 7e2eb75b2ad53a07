"""Whole games of compiled policies, a row of options a seat, with or without search.

Seats with equal rows share one memory. A policy's memory follows what all seats do, whoever they
are: a team of different policies misunderstands each other's conventions as strangers would.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean
from hanabi.compiled.rng import seed_stream, word
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import (
    BOMBED,
    END,
    IN_PROGRESS,
    POINTS,
    SEAT,
    SEATS,
    STATE_SIZE,
)
from hanabi.players.endgame.kernels.search import SAMPLES, WORLDS, search
from hanabi.players.kernels.policies import advance, memory_size, room_size, start

Words = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int64]  # a seat a row
RandomStream = npt.NDArray[np.uint64]


@jit_lean
def find_owners(rows: Rows, owners: Words) -> None:
    """Write for each row the first row that equals it."""
    for row in range(rows.shape[0]):
        owners[row] = row
        for other in range(row - 1, -1, -1):
            n_equal = 0
            for index in range(rows.shape[1]):
                n_equal += rows[other, index] == rows[row, index]
            if n_equal == rows.shape[1]:
                owners[row] = other


@jit_lean
def advance_all(
    rules: Words,
    deck: Words,
    state: Words,
    policies: Rows,
    owners: Words,
    memories: Rows,
    action: int,
    before: Words,
    room: Words,
    *with_policies: int | None,
) -> None:
    """Take an action, and bring the memories of all policies up to date.

    `before` is room for a position.
    """
    for index in range(state.size):
        before[index] = state[index]
    for seat in range(owners.size):
        if owners[seat] != seat:
            continue
        for index in range(state.size):
            state[index] = before[index]
        advance(rules, deck, state, policies[seat], memories[seat], action, room, *with_policies)


@jit
def play_team(
    rules: Words,
    cards: Words,
    policies: Rows,
    limits: Rows,
    seeds: RandomStream,
    first: int,
    outcomes: Words,
    *with_policies: int | None,
) -> None:
    """Play the deals `first`, `first` + 1, ... to the end, and write one outcome each.

    Parameters
    ----------
    rules, cards, seeds
        As `hanabi.players.compiled.pack_deals` returns them.
    policies
        For each seat the options of its policy.
    limits
        For each seat the limits of its search, as :mod:`hanabi.players.endgame.kernels.search` has
        them. All zeros: none.
    first
        The number of the first deal.
    outcomes
        Is overwritten: `points << 1 | is_bombed`.
    with_policies
        Three arguments, which policies to let in; see :mod:`hanabi.players.kernels.policies`.
    """
    state, before = np.empty(rules[STATE_SIZE], np.int64), np.empty(rules[STATE_SIZE], np.int64)
    memories = np.empty((rules[SEATS], memory_size(rules, *with_policies)), np.int64)
    room = np.empty(room_size(rules, *with_policies), np.int64)
    owners = np.empty(rules[SEATS], np.int64)
    stream, own = np.empty(1, np.uint64), np.empty(1, np.uint64)  # of the game, of a decision
    deck = np.empty(cards.size, np.int64)
    find_owners(policies, owners)
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        for seat in range(rules[SEATS]):
            if owners[seat] == seat:
                options, memory = policies[seat], memories[seat]
                start(rules, deck, state, options, memory, room, *with_policies)
        while state[END] == IN_PROGRESS:
            seat, uses = state[SEAT], stream
            if limits[seat, WORLDS] + limits[seat, SAMPLES] > 0:
                seed_stream(own, word(stream), np.uint64(0))
                uses = own
            options, memory, limit = policies[seat], memories[owners[seat]], limits[seat]
            action = search(rules, deck, state, options, limit, uses, memory, room, *with_policies)
            advance_all(
                rules, deck, state, policies, owners, memories, action, before, room, *with_policies
            )
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
