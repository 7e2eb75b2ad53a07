"""Whole games of the rule-based player of [Bergh2016, section 4] and of random play.

Decisions are those of :mod:`hanabi.players`, drawn from the same random stream; that package says
what the rules mean. The rules of the game itself are :mod:`hanabi.kernels.game`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.kernels import jit, jit_inline
from hanabi.kernels.game import (
    BOMBED,
    CARDS,
    COLORS,
    DISCARD,
    DRAWN,
    END,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    HINTS,
    IN_PROGRESS,
    KNOWN,
    LIVES,
    MAX_ACTIONS,
    NO_RULE,
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
    action_code,
    deal,
    find_broken_rule,
    hint_bit,
    hintable,
    legal_actions,
    step,
)
from hanabi.kernels.player_chances import (
    COLOR_BITS,
    DISCARD_RULE,
    HINT_RULE,
    HINTING,
    HINTING_OF,
    LANE_BITS,
    NEVER_AGAIN,
    PICK_BEST,
    PLAY_FROM,
    PLAY_OF,
    PLAYABLE,
    RANDOM_PLAY,
    SAFE,
    SPARE,
    TELL_RANK,
    USELESS,
    USELESS_FROM,
    USELESS_OF,
    draw_up_to,
    is_open,
    judge_color,
    reach_of,
    start_table,
    table_size,
    weigh_hand,
)
from hanabi.kernels.rng import below, seed_stream, shuffle

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

# Outcomes are the points << 1 | whether the game was bombed.


@jit_inline
def _happens(stream: RandomStream, chances: int, of: int) -> bool:
    """Draw from the stream, unless it is certain."""
    return bool(chances == of or (chances > 0 and below(stream, of) < chances))


@jit_inline
def _find(size: int, hand: Words, lane: int, needed: int, of: int, is_first: bool) -> int:
    """Return the first slot with a chance of needed / of, or the likeliest of them; -1: none."""
    chosen, best, best_of = -1, -1, 1
    for slot in range(size):
        chance, total = hand[slot] >> lane & LANE_BITS, hand[slot] & LANE_BITS
        if chance * of >= needed * total and chance * best_of > best * total:
            if is_first:
                return slot
            chosen, best, best_of = slot, chance, total
    return chosen


@jit
def _random_hint(
    rules: Words, deck: Words, state: Words, stream: RandomStream, actions: Words
) -> int:
    n = legal_actions(rules, deck, state, actions)
    first = n
    while first > 0 and actions[first - 1] & 7 in (HINT_COLOR, HINT_RANK):
        first -= 1
    return int(actions[first + below(stream, n - first)])


@jit_inline
def _widest_hint(rules: Words, deck: Words, state: Words, counts: Words) -> int:
    """Return the hint that tells most cards a color or rank that their seat does not know."""
    best, most = -1, -1
    colors, ranks = rules[COLORS], rules[RANKS]
    for turn in range(1, rules[SEATS]):
        seat = state[SEAT] + turn
        if seat >= rules[SEATS]:
            seat -= rules[SEATS]
        for index in range(colors + ranks):
            counts[index] = 0
        first = seat * rules[HAND_SIZE]
        for place in range(first, first + state[rules[SIZES] + seat]):
            code, known = deck[state[rules[CARDS] + place]], state[rules[KNOWN] + place]
            if is_open(known >> RANK_BITS):
                counts[(code & 31) - 1] += 1
            if is_open(known & COLOR_BITS):
                counts[ranks + (code >> 5)] += 1
        bits = hintable(rules, deck, state, seat)
        for index in range(colors + ranks):
            kind, value = HINT_RANK, index + 1
            if index >= ranks:
                kind, value = HINT_COLOR, index - ranks
            if counts[index] > most and bits & hint_bit(kind, value):
                best, most = action_code(kind, seat, value), counts[index]
    return best


@jit_inline
def _hint_of_a_card(
    rules: Words, deck: Words, state: Words, options: Words, is_useful: bool
) -> int:
    """Return the hint of the next card without a hint that is useful (or useless), or -1."""
    for turn in range(1, rules[SEATS]):
        seat = state[SEAT] + turn
        if seat >= rules[SEATS]:
            seat -= rules[SEATS]
        first = seat * rules[HAND_SIZE]
        for place in range(first, first + state[rules[SIZES] + seat]):
            known = state[rules[KNOWN] + place]
            if not (is_open(known & COLOR_BITS) and is_open(known >> RANK_BITS)):
                continue
            code = deck[state[rules[CARDS] + place]]
            color, rank = code >> 5, code & 31
            pile = state[PILES + color]
            if is_useful:
                is_next = rank == pile + 1
            elif options[NEVER_AGAIN] != 0:
                is_next = rank <= pile or rank > reach_of(rules, state, color)
            else:
                is_next = rank != pile + 1
            if is_next and options[TELL_RANK] != 0:
                return action_code(HINT_RANK, seat, rank)
            if is_next:
                return action_code(HINT_COLOR, seat, color)
    return -1


@jit_inline
def _choose_hint(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    actions: Words,
) -> int:
    rule = options[HINT_RULE]
    if rule == 1:
        return _random_hint(rules, deck, state, stream, actions)
    hint = -1
    if rule >= 3:
        hint = _hint_of_a_card(rules, deck, state, options, True)
    if rule == 4 and hint < 0:
        hint = _hint_of_a_card(rules, deck, state, options, False)
    if hint < 0:
        hint = _widest_hint(rules, deck, state, actions)
    return hint


@jit_inline
def _choose_discard(
    rules: Words, state: Words, options: Words, stream: RandomStream, hand: Words
) -> int:
    """Return the slot to discard when no card is certain enough to be useless."""
    rule = options[DISCARD_RULE]
    size = state[rules[SIZES] + state[SEAT]]
    if rule == 1:
        return int(below(stream, size))
    if rule == 3:
        first = rules[CARDS] + state[SEAT] * rules[HAND_SIZE]
        oldest = 0
        for slot in range(1, size):
            if state[first + slot] < state[first + oldest]:
                oldest = slot
        return oldest
    return _find(size, hand, USELESS if rule == 2 else SPARE, 0, 1, False)


@jit_inline
def _may_hint(rules: Words, deck: Words, state: Words) -> bool:
    if state[HINTS] == 0:
        return False
    for seat in range(rules[SEATS]):
        if seat != state[SEAT] and hintable(rules, deck, state, seat):
            return True
    return False


@jit_inline
def decide(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    table: Words,
    hand: Words,
    actions: Words,
) -> int:
    """Return the rule-based player's action for the seat to act.

    `table` is that of the position; `hand` and `actions` are room for `rules[HAND_SIZE]` and
    `rules[MAX_ACTIONS]` words.
    """
    size = state[rules[SIZES] + state[SEAT]]
    is_first = options[PICK_BEST] == 0
    weigh_hand(rules, deck, state, options, table, hand)
    needed, of = options[PLAY_FROM], options[PLAY_OF]
    if options[SAFE] != 0 and state[LIVES] == 1:
        needed, of = 1, 1
    slot = _find(size, hand, PLAYABLE, needed, of, is_first)
    if slot >= 0:
        return action_code(PLAY, slot, 0)
    may_discard = find_broken_rule(rules, deck, state, action_code(DISCARD, 0, 0)) == NO_RULE
    if may_discard:
        needed, of = options[USELESS_FROM], options[USELESS_OF]
        slot = _find(size, hand, USELESS, needed, of, is_first)
        if slot >= 0:
            return action_code(DISCARD, slot, 0)
    if _may_hint(rules, deck, state) and (
        not may_discard or _happens(stream, options[HINTING], options[HINTING_OF])
    ):
        return _choose_hint(rules, deck, state, options, stream, actions)
    if may_discard:
        return action_code(DISCARD, _choose_discard(rules, state, options, stream, hand), 0)
    legal_actions(rules, deck, state, actions)
    return int(actions[0])


@jit_inline
def _play_out(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    table: Words,
    hand: Words,
    actions: Words,
) -> None:
    """Let the rule-based player play a game to its end."""
    start_table(rules, deck, state, options, table)
    while state[END] == IN_PROGRESS:
        action = decide(rules, deck, state, options, stream, table, hand, actions)
        kind, drawn, index = action & 7, state[DRAWN], -1
        if kind == PLAY or kind == DISCARD:
            index = state[rules[CARDS] + state[SEAT] * rules[HAND_SIZE] + (action >> 8)]
        elif kind == PLAY_DECK:
            index = drawn
        step(rules, deck, state, action)
        draw_up_to(rules, deck, table, drawn, state[DRAWN])
        if index >= 0:
            judge_color(rules, state, options, table, deck[index] >> 5)


@jit
def _play_randomly(
    rules: Words, deck: Words, state: Words, stream: RandomStream, actions: Words
) -> None:
    while state[END] == IN_PROGRESS:
        n = legal_actions(rules, deck, state, actions)
        step(rules, deck, state, int(actions[below(stream, n)]))


@jit
def play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: npt.NDArray[np.uint64],
    first: int,
    outcomes: Words,
) -> None:
    """Play the deals `first`, `first` + 1, ... to the end, and write one outcome each.

    `cards` is the deck in the order of `DeckSpec.cards`. Deals are `seeds[0]`'s, the decisions'
    streams are `seeds[1]`'s; both are numbered by the deal.
    """
    stream = np.empty(1, np.uint64)
    state = np.empty(rules[STATE_SIZE], np.int64)
    actions = np.empty(rules[MAX_ACTIONS], np.int64)
    hand = np.empty(rules[HAND_SIZE], np.int64)
    table = np.empty((3, table_size(rules)), np.int64)
    deck = np.empty(cards.size, np.int64)
    for game in range(outcomes.size):
        for index in range(cards.size):
            deck[index] = cards[index]
        seed_stream(stream, seeds[0], np.uint64(first + game))
        shuffle(stream, deck)
        seed_stream(stream, seeds[1], np.uint64(first + game))
        deal(rules, deck, state)
        if options[HINT_RULE] == RANDOM_PLAY:
            _play_randomly(rules, deck, state, stream, actions)
        else:
            _play_out(rules, deck, state, options, stream, table, hand, actions)
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
