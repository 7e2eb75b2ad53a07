"""The convention player's decisions and their meaning; see hanabi.players.convention."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    card_bit,
    cards_known,
    code_at,
    copies_left,
    copies_of,
    hintable,
    index_at,
    known_at,
    n_held,
    touched_slots,
)
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule
from hanabi.game.kernels.packed import Packed, action_code, clue_bit, kind_of, target_of
from hanabi.game.kernels.rules import step
from hanabi.players.convention.kernels.hands import (
    choose_play,
    first_play,
    harm_of,
    likeliest_play,
    next_discard,
    outlook,
    write_held,
    write_own,
)
from hanabi.players.convention.kernels.hints import (
    BY_PACE,
    DANGER,
    DEAD,
    GAIN,
    HINT_FIRST_FROM,
    HINT_FIRST_TOKENS,
    HINT_FROM,
    LATE_HINT_FROM,
    LATE_RISK_FROM,
    LEFT,
    MOST_PACE,
    MOST_TOKENS,
    N_HANDS,
    PLAYABLE,
    RISK_FROM,
    SAVE_FROM,
    SAVES,
    UNSEEN,
    at_hand,
    load_hand,
    store_hand,
    tell,
    write_sets,
)
from hanabi.players.kernels import policy as policies

UNTRUE = 500  # loss of a hint that breaks the conventions
FORCED = -UNTRUE // 2  # required value of a hint when turns run out: any true hint
TWENTIETH = 50  # of certainty, in the thousandths of `likeliest_play`
BUSY, IDLE, IN_DANGER = range(3)
TOLD, BEFORE, HELD, OWN = range(4)  # the hands in `scratch`


class ConventionPolicy(NamedTuple):
    """The player; `options` are the words of `hanabi.players.convention.kernels.hints`."""

    options: Words


@policies.memory_size.register(ConventionPolicy)
@jit_hot
def memory_size(policy: ConventionPolicy, rules: Words) -> int:
    """Return the number of words of `memory`."""
    return int(2 * rules[k.DECK_SIZE])


@policies.scratch_size.register(ConventionPolicy)
@jit_hot
def scratch_size(policy: ConventionPolicy, rules: Words) -> int:
    """Return the number of words of `scratch`."""
    return int(at_hand(rules, N_HANDS) + rules[k.COLORS] * rules[k.RANKS])


@policies.start.register(ConventionPolicy)
@jit_hot
def start(
    policy: ConventionPolicy,
    position: Packed,
    memory: Words,
    scratch: Words,
) -> None:
    """Write the memory of a newly dealt position, in which every card can be anything."""
    rules = position.rules
    cards = 0
    for card in range(rules[k.COLORS] * rules[k.RANKS]):
        if copies_of(rules, card) > 0:
            cards |= 1 << card
    for index in range(rules[k.DECK_SIZE]):
        memory[index] = cards
        memory[rules[k.DECK_SIZE] + index] = 0


@policies.possible.register(ConventionPolicy)
@jit_hot
def possible(
    policy: ConventionPolicy,
    position: Packed,
    memory: Words,
    seat: int,
    slot: int,
) -> int:
    """Return the publicly known set of a slot's possible cards, by hints and conventions.

    After a hint that breaks the conventions, given as a last resort, the set may not contain the
    true card. If the conventions leave no card at all, the set follows from hints alone.
    """
    rules, state = position.rules, position.state
    left = 0
    for card in range(rules[k.COLORS] * rules[k.RANKS]):
        if copies_left(rules, state, card) > 0:
            left |= 1 << card
    place = seat * rules[k.HAND_SIZE] + slot
    cards = memory[index_at(rules, state, place)] & left
    if cards == 0:
        cards = cards_known(rules, known_at(rules, state, place)) & left
    return int(cards)


@policies.advance.register(ConventionPolicy)
@jit_hot
def advance(
    policy: ConventionPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
) -> None:
    """Take a legal action in place, and update the public knowledge."""
    options = policy.options
    rules, state = position.rules, position.state
    kind, target = kind_of(action), target_of(action)
    if kind == k.HINT_COLOR or kind == k.HINT_RANK:
        at = at_hand(rules, TOLD)
        write_sets(position, scratch)
        load_hand(rules, state, memory, target, scratch, at)
        touched = touched_slots(position, action)
        tell(rules, state, options, touched, action, scratch, at)
        store_hand(rules, state, memory, target, scratch, at)
    step(position, action)


@jit_hot_inline
def is_true(size: int, scratch: Words, at: int, held: int) -> bool:
    """Whether a hand's cards, at `scratch[held]`, agree with the knowledge at `scratch[at]`."""
    for slot in range(size):
        if not scratch[at + slot] & scratch[held + slot]:
            return False
    return True


@jit_hot
def best_hint(position: Packed, options: Words, memory: Words, scratch: Words) -> int:
    """Return the most valuable hint, or -1; write its value to `scratch[GAIN]`."""
    rules, state = position.rules, position.state
    told, before, held = at_hand(rules, TOLD), at_hand(rules, BEFORE), at_hand(rules, HELD)
    best, most = -1, -(1 << 30)
    if state[k.HINTS] == 0:
        scratch[GAIN] = most
        return best
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        size = n_held(rules, state, seat)
        load_hand(rules, state, memory, seat, scratch, before)
        write_held(position, seat, scratch, held)
        base = outlook(rules, options, size, scratch, before, held)
        bits = hintable(position, seat)
        for index in range(rules[k.COLORS] + rules[k.RANKS]):
            kind, value = k.HINT_COLOR, index
            if index >= rules[k.COLORS]:
                kind, value = k.HINT_RANK, index - rules[k.COLORS] + 1
            if not bits & clue_bit(kind, value):
                continue
            action = action_code(kind, seat, value)
            for word in range(2 * rules[k.HAND_SIZE]):
                scratch[told + word] = scratch[before + word]
            touched = touched_slots(position, action)
            tell(rules, state, options, touched, action, scratch, told)
            gain = outlook(rules, options, size, scratch, told, held) - base
            if not is_true(size, scratch, told, held):
                gain -= UNTRUE
            if gain > most:
                best, most = action, gain
    scratch[GAIN] = most
    return best


@jit_hot
def _look_ahead(position: Packed, options: Words, memory: Words, scratch: Words) -> int:
    """Return whether the next seat has a play, or would discard an important card."""
    rules, state = position.rules, position.state
    at, held = at_hand(rules, TOLD), at_hand(rules, HELD)
    seat = (state[k.SEAT] + 1) % rules[k.SEATS]
    size = n_held(rules, state, seat)
    if seat == state[k.SEAT] or size == 0 or state[k.HINTS] == 0:
        return BUSY
    load_hand(rules, state, memory, seat, scratch, at)
    if first_play(rules, size, scratch, at, scratch[PLAYABLE], scratch[DEAD], 0) >= 0:
        return BUSY
    write_held(position, seat, scratch, held)
    slot = next_discard(rules, options, size, scratch, at, scratch[DEAD], LEFT)
    harm = harm_of(rules, options, size, slot, scratch, held)
    return IN_DANGER if options[SAVES] != 0 and harm >= options[DANGER] else IDLE


@jit_hot
def _threshold(rules: Words, state: Words, options: Words, scratch: Words) -> int:
    """Return the least value of a hint that is better than a discard."""
    if state[k.TURNS_LEFT] >= 0:
        return FORCED
    needed = options[HINT_FROM + min(state[k.HINTS], MOST_TOKENS)]
    if rules[k.FINAL_ROUND] < 0:
        return int(needed)
    # Pace is the number of cards that can be drawn without a play before too few turns are left.
    missing = count_bits(scratch[LEFT] & ~scratch[DEAD])
    pace = rules[k.DECK_SIZE] - state[k.DRAWN] + rules[k.FINAL_ROUND] - missing
    if pace <= 0:
        return FORCED
    return int(needed + options[BY_PACE + min(pace, MOST_PACE)])


@policies.decide.register(ConventionPolicy)
@jit_hot
def decide(
    policy: ConventionPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> int:
    """Return the action of the seat to act, without drawing from the stream."""
    options = policy.options
    rules, state = position.rules, position.state
    own, size = at_hand(rules, OWN), n_held(rules, state, state[k.SEAT])
    write_sets(position, scratch)
    need = _look_ahead(position, options, memory, scratch)
    write_own(position, memory, scratch, own)
    slot = choose_play(position, scratch, own)
    if slot >= 0 and need == BUSY:
        return action_code(k.PLAY, slot, 0)
    hint = best_hint(position, options, memory, scratch)
    gain = scratch[GAIN]
    must = need == IN_DANGER and gain >= options[SAVE_FROM]
    is_urgent = (
        need != BUSY
        and state[k.HINTS] >= options[HINT_FIRST_TOKENS]
        and gain >= options[HINT_FIRST_FROM]
    )
    if slot >= 0 and not must and not is_urgent:
        return action_code(k.PLAY, slot, 0)
    may_discard = find_broken_rule(position, action_code(k.DISCARD, 0, 0)) == NO_RULE
    threshold = _threshold(rules, state, options, scratch)
    if slot < 0 and not must and state[k.LIVES] > 1:
        likeliest, chance = likeliest_play(size, scratch, own)
        is_late = threshold == FORCED and gain < options[LATE_HINT_FROM]
        needed = options[LATE_RISK_FROM] if is_late else options[RISK_FROM]
        if (is_late or gain < threshold) and chance >= TWENTIETH * needed:
            return action_code(k.PLAY, likeliest, 0)
    if hint >= 0 and (must or gain >= threshold or not may_discard):
        return hint
    if slot >= 0:
        return action_code(k.PLAY, slot, 0)
    if may_discard:
        slot = next_discard(rules, options, size, scratch, own, scratch[DEAD], UNSEEN)
        return action_code(k.DISCARD, slot, 0)
    return action_code(k.PLAY, size - 1, 0)


@policies.truthful.register(ConventionPolicy)
@jit
def truthful(
    policy: ConventionPolicy, position: Packed, memory: Words, action: int, scratch: Words
) -> bool:
    """Whether the action keeps the true cards of the others in all sets that contained them."""
    rules, deck, state = position
    after, learned = Packed(rules, deck, state.copy()), memory.copy()
    advance(policy, after, learned, action, scratch)
    for seat in range(rules[k.SEATS]):
        if seat == state[k.SEAT]:
            continue
        for slot in range(n_held(rules, state, seat)):
            bit = card_bit(rules, code_at(position, seat * rules[k.HAND_SIZE] + slot))
            was = possible(policy, position, memory, seat, slot)
            may_be = possible(policy, after, learned, seat, slot)
            if was & bit and not may_be & bit:
                return False
    return True
