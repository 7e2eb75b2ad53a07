"""A player that sees all hands, but not the deck; see :mod:`hanabi.players.cheating`.

It has the shape of a policy: what hands hold is read from `deck`, so that nothing is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled.hot import jit_hot
from hanabi.game.kernels.facts import code_at, copies_kept, hintable, n_held, reach
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule
from hanabi.game.kernels.words import (
    COLORS,
    DECK_SIZE,
    DISCARD,
    DRAWN,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    HINTS,
    PILES,
    PLAY,
    POINTS,
    RANK_BITS,
    RANKS,
    SEAT,
    SEATS,
    TURNS_LEFT,
    Packed,
    action_code,
    card_of,
    color_of,
    rank_of,
)
from hanabi.players.kernels import policy as policies

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

# Sorts of cards by what is lost without them; see `_sort_of`.
DEAD, TWICE, ELSEWHERE, SPARE, LAST = range(5)


class CheatingPolicy(NamedTuple):
    """The player; it has no options."""


@policies.scratch_size.register(CheatingPolicy)
@jit_hot
def scratch_size(policy: CheatingPolicy, rules: Words) -> int:
    """Return the number of words that `decide` works with."""
    return int(rules[COLORS] * rules[RANKS] + rules[COLORS])


@jit_hot
def _look(position: Packed, scratch: Words) -> int:
    """Write the copies of each card that others hold, and how far each pile can grow.

    Return the points that can still be reached, turns aside.
    """
    rules, state = position.rules, position.state
    colors, ranks = rules[COLORS], rules[RANKS]
    for card in range(colors * ranks):
        scratch[card] = 0
    for seat in range(rules[SEATS]):
        if seat == state[SEAT]:
            continue
        first = seat * rules[HAND_SIZE]
        for place in range(first, first + n_held(rules, state, seat)):
            code = code_at(position, place)
            scratch[card_of(rules, code)] += 1
    total = 0
    for color in range(colors):
        rank = reach(rules, state, color)
        scratch[colors * ranks + color] = rank
        total += rank
    return total


@jit_hot
def _best_play(position: Packed, scratch: Words) -> int:
    """Return the slot of a card to play, or -1.

    First those that only this seat holds, then those whose followers are in hands, then low ones.
    """
    rules, state = position.rules, position.state
    ranks, best, most = rules[RANKS], -1, -1
    first = state[SEAT] * rules[HAND_SIZE]
    for slot in range(n_held(rules, state, state[SEAT])):
        code = code_at(position, first + slot)
        color, rank = color_of(code), rank_of(code)
        if state[PILES + color] != rank - 1:
            continue
        card = color * ranks + rank - 1
        length = 0
        while rank + length < ranks and scratch[card + length + 1]:
            length += 1
        worth = ranks - rank + (ranks + 1) * length
        if scratch[card] == 0:
            worth += (ranks + 1) * (ranks + 1)
        if worth > most:
            best, most = slot, worth
    return best


@jit_hot
def _sort_of(position: Packed, scratch: Words, slot: int) -> int:
    rules, state = position.rules, position.state
    ranks = rules[RANKS]
    first = state[SEAT] * rules[HAND_SIZE]
    code = code_at(position, first + slot)
    color, rank = color_of(code), rank_of(code)
    card = color * ranks + rank - 1
    if rank <= state[PILES + color] or rank > scratch[rules[COLORS] * ranks + color]:
        return DEAD
    for other in range(n_held(rules, state, state[SEAT])):
        if other != slot and code_at(position, first + other) == code:
            return TWICE
    if scratch[card]:
        return ELSEWHERE
    return SPARE if copies_kept(rules, state, card) > 1 else LAST


@jit_hot
def _worst_card(position: Packed, scratch: Words) -> int:
    """Return the sort of the least needed card of the hand, << 8, and its slot.

    Of equal sorts the highest rank is needed last.
    """
    rules, state = position.rules, position.state
    worst, least = 0, -1
    first = state[SEAT] * rules[HAND_SIZE]
    for slot in range(n_held(rules, state, state[SEAT])):
        code = code_at(position, first + slot)
        worth = (LAST - _sort_of(position, scratch, slot)) << 5 | rank_of(code)
        if worth > least:
            worst, least = slot, worth
    return (LAST - (least >> 5)) << 8 | worst


@jit_hot
def _any_hint(position: Packed) -> int:
    """Return the first hint that can be given, or -1."""
    rules, state = position.rules, position.state
    if state[HINTS] == 0:
        return -1
    for turn in range(1, rules[SEATS]):
        seat = (state[SEAT] + turn) % rules[SEATS]
        bits = hintable(position, seat)
        for color in range(rules[COLORS]):
            if bits >> color & 1:
                return action_code(HINT_COLOR, seat, color)
        for rank in range(1, rules[RANKS] + 1):
            if bits >> (RANK_BITS - 1 + rank) & 1:
                return action_code(HINT_RANK, seat, rank)
    return -1


@jit_hot
def _can_others_play(rules: Words, state: Words, scratch: Words) -> bool:
    for color in range(rules[COLORS]):
        card = color * rules[RANKS] + state[PILES + color]
        if state[PILES + color] < rules[RANKS] and scratch[card]:
            return True
    return False


@policies.decide.register(CheatingPolicy)
@jit_hot
def decide(
    policy: CheatingPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> int:
    """Return the action of the seat to act, which sees its own cards."""
    rules, state = position.rules, position.state
    most = _look(position, scratch)
    slot = _best_play(position, scratch)
    if slot >= 0:
        return action_code(PLAY, slot, 0)
    hint = _any_hint(position)
    if n_held(rules, state, state[SEAT]) == 0:
        return hint
    worst = _worst_card(position, scratch)
    sort, slot = worst >> 8, worst & 255
    if find_broken_rule(position, action_code(DISCARD, 0, 0)) != NO_RULE:
        return hint if hint >= 0 else action_code(PLAY, slot, 0)
    # The draws that can be spent without a point, so that the others suffice.
    spare = state[POINTS] + rules[DECK_SIZE] - state[DRAWN] + rules[SEATS] - most
    is_time = spare >= rules[SEATS] or (spare > 0 and not _can_others_play(rules, state, scratch))
    if hint >= 0 and (state[TURNS_LEFT] >= 0 or sort > ELSEWHERE or not is_time):
        return hint
    return action_code(DISCARD, slot, 0)
