"""Numbers of actions, as the Hanabi Learning Environment counts them, and the words of the rules.

Discards come first, then plays, both slot by slot; then color hints and rank hints, both by how far
the target sits behind the seat to act, then by color or rank.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.game.kernels.facts import has_hint, hintable, may_discard, n_held
from hanabi.game.kernels.words import (
    CLUE_COLORS,
    DISCARD,
    END,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    IN_PROGRESS,
    PLAY,
    RANK_BITS,
    RANKS,
    SEAT,
    SEATS,
    Packed,
    action_code,
    is_hint,
    kind_of,
    target_of,
    value_of,
)

Words = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

NO_ACTION_CODE = -1  # which no rules know


@jit_hot_inline
def count_actions(rules: Words) -> int:
    """Return how many numbers there are, legal now or not."""
    others = rules[SEATS] - 1
    return int(2 * rules[HAND_SIZE] + others * (rules[CLUE_COLORS] + rules[RANKS]))


@jit_hot
def action_of(rules: Words, seat: int, number: int) -> int:
    """Return the word of what the number says when `seat` acts, or `NO_ACTION_CODE`."""
    size, others = rules[HAND_SIZE], rules[SEATS] - 1
    if number < 0 or number >= count_actions(rules):
        return NO_ACTION_CODE
    if number < size:
        return action_code(DISCARD, number, 0)
    if number < 2 * size:
        return action_code(PLAY, number - size, 0)
    number -= 2 * size
    kind, values, first = HINT_COLOR, rules[CLUE_COLORS], 0
    if number >= others * values:
        number -= others * values
        kind, values, first = HINT_RANK, rules[RANKS], 1
    target = (seat + 1 + number // values) % rules[SEATS]
    return action_code(kind, target, first + number % values)


@jit_hot_inline
def number_of(rules: Words, seat: int, action: int) -> int:
    """Return the number of an action of `seat`."""
    size, kind, target = rules[HAND_SIZE], kind_of(action), target_of(action)
    if not is_hint(action):
        return int(target + size * (kind == PLAY))
    behind = target - seat - 1
    behind += rules[SEATS] * (behind < 0)
    # Both sums are made, as which hint it is cannot be foreseen.
    colors, ranks = rules[CLUE_COLORS], rules[RANKS]
    by_color = behind * colors + value_of(action)
    by_rank = (rules[SEATS] - 1) * colors + behind * ranks + value_of(action) - 1
    return int(2 * size + (by_color if kind == HINT_COLOR else by_rank))


@jit_hot
def write_mask(position: Packed, mask: Flags) -> None:
    """Mark the numbers of the legal actions, none if the game is over."""
    rules, state = position.rules, position.state
    for number in range(mask.size):
        mask[number] = False
    if state[END] != IN_PROGRESS:
        return
    size = rules[HAND_SIZE]
    for slot in range(n_held(rules, state, state[SEAT])):
        mask[slot] = may_discard(rules, state)
        mask[size + slot] = True
    if not has_hint(rules, state):
        return
    color_hint = 2 * size
    rank_hint = color_hint + (rules[SEATS] - 1) * rules[CLUE_COLORS]
    for behind in range(1, rules[SEATS]):
        seat = state[SEAT] + behind
        if seat >= rules[SEATS]:
            seat -= rules[SEATS]
        clues = hintable(position, seat)
        for color in range(rules[CLUE_COLORS]):
            mask[color_hint + color] = clues >> color & 1
        for rank in range(rules[RANKS]):
            mask[rank_hint + rank] = clues >> RANK_BITS + rank & 1
        color_hint += rules[CLUE_COLORS]
        rank_hint += rules[RANKS]
