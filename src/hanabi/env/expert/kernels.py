"""Kernels of recorded games: what the seat to act saw, may do and did, one turn a row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.env.kernels import (
    IS_PACKED,
    KIND,
    LAST_SIZE,
    encode,
    forget,
    new_scratch,
    number_of,
    take,
    write_legal,
)
from hanabi.env.rows.kernels import WORD_BITS, pack, spread
from hanabi.ground.compiled import Words, jit
from hanabi.ground.compiled.hot import jit_hot
from hanabi.players.kernels.games import Record
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import code_at, n_held
from hanabi.rules.kernels.packed import Packed, card_of
from hanabi.rules.kernels.rules import deal, score, step
from hanabi.worlds.kernels.chances import new_counting, write_posteriors

NO_CARD = -1
"""The card of a slot that is empty."""


class Moves(NamedTuple):
    """The turns of games, one a row: each array is about the seat to act.

    Attributes
    ----------
    observations
        uint8 (n, size), 0 or 1; or (n, packed_size) if packed, with the first entry in the lowest
        bit.
    masks
        bool (n, actions): whether each action is legal.
    actions
        int16 (n,): the number of the action taken.
    rewards
        float32 (n,): points that the action brought, the same for all seats.
    dones
        bool (n,): whether the action ended the game.
    seats
        int8 (n,): the seat.
    cards
        int8 (n, hand): the cards in its own hand, which it does not see, from the oldest: color
        times ranks plus rank, both from 0; -1 for an empty slot.
    posteriors
        float32 (n, hand, colors * ranks): the chance of each of them by hints and copies, as in
        `hanabi.env.Labels`; or float32 (n, 0, 0).
    deals
        int64 (n,): the number of the game's deal.
    """

    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int16]
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int8]
    cards: npt.NDArray[np.int8]
    posteriors: npt.NDArray[np.float32]
    deals: npt.NDArray[np.int64]


@jit_hot
def _write_hand(position: Packed, hand: npt.NDArray[np.int8]) -> None:
    """Write the cards that the seat to act holds."""
    rules, state = position.rules, position.state
    seat, size = state[k.SEAT], rules[k.HAND_SIZE]
    held = n_held(rules, state, seat)
    for slot in range(size):
        if slot < held:
            hand[slot] = card_of(rules, code_at(position, seat * size + slot))
        else:
            hand[slot] = NO_CARD


@jit
def write_moves(
    rules: Words, options: Words, record: Record, games: int, first: int, moves: Moves
) -> None:
    """Replay the first `games` games of a record, and write each turn to the next row.

    Their deals are numbered from `first`. The actions are legal, and there are enough rows.
    """
    scratch = new_scratch(options, 1)
    state = np.empty(rules[k.STATE_SIZE], np.int64)
    last, named = np.empty(LAST_SIZE, np.int64), np.empty(record.decks.shape[1], np.uint8)
    legal = np.empty(moves.masks.shape[1] // WORD_BITS + 2, np.int64)
    row = 0
    for game in range(games):
        position = Packed(rules, record.decks[game], state)
        deal(position)
        forget(last, named)
        for turn in range(record.turns[game]):
            seat, action, points = state[k.SEAT], record.taken[game, turn], score(rules, state)
            encode(position, last, named, seat, options[KIND], scratch.row)
            if options[IS_PACKED]:
                pack(scratch.row, moves.observations[row])
            else:
                spread(scratch.row, scratch.wide, scratch.wide_bytes, moves.observations[row])
            write_legal(position, legal)
            spread(legal, scratch.wide, scratch.wide_bytes, moves.masks[row])
            _write_hand(position, moves.cards[row])
            moves.actions[row] = number_of(rules, seat, action)
            moves.seats[row] = seat
            moves.deals[row] = first + game
            take(position, last, named, action)
            moves.rewards[row] = score(rules, state) - points
            moves.dones[row] = state[k.END] != k.IN_PROGRESS
            row += 1


@jit
def write_chances(
    rules: Words, record: Record, games: int, posteriors: npt.NDArray[np.float32]
) -> None:
    """Replay games as `write_moves` does, and write the chances of the own cards at each turn."""
    counting = new_counting(rules)
    state = np.empty(rules[k.STATE_SIZE], np.int64)
    row = 0
    for game in range(games):
        position = Packed(rules, record.decks[game], state)
        deal(position)
        for turn in range(record.turns[game]):
            write_posteriors(position, state[k.SEAT], True, counting, posteriors[row])
            step(position, record.taken[game, turn])
            row += 1
