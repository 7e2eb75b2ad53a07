"""What observations tell beyond the position: the last action, and what was named of each card.

A position keeps what hints leave possible. That a card's color was named, and not only that all
other colors were ruled out, is more, and is kept here for each card of the deck.
"""

from __future__ import annotations

from hanabi.compiled import Bytes, Words
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.facts import code_at, index_at, touched_slots
from hanabi.game.kernels.rules import step
from hanabi.game.kernels.words import Packed, is_hint, kind_of, target_of

# Words of `last`: the action, or -1 before the first one; who took it; the card that it used; the
# slots that it touched, as bits; whether the card went on a pile; whether a token came back.
ACTION, ACTOR, CARD, TOUCHED, SCORED, REGAINED, LAST_SIZE = range(7)
NOTHING_YET = -1

COLOR_NAMED, RANK_NAMED = 1, 2  # bits of `named`


@jit_hot
def forget(last: Words, named: Bytes) -> None:
    """Write what is remembered after the deal: nothing."""
    for word in range(LAST_SIZE):
        last[word] = 0
    last[ACTION] = NOTHING_YET
    for index in range(named.size):
        named[index] = 0


@jit_hot
def take(position: Packed, last: Words, named: Bytes, action: int) -> None:
    """Take a legal action in place, and remember it."""
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
