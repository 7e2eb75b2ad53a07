"""Frames, masks, records and the hash table shared by the kernels of `hanabi.winnable`.

A *type* is a card that may be needed: one bit of a mask. The ranks of a color take consecutive
bits, lowest rank first, followed by one guard bit that is always 0. Adding the mask of the lowest
ranks then carries through every unbroken run of low ranks at once, which gives the piles that a
set of cards can build, and the next card of every pile, in two operations. Which types there are
depends on the goal: a card that the goal does not need has type -1 and is *trash* everywhere.

A *frame* is a row of a search's stack. Its first words tell its position from others; the words
from `DRAWN` on say the same unpacked, those from `N_MOVES` on how far the search is, and those
from `HELD` on what follows from the position and is worked out once, when its moves are listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import Words, jit
from hanabi.compiled.bits import count_bits, wrapping
from hanabi.compiled.hot import jit_hot

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
    hint_cost: int  # if a discard gives back 1
    most_hints: int  # in the same unit
    last_turns: int  # after the last card is drawn, or NO_LIMIT
    bonus: bool  # whether completing a color gives a hint
    full_discard: bool  # whether cards may be discarded with all hints there
    empty_hints: bool
    touched: int  # mask of the types of which another hand must have one for a hint; 0: of none
    bottoms: int  # masks: of the lowest ranks,
    tops: int  # of the ranks that complete a color of the rules,
    needed: int  # of all types
    deck: Words  # (cards,): types
    suffix: Words  # (cards + 1,): masks of the types from each card on


class HashTable(NamedTuple):
    """A hash table of states; `used` counts its rows, and whatever else its owner counts."""

    keys: Words  # (a power of two, words a state)
    marks: Marks  # (the same power of two,)
    used: Words  # (3,)


PILES = SECURED = 0
HANDS = 1
"""Mask of the played types, or in a relaxation of the secured ones; then, seat by seat, of the
needed or labelled types in hand, one copy each."""

DRAWN, HINTS, LIVES, PLAYED, SEAT, TURNS, SIZES = range(10, 17)
"""PLAYED: number of played types. SEAT: -1 while anyone may act. TURNS: those left once the last
card is drawn. SIZES: cards in each hand, 8 bits a seat. A relaxation has no LIVES and SIZES."""

N_MOVES, NEXT_MOVE, MOVE, SLOT, DOUBT = range(17, 22)
"""MOVE: the move tried last. SLOT: the row of the table. DOUBT: whether some successor was left
undecided."""

HELD, OTHERS, BUILDABLE, PLAYABLE, COMMITTED, FRAME_WORDS = range(22, 28)
"""Masks. HELD: HANDS together. OTHERS: without the seat to act. BUILDABLE: what can be on the
piles. PLAYABLE: the next types of the piles. COMMITTED: what must be on the piles."""

LOST, WON, UNKNOWN, NEW = range(4)
"""Answers. UNKNOWN: a budget ended. NEW: the state has to be searched."""

EMPTY, MARKED_LOST, MARKED_WON, MARKED_UNKNOWN, REOPENED = range(5)
"""Marks of a table's rows: LOST, WON, UNKNOWN plus one. A state being searched is marked lost: it
cannot be its own descendant, and is marked again when its search does not end with "lost".
REOPENED: undecided by an earlier search, to be searched again."""


@jit_hot
def index_of(bit: int) -> int:
    """Return the index of the only bit of `bit`."""
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
    """Return the types in all hands but that of `seat`; -1: in all hands."""
    held = 0
    for other in range(deal.seats):
        if other != seat:
            held |= frame[HANDS + other]
    return held


@wrapping
@jit_hot
def enter(table: HashTable, frame: Words) -> int:
    """Return the answer known for a frame, by its first words; or NEW, marked lost in row SLOT.

    UNKNOWN if there is no row and the table is full (three quarters).
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
    """Write the last words of a frame's key, and enter it."""
    end = HANDS + deal.seats
    word = frame[DRAWN] | (frame[HINTS] << 8) | (frame[LIVES] << 16) | (frame[PLAYED] << 24)
    frame[end] = word | ((frame[SEAT] + 1) << 32) | (frame[TURNS] << 36)
    frame[end + 1] = frame[SIZES]
    return enter(table, frame)


@jit_hot
def leave_frame(table: HashTable, frames: Words, top: int) -> None:
    """Mark a frame whose moves have all been tried; doubt goes on to the frame below."""
    if frames[top, DOUBT]:
        table.marks[frames[top, SLOT]] = MARKED_UNKNOWN
        if top > 0:
            frames[top - 1, DOUBT] = 1


@jit_hot
def conclude(table: HashTable, frames: Words, top: int, answer: int) -> int:
    """Give the rows of frames 0 .. top the mark of `answer`."""
    for d in range(top + 1):
        table.marks[frames[d, SLOT]] = MARKED_LOST + answer
    return answer


# The merged-hand relaxation, compiled; stated and proven in `hanabi.winnable.relaxation`.
#
# All hands are one, hints are unlimited, and in the last round anyone may play. What is playable
# is played and trash is discarded first, so that the only choice left is which needed card to
# drop when the hand is full of unplayable needed cards. A state is told by the secured types and,
# in place of `HANDS`, the cards drawn; `MOVE` holds the types that are still to be dropped.

OVERFLOW = 4
"""Answer of `sweep`: the hand is full of needed cards, none of which can be played."""

MOST_SWEEPS = 1 << 16
"""In one call: some ten milliseconds."""
SWEEPS_A_MOVE = 1 << 12
"""So many count as a move of the search that asks; most questions take a few."""


class Merged(NamedTuple):
    """What the relaxation works with; the table may be kept between calls."""

    table: HashTable  # two words a state
    frames: Words  # (cards + 1, FRAME_WORDS)


@jit_hot
def sweep(deal: Deal, state: Words) -> int:
    """Play and discard without a choice from a frame on; stop at an answer or an overflow."""
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

    UNKNOWN if the table is full, or after `MOST_SWEEPS`: then the same question goes on where it
    stopped, for lost states stay in the table. `table.used[1]` counts the sweeps of all calls.
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
