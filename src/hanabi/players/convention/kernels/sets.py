"""Sets of cards that everyone can work out from the table, for the convention player.

A set of cards is a word: bit `color * rules[RANKS] + rank - 1` stands for a card. Rule sets with
more than `MOST_CARDS` different cards do not fit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled.bits import count_bits
from hanabi.compiled.lean import jit_lean, jit_lean_inline
from hanabi.game.kernels.rules import (
    CARDS,
    COLORS,
    COPIES,
    DISCARDS,
    HAND_SIZE,
    HEIGHTS,
    HINT_COLOR,
    PILES,
    RANK_BITS,
    RANKS,
    SEAT,
    SEATS,
    SIZES,
    Position,
)

Words = npt.NDArray[np.int64]

MOST_CARDS = 60

# The first words of `scratch`. LEFT, LEFT + 1, LEFT + 2 are the cards of which at least one, two,
# three copies are neither played nor discarded; UNSEEN ... counts only those that the seat to act
# does not see in another hand. TOPS are the last cards of the colors; GAIN is the worth of the best
# hint.
PLAYABLE, DEAD, CRITICAL, LEFT, UNSEEN, TOPS, GAIN = 0, 1, 2, 3, 6, 9, 10
# Two words a slot follow, possible cards and marks, for each of four hands; then a word a card.
HANDS, N_HANDS = 11, 4


@jit_lean_inline
def at_hand(rules: Words, number: int) -> int:
    """Return where the hand of that number begins in `scratch`."""
    return int(HANDS + 2 * number * rules[HAND_SIZE])


@jit_lean_inline
def card_bit(rules: Words, code: int) -> int:
    """Return the set of one card."""
    return int(1 << ((code >> 5) * rules[RANKS] + (code & 31) - 1))


@jit_lean_inline
def cards_hinted(rules: Words, kind: int, value: int) -> int:
    """Return the set of the cards that a hint touches."""
    ranks = rules[RANKS]
    if kind == HINT_COLOR:
        return int(((1 << ranks) - 1) << (value * ranks))
    cards = 0
    for color in range(rules[COLORS]):
        cards |= 1 << (color * ranks + value - 1)
    return cards


@jit_lean_inline
def cards_known(rules: Words, known: int) -> int:
    """Return the set of the cards that hints leave possible, from a word of state[KNOWN]."""
    ranks, row, cards = rules[RANKS], known >> RANK_BITS, 0
    for color in range(rules[COLORS]):
        if known >> color & 1:
            cards |= row << (color * ranks)
    return cards


@jit_lean_inline
def weigh(scratch: Words, lanes: int, cards: int) -> int:
    """Return how many copies there are of a set's cards, at most three of each."""
    return int(
        count_bits(cards & scratch[lanes])
        + count_bits(cards & scratch[lanes + 1])
        + count_bits(cards & scratch[lanes + 2])
    )


@jit_lean_inline
def next_cards(scratch: Words, cards: int) -> int:
    """Return the cards that come right after those of a set, in their colors."""
    return int((cards & ~scratch[TOPS]) << 1)


@jit_lean
def cards_held(position: Position, seat: int) -> int:
    """Return the set of the cards in a hand."""
    rules, deck, state = position
    cards = 0
    first = rules[CARDS] + seat * rules[HAND_SIZE]
    for place in range(first, first + state[rules[SIZES] + seat]):
        cards |= card_bit(rules, deck[state[place]])
    return cards


@jit_lean
def write_sets(position: Position, scratch: Words) -> None:
    """Write the sets of a position; reads no card of the seat to act."""
    rules, deck, state = position
    ranks, counts = rules[RANKS], at_hand(rules, N_HANDS)
    for card in range(rules[COLORS] * ranks):
        scratch[counts + card] = 0
    for seat in range(rules[SEATS]):
        if seat != state[SEAT]:
            first = rules[CARDS] + seat * rules[HAND_SIZE]
            for place in range(first, first + state[rules[SIZES] + seat]):
                code = deck[state[place]]
                scratch[counts + (code >> 5) * ranks + (code & 31) - 1] += 1
    for word in range(HANDS):
        scratch[word] = 0
    for color in range(rules[COLORS]):
        pile, is_reachable = state[PILES + color], True
        scratch[TOPS] |= 1 << (color * ranks + rules[rules[HEIGHTS] + color] - 1)
        for index in range(ranks):
            card = color * ranks + index
            bit = 1 << card
            left = rules[COPIES + card] - state[rules[DISCARDS] + card] - (index < pile)
            is_reachable = is_reachable and (index < pile or left > 0)
            if index < pile or not is_reachable:
                scratch[DEAD] |= bit
            else:
                if index == pile:
                    scratch[PLAYABLE] |= bit
                if left == 1:
                    scratch[CRITICAL] |= bit
            for lane in range(min(left, 3)):
                scratch[LEFT + lane] |= bit
            for lane in range(min(left - scratch[counts + card], 3)):
                scratch[UNSEEN + lane] |= bit
