"""The rules of Hanabi, stated once: deal, legality, step, end and score, for every rule set.

Positions and actions are laid out by :mod:`hanabi.game.kernels.words`; what else they mean is said
by :mod:`hanabi.game.kernels.facts`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled.hot import jit_hot
from hanabi.game.kernels.facts import (
    clues_of,
    code_at,
    copies_kept,
    hintable,
    last_rank,
    may_discard,
    n_held,
)
from hanabi.game.kernels.words import (
    ANYTHING,
    BOMBED,
    BOMBED_SCORES_ZERO,
    CARDS,
    COLOR_BITS,
    COLORS,
    COMPLETED,
    COMPLETION_BONUS,
    DECK_PLAYS,
    DECK_SIZE,
    DISCARD,
    DISCARDS,
    DRAWN,
    END,
    FINAL_ROUND,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    HINTS,
    IN_PROGRESS,
    KEEP_SLOTS,
    KNOWN,
    LIVES,
    MAX_HINTS,
    MAX_LIVES,
    MAX_SCORE,
    NO_ACTION,
    OUT_OF_TURNS,
    PILES,
    PLAY,
    PLAY_DECK,
    POINTS,
    RANK_BITS,
    RANKS,
    SEAT,
    SEATS,
    SIZES,
    STATE_SIZE,
    STOP_WHEN_STUCK,
    STUCK,
    TURN,
    TURNS_LEFT,
    Packed,
    action_code,
    card_code,
    card_of,
    clue_bit,
    color_of,
    is_hint,
    kind_of,
    rank_of,
    target_of,
    value_of,
)

Words = npt.NDArray[np.int64]

# Answers of `find_broken_rule`.
NO_RULE, GAME_IS_OVER, NO_SUCH_ACTION, NO_SUCH_SLOT, FULL_HINTS, NO_DECK_PLAYS = range(6)
DECK_IS_NOT_ONE_CARD, NO_SUCH_SEAT, OWN_SEAT, NO_SUCH_COLOR, NO_SUCH_RANK = range(6, 11)
NO_HINTS, EMPTY_HINT = range(11, 13)


@jit_hot
def _may_play_deck(rules: Words, state: Words) -> bool:
    return bool(rules[DECK_PLAYS] != 0 and state[DRAWN] == rules[DECK_SIZE] - 1)


@jit_hot
def legal_actions(position: Packed, actions: Words) -> int:
    """Write the legal actions of the seat to act, and return their number.

    `actions` needs `rules[MAX_ACTIONS]` words. Plays come first, then discards, then the hints
    seat by seat, colors before ranks. There are none if and only if the game is over.
    """
    rules, state = position.rules, position.state
    if state[END] != IN_PROGRESS:
        return 0
    n = 0
    size = n_held(rules, state, state[SEAT])
    for slot in range(size):
        actions[n] = action_code(PLAY, slot, 0)
        n += 1
    if _may_play_deck(rules, state):
        actions[n] = PLAY_DECK
        n += 1
    if may_discard(rules, state):
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


@jit_hot
def find_broken_rule(position: Packed, action: int) -> int:
    """Return the first rule that `action`, any word, breaks: `NO_RULE` (0) if it is legal."""
    rules, state = position.rules, position.state
    kind, value, seat = kind_of(action), value_of(action), target_of(action)
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
        if seat >= n_held(rules, state, state[SEAT]):  # a slot, here
            return NO_SUCH_SLOT
        return NO_RULE if kind == PLAY or may_discard(rules, state) else FULL_HINTS
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
    if not hintable(position, seat) & clue_bit(kind, value):
        return EMPTY_HINT
    return NO_RULE


@jit_hot
def _put(rules: Words, state: Words, place: int, index: int) -> None:
    """Put a card of which nothing is known into a place counted over all hands."""
    state[rules[CARDS] + place] = index
    state[rules[KNOWN] + place] = rules[ANYTHING]


@jit_hot
def _replace(rules: Words, state: Words, slot: int) -> None:
    """Take a card out of the hand of the seat to act, and draw the next one if there is any."""
    cards, known, seat = rules[CARDS], rules[KNOWN], state[SEAT]
    size = n_held(rules, state, seat)
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


@jit_hot
def _draw(rules: Words, state: Words) -> None:
    state[DRAWN] += 1
    if state[DRAWN] == rules[DECK_SIZE]:
        state[TURNS_LEFT] = rules[FINAL_ROUND]


@jit_hot
def _play(rules: Words, state: Words, code: int) -> None:
    color, rank = color_of(code), rank_of(code)
    if state[PILES + color] != rank - 1:
        state[LIVES] -= 1
        state[rules[DISCARDS] + card_of(rules, code)] += 1
        return
    state[PILES + color] = rank
    state[POINTS] += 1
    if (
        rank == last_rank(rules, color)
        and rules[COMPLETION_BONUS]
        and state[HINTS] < rules[MAX_HINTS]
    ):
        state[HINTS] += 1


@jit_hot
def _discard(rules: Words, state: Words, code: int) -> None:
    state[rules[DISCARDS] + card_of(rules, code)] += 1
    if state[HINTS] < rules[MAX_HINTS]:
        state[HINTS] += 1


@jit_hot
def _hint(position: Packed, seat: int, clue: int) -> None:
    rules, state = position.rules, position.state
    state[HINTS] -= 1
    # A touched card keeps of this half of its bits the hinted one alone, the others lose it.
    if_touched = clue | (~COLOR_BITS if clue <= COLOR_BITS else COLOR_BITS)
    known, first = rules[KNOWN], seat * rules[HAND_SIZE]
    for place in range(first, first + n_held(rules, state, seat)):
        touched = clues_of(rules, code_at(position, place)) & clue
        state[known + place] &= if_touched if touched else ~clue


@jit_hot
def _is_stuck(position: Packed) -> bool:
    """Whether no color's next card is left to anyone who still has a turn."""
    rules, state = position.rules, position.state
    for color in range(rules[COLORS]):
        height = state[PILES + color]
        if height == last_rank(rules, color):
            continue
        card = color * rules[RANKS] + height
        if copies_kept(rules, state, card) == 0:
            continue
        if state[TURNS_LEFT] < 0 or state[TURNS_LEFT] >= rules[SEATS]:
            return False
        seat = state[SEAT]
        for _ in range(state[TURNS_LEFT]):
            first = seat * rules[HAND_SIZE]
            for place in range(first, first + n_held(rules, state, seat)):
                if code_at(position, place) == card_code(color, height + 1):
                    return False
            seat = (seat + 1) % rules[SEATS]
    return True


@jit_hot
def _find_end(position: Packed) -> int:
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


@jit_hot
def deal(position: Packed) -> None:
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


@jit_hot
def step(position: Packed, action: int) -> None:
    """Take a legal action in place; an illegal one gives nonsense (see `find_broken_rule`)."""
    rules, deck, state = position
    kind, target = kind_of(action), target_of(action)
    seat = state[SEAT]
    state[TURN] += 1
    if state[TURNS_LEFT] > 0:
        state[TURNS_LEFT] -= 1
    if is_hint(action):
        _hint(position, target, clue_bit(kind, value_of(action)))
    elif kind == PLAY_DECK:
        _play(rules, state, deck[state[DRAWN]])
        _draw(rules, state)
    else:
        code = code_at(position, seat * rules[HAND_SIZE] + target)
        if kind == PLAY:
            _play(rules, state, code)
        else:
            _discard(rules, state, code)
        _replace(rules, state, target)
    state[SEAT] = seat + 1 if seat + 1 < rules[SEATS] else 0
    state[END] = _find_end(position)


@jit_hot
def apply(position: Packed, action: int, successor: Words) -> int:
    """Write the position after `action`, any word, to `successor`; or return the broken rule."""
    rules, deck, state = position
    broken = find_broken_rule(position, action)
    if broken == NO_RULE:
        for word in range(rules[STATE_SIZE]):
            successor[word] = state[word]
        step(Packed(rules, deck, successor), action)
    return broken


@jit_hot
def score(rules: Words, state: Words) -> int:
    """Return the points so far: the cards on the piles, or none after the last error."""
    return 0 if state[LIVES] == 0 and rules[BOMBED_SCORES_ZERO] else state[POINTS]
