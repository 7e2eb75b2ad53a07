"""Frames, masks, records and the hash table shared by the kernels of `hanabi.solvers.winnable`.

A *type* is a card that may be needed: one bit of a mask. The ranks of a color take consecutive
bits, lowest rank first, followed by one guard bit that is always 0. Adding the mask of the lowest
ranks then carries through every unbroken run of low ranks at once, which gives the piles that a
set of cards can build, and the next card of every pile, in two operations. The types depend on the
goal: a card that the goal does not need has type -1 and is *trash* everywhere.

A *frame* is a row of a search's stack. Its first words are the key of its position. The words from
`DRAWN` on hold the same data unpacked; those from `N_MOVES` on hold the progress of the search; and
those from `HELD` on hold masks derived once from the position, when its moves are listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import Words, jit
from hanabi.ground.compiled.bits import count_bits, wrapping
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import shuffle

__all__ = ["Deal", "HashTable", "Marks", "Stream", "Words"]

Marks = npt.NDArray[np.int8]
Stream = npt.NDArray[np.uint64]

NO_LIMIT = 255


class Deal(NamedTuple):
    """The constants of a deal and a goal."""

    cards: int
    seats: int
    hand_size: int
    goal: int  # points wanted
    hint_cost: int  # where a discard gains 1
    most_hints: int  # in the same unit
    last_turns: int  # after the last card is drawn, or NO_LIMIT
    bonus: bool  # whether completing a color gains a hint
    full_discard: bool  # whether discarding is legal with all hints available
    empty_hints: bool
    touched: int  # types of which another hand must hold one for a hint; 0: no condition
    bottoms: int  # masks of: the lowest ranks,
    tops: int  # the ranks that complete a color of the rules,
    needed: int  # all types
    deck: Words  # (cards,): types
    suffix: Words  # (cards + 1,): masks of the types from each card on


class HashTable(NamedTuple):
    """A hash table of states; `used` counts its used rows, and more for its owner."""

    keys: Words  # (a power of two, words per state)
    marks: Marks  # (the same power of two,)
    used: Words  # (3,)


PILES = SECURED = 0
HANDS = 1
"""Mask of the played types, or in a relaxation of the secured ones; then, seat by seat, of the
needed or labelled types in hand, one copy each."""

DRAWN, HINTS, LIVES, PLAYED, SEAT, TURNS, SIZES = range(10, 17)
"""PLAYED: number of played types. SEAT: -1 while anyone may act. TURNS: turns left once the last
card is drawn. SIZES: cards in each hand, 8 bits per seat. Relaxations have no LIVES or SIZES."""

N_MOVES, NEXT_MOVE, MOVE, SLOT, DOUBT = range(17, 22)
"""MOVE: the move tried last. SLOT: the row of the table. DOUBT: whether some successor was left
undecided."""

HELD, OTHERS, BUILDABLE, PLAYABLE, COMMITTED, FRAME_WORDS = range(22, 28)
"""Masks. HELD: all hands. OTHERS: all hands but that of the seat to act. BUILDABLE: types that can
be on the piles. PLAYABLE: the next type of each pile. COMMITTED: types that must be on them."""

LOST, WON, UNKNOWN, NEW = range(4)
"""Answers. UNKNOWN: a budget ran out. NEW: the state must be searched."""

EMPTY, MARKED_LOST, MARKED_WON, MARKED_UNKNOWN, REOPENED = range(5)
"""Marks of a table's rows: LOST, WON or UNKNOWN, plus one. A state being searched is marked lost:
it cannot be its own descendant, and it gets another mark unless its search ends with "lost".
REOPENED: undecided by an earlier search, to be searched again."""


@jit_hot
def index_of(bit: int) -> int:
    """Return the index of the single bit of `bit`."""
    return count_bits(bit - 1)


@jit_hot
def bit_of(kind: int) -> int:
    """Return the mask of one type, 0 for trash."""
    if kind < 0:
        return 0
    return int(np.int64(1) << kind)


@jit_hot
def buildable(mask: int, bottoms: int) -> int:
    """Return the types of `mask` that can be on the piles if nothing else is ever played."""
    return mask & ~(mask + bottoms)


@jit_hot
def next_types(piles: int, bottoms: int, needed: int) -> int:
    """Return the next type of every pile, for `piles` as a mask of played types."""
    return (piles + bottoms) & needed


@jit_hot
def held_by_others(deal: Deal, frame: Words, seat: int) -> int:
    """Return the types in all hands except that of `seat`; -1: in all hands."""
    held = 0
    for other in range(deal.seats):
        if other != seat:
            held |= frame[HANDS + other]
    return held


@wrapping
@jit_hot
def enter(table: HashTable, frame: Words) -> int:
    """Return the known answer for a frame's key; or NEW, after marking row SLOT lost.

    The answer is UNKNOWN if the frame has no row and the table is full (three quarters).
    """
    width = table.keys.shape[1]
    h = np.uint64(0x9E3779B97F4A7C15)
    for word in range(width):
        h ^= np.uint64(frame[word])
        h *= np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    last = table.marks.shape[0] - 1
    slot = np.int64(h >> np.uint64(1)) & last
    while table.marks[slot] != EMPTY:
        word = 0
        while word < width and table.keys[slot, word] == frame[word]:
            word += 1
        if word == width:
            break
        slot = (slot + 1) & last
    mark = table.marks[slot]
    if mark != EMPTY and mark != REOPENED:
        return int(mark - MARKED_LOST)
    if mark == EMPTY:
        if table.used[0] * 4 >= table.marks.shape[0] * 3:
            return UNKNOWN
        table.used[0] += 1
        for word in range(width):
            table.keys[slot, word] = frame[word]
    table.marks[slot] = MARKED_LOST
    frame[SLOT] = slot
    return NEW


@jit_hot
def enter_frame(deal: Deal, table: HashTable, frame: Words) -> int:
    """Write the last words of a frame's key, and call `enter`."""
    end = HANDS + deal.seats
    word = frame[DRAWN] | (frame[HINTS] << 8) | (frame[LIVES] << 16) | (frame[PLAYED] << 24)
    frame[end] = word | ((frame[SEAT] + 1) << 32) | (frame[TURNS] << 36)
    frame[end + 1] = frame[SIZES]
    return enter(table, frame)


@jit_hot
def leave_frame(table: HashTable, frames: Words, top: int) -> None:
    """Mark a frame whose moves have all been tried; pass its doubt to the frame below."""
    if frames[top, DOUBT]:
        table.marks[frames[top, SLOT]] = MARKED_UNKNOWN
        if top > 0:
            frames[top - 1, DOUBT] = 1


@jit_hot
def conclude(table: HashTable, frames: Words, top: int, answer: int) -> int:
    """Mark the rows of frames 0 .. top with `answer`."""
    for d in range(top + 1):
        table.marks[frames[d, SLOT]] = MARKED_LOST + answer
    return answer


# The merged-hand relaxation, compiled; stated and proven in `hanabi.solvers.winnable.search`.
#
# All hands are one, hints are unlimited, and in the last round anyone may play. Playable cards are
# played and trash is discarded first, so that the only choice is which needed card to drop when the
# hand is full of unplayable needed cards. A state's key is the secured types and, in place of
# `HANDS`, the cards drawn; `MOVE` holds the types that are still to be dropped.

OVERFLOW = 4
"""Answer of `sweep`: the hand is full of needed cards, none of which can be played."""

MOST_SWEEPS = 1 << 16
"""Limit of sweeps in one call: about ten milliseconds."""
SWEEPS_A_MOVE = 1 << 12
"""Number of sweeps that count as one move of the calling search; most calls take a few."""


class Merged(NamedTuple):
    """The working arrays of the relaxation; the table may be kept between calls."""

    table: HashTable  # two words per state
    frames: Words  # (cards + 1, FRAME_WORDS)


@jit_hot
def sweep(deal: Deal, state: Words) -> int:
    """Play and discard from a frame while there is no choice; stop at an answer or overflow."""
    drawn, secured, played = state[DRAWN], state[SECURED], state[PLAYED]
    can_play = count_bits(buildable(secured, deal.bottoms))
    answer = LOST
    while True:
        if played >= deal.goal:
            answer = WON
            break
        if (secured | deal.suffix[drawn]) != deal.needed:
            break
        if drawn == deal.cards:
            # Everything needed is in hand or on the piles.
            if deal.goal - played <= deal.last_turns or deal.last_turns == NO_LIMIT:
                answer = WON
            break
        turns = deal.cards - drawn + deal.last_turns
        if deal.goal - played > turns and deal.last_turns != NO_LIMIT:
            break
        if played < can_play:
            played += 1
        elif count_bits(secured) - played >= deal.seats * deal.hand_size:
            answer = OVERFLOW
            break
        bit = bit_of(deal.deck[drawn])
        drawn += 1
        if secured & bit == 0 and bit != 0:
            secured |= bit
            can_play = count_bits(buildable(secured, deal.bottoms))
    state[DRAWN], state[SECURED], state[PLAYED] = drawn, secured, played
    return answer


@jit
def merged_answer(deal: Deal, position: Words, merged: Merged) -> int:
    """Return LOST, WON or UNKNOWN for the relaxation of another search's frame.

    UNKNOWN if the table is full or after `MOST_SWEEPS`. In the latter case another call continues
    where this one stopped, since lost states stay in the table. `table.used[1]` counts the sweeps
    of all calls.
    """
    table, frames = merged.table, merged.frames
    last = table.used[1] + MOST_SWEEPS
    frames[0, SECURED] = position[SECURED] | held_by_others(deal, position, -1)
    frames[0, DRAWN], frames[0, PLAYED] = position[DRAWN], position[PLAYED]
    top, fresh = 0, True
    while top >= 0:
        state = frames[top]
        if fresh:
            if table.used[1] >= last:
                conclude(table, frames, top - 1, NEW)  # to be searched again
                return UNKNOWN
            table.used[1] += 1
            answer = sweep(deal, state)
            if answer == OVERFLOW:
                state[HANDS] = state[DRAWN]
                answer = enter(table, state)
                if answer == NEW:
                    droppable = state[SECURED] & deal.suffix[state[DRAWN]]
                    state[MOVE] = droppable & ~buildable(state[SECURED], deal.bottoms)
            if answer == WON or answer == UNKNOWN:
                return conclude(table, frames, top - 1, answer)
            if answer == LOST:
                top -= 1
            fresh = False
            continue
        bit = state[MOVE] & -state[MOVE]
        if bit == 0:
            top -= 1
            continue
        state[MOVE] &= ~bit
        top += 1
        child = frames[top]
        child[DRAWN], child[PLAYED] = state[DRAWN] + 1, state[PLAYED]
        child[SECURED] = (state[SECURED] & ~bit) | bit_of(deal.deck[state[DRAWN]])
        fresh = True
    return LOST


# The labelled relaxation, compiled; stated and proven in `hanabi.solvers.winnable.search`.
#
# The types that complete a color must be labelled if `turns_from` is less than the number of cards.

PLAY_ANONYMOUS, PLAY_LABELLED, DISCARD_ANONYMOUS, DROP_ANONYMOUS, DROP_LABELLED, WAIT = range(6)
"""Moves are `seat << 9 | kind << 6 | type`. WAIT is a hint; in the last round it is any turn
without a play, and costs no token."""


class Relaxed(NamedTuple):
    """A labelled relaxation and its working arrays."""

    labelled: int  # mask
    turns_from: int
    limit: int  # most moves tried in one call; 0: the relaxation is not used
    frames: Words  # (depth, FRAME_WORDS)
    moves: Words  # (depth, most moves)
    table: HashTable
    merged: Merged


@jit_hot
def _with_all_below(types: int, bottoms: int) -> int:
    while True:
        more = types | ((types & ~bottoms) >> 1)
        if more == types:
            return types
        types = more


@jit_hot
def _add_move(frame: Words, moves: Words, seat: int, kind: int, bit: int) -> None:
    """Append a move to those of a frame; `bit` is 0 if the card does not matter."""
    index = index_of(bit) if bit else 0
    moves[frame[N_MOVES]] = (seat << 9) | (kind << 6) | index
    frame[N_MOVES] += 1


@jit_hot
def _add_labelled_plays(deal: Deal, frame: Words, seat: int, moves: Words) -> None:
    rest = frame[HANDS + seat] & frame[PLAYABLE]
    while rest:
        bit = rest & -rest
        rest ^= bit
        piles = frame[COMMITTED] | _with_all_below(bit, deal.bottoms)
        if count_bits(piles) <= frame[PLAYED] + 1:
            _add_move(frame, moves, seat, PLAY_LABELLED, bit)


@jit_hot
def _add_labelled_drops(deal: Deal, frame: Words, seat: int, moves: Words) -> None:
    """Append the discards of `seat`'s labelled cards with another copy to come or in hand."""
    elsewhere = deal.suffix[frame[DRAWN]] | held_by_others(deal, frame, seat)
    rest = frame[HANDS + seat] & elsewhere
    while rest:
        bit = rest & -rest
        rest ^= bit
        _add_move(frame, moves, seat, DROP_LABELLED, bit)


@jit_hot
def _add_anonymous_discards(
    deal: Deal, frame: Words, labelled: int, seat: int, moves: Words
) -> None:
    """Append the discards of anonymous cards: trash if there is any, else needed cards."""
    secured = frame[SECURED]
    if count_bits(secured) - frame[PLAYED] < deal.seats * deal.hand_size:
        _add_move(frame, moves, seat, DISCARD_ANONYMOUS, 0)
        return
    rest = secured & ~labelled & ~frame[COMMITTED] & deal.suffix[frame[DRAWN]]
    while rest:
        bit = rest & -rest
        rest ^= bit
        left = buildable(secured & ~frame[HELD] & ~bit, deal.bottoms)
        if count_bits(left) >= frame[PLAYED]:
            _add_move(frame, moves, seat, DROP_ANONYMOUS, bit)


@jit_hot
def _add_free_moves(deal: Deal, frame: Words, labelled: int, turns_from: int, moves: Words) -> None:
    """Append the moves while anyone may act."""
    playable = frame[PLAYED] < count_bits(frame[BUILDABLE])
    bit = bit_of(deal.deck[frame[DRAWN]])
    # The seat of an anonymous action matters if the card it draws is labelled, or if turns begin.
    is_tracked = (bit & labelled) != 0 and (frame[SECURED] & ~frame[HELD] & bit) == 0
    each = is_tracked or frame[DRAWN] + 1 == turns_from
    strict, done = labelled == deal.needed, False
    for seat in range(deal.seats):
        before = frame[N_MOVES]
        _add_labelled_plays(deal, frame, seat, moves)
        full = count_bits(frame[HANDS + seat]) >= deal.hand_size
        if strict and frame[N_MOVES] > before:
            continue
        if full or not strict:
            _add_labelled_drops(deal, frame, seat, moves)
        if done or full:
            continue
        if playable:
            _add_move(frame, moves, seat, PLAY_ANONYMOUS, 0)
        else:
            _add_anonymous_discards(deal, frame, labelled, seat, moves)
        done = not each


@jit_hot
def _add_turn_moves(deal: Deal, frame: Words, labelled: int, moves: Words) -> None:
    """Append the moves of the seat to act."""
    seat = frame[SEAT]
    has_anonymous = count_bits(frame[HANDS + seat]) < deal.hand_size
    _add_labelled_plays(deal, frame, seat, moves)
    if has_anonymous and frame[PLAYED] < count_bits(frame[BUILDABLE]):
        _add_move(frame, moves, seat, PLAY_ANONYMOUS, 0)
    if frame[DRAWN] == deal.cards:
        _add_move(frame, moves, seat, WAIT, 0)
        return
    if has_anonymous:
        _add_anonymous_discards(deal, frame, labelled, seat, moves)
    _add_labelled_drops(deal, frame, seat, moves)
    if frame[HINTS] >= deal.hint_cost and deal.seats > 1:
        _add_move(frame, moves, seat, WAIT, 0)


@jit
def _expand(
    deal: Deal, frame: Words, labelled: int, turns_from: int, moves: Words, stream: Stream
) -> None:
    """List a frame's moves in random order."""
    frame[HELD] = held_by_others(deal, frame, -1)
    loose = frame[SECURED] & ~frame[HELD]
    frame[BUILDABLE] = buildable(loose, deal.bottoms)
    frame[PLAYABLE] = next_types(frame[BUILDABLE], deal.bottoms, deal.needed)
    frame[COMMITTED] = _with_all_below(loose & labelled, deal.bottoms)
    frame[N_MOVES], frame[NEXT_MOVE], frame[DOUBT] = 0, 0, 0
    if frame[DRAWN] < turns_from:
        _add_free_moves(deal, frame, labelled, turns_from, moves)
    else:
        _add_turn_moves(deal, frame, labelled, moves)
    shuffle(stream, moves[: frame[N_MOVES]])


@jit_hot
def _release(deal: Deal, frame: Words, move: int, tracked: bool) -> None:
    """Take the card of a move out of `frame`."""
    kind, seat = (move >> 6) & 7, move >> 9
    bit = bit_of(move & 63) if kind in (PLAY_LABELLED, DROP_ANONYMOUS, DROP_LABELLED) else 0
    if kind == PLAY_ANONYMOUS or kind == PLAY_LABELLED:
        frame[PLAYED] += 1
        for other in range(deal.seats):
            frame[HANDS + other] &= ~bit
        gains = bit & deal.tops != 0 and deal.bonus
    else:
        if kind == DROP_ANONYMOUS:
            frame[SECURED] &= ~bit
        elif kind == DROP_LABELLED:
            frame[HANDS + seat] &= ~bit
            if held_by_others(deal, frame, -1) & bit == 0:
                frame[SECURED] &= ~bit
        gains = True
    if gains and tracked and frame[HINTS] < deal.most_hints:
        frame[HINTS] += 1


@jit_hot
def _advance(
    deal: Deal, frame: Words, child: Words, move: int, labelled: int, turns_from: int
) -> int:
    """Write the successor of `frame` into `child`; return WON, LOST or UNKNOWN."""
    seat, waits = move >> 9, (move >> 6) & 7 == WAIT
    for word in range(N_MOVES):
        child[word] = frame[word]
    following = (seat + 1) % deal.seats
    tracked = turns_from <= frame[DRAWN] < deal.cards
    if not waits:
        _release(deal, child, move, tracked)
    elif tracked:
        child[HINTS] -= deal.hint_cost
    if child[PLAYED] >= deal.goal:
        return WON
    if frame[DRAWN] == deal.cards:
        child[TURNS] -= 1
        child[SEAT] = following
        return LOST if deal.goal - child[PLAYED] > child[TURNS] else UNKNOWN
    if not waits:
        drawn = bit_of(deal.deck[frame[DRAWN]])
        on_piles = child[SECURED] & ~held_by_others(deal, child, -1)
        if drawn & labelled and on_piles & drawn == 0:
            child[HANDS + seat] |= drawn
        child[SECURED] |= drawn
        child[DRAWN] += 1
        if child[DRAWN] == deal.cards:
            child[HINTS] = 0  # they no longer matter
    child[SEAT] = following if child[DRAWN] >= turns_from else -1
    return UNKNOWN


@jit_hot
def _judge(deal: Deal, frame: Words, child: Words, table: HashTable, merged: Merged) -> int:
    """Return the known answer for `child`, or NEW."""
    if child[DRAWN] == deal.cards and deal.last_turns == NO_LIMIT:
        return WON if child[SECURED] == deal.needed else LOST
    if child[DRAWN] > frame[DRAWN] and merged_answer(deal, child, merged) == LOST:
        return LOST
    return enter_frame(deal, table, child)


@jit_hot
def _relax(deal: Deal, position: Words, relaxed: Relaxed) -> None:
    """Write the first frame: the part of a search's frame that the relaxation keeps."""
    root = relaxed.frames[0]
    root[SECURED] = position[PILES] | held_by_others(deal, position, -1)
    for seat in range(deal.seats):
        root[HANDS + seat] = position[HANDS + seat] & relaxed.labelled
    for word in (DRAWN, PLAYED, TURNS):
        root[word] = position[word]
    root[SEAT], root[HINTS] = -1, deal.most_hints
    if position[DRAWN] >= relaxed.turns_from:
        root[SEAT], root[HINTS] = position[SEAT], position[HINTS]


@jit
def labelled_answer(deal: Deal, position: Words, relaxed: Relaxed, stream: Stream) -> int:
    """Return LOST, WON or UNKNOWN (a limit was reached) for the relaxation of a search's frame.

    `table.used[1]` counts the moves tried in all calls, and sweeps at the rate of the search.
    """
    frames, moves, table = relaxed.frames, relaxed.moves, relaxed.table
    labelled, turns_from = relaxed.labelled, relaxed.turns_from
    _relax(deal, position, relaxed)
    answer = enter_frame(deal, table, frames[0])
    if answer != NEW:
        return answer
    _expand(deal, frames[0], labelled, turns_from, moves[0], stream)
    top, last = 0, table.used[1] + relaxed.limit
    while top >= 0:
        frame = frames[top]
        if frame[NEXT_MOVE] >= frame[N_MOVES]:
            leave_frame(table, frames, top)
            top -= 1
            continue
        if table.used[1] >= last or top + 2 > frames.shape[0]:
            return conclude(table, frames, top, UNKNOWN)
        move = moves[top, frame[NEXT_MOVE]]
        frame[NEXT_MOVE] += 1
        table.used[1] += 1
        child = frames[top + 1]
        answer = _advance(deal, frame, child, move, labelled, turns_from)
        swept = relaxed.merged.table.used[1]
        if answer == UNKNOWN:
            answer = _judge(deal, frame, child, table, relaxed.merged)
        table.used[1] += (relaxed.merged.table.used[1] - swept) // SWEEPS_A_MOVE
        if answer == WON:
            return conclude(table, frames, top, answer)
        if answer == UNKNOWN:
            frame[DOUBT] = 1
        elif answer == NEW:
            top += 1
            _expand(deal, child, labelled, turns_from, moves[top], stream)
    return UNKNOWN if frames[0, DOUBT] else LOST
