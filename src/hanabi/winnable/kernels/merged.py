"""The merged-hand relaxation, compiled; stated and proven in `hanabi.winnable.relaxation`.

All hands are one, hints are unlimited, and in the last round anyone may play. The state before a
draw is (cards drawn, secured types, played types): a type is secured while it is on a pile or in
hand. What is playable is played and trash is discarded first, so that the only choice left is
which needed card to drop when the hand is full of unplayable needed cards.
"""

from __future__ import annotations

from hanabi.compiled import jit
from hanabi.compiled.bits import count_bits
from hanabi.winnable.kernels.words import (
    BOTTOMS,
    CARDS,
    GOAL,
    HAND_SIZE,
    LAST_TURNS,
    LOST,
    MARKED_LOST,
    NEEDED,
    NO_LIMIT,
    SEATS,
    UNKNOWN,
    WON,
    Deal,
    Table,
    Words,
    bit_of,
    buildable,
    enter,
)

OVERFLOW = 3
"""Answer of `sweep`: the hand is full of needed cards, none of which can be played."""

STACK_WORDS = 5
DRAWN, SECURED, PLAYED, REST, SLOT = range(STACK_WORDS)


@jit
def sweep(deal: Deal, state: Words) -> int:
    """Play and discard without a choice from `state` on; stop at an answer or an overflow.

    `state` holds DRAWN, SECURED and PLAYED (a number) and is left where the sweep stopped.
    """
    game, deck, suffix = deal.game, deal.deck, deal.suffix
    cards, goal, needed, bottoms = game[CARDS], game[GOAL], game[NEEDED], game[BOTTOMS]
    last_turns, slots = game[LAST_TURNS], game[SEATS] * game[HAND_SIZE]
    drawn, secured, played = state[DRAWN], state[SECURED], state[PLAYED]
    can_play = count_bits(buildable(secured, bottoms))
    answer = LOST
    while True:
        if played >= goal:
            answer = WON
            break
        if (secured | suffix[drawn]) != needed:
            break
        if drawn == cards:
            # Everything needed is in hand or on the piles.
            if goal - played <= last_turns or last_turns == NO_LIMIT:
                answer = WON
            break
        if goal - played > cards - drawn + last_turns and last_turns != NO_LIMIT:
            break
        if played < can_play:
            played += 1
        elif count_bits(secured) - played >= slots:
            answer = OVERFLOW
            break
        bit = bit_of(deck[drawn])
        drawn += 1
        if secured & bit == 0 and bit != 0:
            secured |= bit
            can_play = count_bits(buildable(secured, bottoms))
    state[DRAWN], state[SECURED], state[PLAYED] = drawn, secured, played
    return answer


@jit
def merged_answer(
    deal: Deal, drawn: int, secured: int, played: int, table: Table, stack: Words
) -> int:
    """Return LOST, WON or UNKNOWN (table full) for the relaxation from a position.

    `table` has two words a state and may be kept between calls. `stack` has `STACK_WORDS` columns
    and a row more than the deck has cards.
    """
    stack[0, DRAWN], stack[0, SECURED], stack[0, PLAYED] = drawn, secured, played
    top, fresh = 0, True
    while top >= 0:
        state = stack[top]
        if fresh:
            answer = sweep(deal, state)
            if answer == OVERFLOW:
                answer = enter(table, state)
                if answer < 0:
                    state[SLOT] = -1 - answer
                    droppable = state[SECURED] & deal.suffix[state[DRAWN]]
                    state[REST] = droppable & ~buildable(state[SECURED], deal.game[BOTTOMS])
            if answer == WON or answer == UNKNOWN:
                for row in range(top):
                    table.marks[stack[row, SLOT]] = MARKED_LOST + answer
                return answer
            if answer == LOST:
                top -= 1
            fresh = False
            continue
        bit = state[REST] & -state[REST]
        if bit == 0:
            top -= 1
            continue
        state[REST] &= ~bit
        top += 1
        stack[top, DRAWN] = state[DRAWN] + 1
        stack[top, SECURED] = (state[SECURED] & ~bit) | bit_of(deal.deck[state[DRAWN]])
        stack[top, PLAYED] = state[PLAYED]
        fresh = True
    return LOST
