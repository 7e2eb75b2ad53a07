"""Conversion of the Hanabi Learning Environment's action numbers to action words, and back.

Discards come first, then plays, both slot by slot. Then come color hints and rank hints, both
ordered by the target's distance from the seat to act, then by color or rank.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import Words
from hanabi.compiled.bits import count_bits, lowest_bit
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.compiled.rng import below
from hanabi.env.kernels.encode import WORD_BITS, add
from hanabi.game import layout as k
from hanabi.game.kernels.facts import has_hint, hintable, may_discard, n_held
from hanabi.game.kernels.packed import Packed, action_code, kind_of, target_of, value_of

NO_ACTION_CODE = -1  # not an action in any rules


@jit_hot_inline
def count_actions(rules: Words) -> int:
    """Return the number of actions, whether legal now or not."""
    others = rules[k.SEATS] - 1
    return int(2 * rules[k.HAND_SIZE] + others * (rules[k.CLUE_COLORS] + rules[k.RANKS]))


@jit_hot
def action_of(rules: Words, seat: int, number: int) -> int:
    """Return the word of the action that `number` means for `seat`, or `NO_ACTION_CODE`."""
    size, others = rules[k.HAND_SIZE], rules[k.SEATS] - 1
    if number < 0 or number >= count_actions(rules):
        return NO_ACTION_CODE
    if number < size:
        return action_code(k.DISCARD, number, 0)
    if number < 2 * size:
        return action_code(k.PLAY, number - size, 0)
    number -= 2 * size
    kind, values, first = k.HINT_COLOR, rules[k.CLUE_COLORS], 0
    if number >= others * values:
        number -= others * values
        kind, values, first = k.HINT_RANK, rules[k.RANKS], 1
    target = (seat + 1 + number // values) % rules[k.SEATS]
    return action_code(kind, target, first + number % values)


@jit_hot
def number_of(rules: Words, seat: int, action: int) -> int:
    """Return the number of an action of `seat`."""
    size, kind, target = rules[k.HAND_SIZE], kind_of(action), target_of(action)
    if kind == k.DISCARD:
        return target
    if kind == k.PLAY:
        return int(size + target)
    others, behind = rules[k.SEATS] - 1, (target - seat - 1) % rules[k.SEATS]
    if kind == k.HINT_COLOR:
        return int(2 * size + behind * rules[k.CLUE_COLORS] + value_of(action))
    ranks = 2 * size + others * rules[k.CLUE_COLORS]
    return int(ranks + behind * rules[k.RANKS] + value_of(action) - 1)


@jit_hot
def write_legal(position: Packed, legal: Words) -> None:
    """Write the numbers of the legal actions as a row of bits; none if the game is over."""
    rules, state = position.rules, position.state
    for word in range(legal.size):
        legal[word] = 0
    if state[k.END] != k.IN_PROGRESS:
        return
    size, colors, ranks = rules[k.HAND_SIZE], rules[k.CLUE_COLORS], rules[k.RANKS]
    slots = (1 << n_held(rules, state, state[k.SEAT])) - 1
    if may_discard(rules, state):
        add(legal, 0, slots, size)
    add(legal, size, slots, size)
    if not has_hint(rules, state):
        return
    color_hint = 2 * size
    rank_hint = color_hint + (rules[k.SEATS] - 1) * colors
    for behind in range(1, rules[k.SEATS]):
        seat = state[k.SEAT] + behind
        if seat >= rules[k.SEATS]:
            seat -= rules[k.SEATS]
        clues = hintable(position, seat)
        add(legal, color_hint, clues, colors)
        add(legal, rank_hint, clues >> k.RANK_BITS, ranks)
        color_hint += colors
        rank_hint += ranks


@jit_hot_inline
def is_legal(rules: Words, legal: Words, number: int) -> bool:
    """Whether a number, of any value, is set in a row of bits."""
    if number < 0 or number >= count_actions(rules):
        return False
    return bool(legal[number >> 5] >> (number & 31) & 1)


@jit_hot
def draw_number(legal: Words, stream: npt.NDArray[np.uint64]) -> int:
    """Return a uniformly random number from a row of bits, or 0 if the row is empty."""
    n = 0
    for word in range(legal.size):
        n += count_bits(legal[word])
    if n == 0:
        return 0
    left, word = int(below(stream, n)), 0
    while left >= count_bits(legal[word]):
        left -= count_bits(legal[word])
        word += 1
    bits = int(legal[word])
    for _ in range(left):
        bits &= bits - 1
    return word * WORD_BITS + lowest_bit(bits)
