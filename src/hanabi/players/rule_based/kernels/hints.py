"""Which hint the rule-based player gives; see :mod:`hanabi.players.rule_based.kernels.policy`."""

from __future__ import annotations

from hanabi.compiled import RandomStream, Words
from hanabi.compiled.bits import lowest_bit
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.compiled.rng import below
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    clues_of,
    code_at,
    first_hint,
    has_hint,
    hintable,
    is_hintable,
    n_held,
)
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.words import Packed, action_code, clue_bit
from hanabi.players.rule_based.kernels.table import (
    HINT_RULE,
    PLAYABLE,
    TELL_RANK,
    USELESS,
    is_copy,
    told,
)


@jit_hot_inline
def may_hint(position: Packed) -> bool:
    """Whether the seat to act may give any hint."""
    rules, state = position.rules, position.state
    if not has_hint(rules, state):
        return False
    for seat in range(rules[k.SEATS]):
        if seat != state[k.SEAT] and is_hintable(position, seat):
            return True
    return False


@jit_hot
def _random_hint(position: Packed, rng: RandomStream, actions: Words) -> int:
    n = legal_actions(position, actions)
    first = n
    while first > 0 and actions[first - 1] & 7 in (k.HINT_COLOR, k.HINT_RANK):
        first -= 1
    return int(actions[first + below(rng, n - first)])


@jit_hot_inline
def _next_seat(rules: Words, seat: int) -> int:
    return int(seat + 1 if seat + 1 < rules[k.SEATS] else 0)


@jit_hot_inline
def _count(counts: Words, first: int, values: int) -> None:
    """Add one to the count of each of some values, given as bits: mostly of one or of none."""
    lowest = lowest_bit(values) if values else 0  # no branch, which could not be foreseen
    counts[first + lowest] += values != 0
    values &= values - 1
    while values:
        counts[first + lowest_bit(values)] += 1
        values &= values - 1


@jit_hot_inline
def _widest_hint(position: Packed, memory: Words, counts: Words) -> int:
    """Return the hint that names the color or rank of most cards of which it was not named."""
    rules, state = position.rules, position.state
    best, most = -1, -1
    colors, ranks = rules[k.CLUE_COLORS], rules[k.RANKS]
    seat = _next_seat(rules, state[k.SEAT])
    while seat != state[k.SEAT]:
        for index in range(colors + ranks):
            counts[index] = 0
        first = seat * rules[k.HAND_SIZE]
        for place in range(first, first + n_held(rules, state, seat)):
            code, had = code_at(position, place), memory[told(rules) + place]
            clues = clues_of(rules, code)
            if had > k.COLOR_BITS:
                clues &= k.COLOR_BITS
            if had & k.COLOR_BITS:
                clues &= ~k.COLOR_BITS
            _count(counts, 0, clues >> k.RANK_BITS)
            _count(counts, ranks, clues & k.COLOR_BITS)
        bits = hintable(position, seat)
        for index in range(colors + ranks):
            kind, value = k.HINT_RANK, index + 1
            if index >= ranks:
                kind, value = k.HINT_COLOR, index - ranks
            if counts[index] > most and bits & clue_bit(kind, value):
                best, most = action_code(kind, seat, value), counts[index]
        seat = _next_seat(rules, seat)
    return best


@jit_hot_inline
def _hint_of_a_card(position: Packed, options: Words, memory: Words, is_useful: bool) -> int:
    """Return the hint of the next useful (or useless) card that no hint has touched, or -1."""
    rules, state = position.rules, position.state
    seat = _next_seat(rules, state[k.SEAT])
    while seat != state[k.SEAT]:
        first = seat * rules[k.HAND_SIZE]
        for place in range(first, first + n_held(rules, state, seat)):
            if memory[told(rules) + place] != 0:
                continue
            code = code_at(position, place)
            is_such = is_copy(rules, memory, code, PLAYABLE if is_useful else USELESS)
            clues = clues_of(rules, code) & ~state[k.BARRED] if is_such else 0
            if clues:
                preferred = clues & (~k.COLOR_BITS if options[TELL_RANK] != 0 else k.COLOR_BITS)
                return first_hint(preferred if preferred else clues, seat)
        seat = _next_seat(rules, seat)
    return -1


@jit_hot_inline
def choose_hint(
    position: Packed,
    options: Words,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> int:
    """Return the hint to give; there must be one."""
    rule = options[HINT_RULE]
    if rule == 1:
        return _random_hint(position, rng, scratch)
    hint = -1
    if rule >= 3:
        hint = _hint_of_a_card(position, options, memory, True)
    if rule == 4 and hint < 0:
        hint = _hint_of_a_card(position, options, memory, False)
    if hint < 0:
        hint = _widest_hint(position, memory, scratch)
    return hint
