"""What a position means, said once for all kernels.

Functions of `rules` and `state` alone look at no hidden card. A *place* counts over all hands:
`seat * HAND_SIZE + slot`. A *card* is a number, as `card_of`, and a bit of a set of cards if the
rules have at most 62 different ones.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.game.kernels.words import (
    ANYTHING,
    CARDS,
    COLORS,
    COPIES,
    DECK_SIZE,
    DISCARD_AT_FULL_HINTS,
    DISCARDS,
    DRAWN,
    EMPTY_HINTS,
    HAND_SIZE,
    HEIGHTS,
    HINTS,
    KNOWN,
    MAX_HINTS,
    PILES,
    RANK_BITS,
    RANKS,
    SIZES,
    TOUCHES,
    Packed,
    card_of,
    clue_bit,
    kind_of,
    target_of,
    value_of,
)

Words = npt.NDArray[np.int64]


@jit_hot_inline
def card_bit(rules: Words, code: int) -> int:
    """Return the set of one card."""
    return int(1 << card_of(rules, code))


@jit_hot_inline
def n_held(rules: Words, state: Words, seat: int) -> int:
    """Return how many cards a seat holds."""
    return int(state[rules[SIZES] + seat])


@jit_hot_inline
def index_at(rules: Words, state: Words, place: int) -> int:
    """Return where in the deck the card of a place was, or -1 for no card."""
    return int(state[rules[CARDS] + place])


@jit_hot_inline
def code_at(position: Packed, place: int) -> int:
    """Return the card of a place."""
    return int(position.deck[position.state[position.rules[CARDS] + place]])


@jit_hot_inline
def known_at(rules: Words, state: Words, place: int) -> int:
    """Return what hints leave for the card of a place: colors and ranks, as `identity`."""
    return int(state[rules[KNOWN] + place])


@jit_hot_inline
def pile_of(state: Words, color: int) -> int:
    """Return the height of a pile."""
    return int(state[PILES + color])


@jit_hot_inline
def last_rank(rules: Words, color: int) -> int:
    """Return the rank that completes a color."""
    return int(rules[rules[HEIGHTS] + color])


@jit_hot_inline
def copies_of(rules: Words, card: int) -> int:
    """Return how many copies of a card the deck has."""
    return int(rules[COPIES + card])


@jit_hot_inline
def copies_kept(rules: Words, state: Words, card: int) -> int:
    """Return how many copies of a card are not discarded."""
    return int(rules[COPIES + card] - state[rules[DISCARDS] + card])


@jit_hot_inline
def copies_left(rules: Words, state: Words, card: int) -> int:
    """Return how many copies of a card are neither played nor discarded."""
    is_played = card % rules[RANKS] < state[PILES + card // rules[RANKS]]
    return int(rules[COPIES + card] - state[rules[DISCARDS] + card] - is_played)


@jit_hot_inline
def reach(rules: Words, state: Words, color: int) -> int:
    """Return the highest rank to which a pile can still grow."""
    rank = state[PILES + color]
    card = color * rules[RANKS] + rank
    while rank < last_rank(rules, color) and copies_kept(rules, state, card) > 0:
        rank += 1
        card += 1
    return int(rank)


@jit_hot_inline
def cards_known(rules: Words, known: int) -> int:
    """Return the set of the cards that hints leave possible, of a word as `known_at` returns it."""
    row, cards = known >> RANK_BITS, 0
    for color in range(rules[COLORS]):
        if known >> color & 1:
            cards |= row << color * rules[RANKS]
    return int(cards)


@jit_hot_inline
def clues_of(rules: Words, code: int) -> int:
    """Return the clues that touch a card, as `clue_bit`: the touch table."""
    return int(rules[rules[TOUCHES] + card_of(rules, code)])


@jit_hot
def cards_hinted(rules: Words, kind: int, value: int) -> int:
    """Return the set of the cards that a clue touches."""
    clue, cards = clue_bit(kind, value), 0
    for card in range(rules[COLORS] * rules[RANKS]):
        if rules[rules[TOUCHES] + card] & clue:
            cards |= 1 << card
    return cards


@jit_hot
def touched_slots(position: Packed, action: int) -> int:
    """Return the set of slots, as bits, that a hint touches in the hand of its target."""
    rules, seat = position.rules, target_of(action)
    clue, touched = clue_bit(kind_of(action), value_of(action)), 0
    for slot in range(n_held(rules, position.state, seat)):
        if clues_of(rules, code_at(position, seat * rules[HAND_SIZE] + slot)) & clue:
            touched |= 1 << slot
    return touched


@jit_hot
def hintable(position: Packed, seat: int) -> int:
    """Return the clues that `seat` may be told, tokens aside."""
    rules, first, clues = position.rules, seat * position.rules[HAND_SIZE], 0
    if rules[EMPTY_HINTS]:
        return int(rules[ANYTHING])
    for place in range(first, first + n_held(rules, position.state, seat)):
        clues |= clues_of(rules, code_at(position, place))
    return clues


@jit_hot_inline
def may_discard(rules: Words, state: Words) -> bool:
    """Whether tokens allow a discard."""
    return bool(state[HINTS] < rules[MAX_HINTS] or rules[DISCARD_AT_FULL_HINTS] != 0)


@jit_hot_inline
def deck_left(rules: Words, state: Words) -> int:
    """Return how many cards are still to be drawn."""
    return int(rules[DECK_SIZE] - state[DRAWN])
