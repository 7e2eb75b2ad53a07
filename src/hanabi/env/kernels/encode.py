"""The canonical encoding of the Hanabi Learning Environment, written as bits.

Its sections are hands, board, discards, the last action and what is known of cards; all seats are
counted from the observer on. :mod:`hanabi.env.layout` tells where each entry stands.
"""

from __future__ import annotations

from hanabi.compiled import Bytes, Words
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.env.kernels.bits import WORD_BITS, Pen, end_row, put, put_ones, put_short
from hanabi.env.kernels.memory import (
    ACTION,
    ACTOR,
    CARD,
    COLOR_NAMED,
    NOTHING_YET,
    RANK_NAMED,
    REGAINED,
    SCORED,
    TOUCHED,
)
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    card_bit,
    cards_known,
    code_at,
    copies_kept,
    copies_of,
    deck_left,
    height_of,
    index_at,
    known_at,
    n_held,
)
from hanabi.game.kernels.words import (
    Packed,
    color_of,
    is_hint,
    kind_of,
    rank_of,
    target_of,
    value_of,
)

MINIMAL, CARD_KNOWLEDGE, SEER = range(3)  # kinds of observations


@jit_hot
def encode(
    position: Packed, last: Words, named: Bytes, observer: int, kind: int, row: Words
) -> None:
    """Write what `observer` sees to `row`, as :mod:`hanabi.env.kernels.bits` keeps bits."""
    pen = _put_hands(position, observer, row)
    pen = _put_board(position.rules, position.state, pen, row)
    pen = _put_discards(position.rules, position.state, pen, row)
    pen = _put_last(position.rules, last, observer, pen, row)
    if kind != MINIMAL:
        pen = _put_knowledge(position, named, observer, kind, pen, row)
    end_row(row, pen)


@jit_hot_inline
def _put_hands(position: Packed, observer: int, row: Words) -> Pen:
    """Write the cards of the others, one of so many each, and whose hands miss a card."""
    rules, state = position.rules, position.state
    size, seats, kinds = rules[k.HAND_SIZE], rules[k.SEATS], rules[k.COLORS] * rules[k.RANKS]
    pen, missing = (0, 0), int(n_held(rules, state, observer) < size)
    for behind in range(1, seats):
        seat = observer + behind
        if seat >= seats:
            seat -= seats
        held = n_held(rules, state, seat)
        for place in range(seat * size, seat * size + held):
            pen = put(row, pen, card_bit(rules, code_at(position, place)), kinds)
        for _ in range(held, size):
            pen = put(row, pen, 0, kinds)
        missing |= int(held < size) << behind
    return put(row, pen, missing, seats)


@jit_hot_inline
def _put_board(rules: Words, state: Words, pen: Pen, row: Words) -> Pen:
    """Write the cards to draw, the piles and the tokens."""
    dealt = rules[k.SEATS] * rules[k.HAND_SIZE]
    pen = put_ones(row, pen, deck_left(rules, state), rules[k.DECK_SIZE] - dealt)
    piles, ranks = 0, rules[k.RANKS]
    for color in range(rules[k.COLORS]):
        piles |= (1 << height_of(rules, state, color)) >> 1 << color * ranks
    pen = put(row, pen, piles, rules[k.COLORS] * ranks)
    pen = put_ones(row, pen, state[k.HINTS], rules[k.MAX_HINTS])
    return put_ones(row, pen, state[k.LIVES], rules[k.MAX_LIVES])


@jit_hot_inline
def _put_discards(rules: Words, state: Words, pen: Pen, row: Words) -> Pen:
    """Write how many copies of each card are discarded."""
    bits, width = 0, 0
    for card in range(rules[k.COLORS] * rules[k.RANKS]):
        copies = copies_of(rules, card)
        gone = copies - copies_kept(rules, state, card)
        if width + copies >= WORD_BITS:  # few cards fill a word: not each is written by itself
            pen = put_short(row, pen, bits, width)
            bits, width = 0, 0
        if copies >= WORD_BITS:
            pen = put_ones(row, pen, gone, copies)
        else:
            bits |= (1 << gone) - 1 << width
            width += copies
    return put_short(row, pen, bits, width)


@jit_hot_inline
def _put_last(rules: Words, last: Words, observer: int, pen: Pen, row: Words) -> Pen:
    """Write the last action and what came of it: nothing, before the first one."""
    size, seats = rules[k.HAND_SIZE], rules[k.SEATS]
    colors, ranks = rules[k.COLORS], rules[k.RANKS]
    action = last[ACTION]
    who, told, slot, card, result = 0, 0, 0, 0, 0
    if action != NOTHING_YET:
        kind, target, value = kind_of(action), target_of(action), value_of(action)
        who = 1 << _behind(last[ACTOR], observer, seats) | _move_bit(kind) << seats
        if is_hint(action):
            who |= 1 << _behind(target, observer, seats) + seats + 4
            told = 1 << value if kind == k.HINT_COLOR else 1 << colors + value - 1
        else:
            slot = 1 << target
            card = card_bit(rules, last[CARD])
            if kind == k.PLAY:
                result = last[SCORED] | last[REGAINED] << 1
    pen = put(row, pen, who, 2 * seats + 4)
    pen = put(row, pen, told, colors + ranks)
    pen = put(row, pen, last[TOUCHED], size)
    pen = put(row, pen, slot, size)
    pen = put(row, pen, card, colors * ranks)
    return put(row, pen, result, 2)


@jit_hot_inline
def _behind(seat: int, observer: int, seats: int) -> int:
    """Return how many seats after the observer a seat is."""
    return seat - observer if seat >= observer else seat - observer + seats


@jit_hot_inline
def _move_bit(kind: int) -> int:
    """Return the bit of a kind of action: play, discard, color hint, rank hint."""
    if kind == k.PLAY:
        return 1
    if kind == k.DISCARD:
        return 2
    return 4 if kind == k.HINT_COLOR else 8


@jit_hot_inline
def _put_knowledge(
    position: Packed, named: Bytes, observer: int, kind: int, pen: Pen, row: Words
) -> Pen:
    """Write what hints leave possible of each card, and its color and rank where they were named.

    A seer is told both of every card.
    """
    rules, state = position.rules, position.state
    size, seats = rules[k.HAND_SIZE], rules[k.SEATS]
    colors, ranks = rules[k.COLORS], rules[k.RANKS]
    for behind in range(seats):
        seat = observer + behind
        if seat >= seats:
            seat -= seats
        held = n_held(rules, state, seat)
        for place in range(seat * size, seat * size + held):
            code, told = code_at(position, place), int(named[index_at(rules, state, place)])
            if kind == SEER:
                known = card_bit(rules, code)
                told = COLOR_NAMED | RANK_NAMED
            else:
                known = cards_known(rules, known_at(rules, state, place))
            # Without branches, which cannot be foreseen here.
            color = (told & COLOR_NAMED) << color_of(code)
            rank = (told & RANK_NAMED) << rank_of(code) >> 2
            pen = put(row, pen, known, colors * ranks)
            pen = put(row, pen, color | rank << colors, colors + ranks)
        for _ in range(held, size):
            pen = put(row, pen, 0, colors * ranks)
            pen = put(row, pen, 0, colors + ranks)
    return pen
