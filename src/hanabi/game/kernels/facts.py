"""What a position means, said once for all kernels: nouns for words, and facts that all can see.

A *card* is a number, `color * ranks + rank - 1`, and a bit of a set of cards, if the rules have at
most 62 different ones. A *code* is a card in the deck. Functions of `rules` and `state` alone look
at no hidden card.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled.lean import jit_lean, jit_lean_inline
from hanabi.game.kernels.rules import (
    CARDS,
    COLORS,
    COPIES,
    DECK_SIZE,
    DISCARDS,
    DRAWN,
    HAND_SIZE,
    HEIGHTS,
    KNOWN,
    PILES,
    RANK_BITS,
    RANKS,
    SIZES,
    Position,
)

Words = npt.NDArray[np.int64]


@jit_lean_inline
def card_of(rules: Words, code: int) -> int:
    """Return the number of a card."""
    return int((code >> 5) * rules[RANKS] + (code & 31) - 1)


@jit_lean_inline
def card_bit(rules: Words, code: int) -> int:
    """Return the set of one card."""
    return int(1 << card_of(rules, code))


@jit_lean_inline
def hand_size(rules: Words, state: Words, seat: int) -> int:
    """Return how many cards a seat holds."""
    return int(state[rules[SIZES] + seat])


@jit_lean_inline
def index_at(rules: Words, state: Words, seat: int, slot: int) -> int:
    """Return where in the deck the card of a slot was."""
    return int(state[rules[CARDS] + seat * rules[HAND_SIZE] + slot])


@jit_lean_inline
def code_at(position: Position, seat: int, slot: int) -> int:
    """Return the card of a slot."""
    return int(position.deck[index_at(position.rules, position.state, seat, slot)])


@jit_lean_inline
def known_at(rules: Words, state: Words, seat: int, slot: int) -> int:
    """Return what hints say of the card of a slot, as bits of clues."""
    return int(state[rules[KNOWN] + seat * rules[HAND_SIZE] + slot])


@jit_lean_inline
def cards_known(rules: Words, known: int) -> int:
    """Return the set of the cards that hints leave possible."""
    row, cards = known >> RANK_BITS, 0
    for color in range(rules[COLORS]):
        if known >> color & 1:
            cards |= row << color * rules[RANKS]
    return int(cards)


@jit_lean_inline
def copies_left(rules: Words, state: Words, card: int) -> int:
    """Return how many copies of a card are neither played nor discarded."""
    color, index = card // rules[RANKS], card % rules[RANKS]
    is_played = index < state[PILES + color]
    return int(rules[COPIES + card] - state[rules[DISCARDS] + card] - is_played)


@jit_lean_inline
def reach(rules: Words, state: Words, color: int) -> int:
    """Return the highest rank to which a pile can still grow."""
    rank = state[PILES + color]
    card = color * rules[RANKS] + rank
    while rank < rules[rules[HEIGHTS] + color]:
        if state[rules[DISCARDS] + card] >= rules[COPIES + card]:
            break
        rank += 1
        card += 1
    return int(rank)


@jit_lean
def cards_left(rules: Words, state: Words) -> int:
    """Return the set of the cards of which a copy is neither played nor discarded."""
    cards = 0
    for card in range(rules[COLORS] * rules[RANKS]):
        if copies_left(rules, state, card) > 0:
            cards |= 1 << card
    return cards


@jit_lean_inline
def deck_left(rules: Words, state: Words) -> int:
    """Return how many cards are still to be drawn."""
    return int(rules[DECK_SIZE] - state[DRAWN])
