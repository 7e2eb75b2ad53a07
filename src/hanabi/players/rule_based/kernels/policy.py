"""The rule-based player of [Bergh2016, section 4], compiled.

Decisions equal those of :mod:`hanabi.players.rule_based`, with the same random stream; that module
explains the player's rules. The rules of the game itself are in :mod:`hanabi.game.kernels.rules`.
"""

from __future__ import annotations

from typing import NamedTuple

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
    index_at,
    is_hintable,
    n_held,
)
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule, legal_actions
from hanabi.game.kernels.packed import Packed, action_code, clue_bit, kind_of, target_of
from hanabi.game.kernels.rules import step
from hanabi.players.kernels import policy as policies
from hanabi.players.rule_based.kernels.chances import (
    DISCARD_RULE,
    HINT_RULE,
    HINTING,
    HINTING_OF,
    LANE_BITS,
    PICK_BEST,
    PLAY_FROM,
    PLAY_OF,
    PLAYABLE,
    SAFE,
    SPARE,
    TELL_RANK,
    USELESS,
    USELESS_FROM,
    USELESS_OF,
    gone,
    hinted,
    is_copy,
    replaced,
    seen,
    slots,
    start_table,
    table_size,
    told,
    weigh_table,
)

# The rule-based player's choice of a hint; see :mod:`hanabi.players.rule_based.kernels.policy`.


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
    """Add one to the count of each value in a set of bits, which mostly has one or none."""
    lowest = lowest_bit(values) if values else 0  # without a branch, which would be unpredictable
    counts[first + lowest] += values != 0
    values &= values - 1
    while values:
        counts[first + lowest_bit(values)] += 1
        values &= values - 1


@jit_hot_inline
def _widest_hint(position: Packed, memory: Words, counts: Words) -> int:
    """Return the hint that names a new color or rank of the most cards."""
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
    """Return the hint to give; at least one must be legal."""
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


class RuleBasedPolicy(NamedTuple):
    """The player; `options` are the words of `hanabi.players.rule_based.kernels.chances`."""

    options: Words


@policies.memory_size.register(RuleBasedPolicy)
@jit_hot
def memory_size(policy: RuleBasedPolicy, rules: Words) -> int:
    """Return the number of words of `memory`."""
    return table_size(rules)


@policies.scratch_size.register(RuleBasedPolicy)
@jit_hot
def scratch_size(policy: RuleBasedPolicy, rules: Words) -> int:
    """Return the number of words of `scratch`."""
    return int(
        max(rules[k.MAX_ACTIONS], rules[k.RANKS] + max(rules[k.COLORS], rules[k.CLUE_COLORS]))
    )


@policies.start.register(RuleBasedPolicy)
@jit_hot
def start(policy: RuleBasedPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    """Write the memory of a position, just dealt or not."""
    options = policy.options
    start_table(position, options, memory)


@policies.resume.register(RuleBasedPolicy)
@jit_hot
def resume(policy: RuleBasedPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    """Update the memory of a position after the hidden cards of `deck` changed."""
    options = policy.options
    weigh_table(position, options, memory)


@jit_hot_inline
def _happens(rng: RandomStream, chances: int, of: int) -> bool:
    """Return a random truth value; draw from the rng only if the outcome is uncertain."""
    return bool(chances == of or (chances > 0 and below(rng, of) < chances))


@jit_hot_inline
def _find(
    memory: Words, first: int, size: int, lane: int, needed: int, of: int, is_first: bool
) -> int:
    """Return the first slot with a chance of at least needed / of, or the likeliest; -1 if none."""
    chosen, best, best_of = -1, -1, 1
    for slot in range(size):
        weight = memory[first + slot]
        chance, total = weight >> lane & LANE_BITS, weight & LANE_BITS
        if chance * of >= needed * total:
            if is_first:
                return slot
            if chance * best_of > best * total:
                chosen, best, best_of = slot, chance, total
    return chosen


@jit_hot_inline
def _choose_discard(
    rules: Words, state: Words, options: Words, rng: RandomStream, memory: Words, words: int
) -> int:
    """Return the slot to discard if no card is likely enough to be useless."""
    rule = options[DISCARD_RULE]
    size = n_held(rules, state, state[k.SEAT])
    if rule == 1:
        return int(below(rng, size))
    if rule == 3:
        first = state[k.SEAT] * rules[k.HAND_SIZE]
        oldest = 0
        for slot in range(1, size):
            if index_at(rules, state, first + slot) < index_at(rules, state, first + oldest):
                oldest = slot
        return oldest
    return _find(memory, words, size, USELESS if rule == 2 else SPARE, 0, 1, False)


@policies.decide.register(RuleBasedPolicy)
@jit_hot
def decide(
    policy: RuleBasedPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> int:
    """Return the action of the seat to act."""
    options = policy.options
    rules, state = position.rules, position.state
    size = n_held(rules, state, state[k.SEAT])
    words = slots(rules) + state[k.SEAT] * rules[k.HAND_SIZE]
    is_first = options[PICK_BEST] == 0
    needed, of = options[PLAY_FROM], options[PLAY_OF]
    if options[SAFE] != 0 and state[k.LIVES] == 1:
        needed, of = 1, 1
    slot = _find(memory, words, size, PLAYABLE, needed, of, is_first)
    if slot >= 0:
        return action_code(k.PLAY, slot, 0)
    may_discard = find_broken_rule(position, action_code(k.DISCARD, 0, 0)) == NO_RULE
    if may_discard:
        needed, of = options[USELESS_FROM], options[USELESS_OF]
        slot = _find(memory, words, size, USELESS, needed, of, is_first)
        if slot >= 0:
            return action_code(k.DISCARD, slot, 0)
    if may_hint(position) and (
        not may_discard or _happens(rng, options[HINTING], options[HINTING_OF])
    ):
        return choose_hint(position, options, rng, memory, scratch)
    if may_discard:
        slot = _choose_discard(rules, state, options, rng, memory, words)
        return action_code(k.DISCARD, slot, 0)
    legal_actions(position, scratch)
    return int(scratch[0])


@policies.advance.register(RuleBasedPolicy)
@jit_hot
def advance(
    policy: RuleBasedPolicy, position: Packed, memory: Words, action: int, scratch: Words
) -> None:
    """Take any seat's legal action in `state` and update `memory`."""
    options = policy.options
    rules, deck, state = position
    kind, target, seat, drawn = kind_of(action), target_of(action), state[k.SEAT], state[k.DRAWN]
    index = drawn
    if kind == k.PLAY or kind == k.DISCARD:
        index = index_at(rules, state, seat * rules[k.HAND_SIZE] + target)
    step(position, action)
    if kind == k.HINT_COLOR or kind == k.HINT_RANK:
        hinted(position, options, memory, action, scratch)
        return
    code = deck[index]
    if kind == k.PLAY_DECK or kind == k.DISCARD_DECK:
        seen(rules, memory, code)
    else:
        replaced(position, options, memory, seat, target, code, drawn)
    gone(position, options, memory, code)
