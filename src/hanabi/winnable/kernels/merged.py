"""The merged-hand relaxation, compiled; stated and proven in `hanabi.winnable.relaxation`.

All hands are one, hints are unlimited, and in the last round anyone may play. What is playable is
played and trash is discarded first, so that the only choice left is which needed card to drop when
the hand is full of unplayable needed cards. A state is told by the secured types and, in place of
`HANDS`, the cards drawn; `MOVE` holds the types that are still to be dropped.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot
from hanabi.winnable.kernels import words as w
from hanabi.winnable.kernels.words import Deal, HashTable, Words

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
    drawn, secured, played = state[w.DRAWN], state[w.SECURED], state[w.PLAYED]
    can_play = count_bits(w.buildable(secured, deal.bottoms))
    answer = w.LOST
    while True:
        if played >= deal.goal:
            answer = w.WON
            break
        if (secured | deal.suffix[drawn]) != deal.needed:
            break
        if drawn == deal.cards:
            # Everything needed is in hand or on the piles.
            if deal.goal - played <= deal.last_turns or deal.last_turns == w.NO_LIMIT:
                answer = w.WON
            break
        turns = deal.cards - drawn + deal.last_turns
        if deal.goal - played > turns and deal.last_turns != w.NO_LIMIT:
            break
        if played < can_play:
            played += 1
        elif count_bits(secured) - played >= deal.seats * deal.hand_size:
            answer = OVERFLOW
            break
        bit = w.bit_of(deal.deck[drawn])
        drawn += 1
        if secured & bit == 0 and bit != 0:
            secured |= bit
            can_play = count_bits(w.buildable(secured, deal.bottoms))
    state[w.DRAWN], state[w.SECURED], state[w.PLAYED] = drawn, secured, played
    return answer


@jit
def merged_answer(deal: Deal, position: Words, merged: Merged) -> int:
    """Return LOST, WON or UNKNOWN for the relaxation of another search's frame.

    UNKNOWN if the table is full, or after `MOST_SWEEPS`: then the same question goes on where it
    stopped, for lost states stay in the table. `table.used[1]` counts the sweeps of all calls.
    """
    table, frames = merged.table, merged.frames
    last = table.used[1] + MOST_SWEEPS
    frames[0, w.SECURED] = position[w.SECURED] | w.held_by_others(deal, position, -1)
    frames[0, w.DRAWN], frames[0, w.PLAYED] = position[w.DRAWN], position[w.PLAYED]
    top, fresh = 0, True
    while top >= 0:
        state = frames[top]
        if fresh:
            if table.used[1] >= last:
                w.conclude(table, frames, top - 1, w.NEW)  # to be searched again
                return w.UNKNOWN
            table.used[1] += 1
            answer = sweep(deal, state)
            if answer == OVERFLOW:
                state[w.HANDS] = state[w.DRAWN]
                answer = w.enter(table, state)
                if answer == w.NEW:
                    droppable = state[w.SECURED] & deal.suffix[state[w.DRAWN]]
                    state[w.MOVE] = droppable & ~w.buildable(state[w.SECURED], deal.bottoms)
            if answer == w.WON or answer == w.UNKNOWN:
                return w.conclude(table, frames, top - 1, answer)
            if answer == w.LOST:
                top -= 1
            fresh = False
            continue
        bit = state[w.MOVE] & -state[w.MOVE]
        if bit == 0:
            top -= 1
            continue
        state[w.MOVE] &= ~bit
        top += 1
        child = frames[top]
        child[w.DRAWN], child[w.PLAYED] = state[w.DRAWN] + 1, state[w.PLAYED]
        child[w.SECURED] = (state[w.SECURED] & ~bit) | w.bit_of(deal.deck[state[w.DRAWN]])
        fresh = True
    return w.LOST
