"""Kernels of environments: action numbers, memory of the last action, encoding, and batches."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hanabi.env.rows.kernels import (
    WORD_BITS,
    Pen,
    add,
    copy,
    end_row,
    pack,
    put,
    put_copy,
    put_ones,
    put_short,
    spread,
    widen,
)
from hanabi.ground.compiled import Bytes, Words, jit
from hanabi.ground.compiled.bits import count_bits, lowest_bit
from hanabi.ground.compiled.dispatch import by_type
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.ground.compiled.rng import below
from hanabi.rules import layout as k
from hanabi.rules.kernels.deals import Deals, start_deal
from hanabi.rules.kernels.facts import (
    card_bit,
    cards_known,
    code_at,
    copies_kept,
    copies_of,
    deck_left,
    has_hint,
    height_of,
    hintable,
    index_at,
    known_at,
    may_discard,
    n_held,
    touched_slots,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule
from hanabi.rules.kernels.packed import (
    Packed,
    action_code,
    card_of,
    color_of,
    is_hint,
    kind_of,
    rank_of,
    target_of,
    value_of,
)
from hanabi.rules.kernels.rules import deal, deal_from, score, step

# The canonical encoding of the Hanabi Learning Environment, written as bits.
#
# Its sections are hands, board, discards, the last action and the knowledge about cards. All seats
# count from the observer. :mod:`hanabi.env.layout` lists the place of each entry.

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
    note_action(position, last, named, action)
    step(position, action)
    note_result(position.state, last)


@jit_hot
def note_action(position: Packed, last: Words, named: Bytes, action: int) -> None:
    """Record a legal action that is taken next; `note_result` then records what came of it."""
    rules, _, state = position
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
        card = code_at(position, state[k.SEAT] * rules[k.HAND_SIZE] + target_of(action))
    last[ACTION], last[ACTOR], last[CARD], last[TOUCHED] = action, state[k.SEAT], card, touched
    last[SCORED], last[REGAINED] = state[k.POINTS], state[k.HINTS]  # until the result is known


@jit_hot
def note_result(state: Words, last: Words) -> None:
    """Record what came of the action that `note_action` has recorded."""
    last[SCORED] = state[k.POINTS] > last[SCORED]
    last[REGAINED] = state[k.HINTS] > last[REGAINED]


@jit_hot
def take_all(position: Packed, first: int, last: Words, named: Bytes, actions: Words) -> None:
    """Deal for a seat to begin, and take the actions, given as words, one after the other."""
    deal_from(position, first)
    forget(last, named)
    for action in actions:
        take(position, last, named, action)


MINIMAL, CARD_KNOWLEDGE, SEER = range(3)  # kinds of observations
_N_MOVES = 4  # kinds of actions: play, discard, color hint, rank hint


@jit_hot
def encode(
    position: Packed, last: Words, named: Bytes, observer: int, kind: int, row: Words
) -> None:
    """Write the observation of `observer` to `row`, in the bit format of this module."""
    rules, seats = position.rules, position.rules[k.SEATS]
    pen = _put_hands(position, observer + 1, seats - 1, (0, 0), row)
    pen = put(row, pen, _from(_missing(position), observer, seats), seats)
    pen = _put_board(rules, position.state, pen, row)
    pen = _put_discards(rules, position.state, pen, row)
    pen = put(row, pen, _who(last, observer, seats), 2 * seats + _N_MOVES)
    pen = _put_last(rules, last, pen, row)
    if kind != MINIMAL:
        pen = _put_knowledge(position, named, observer, kind, pen, row)
    end_row(row, pen)


@jit_hot
def encode_all(position: Packed, last: Words, named: Bytes, kind: int, row: Words) -> None:
    """Write what all seats see to `row`, once; each observation is three parts of it.

    First come the hands of the seats 0, 1, ..., then all but the last one again, so that those of
    the others are one part for any observer. Then comes the table, for each observer. The knowledge
    is like the hands.
    """
    rules, seats = position.rules, position.rules[k.SEATS]
    missing, n_who = _missing(position), 2 * seats + _N_MOVES
    pen = _put_hands(position, 0, seats, (0, 0), row)
    pen = _put_again(row, pen, 0, pen[0] // seats * (seats - 1))
    pen = put(row, pen, missing, seats)
    board = pen[0]
    pen = _put_board(rules, position.state, pen, row)
    pen = _put_discards(rules, position.state, pen, row)
    who = pen[0]
    pen = put(row, pen, _who(last, 0, seats), n_who)
    pen = _put_last(rules, last, pen, row)
    n_result = pen[0] - who - n_who
    for observer in range(1, seats):
        pen = put(row, pen, _from(missing, observer, seats), seats)
        pen = _put_again(row, pen, board, who - board)
        pen = put(row, pen, _who(last, observer, seats), n_who)
        pen = _put_again(row, pen, who + n_who, n_result)
    if kind != MINIMAL:
        start = pen[0]
        pen = _put_knowledge(position, named, 0, kind, pen, row)
        pen = _put_again(row, pen, start, (pen[0] - start) // seats * (seats - 1))
    end_row(row, pen)


@jit_hot_inline
def _put_again(row: Words, pen: Pen, start: int, width: int) -> Pen:
    """Write bits of the same row again."""
    end_row(row, pen)
    return put_copy(row, pen, row, start, width)


@jit_hot_inline
def _put_hands(position: Packed, first: int, n: int, pen: Pen, row: Words) -> Pen:
    """Write the cards of `n` seats, one-hot; those after the last seat begin again with 0."""
    rules, state = position.rules, position.state
    size, seats, kinds = rules[k.HAND_SIZE], rules[k.SEATS], rules[k.COLORS] * rules[k.RANKS]
    for seat in range(first, first + n):
        if seat >= seats:
            seat -= seats
        held = n_held(rules, state, seat)
        for place in range(seat * size, seat * size + held):
            pen = put(row, pen, card_bit(rules, code_at(position, place)), kinds)
        for _ in range(held, size):
            pen = put(row, pen, 0, kinds)
    return pen


@jit_hot_inline
def _missing(position: Packed) -> int:
    """Return the seats whose hands miss a card, as bits."""
    rules, missing = position.rules, 0
    for seat in range(rules[k.SEATS]):
        missing |= int(n_held(rules, position.state, seat) < rules[k.HAND_SIZE]) << seat
    return missing


@jit_hot_inline
def _from(bits: int, observer: int, seats: int) -> int:
    """Return bits of seats with the observer's first."""
    return (bits >> observer | bits << seats - observer) & (1 << seats) - 1


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
def _who(last: Words, observer: int, seats: int) -> int:
    """Return who acted last, how, and whom it told, as bits; 0 before the first action."""
    action = last[ACTION]
    if action == NOTHING_YET:
        return 0
    kind, who = kind_of(action), 1 << _behind(last[ACTOR], observer, seats)
    if is_hint(action):
        who |= 1 << _behind(target_of(action), observer, seats) + seats + _N_MOVES
    return who | _move_bit(kind) << seats


@jit_hot_inline
def _put_last(rules: Words, last: Words, pen: Pen, row: Words) -> Pen:
    """Write the rest of the last action, which looks the same to all seats, and its result."""
    size, colors, ranks = rules[k.HAND_SIZE], rules[k.COLORS], rules[k.RANKS]
    action = last[ACTION]
    told, slot, card, result = 0, 0, 0, 0
    if action != NOTHING_YET:
        kind, target, value = kind_of(action), target_of(action), value_of(action)
        if is_hint(action):
            told = 1 << value if kind == k.HINT_COLOR else 1 << colors + value - 1
        else:
            slot = 1 << target
            card = card_bit(rules, last[CARD])
            if kind == k.PLAY:
                result = last[SCORED] | last[REGAINED] << 1
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


# Conversion of the Hanabi Learning Environment's action numbers to action words, and back.
#
# Discards come first, then plays, both slot by slot. Then come color hints and rank hints, both
# ordered by the target's distance from the seat to act, then by color or rank.

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


# Kernels that deal, step and observe many games, one range of games a call.

# Words of `options`.
# The last three are the bits of a hand, of the table and of a hand's knowledge in an observation.
AUTORESET, KIND, IS_PACKED, N_BITS, N_HAND, N_TABLE, N_KNOWN, N_OPTIONS = range(8)
# Values of options[AUTORESET].
DISABLED, NEXT_STEP, SAME_STEP = range(3)


class Batch(NamedTuple):
    """The full state of an environment's games, one a row.

    Attributes
    ----------
    decks, states
        Cards and positions, as in `Packed`.
    last, named
        The last action, and what hints have named, as in :mod:`hanabi.env.kernels`.
    streams
        The state of the random stream of each game's decisions.
    games
        The number of games that each place has begun.
    legal
        The numbers of the legal actions, as rows of bits of :mod:`hanabi.env.kernels`.
    taken
        The numbers of the actions since the deal, one for each turn; the rest of a row is leftover
        data.
    """

    decks: Words
    states: Words
    last: Words
    named: npt.NDArray[np.uint8]
    streams: npt.NDArray[np.uint64]
    games: Words
    legal: Words
    taken: npt.NDArray[np.int16]


class Outputs(NamedTuple):
    """The arrays that a step writes.

    Attributes
    ----------
    observations, finals
        By game, observer and entry. `finals` has the games that have just ended, or no rows.
    masks
        By game and action number.
    rewards, dones, seats
        By game.
    """

    observations: npt.NDArray[np.uint8]
    finals: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int32]


class Scratch(NamedTuple):
    """Working memory of kernels.

    Attributes
    ----------
    row, shared
        The bits of an observation, and what all seats see.
    wide, wide_bytes
        Bits, eight to a word and one to a byte, and the bytes of these words.
    """

    row: Words
    shared: Words
    wide: Words
    wide_bytes: npt.NDArray[np.uint8]


@jit
def new_scratch(options: Words, seats: int) -> Scratch:
    """Return working memory to observe for one seat, or for all `seats` at once."""
    words = options[N_BITS] // WORD_BITS + 2  # one more than its bits fill
    shared = (2 * seats - 1) * (options[N_HAND] + options[N_KNOWN]) + seats * options[N_TABLE]
    n_shared = max(words, shared // WORD_BITS + 2)
    wide = np.empty(4 * n_shared, np.int64)
    return Scratch(
        np.empty(words, np.int64), np.empty(n_shared, np.int64), wide, wide.view(np.uint8)
    )


# Who acts in the games: the caller for all seats, or partners too (`hanabi.env.partners.kernels`).


class Alone(NamedTuple):
    """Games in which the caller acts for all seats.

    Attributes
    ----------
    deals
        The deals.
    """

    deals: Deals


Company: TypeAlias = Any  # `Alone`, or another record with `deals` and these functions


@by_type
@jit
def join(company: Company) -> Company:
    """Return the record with work space of its own."""
    return company


@by_type
@jit_hot
def callers_of(company: Company, batch: Batch, game: int) -> int:  # noqa: ARG001 - all of them
    """Return the seats for which the caller acts, as bits."""
    return -1


@by_type
@jit_hot
def begin(company: Company, batch: Batch, game: int) -> None:
    """Let the partners act, from the deal on, until the caller is to act or the game is over."""


@by_type
@jit_hot
def act(company: Company, batch: Batch, game: int, number: int) -> None:
    """Take an action, then let the partners act."""
    rules, state = company.deals.rules, batch.states[game]
    position = Packed(rules, batch.decks[game], state)
    batch.taken[game, state[k.TURN]] = number
    word = action_of(rules, state[k.SEAT], number)
    take(position, batch.last[game], batch.named[game], word)
    write_legal(position, batch.legal[game])


@jit_hot_inline
def observer_of(company: Company, batch: Batch, game: int) -> int:
    """Return the seat for which the caller acts, or would be the next to act."""
    callers, seat = callers_of(company, batch, game), batch.states[game, k.SEAT]
    while not callers >> seat & 1:
        seat = seat + 1 if seat + 1 < company.deals.rules[k.SEATS] else 0
    return int(seat)


@jit_hot_inline
def _points_had(company: Company, batch: Batch, game: int) -> int:
    """Return the points that the caller has had as rewards; it has none before its first action."""
    state, callers = batch.states[game], callers_of(company, batch, game)
    turn = state[k.TURN]
    is_first = turn < company.deals.rules[k.SEATS] and callers & (1 << turn) - 1 == 0
    return 0 if is_first else score(company.deals.rules, state)


@jit_hot
def deal_next(batch: Batch, deals: Deals, game: int) -> None:
    """Deal the next game of a place: place g of n plays the deals g, g + n, g + 2 n, ..."""
    position = Packed(deals.rules, batch.decks[game], batch.states[game])
    index = game + batch.games[game] * batch.games.size
    start_deal(deals, index, position, batch.streams[game : game + 1])
    forget(batch.last[game], batch.named[game])
    write_legal(position, batch.legal[game])
    batch.games[game] += 1


@jit_hot
def deal_given(batch: Batch, rules: Words, game: int, deck: Words) -> None:
    """Deal a given deck of the rules in a game's place."""
    position = Packed(rules, batch.decks[game], batch.states[game])
    for place in range(deck.size):
        position.deck[place] = deck[place]
    deal(position)
    forget(batch.last[game], batch.named[game])
    write_legal(position, batch.legal[game])


@jit_hot_inline
def _observe(
    company: Company,
    batch: Batch,
    options: Words,
    game: int,
    scratch: Scratch,
    observations: npt.NDArray[np.uint8],
) -> None:
    """Write a game's observation for the seat to act, or for each seat."""
    position = Packed(company.deals.rules, batch.decks[game], batch.states[game])
    last, named, kind = batch.last[game], batch.named[game], options[KIND]
    seats = observations.shape[1]
    if seats == 1:
        observer = observer_of(company, batch, game)
        encode(position, last, named, observer, kind, scratch.row)
        if options[IS_PACKED]:
            pack(scratch.row, observations[game, 0])
        else:
            spread(scratch.row, scratch.wide, scratch.wide_bytes, observations[game, 0])
        return
    encode_all(position, last, named, kind, scratch.shared)
    n_hand, n_table, n_known = options[N_HAND], options[N_TABLE], options[N_KNOWN]
    table = (2 * seats - 1) * n_hand
    known = table + seats * n_table
    if not options[IS_PACKED]:
        widen(scratch.shared, scratch.wide, known + (2 * seats - 1) * n_known)
    for view in range(seats):
        hands = (view + 1) * n_hand
        if options[IS_PACKED]:
            row, shared = scratch.row, scratch.shared
            pen = put_copy(row, (0, 0), shared, hands, (seats - 1) * n_hand)
            pen = put_copy(row, pen, shared, table, n_table)
            pen = put_copy(row, pen, shared, known, seats * n_known)
            end_row(row, pen)
            pack(row, observations[game, view])
        else:
            bits, source = observations[game, view], scratch.wide_bytes
            at = copy(source, hands, bits, 0, (seats - 1) * n_hand)
            at = copy(source, table, bits, at, n_table)
            copy(source, known, bits, at, seats * n_known)
        table += n_table
        known += n_known


@jit_hot_inline
def _show(
    company: Company, batch: Batch, options: Words, outputs: Outputs, game: int, scratch: Scratch
) -> None:
    """Write a game's observations, its legal actions and the seat to act."""
    _observe(company, batch, options, game, scratch, outputs.observations)
    spread(batch.legal[game], scratch.wide, scratch.wide_bytes, outputs.masks[game])
    outputs.seats[game] = observer_of(company, batch, game)


@jit_hot_inline
def _advance(
    company: Company,
    batch: Batch,
    options: Words,
    action: int,
    outputs: Outputs,
    game: int,
    scratch: Scratch,
) -> None:
    """Take an action in a game, or deal it anew; write the reward, the end and `finals`."""
    rules, state = company.deals.rules, batch.states[game]
    outputs.rewards[game] = 0
    if state[k.END] == k.IN_PROGRESS:
        points = _points_had(company, batch, game)
        act(company, batch, game, action)
        outputs.rewards[game] = score(rules, state) - points
    elif options[AUTORESET] == NEXT_STEP:
        deal_next(batch, company.deals, game)
        begin(company, batch, game)
    outputs.dones[game] = state[k.END] != k.IN_PROGRESS
    if state[k.END] != k.IN_PROGRESS and options[AUTORESET] == SAME_STEP:
        _observe(company, batch, options, game, scratch, outputs.finals)
        deal_next(batch, company.deals, game)
        begin(company, batch, game)


@jit
def look(
    company: Company, batch: Batch, options: Words, outputs: Outputs, first: int, last: int
) -> None:
    """Write the observations of the games `first` .. `last` - 1, and whether each is over."""
    scratch = new_scratch(options, outputs.observations.shape[1])
    for game in range(first, last):
        outputs.dones[game] = batch.states[game, k.END] != k.IN_PROGRESS
        _show(company, batch, options, outputs, game, scratch)


@jit
def step_games(
    company: Company,
    batch: Batch,
    options: Words,
    actions: npt.NDArray[np.int32],
    outputs: Outputs,
    first: int,
    last: int,
) -> None:
    """Take the actions of the games `first` .. `last` - 1, all legal, and write the results.

    A game that is over takes no action: with NEXT_STEP it is dealt anew, else it stays over.
    """
    scratch, joined = new_scratch(options, outputs.observations.shape[1]), join(company)
    for game in range(first, last):
        _advance(joined, batch, options, actions[game], outputs, game, scratch)
        _show(joined, batch, options, outputs, game, scratch)


@jit_hot
def find_illegal(
    batch: Batch, rules: Words, actions: npt.NDArray[np.int32], first: int, last: int
) -> int:
    """Return the first game in progress whose action is illegal, or -1."""
    for game in range(first, last):
        if batch.states[game, k.END] == k.IN_PROGRESS:
            if not is_legal(rules, batch.legal[game], actions[game]):
                return game
    return -1


@jit_hot
def draw_actions(batch: Batch, actions: npt.NDArray[np.int32], first: int, last: int) -> None:
    """Write a uniformly random legal action for each game; 0 where a game is over."""
    for game in range(first, last):
        actions[game] = draw_number(batch.legal[game], batch.streams[game : game + 1])


@jit_hot
def count_points(rules: Words, states: Words, points: Words) -> None:
    """Write the points of each game, as the rules count them."""
    for game in range(points.size):
        points[game] = score(rules, states[game])


# A check that the arrays are those of possible games, by playing each game again.

# Numbers for the first wrong array of a game.
NOTHING, DECKS, STATES, LAST, NAMED, LEGAL, TAKEN = range(7)
NAMES = ("", "decks", "states", "last", "named", "legal", "taken")
N_DAMAGES = 7


@jit
def _is_deck(rules: Words, deck: Words, counts: Words) -> bool:
    """Whether these are the cards of the rules, in any order."""
    counts[:] = 0
    for code in deck:
        if code < 0 or color_of(code) >= rules[k.COLORS]:
            return False
        if rank_of(code) < 1 or rank_of(code) > rules[k.RANKS]:
            return False
        card = card_of(rules, code)
        counts[card] += 1
        if counts[card] > copies_of(rules, card):
            return False
    return True


@jit
def find_damage(batch: Batch, rules: Words, first: int, last: int) -> int:
    """Return the first damaged game of a range, times `N_DAMAGES`, plus its wrong array; or -1.

    No word is used before it is known to be in its range.
    """
    deck_size, state_size, n_legal = (
        batch.decks.shape[1],
        batch.states.shape[1],
        batch.legal.shape[1],
    )
    counts = np.empty(rules[k.COLORS] * rules[k.RANKS], np.int64)
    state, legal = np.empty(state_size, np.int64), np.empty(n_legal, np.int64)
    memory, named = np.empty(LAST_SIZE, np.int64), np.empty(deck_size, np.uint8)
    for game in range(first, last):
        wrong, deck = NOTHING, batch.decks[game]
        if not _is_deck(rules, deck, counts):
            return game * N_DAMAGES + DECKS
        turns = batch.states[game, k.TURN]
        if turns < 0 or turns > batch.taken.shape[1]:
            return game * N_DAMAGES + STATES
        position = Packed(rules, deck, state)
        deal(position)
        forget(memory, named)
        for turn in range(turns):
            action = action_of(rules, state[k.SEAT], batch.taken[game, turn])
            if find_broken_rule(position, action) != NO_RULE:
                return game * N_DAMAGES + TAKEN
            take(position, memory, named, action)
        write_legal(position, legal)
        if not np.array_equal(state, batch.states[game]):
            wrong = STATES
        elif not np.array_equal(memory, batch.last[game]):
            wrong = LAST
        elif not np.array_equal(named, batch.named[game]):
            wrong = NAMED
        elif not np.array_equal(legal, batch.legal[game]):
            wrong = LEGAL
        if wrong != NOTHING:
            return game * N_DAMAGES + wrong
    return -1
