"""What the information player's actions tell: the messages, and the sums of answers they carry."""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.facts import card_bit, cards_hinted, code_at, n_held, touched_slots
from hanabi.game.kernels.words import Packed, kind_of, target_of, value_of
from hanabi.players.information.kernels.codes import message_of, place_pivots
from hanabi.players.information.kernels.knowledge import (
    COLOR_SETS,
    DEAD,
    PINNED,
    PLAYABLE,
    n_sets,
)
from hanabi.players.information.kernels.options import (
    EXACT,
    LIKELY,
    LIKELY_FULL,
    MOST_MESSAGES,
    TELL_BY_DISCARD,
    TELL_BY_PLAY,
    at_codes,
    at_free,
    at_hands,
    at_told,
)
from hanabi.players.information.kernels.parts import n_parts, part_of, split_hints, start_parts
from hanabi.players.information.kernels.questions import Beliefs, answer


@jit_hot
def plan_codes(rules: Words, state: Words, options: Words, memory: Words, scratch: Words) -> int:
    """Write the codes of hints by the seat to act, and return the number of messages.

    For each seat and kind of hint: the number of messages, then the pivots. The messages of a hint
    are numbered over the recipients from the next seat on, colors before ranks. Sure messages are
    wanted when nothing but a hint or a play is allowed. Where hints may be empty there are no
    pivots: the message is the value. A player that partitions has parts instead, if it can.
    """
    hand = rules[k.HAND_SIZE]
    sets, planes = scratch[: n_sets(rules)], memory[rules[k.SEATS] * hand : -1]
    free = scratch[at_free(rules) : at_codes(rules)]
    likely = options[LIKELY]
    if state[k.HINTS] == rules[k.MAX_HINTS] and not rules[k.DISCARD_AT_FULL_HINTS]:
        likely = options[LIKELY_FULL]
    total = 0
    start_parts(rules, options, scratch)
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        size = n_held(rules, state, seat)
        masks = memory[seat * hand : seat * hand + size]
        here = 0
        for kind in range(2):
            at = at_codes(rules) + (2 * seat + kind) * (hand + 1)
            pivots = scratch[at + 1 : at + 1 + hand]
            scratch[at] = 0
            if size > 0 and rules[k.EMPTY_HINTS] and options[MOST_MESSAGES] > 1:
                scratch[at] = rules[k.COLORS + kind]  # every value can be named
            elif size > 0:
                most = options[MOST_MESSAGES]
                first = COLOR_SETS + kind * rules[k.COLORS]
                groups = sets[first : first + rules[k.COLORS + kind]]
                scratch[at] = place_pivots(planes, groups, masks, likely, most, free, pivots)
            here += scratch[at]
        parts = split_hints(rules, options, masks, planes, seat, here, scratch)
        total += parts if parts > 0 else here
    return int(total)


@jit_hot
def message(position: Packed, action: int, scratch: Words) -> int:
    """Return the message of a hint, for the codes of `plan_codes`."""
    rules, state = position.rules, position.state
    hand, number = rules[k.HAND_SIZE], 0
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        parts = n_parts(rules, seat, scratch)
        if parts > 0:
            if seat == target_of(action):
                return int(number + part_of(rules, seat, action, scratch))
            number += parts
            continue
        for kind in range(2):
            at = at_codes(rules) + (2 * seat + kind) * (hand + 1)
            if seat == target_of(action) and kind == kind_of(action) - k.HINT_COLOR:
                if rules[k.EMPTY_HINTS] and scratch[at] == rules[k.COLORS + kind]:
                    return int(number + (value_of(action)) - kind)
                touched = touched_slots(position, action)
                return int(
                    number + message_of(scratch[at + 1 : at + 1 + hand], scratch[at], touched)
                )
            number += scratch[at]
    return -1


@jit_hot
def useless_slots(rules: Words, state: Words, memory: Words, sets: Words) -> int:
    """Return the slots of the seat to act, as bits, that everybody knows to be useless.

    Their cards can never be played any more or are known to be held elsewhere; of two equal known
    cards in one hand, the older counts as useful.
    """
    hand = rules[k.HAND_SIZE]
    first = state[k.SEAT] * hand
    useless = 0
    for slot in range(n_held(rules, state, state[k.SEAT])):
        mask = memory[first + slot]
        if mask & (mask - 1) != 0:
            if mask & ~(sets[DEAD] | sets[PINNED]) == 0:
                useless |= 1 << slot
            continue
        if mask & sets[DEAD]:
            useless |= 1 << slot
        for place in range(rules[k.SEATS] * hand):
            is_self_or_newer = first + slot <= place < first + hand
            if memory[place] == mask and not is_self_or_newer:
                useless |= 1 << slot
    return useless


@jit_hot
def playable_slots(rules: Words, state: Words, memory: Words, sets: Words) -> int:
    """Return the slots of the seat to act, as bits, that everybody knows to be playable.

    Of two equal known cards, the first.
    """
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    playable, known = 0, 0
    for slot in range(n_held(rules, state, state[k.SEAT])):
        mask = memory[first + slot]
        if mask & ~sets[PLAYABLE] == 0 and mask & known != mask:
            playable |= 1 << slot
        if mask & (mask - 1) == 0:
            known |= mask
    return playable


@jit_hot
def choices(
    rules: Words, state: Words, options: Words, memory: Words, sets: Words, action: int
) -> int:
    """Return the slots among which the choice tells something, if `action` takes one; else 0."""
    kind, slots = kind_of(action), 0
    if kind == k.DISCARD and options[TELL_BY_DISCARD] != 0:
        slots = useless_slots(rules, state, memory, sets)
    elif kind == k.PLAY and options[TELL_BY_PLAY] != 0:
        slots = playable_slots(rules, state, memory, sets)
    return slots if slots >> target_of(action) & 1 and slots & (slots - 1) != 0 else 0


@jit_hot
def nth_slot(slots: int, n: int) -> int:
    """Return the slot number `n`, from 0, of a set of slots."""
    for _ in range(n):
        slots &= slots - 1
    return count_bits((slots & -slots) - 1)


@jit_hot
def ask(
    position: Packed,
    options: Words,
    memory: Words,
    messages: int,
    scratch: Words,
    blind: int,
    said: int,
) -> int:
    """Return what the seat to act has to say, and write what everybody then knows of the hands.

    It is the sum of the answers of the others, modulo the number of messages; if that is not used
    exactly, modulo the largest power of two in it. Of seat `blind`, if it is one of the others,
    the cards are not looked at: its answer is what is missing to `said`.
    """
    rules, state = position.rules, position.state
    hand = rules[k.HAND_SIZE]
    n = rules[k.SEATS] * hand
    sets, planes = scratch[: n_sets(rules)], memory[n:-1]
    told = scratch[at_told(rules) : at_free(rules)]
    cards = scratch[at_hands(rules) : at_told(rules)]
    budget = messages
    if options[EXACT] == 0:
        budget = 1
        while 2 * budget <= messages:
            budget *= 2
    for place in range(n):
        told[place] = memory[place]
    total = 0
    for turn in range(1, rules[k.SEATS] + 1):
        # The blind seat comes last, when all other answers are known.
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        if turn == rules[k.SEATS]:
            seat = blind
        elif seat == blind:
            continue
        if seat < 0 or seat == state[k.SEAT]:
            continue
        first, size = seat * hand, n_held(rules, state, seat)
        given = -1
        if seat == blind:
            given = (said - total) % budget
        else:
            for slot in range(size):
                cards[slot] = card_bit(rules, code_at(position, first + slot))
        masks = told[first : first + size]
        total += answer(
            options, Beliefs(planes, sets, rules[k.COLORS]), masks, budget, cards, given
        )
    return int(total % budget)


@jit_hot
def hear(position: Packed, action: int, masks: Words) -> None:
    """Narrow the masks of a hint's recipient by what it says in itself."""
    rules, state = position.rules, position.state
    seat = target_of(action)
    group = cards_hinted(rules, kind_of(action), value_of(action))
    touched = touched_slots(position, action)
    first = seat * rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, seat)):
        masks[first + slot] &= group if touched >> slot & 1 else ~group
