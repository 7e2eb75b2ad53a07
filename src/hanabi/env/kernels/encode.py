"""The canonical encoding of the Hanabi Learning Environment, written as bits.

Its sections are hands, board, discards, the last action and the knowledge about cards. All seats
count from the observer. :mod:`hanabi.env.layout` lists the place of each entry.
"""

from __future__ import annotations

from hanabi.compiled import Bytes, Words
from hanabi.compiled.hot import jit_hot, jit_hot_inline
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
    touched_slots,
)
from hanabi.game.kernels.packed import (
    Packed,
    color_of,
    is_hint,
    kind_of,
    rank_of,
    target_of,
    value_of,
)
from hanabi.game.kernels.rules import step

# Writing numbers one after the other into a row of bits, and spreading bits over bytes.
#
# A row is an array of int64 words of which the 32 low bits are used; it needs one more word than
# its bits fill. A writer carries a *pen*: the offset of the next bit, and the bits so far of that
# bit's word. Words are written whole and never read, so no write waits for another one.

Pen = tuple[int, int]

WORD_BITS = 32  # bits that a word of a row holds
_LOW = (1 << WORD_BITS) - 1
_SHORT = WORD_BITS - 1  # most bits to put at once: with a word's earlier bits they must fit int64


@jit_hot_inline
def put_short(row: Words, pen: Pen, value: int, width: int) -> Pen:
    """Write the `width` <= 31 bits of a number, the lowest first."""
    offset, bits = pen
    bits |= value << (offset & 31)
    row[offset >> 5] = bits & _LOW
    after = offset + width
    return after, bits >> (((after >> 5) - (offset >> 5)) << 5)


@jit_hot_inline
def put(row: Words, pen: Pen, value: int, width: int) -> Pen:
    """Write the `width` <= 62 bits of a number, the lowest first."""
    if width <= _SHORT:
        return put_short(row, pen, value, width)
    pen = put_short(row, pen, value & ((1 << _SHORT) - 1), _SHORT)
    return put_short(row, pen, value >> _SHORT, width - _SHORT)


@jit_hot_inline
def add(row: Words, offset: int, value: int, width: int) -> None:
    """Set the ones of a number of `width` <= 62 bits in a row that has already been written."""
    while width > 0:
        few = min(width, _SHORT)
        shifted = (value & ((1 << few) - 1)) << (offset & 31)
        row[offset >> 5] |= shifted & _LOW
        row[(offset >> 5) + 1] |= shifted >> WORD_BITS
        value >>= few
        offset += few
        width -= few


@jit_hot_inline
def put_ones(row: Words, pen: Pen, count: int, width: int) -> Pen:
    """Write a thermometer: `count` ones, then zeros up to `width`."""
    while width > _SHORT:
        ones = min(count, _SHORT)
        pen = put_short(row, pen, (1 << ones) - 1, _SHORT)
        count -= ones
        width -= _SHORT
    return put_short(row, pen, (1 << count) - 1, width)


@jit_hot_inline
def end_row(row: Words, pen: Pen) -> None:
    """Write the bits that the pen still holds."""
    row[pen[0] >> 5] = pen[1]


@jit_hot_inline
def _spread_byte(byte: int) -> int:
    """Return a word whose bytes are the bits of a byte, the lowest first.

    The products of seven bits with these powers of two do not overlap, so nothing is carried.
    """
    return (byte & 127) * 0x2040810204081 & 0x1010101010101 | byte >> 7 << 56


@jit_hot_inline
def spread(row: Words, wide: Words, wide_bytes: Bytes, bits: Bytes) -> None:
    """Write each bit of a row as a separate byte.

    `wide` needs four words for each word of the row; `wide_bytes` are its bytes, the lowest first.
    """
    for word in range((bits.size + WORD_BITS - 1) >> 5):
        value, at = row[word], word << 2
        wide[at] = _spread_byte(value & 255)
        wide[at + 1] = _spread_byte(value >> 8 & 255)
        wide[at + 2] = _spread_byte(value >> 16 & 255)
        wide[at + 3] = _spread_byte(value >> 24)
    for at in range(bits.size):
        bits[at] = wide_bytes[at]


@jit_hot
def pack(row: Words, packed: Bytes) -> None:
    """Write the bits of a row eight to a byte, the lowest first."""
    for at in range(packed.size):
        packed[at] = row[at >> 2] >> ((at & 3) << 3) & 255


# Facts in observations beyond the position: the last action, and what hints named of each card.
#
# A position keeps only what hints leave possible. It does not distinguish a color that was named
# from one that is left after all others were ruled out. `named` does, for each card of the deck.

# Words of `last`: the action, or -1 before the first one; the seat that took it; the card that it
# played or discarded; the slots that it touched, as bits; whether the card went on a pile; whether
# a token came back.
ACTION, ACTOR, CARD, TOUCHED, SCORED, REGAINED, LAST_SIZE = range(7)
NOTHING_YET = -1

COLOR_NAMED, RANK_NAMED = 1, 2  # bits of `named`


@jit_hot
def forget(last: Words, named: Bytes) -> None:
    """Clear the memory of actions and named colors and ranks, as after the deal."""
    for word in range(LAST_SIZE):
        last[word] = 0
    last[ACTION] = NOTHING_YET
    for index in range(named.size):
        named[index] = 0


@jit_hot
def take(position: Packed, last: Words, named: Bytes, action: int) -> None:
    """Take a legal action in place, and record it in `last` and `named`."""
    rules, _, state = position
    seat, points, hints = state[k.SEAT], state[k.POINTS], state[k.HINTS]
    touched, card = 0, 0
    if is_hint(action):
        touched = touched_slots(position, action)
        place = target_of(action) * rules[k.HAND_SIZE]
        bit = COLOR_NAMED if kind_of(action) == k.HINT_COLOR else RANK_NAMED
        slots = touched
        while slots:
            if slots & 1:
                named[index_at(rules, state, place)] |= bit
            slots >>= 1
            place += 1
    else:
        card = code_at(position, seat * rules[k.HAND_SIZE] + target_of(action))
    step(position, action)
    last[ACTION], last[ACTOR], last[CARD], last[TOUCHED] = action, seat, card, touched
    last[SCORED] = state[k.POINTS] > points
    last[REGAINED] = state[k.HINTS] > hints


MINIMAL, CARD_KNOWLEDGE, SEER = range(3)  # kinds of observations


@jit_hot
def encode(
    position: Packed, last: Words, named: Bytes, observer: int, kind: int, row: Words
) -> None:
    """Write the observation of `observer` to `row`, in the bit format of this module."""
    pen = _put_hands(position, observer, row)
    pen = _put_board(position.rules, position.state, pen, row)
    pen = _put_discards(position.rules, position.state, pen, row)
    pen = _put_last(position.rules, last, observer, pen, row)
    if kind != MINIMAL:
        pen = _put_knowledge(position, named, observer, kind, pen, row)
    end_row(row, pen)


@jit_hot_inline
def _put_hands(position: Packed, observer: int, row: Words) -> Pen:
    """Write the cards of the other seats, one-hot, and the seats whose hands miss a card."""
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
    """Write the number of discarded copies of each card, as a thermometer."""
    bits, width = 0, 0
    for card in range(rules[k.COLORS] * rules[k.RANKS]):
        copies = copies_of(rules, card)
        gone = copies - copies_kept(rules, state, card)
        if width + copies >= WORD_BITS:  # several cards fill a word, and are written together
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
    """Write the last action and its result; all zeros before the first action."""
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
    """Return the number of seats from the observer to a seat."""
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
    """Write the identities that hints leave possible for each card, and its named color and rank.

    For a seer every card is known, and both its color and its rank count as named.
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
            # Without branches, which could not be predicted here.
            color = (told & COLOR_NAMED) << color_of(code)
            rank = (told & RANK_NAMED) << rank_of(code) >> 2
            pen = put(row, pen, known, colors * ranks)
            pen = put(row, pen, color | rank << colors, colors + ranks)
        for _ in range(held, size):
            pen = put(row, pen, 0, colors * ranks)
            pen = put(row, pen, 0, colors + ranks)
    return pen
