"""Kernels of many games in step, in which compiled players and others take turns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.env.kernels import (
    KIND,
    Batch,
    encode,
    forget,
    new_scratch,
    take,
    write_legal,
)
from hanabi.env.rows.kernels import spread
from hanabi.ground.compiled import Words, jit
from hanabi.players.kernels.games import outcome_of
from hanabi.players.kernels.policy import Policy, advance, decide, memory_size, scratch_size, start
from hanabi.rules import layout as k
from hanabi.rules.kernels.deals import Deals, start_deal
from hanabi.rules.kernels.packed import Packed


class Tables(NamedTuple):
    """Games that are played in step, one a row, and a policy's memory of each."""

    batch: Batch
    memories: Words


@jit
def new_memories(policy: Policy, rules: Words, games: int) -> Words:
    """Return the arrays for a policy's memories."""
    return np.zeros((games, memory_size(policy, rules)), np.int64)


@jit
def begin_games(policy: Policy, deals: Deals, first: int, tables: Tables) -> None:
    """Deal the games `first`, `first` + 1, ..."""
    rules, batch = deals.rules, tables.batch
    scratch = np.empty(scratch_size(policy, rules), np.int64)
    for game in range(batch.games.size):
        position = Packed(rules, batch.decks[game], batch.states[game])
        start_deal(deals, first + game, position, batch.streams[game : game + 1])
        forget(batch.last[game], batch.named[game])
        write_legal(position, batch.legal[game])
        start(policy, position, tables.memories[game], scratch)


@jit
def see_games(
    batch: Batch,
    rules: Words,
    options: Words,
    live: Words,
    observations: npt.NDArray[np.uint8],
    masks: npt.NDArray[np.bool_],
) -> None:
    """Write what the seat to act sees in these games, and its legal actions."""
    scratch = new_scratch(options, 1)
    for row in range(live.size):
        game = live[row]
        position = Packed(rules, batch.decks[game], batch.states[game])
        seat = position.state[k.SEAT]
        encode(position, batch.last[game], batch.named[game], seat, options[KIND], scratch.row)
        spread(scratch.row, scratch.wide, scratch.wide_bytes, observations[row])
        spread(batch.legal[game], scratch.wide, scratch.wide_bytes, masks[row])


@jit
def decide_games(policy: Policy, rules: Words, tables: Tables, live: Words, actions: Words) -> None:
    """Write the policy's action in these games."""
    batch = tables.batch
    scratch = np.empty(scratch_size(policy, rules), np.int64)
    for row in range(live.size):
        game = live[row]
        position = Packed(rules, batch.decks[game], batch.states[game])
        stream = batch.streams[game : game + 1]
        actions[row] = decide(policy, position, stream, tables.memories[game], scratch)


@jit
def act_games(policy: Policy, rules: Words, tables: Tables, live: Words, actions: Words) -> None:
    """Take a legal action in each of these games."""
    batch = tables.batch
    scratch = np.empty(scratch_size(policy, rules), np.int64)
    state = np.empty(rules[k.STATE_SIZE], np.int64)
    for row in range(live.size):
        game, action = live[row], actions[row]
        position = Packed(rules, batch.decks[game], batch.states[game])
        for word in range(state.size):
            state[word] = position.state[word]
        seen = Packed(rules, position.deck, state)
        advance(policy, seen, tables.memories[game], action, scratch)
        take(position, batch.last[game], batch.named[game], action)
        write_legal(position, batch.legal[game])


@jit
def end_games(policy: Policy, rules: Words, tables: Tables, outcomes: Words) -> None:
    """Write the outcome of each game, as `play_games` does."""
    batch = tables.batch
    for game in range(outcomes.size):
        position = Packed(rules, batch.decks[game], batch.states[game])
        outcomes[game] = outcome_of(policy, position, tables.memories[game])
