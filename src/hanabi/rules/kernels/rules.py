"""The rules of Hanabi, stated once: deal, legality, step, end and score, for every rule set.

:mod:`hanabi.rules.kernels.packed` lays out positions and actions; :mod:`hanabi.rules.kernels.facts`
interprets positions.
"""

from __future__ import annotations

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.hot import jit_hot
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    clues_of,
    code_at,
    copies_kept,
    has_hint,
    height_of,
    is_hintable,
    is_inverted,
    last_rank,
    n_held,
    next_ranks,
    place_after,
    reach,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule
from hanabi.rules.kernels.packed import (
    Packed,
    card_of,
    clue_bit,
    clue_number,
    color_of,
    is_hint,
    kind_of,
    rank_of,
    target_of,
    value_of,
)


@jit_hot
def _put(rules: Words, state: Words, place: int, index: int) -> None:
    """Put an unhinted card into a place counted over all hands."""
    state[rules[k.CARDS] + place] = index
    state[rules[k.KNOWN] + place] = rules[k.ANYTHING]


@jit_hot
def _replace(rules: Words, state: Words, slot: int) -> None:
    """Take a card out of the hand of the seat to act, and draw the next one if there is any."""
    cards, known, seat = rules[k.CARDS], rules[k.KNOWN], state[k.SEAT]
    size = n_held(rules, state, seat)
    first = seat * rules[k.HAND_SIZE]
    place, last = first + slot, first + size - 1
    index = state[k.DRAWN]
    draws = index < rules[k.DECK_SIZE]
    if not (draws and rules[k.KEEP_SLOTS]):
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
        state[rules[k.SIZES] + seat] = size - 1


@jit_hot
def _draw(rules: Words, state: Words) -> None:
    state[k.DRAWN] += 1
    if state[k.DRAWN] == rules[k.DECK_SIZE]:
        state[k.TURNS_LEFT] = rules[k.FINAL_ROUND]


@jit_hot
def _play(rules: Words, state: Words, code: int) -> None:
    color, place = color_of(code), place_after(rules, state, code)
    if place == 0:
        state[k.LIVES] -= 1
        state[rules[k.DISCARDS] + card_of(rules, code)] += 1
        return
    if rules[k.DISTINCT_STARTS] != 0 and state[k.PILES + color] == 0:
        state[k.STARTS] |= 1 << rank_of(code)
    state[k.PILES + color] = place
    state[k.POINTS] += 1
    if (
        height_of(rules, state, color) == last_rank(rules, color)
        and rules[k.COMPLETION_BONUS]
        and state[k.HINTS] < rules[k.MAX_HINTS]
    ):
        state[k.HINTS] += 1


@jit_hot
def _discard(rules: Words, state: Words, code: int) -> None:
    state[rules[k.DISCARDS] + card_of(rules, code)] += 1
    if state[k.HINTS] < rules[k.MAX_HINTS]:
        state[k.HINTS] += 1


@jit_hot
def _use(rules: Words, state: Words, code: int, is_play: bool) -> None:
    """Play or discard a card; if it is inverted, do the opposite."""
    if is_play != is_inverted(rules, code):
        _play(rules, state, code)
    else:
        _discard(rules, state, code)


@jit_hot
def _hint(position: Packed, action: int) -> None:
    rules, state = position.rules, position.state
    kind, value, seat = kind_of(action), value_of(action), target_of(action)
    state[k.HINTS] -= rules[k.HINT_COST]
    state[k.BARRED] = rules[k.BARS + kind - k.HINT_COLOR]
    clue, number = clue_bit(kind, value), clue_number(rules, kind, value)
    if_touched, if_not = rules[rules[k.IF_TOUCHED] + number], rules[rules[k.IF_NOT] + number]
    known, first = rules[k.KNOWN], seat * rules[k.HAND_SIZE]
    for place in range(first, first + n_held(rules, state, seat)):
        touched = clues_of(rules, code_at(position, place)) & clue
        state[known + place] &= if_touched if touched else if_not


@jit_hot
def _is_stuck(position: Packed) -> bool:
    """Whether no seat that still has a turn can get a playable card."""
    rules, state = position.rules, position.state
    for color in range(rules[k.COLORS]):
        ranks = next_ranks(rules, state, color) >> 1
        card = color * rules[k.RANKS]
        while ranks:
            if ranks & 1 and copies_kept(rules, state, card) > 0:
                if state[k.TURNS_LEFT] < 0 or state[k.TURNS_LEFT] >= rules[k.SEATS]:
                    return False
                if _is_held(position, card):
                    return False
            ranks >>= 1
            card += 1
    return True


@jit_hot
def _is_held(position: Packed, card: int) -> bool:
    """Whether a seat that still has a turn in the last round holds a card."""
    rules, state = position.rules, position.state
    seat = state[k.SEAT]
    for _ in range(state[k.TURNS_LEFT]):
        first = seat * rules[k.HAND_SIZE]
        for place in range(first, first + n_held(rules, state, seat)):
            if card_of(rules, code_at(position, place)) == card:
                return True
        seat = (seat + 1) % rules[k.SEATS]
    return False


@jit_hot
def _is_perfect_possible(rules: Words, state: Words) -> bool:
    """Whether enough cards are left to complete all piles."""
    for color in range(rules[k.COLORS]):
        if reach(rules, state, color) < last_rank(rules, color):
            return False
    return True


@jit_hot
def find_end(position: Packed) -> int:
    """Return the reason why the seat to act cannot act, or `IN_PROGRESS`."""
    rules, state = position.rules, position.state
    if state[k.LIVES] == 0:
        return k.BOMBED
    if state[k.POINTS] == rules[k.MAX_SCORE]:
        return k.COMPLETED
    if (rules[k.ALL_OR_NOTHING] or rules[k.SPEEDRUN]) and not _is_perfect_possible(rules, state):
        return k.STUCK
    if state[k.TURNS_LEFT] == 0:
        return k.OUT_OF_TURNS
    if rules[k.STOP_WHEN_STUCK] and _is_stuck(position):
        return k.STUCK
    # A seat that holds a card can play it, and hands become empty only after the deck is empty.
    if state[rules[k.SIZES] + state[k.SEAT]] == 0:
        if has_hint(rules, state):
            for seat in range(rules[k.SEATS]):
                if seat != state[k.SEAT] and is_hintable(position, seat):
                    return k.IN_PROGRESS
            if rules[k.ALL_OR_NOTHING]:
                return k.WAITING
        return k.NO_ACTION
    return k.IN_PROGRESS


@jit_hot
def deal(position: Packed) -> None:
    """Write the position after the deal: seat 0 gets its whole hand first, and acts first."""
    deal_from(position, 0)


@jit_hot
def deal_from(position: Packed, first: int) -> None:
    """Write the position after a deal in which seat `first` acts first; seat 0's hand is first."""
    rules, state = position.rules, position.state
    for word in range(rules[k.STATE_SIZE]):
        state[word] = 0
    state[k.SEAT] = first
    state[k.HINTS] = rules[k.MAX_HINTS]
    state[k.LIVES] = rules[k.MAX_LIVES]
    state[k.TURNS_LEFT] = -1
    for seat in range(rules[k.SEATS]):
        state[rules[k.SIZES] + seat] = rules[k.HAND_SIZE]
        for slot in range(rules[k.HAND_SIZE]):
            _put(rules, state, seat * rules[k.HAND_SIZE] + slot, state[k.DRAWN])
            _draw(rules, state)
    state[k.END] = find_end(position)


@jit_hot
def first_seat(rules: Words, state: Words) -> int:
    """Return the seat that acted first after the deal."""
    return int((state[k.SEAT] - state[k.TURN]) % rules[k.SEATS])


@jit_hot
def step(position: Packed, action: int) -> None:
    """Take a legal action in place; the result for an illegal one is undefined.

    Check actions with `find_broken_rule`.
    """
    rules, deck, state = position
    kind, target = kind_of(action), target_of(action)
    seat = state[k.SEAT]
    state[k.TURN] += 1
    if state[k.TURNS_LEFT] > 0:
        state[k.TURNS_LEFT] -= 1
    if is_hint(action):
        _hint(position, action)
    elif kind == k.PLAY_DECK or kind == k.DISCARD_DECK:
        _use(rules, state, deck[state[k.DRAWN]], kind == k.PLAY_DECK)
        _draw(rules, state)
    else:
        code = code_at(position, seat * rules[k.HAND_SIZE] + target)
        _use(rules, state, code, kind == k.PLAY)
        _replace(rules, state, target)
    state[k.SEAT] = seat + 1 if seat + 1 < rules[k.SEATS] else 0
    state[k.END] = find_end(position)


@jit_hot
def apply(position: Packed, action: int, successor: Words) -> int:
    """Write the position after `action`, any word, to `successor`; return the broken rule, or 0."""
    rules, deck, state = position
    broken = find_broken_rule(position, action)
    if broken == NO_RULE:
        for word in range(rules[k.STATE_SIZE]):
            successor[word] = state[word]
        step(Packed(rules, deck, successor), action)
    return broken


@jit_hot
def points_kept(rules: Words, state: Words) -> int:
    """Return the points so far: the cards on the piles, or 0 if the end forfeits them.

    This ignores the last error. A game that waits forever is worth 0, too.
    """
    if state[k.END] != k.IN_PROGRESS and state[k.END] != k.COMPLETED:
        if rules[k.ALL_OR_NOTHING]:
            return 0
        if rules[k.SPEEDRUN] and not _is_perfect_possible(rules, state):
            return 0
    return int(state[k.POINTS])


@jit_hot
def score(rules: Words, state: Words) -> int:
    """Return the points so far, or 0 if the last error or another end forfeits them.

    A record may go on after the last error, so lives can be negative.
    """
    if state[k.LIVES] <= 0 and rules[k.BOMBED_SCORES_ZERO]:
        return 0
    return points_kept(rules, state)
