"""How likely the cards in a hand are to be of some sort, kept up to date through a game.

Twin of :mod:`hanabi.players.chances`, for :mod:`hanabi.kernels.players`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.kernels import jit, jit_inline
from hanabi.kernels.game import (
    ANYTHING,
    CARDS,
    COLORS,
    COPIES,
    DISCARDS,
    DRAWN,
    HAND_SIZE,
    KNOWN,
    PILES,
    RANK_BITS,
    RANKS,
    SEAT,
    SIZES,
    card_bits,
)

Words = npt.NDArray[np.int64]

# Words of `options`; see hanabi.players.rule_based.RuleBased. Probabilities are fractions, so that
# comparing them is exact.
HINT_RULE, DISCARD_RULE, PLAY_FROM, PLAY_OF, USELESS_FROM, USELESS_OF = range(6)
HINTING, HINTING_OF, SAFE, PICK_BEST, NEVER_AGAIN, NEGATIVE, TELL_RANK, OPEN_HANDS = range(6, 14)
OPTIONS = 14

RANDOM_PLAY = -1  # as HINT_RULE: every action is drawn from all legal ones

# A weight counts copies of a card in four lanes of one word: all that the seat to act does not see;
# those of them that are useless; that can be spared; and that are playable. Sums of weights are
# sums in every lane.
LANE = 16
UNSEEN, USELESS, SPARE, PLAYABLE = 0, LANE, 2 * LANE, 3 * LANE
MOST_CARDS = 1 << 15

# Rows of `table`, a column a card: its copies in the deck, the weight of one copy, the weight of
# all its copies in the deck. In the last row the sums over all colors follow, rank by rank.
LEFT, LANES, WEIGHTS = range(3)

LANE_BITS = (1 << LANE) - 1
COLOR_BITS = (1 << RANK_BITS) - 1


@jit_inline
def is_open(bits: int) -> bool:
    """Whether half of a card's knowledge leaves more than one possibility."""
    return bits & (bits - 1) != 0


@jit_inline
def reach_of(rules: Words, state: Words, color: int) -> int:
    """Return the highest rank to which the color's pile can still grow."""
    ranks = rules[RANKS]
    rank = state[PILES + color]
    card = color * ranks + rank
    while rank < ranks and state[rules[DISCARDS] + card] < rules[COPIES + card]:
        rank += 1
        card += 1
    return int(rank)


@jit_inline
def judge_color(rules: Words, state: Words, options: Words, table: Words, color: int) -> None:
    """Bring the color's columns of `table` up to date after a play or a discard."""
    ranks, n = rules[RANKS], rules[COLORS] * rules[RANKS]
    pile, reach = state[PILES + color], reach_of(rules, state, color)
    for index in range(ranks):
        card = color * ranks + index
        is_dead = index < pile or index >= reach
        is_useless = is_dead if options[NEVER_AGAIN] != 0 else index != pile
        left = rules[COPIES + card] - state[rules[DISCARDS] + card] - (index < pile)
        is_spare = left > 1
        lanes = 1 | is_useless << USELESS | is_spare << SPARE | (index == pile) << PLAYABLE
        weight = table[LEFT, card] * lanes
        table[WEIGHTS, n + index] += weight - table[WEIGHTS, card]
        table[LANES, card], table[WEIGHTS, card] = lanes, weight


@jit_inline
def _count(rules: Words, table: Words, code: int, copies: int) -> None:
    """Add copies of a card to its weight."""
    card = (code >> 5) * rules[RANKS] + (code & 31) - 1
    weight = copies * table[LANES, card]
    table[WEIGHTS, card] += weight
    table[WEIGHTS, rules[COLORS] * rules[RANKS] + (code & 31) - 1] += weight


@jit_inline
def draw_up_to(rules: Words, deck: Words, table: Words, first: int, end: int) -> None:
    """Take the cards first .. end - 1 of the deck out of `table`."""
    for index in range(first, end):
        code = deck[index]
        table[LEFT, (code >> 5) * rules[RANKS] + (code & 31) - 1] -= 1
        _count(rules, table, code, -1)


@jit_inline
def start_table(rules: Words, deck: Words, state: Words, options: Words, table: Words) -> None:
    """Write the `table` of a position: three rows of `table_size` words."""
    n = rules[COLORS] * rules[RANKS]
    for card in range(n):
        table[LEFT, card] = rules[COPIES + card]
        table[WEIGHTS, card] = 0
    for index in range(rules[RANKS]):
        table[WEIGHTS, n + index] = 0
    for color in range(rules[COLORS]):
        judge_color(rules, state, options, table, color)
    draw_up_to(rules, deck, table, 0, state[DRAWN])


@jit
def table_size(rules: Words) -> int:
    """Return the number of columns of `table`."""
    return int(rules[COLORS] * rules[RANKS] + rules[RANKS])


@jit_inline
def _possible(rules: Words, deck: Words, state: Words, options: Words, seat: int, slot: int) -> int:
    """Return the bits of what a seat knows of a card of its own."""
    place = seat * rules[HAND_SIZE] + slot
    if options[OPEN_HANDS] != 0:
        return card_bits(deck[state[rules[CARDS] + place]])
    known = state[rules[KNOWN] + place]
    if options[NEGATIVE] == 0:
        if is_open(known & COLOR_BITS):
            known |= rules[ANYTHING] & COLOR_BITS
        if is_open(known >> RANK_BITS):
            known |= rules[ANYTHING] & ~COLOR_BITS
    return int(known)


@jit_inline
def _weigh(rules: Words, table: Words, known: int) -> int:
    """Return the sum of the weights of all cards that a slot can hold."""
    colors, ranks, total = rules[COLORS], rules[RANKS], 0
    bits = known >> RANK_BITS
    if known & COLOR_BITS == rules[ANYTHING] & COLOR_BITS:
        for index in range(ranks):
            if bits >> index & 1:
                total += table[WEIGHTS, colors * ranks + index]
        return total
    for color in range(colors):
        if known >> color & 1:
            for index in range(ranks):
                if bits >> index & 1:
                    total += table[WEIGHTS, color * ranks + index]
    return total


@jit_inline
def weigh_hand(
    rules: Words, deck: Words, state: Words, options: Words, table: Words, hand: Words
) -> None:
    """Write the weight of every slot of the seat to act."""
    seat, last, weight = state[SEAT], -1, 0
    first = rules[CARDS] + seat * rules[HAND_SIZE]
    size = state[rules[SIZES] + seat]
    for place in range(first, first + size):
        _count(rules, table, deck[state[place]], 1)
    for slot in range(size):
        known = _possible(rules, deck, state, options, seat, slot)
        if known != last:
            weight = _weigh(rules, table, known)
        hand[slot] = weight
        last = known
    for place in range(first, first + size):
        _count(rules, table, deck[state[place]], -1)
