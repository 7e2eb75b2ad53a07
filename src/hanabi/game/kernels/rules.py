"""The rules of Hanabi, stated once: deal, legality, step, end and score, for every rule set.

Everything is int64 words in the three arrays of a :class:`Position`. Copying the words of `state`
copies the position. Its hands name cards by their index in the deck, so that a position with other
hidden cards is the same `state` with another `deck`; what depends on no hidden card takes `rules`
and `state` alone.

======================  ========================================================================
`state` words           meaning
======================  ========================================================================
0 .. 7                  see `TURN` .. `END`
from `PILES`            height of each color's pile
from rules[DISCARDS]    discarded copies (errors included) of each card, color by color
from rules[SIZES]       cards in each seat's hand
from rules[CARDS]       deck indices, `HAND_SIZE` words a seat; oldest first; -1: no card
from rules[KNOWN]       what hints say of these cards, bits as in `card_bits`; 0: no card
======================  ========================================================================

An action is one word, `kind | value << 3 | target << 8`, whatever the rule set. Kinds 0 to 3 are
hanab.live's types. Target: the slot of a play or discard, the seat that gets a hint. Value: the
hinted color (from 0) or rank (from 1), else 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean

Words = npt.NDArray[np.int64]

# Words of `rules`. The copies of each card come last, color by color, then each color's ranks.
COLORS, RANKS, SEATS, HAND_SIZE, DECK_SIZE, MAX_HINTS, MAX_LIVES, MAX_SCORE = range(8)
FINAL_ROUND = 8  # turns after the last card is drawn, or -1: no limit
COMPLETION_BONUS, DISCARD_AT_FULL_HINTS, EMPTY_HINTS, BOMBED_SCORES_ZERO = range(9, 13)
KEEP_SLOTS, STOP_WHEN_STUCK, DECK_PLAYS, OPEN_HANDS = range(13, 17)
DISCARDS, SIZES, CARDS, KNOWN, STATE_SIZE, MAX_ACTIONS, HEIGHTS, ANYTHING = range(17, 25)
COPIES = 25

# Words of `state`. TURNS_LEFT is -1 while nothing limits them; POINTS are the cards on the piles.
TURN, SEAT, HINTS, LIVES, DRAWN, TURNS_LEFT, POINTS, END = range(8)
PILES = 8

PLAY, DISCARD, HINT_COLOR, HINT_RANK, PLAY_DECK = range(5)

# Values of state[END].
IN_PROGRESS, BOMBED, COMPLETED, OUT_OF_TURNS, STUCK, NO_ACTION = range(6)

# Answers of `find_broken_rule`.
NO_RULE, GAME_IS_OVER, NO_SUCH_ACTION, NO_SUCH_SLOT, FULL_HINTS, NO_DECK_PLAYS = range(6)
DECK_IS_NOT_ONE_CARD, NO_SUCH_SEAT, OWN_SEAT, NO_SUCH_COLOR, NO_SUCH_RANK = range(6, 11)
NO_HINTS, EMPTY_HINT = range(11, 13)

RANK_BITS = 32  # where the bits of ranks begin, above those of colors


class Position(NamedTuple):
    """A position of a game; :mod:`hanabi.game.packing` makes the arrays.

    Attributes
    ----------
    rules
        The rule set, only read.
    deck
        The cards in draw order, as `card_code`, only read.
    state
        What has happened; see the module.
    """

    rules: Words
    deck: Words
    state: Words


@jit_lean
def card_code(color: int, rank: int) -> int:
    """Return the word of a card in `deck`; its rank is `code & 31`, its color `code >> 5`."""
    return color << 5 | rank


@jit_lean
def card_bits(code: int) -> int:
    """Return the two bits of a card: one for its color, and one for its rank, from `RANK_BITS`."""
    return 1 << (code >> 5) | 1 << (RANK_BITS - 1 + (code & 31))


@jit_lean
def hint_bit(kind: int, value: int) -> int:
    """Return the bit that a card must have to be touched by the hint."""
    return 1 << value if kind == HINT_COLOR else 1 << (RANK_BITS - 1 + value)


@jit_lean
def action_code(kind: int, target: int, value: int) -> int:
    """Return an action as one word; see the module."""
    return kind | value << 3 | target << 8


@jit_lean
def touched_slots(position: Position, action: int) -> int:
    """Return the set of slots, as bits, that a hint touches in the hand of its target."""
    rules, deck, state = position
    bit = hint_bit(action & 7, action >> 3 & 31)
    seat = action >> 8
    first = rules[CARDS] + seat * rules[HAND_SIZE]
    touched = 0
    for slot in range(state[rules[SIZES] + seat]):
        if card_bits(deck[state[first + slot]]) & bit:
            touched |= 1 << slot
    return touched


@jit_lean
def hintable(position: Position, seat: int) -> int:
    """Return the bits of all colors and ranks that `seat` may be told, tokens aside."""
    rules, deck, state = position
    if rules[EMPTY_HINTS]:
        return int(rules[ANYTHING])
    first = rules[CARDS] + seat * rules[HAND_SIZE]
    bits = 0
    for slot in range(state[rules[SIZES] + seat]):
        bits |= card_bits(deck[state[first + slot]])
    return bits


@jit_lean
def _may_discard(rules: Words, state: Words) -> bool:
    return bool(state[HINTS] < rules[MAX_HINTS] or rules[DISCARD_AT_FULL_HINTS] != 0)


@jit_lean
def _may_play_deck(rules: Words, state: Words) -> bool:
    return bool(rules[DECK_PLAYS] != 0 and state[DRAWN] == rules[DECK_SIZE] - 1)


@jit_lean
def legal_actions(position: Position, actions: Words) -> int:
    """Write the legal actions of the seat to act, and return their number.

    `actions` needs `rules[MAX_ACTIONS]` words. Plays come first, then discards, then the hints
    seat by seat, colors before ranks. There are none if and only if the game is over.
    """
    rules, state = position.rules, position.state
    if state[END] != IN_PROGRESS:
        return 0
    n = 0
    size = state[rules[SIZES] + state[SEAT]]
    for slot in range(size):
        actions[n] = action_code(PLAY, slot, 0)
        n += 1
    if _may_play_deck(rules, state):
        actions[n] = PLAY_DECK
        n += 1
    if _may_discard(rules, state):
        for slot in range(size):
            actions[n] = action_code(DISCARD, slot, 0)
            n += 1
    if state[HINTS] == 0:
        return n
    for seat in range(rules[SEATS]):
        if seat == state[SEAT]:
            continue
        bits = hintable(position, seat)
        for color in range(rules[COLORS]):
            if bits >> color & 1:
                actions[n] = action_code(HINT_COLOR, seat, color)
                n += 1
        for rank in range(1, rules[RANKS] + 1):
            if bits >> (RANK_BITS - 1 + rank) & 1:
                actions[n] = action_code(HINT_RANK, seat, rank)
                n += 1
    return n


@jit_lean
def find_broken_rule(position: Position, action: int) -> int:
    """Return the first rule that `action`, any word, breaks: `NO_RULE` (0) if it is legal."""
    rules, state = position.rules, position.state
    kind, value, seat = action & 7, action >> 3 & 31, action >> 8
    if state[END] != IN_PROGRESS:
        return GAME_IS_OVER
    if action < 0 or kind > PLAY_DECK:
        return NO_SUCH_ACTION
    if kind == PLAY_DECK:
        if action != PLAY_DECK:
            return NO_SUCH_ACTION
        if not rules[DECK_PLAYS]:
            return NO_DECK_PLAYS
        return NO_RULE if _may_play_deck(rules, state) else DECK_IS_NOT_ONE_CARD
    if kind == PLAY or kind == DISCARD:
        if value:
            return NO_SUCH_ACTION
        if seat >= state[rules[SIZES] + state[SEAT]]:  # a slot, here
            return NO_SUCH_SLOT
        return NO_RULE if kind == PLAY or _may_discard(rules, state) else FULL_HINTS
    if seat >= rules[SEATS]:
        return NO_SUCH_SEAT
    if seat == state[SEAT]:
        return OWN_SEAT
    if kind == HINT_COLOR and value >= rules[COLORS]:
        return NO_SUCH_COLOR
    if kind == HINT_RANK and (value < 1 or value > rules[RANKS]):
        return NO_SUCH_RANK
    if state[HINTS] == 0:
        return NO_HINTS
    if not hintable(position, seat) & hint_bit(kind, value):
        return EMPTY_HINT
    return NO_RULE


@jit_lean
def _put(rules: Words, state: Words, place: int, index: int) -> None:
    """Put a card of which nothing is known into a place counted over all hands."""
    state[rules[CARDS] + place] = index
    state[rules[KNOWN] + place] = rules[ANYTHING]


@jit_lean
def _replace(rules: Words, state: Words, slot: int) -> None:
    """Take a card out of the hand of the seat to act, and draw the next one if there is any."""
    cards, known, seat = rules[CARDS], rules[KNOWN], state[SEAT]
    size = state[rules[SIZES] + seat]
    first = seat * rules[HAND_SIZE]
    place, last = first + slot, first + size - 1
    index = state[DRAWN]
    draws = index < rules[DECK_SIZE]
    if not (draws and rules[KEEP_SLOTS]):
        while place < last:
            state[cards + place] = state[cards + place + 1]
            state[known + place] = state[known + place + 1]
            place += 1
    if draws:
        _put(rules, state, place, index)
        _draw(rules, state)
    else:
        state[cards + last] = -1
        state[known + last] = 0
        state[rules[SIZES] + seat] = size - 1


@jit_lean
def _draw(rules: Words, state: Words) -> None:
    state[DRAWN] += 1
    if state[DRAWN] == rules[DECK_SIZE]:
        state[TURNS_LEFT] = rules[FINAL_ROUND]


@jit_lean
def _play(rules: Words, state: Words, code: int) -> None:
    color, rank = code >> 5, code & 31
    if state[PILES + color] != rank - 1:
        state[LIVES] -= 1
        state[rules[DISCARDS] + color * rules[RANKS] + rank - 1] += 1
        return
    state[PILES + color] = rank
    state[POINTS] += 1
    if (
        rank == rules[rules[HEIGHTS] + color]
        and rules[COMPLETION_BONUS]
        and state[HINTS] < rules[MAX_HINTS]
    ):
        state[HINTS] += 1


@jit_lean
def _discard(rules: Words, state: Words, code: int) -> None:
    state[rules[DISCARDS] + (code >> 5) * rules[RANKS] + (code & 31) - 1] += 1
    if state[HINTS] < rules[MAX_HINTS]:
        state[HINTS] += 1


@jit_lean
def _hint(position: Position, seat: int, bit: int) -> None:
    rules, deck, state = position
    state[HINTS] -= 1
    colors = (1 << RANK_BITS) - 1
    # A touched card keeps of this half of its bits the hinted one alone, the others lose it.
    if_touched = bit | (~colors if bit <= colors else colors)
    cards, known = rules[CARDS], rules[KNOWN]
    first = seat * rules[HAND_SIZE]
    for place in range(first, first + state[rules[SIZES] + seat]):
        touched = card_bits(deck[state[cards + place]]) & bit
        state[known + place] &= if_touched if touched else ~bit


@jit_lean
def _is_stuck(position: Position) -> bool:
    """Whether no color's next card is left to anyone who still has a turn."""
    rules, deck, state = position
    for color in range(rules[COLORS]):
        height = state[PILES + color]
        if height == rules[rules[HEIGHTS] + color]:
            continue
        card = color * rules[RANKS] + height
        if state[rules[DISCARDS] + card] == rules[COPIES + card]:
            continue
        if state[TURNS_LEFT] < 0 or state[TURNS_LEFT] >= rules[SEATS]:
            return False
        seat = state[SEAT]
        for _ in range(state[TURNS_LEFT]):
            first = rules[CARDS] + seat * rules[HAND_SIZE]
            for place in range(first, first + state[rules[SIZES] + seat]):
                if deck[state[place]] == card_code(color, height + 1):
                    return False
            seat = (seat + 1) % rules[SEATS]
    return True


@jit_lean
def _find_end(position: Position) -> int:
    """Return why the game ends before the seat to act can act, or `IN_PROGRESS`."""
    rules, state = position.rules, position.state
    if state[LIVES] == 0:
        return BOMBED
    if state[POINTS] == rules[MAX_SCORE]:
        return COMPLETED
    if state[TURNS_LEFT] == 0:
        return OUT_OF_TURNS
    if rules[STOP_WHEN_STUCK] and _is_stuck(position):
        return STUCK
    # Whoever holds a card can play it, and hands only run empty once the deck is.
    if state[rules[SIZES] + state[SEAT]] == 0:
        if state[HINTS] > 0:
            for seat in range(rules[SEATS]):
                if seat != state[SEAT] and hintable(position, seat):
                    return IN_PROGRESS
        return NO_ACTION
    return IN_PROGRESS


@jit_lean
def deal(position: Position) -> None:
    """Write the position after the deal: seat 0 gets its whole hand first, and acts first."""
    rules, state = position.rules, position.state
    for word in range(rules[STATE_SIZE]):
        state[word] = 0
    state[HINTS] = rules[MAX_HINTS]
    state[LIVES] = rules[MAX_LIVES]
    state[TURNS_LEFT] = -1
    for seat in range(rules[SEATS]):
        state[rules[SIZES] + seat] = rules[HAND_SIZE]
        for slot in range(rules[HAND_SIZE]):
            _put(rules, state, seat * rules[HAND_SIZE] + slot, state[DRAWN])
            _draw(rules, state)
    state[END] = _find_end(position)


@jit_lean
def step(position: Position, action: int) -> None:
    """Take a legal action in place; an illegal one gives nonsense (see `find_broken_rule`)."""
    rules, deck, state = position
    kind, target = action & 7, action >> 8
    seat = state[SEAT]
    state[TURN] += 1
    if state[TURNS_LEFT] > 0:
        state[TURNS_LEFT] -= 1
    if kind == HINT_COLOR or kind == HINT_RANK:
        _hint(position, target, hint_bit(kind, action >> 3 & 31))
    elif kind == PLAY_DECK:
        _play(rules, state, deck[state[DRAWN]])
        _draw(rules, state)
    else:
        code = deck[state[rules[CARDS] + seat * rules[HAND_SIZE] + target]]
        if kind == PLAY:
            _play(rules, state, code)
        else:
            _discard(rules, state, code)
        _replace(rules, state, target)
    state[SEAT] = seat + 1 if seat + 1 < rules[SEATS] else 0
    state[END] = _find_end(position)


@jit_lean
def apply(position: Position, action: int, successor: Words) -> int:
    """Write the position after `action`, any word, to `successor`; or return the broken rule."""
    rules, deck, state = position
    broken = find_broken_rule(position, action)
    if broken == NO_RULE:
        for word in range(rules[STATE_SIZE]):
            successor[word] = state[word]
        step(Position(rules, deck, successor), action)
    return broken


@jit_lean
def score(rules: Words, state: Words) -> int:
    """Return the points so far: the cards on the piles, or none after the last error."""
    return 0 if state[LIVES] == 0 and rules[BOMBED_SCORES_ZERO] else state[POINTS]


@jit
def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` legal actions from here; depth >= 1."""
    rules, deck, state = position
    states = np.empty((depth, rules[STATE_SIZE]), np.int64)
    actions = np.empty((depth, rules[MAX_ACTIONS]), np.int64)
    left = np.zeros(depth, np.int64)
    for word in range(rules[STATE_SIZE]):
        states[0, word] = state[word]
    left[0] = legal_actions(position, actions[0])
    level, total = 0, 0
    while level >= 0:
        if level == depth - 1:
            total += left[level]  # the last actions need not be taken to be counted
            level -= 1
        elif left[level] == 0:
            level -= 1
        else:
            left[level] -= 1
            for word in range(rules[STATE_SIZE]):
                states[level + 1, word] = states[level, word]
            step(Position(rules, deck, states[level + 1]), actions[level, left[level]])
            level += 1
            left[level] = legal_actions(Position(rules, deck, states[level]), actions[level])
    return total
