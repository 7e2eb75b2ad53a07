"""The information carried by actions: messages, and the sums of answers that they encode."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.bits import count_bits
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.players.information.kernels.knowledge import (
    ASK_ANOTHER,
    ASK_COLOR,
    ASK_CRITICAL,
    ASK_DEAD,
    ASK_NEAR,
    ASK_NEARER,
    ASK_PLAYABLE,
    ASK_WHICH,
    COLOR_SETS,
    CRITICAL,
    DEAD,
    EXACT,
    LIKELY,
    LIKELY_FULL,
    MOST_MESSAGES,
    NEAR,
    NEARER,
    PARTITION,
    PINNED,
    PLAYABLE,
    TABLE,
    TELL_BY_DISCARD,
    TELL_BY_PLAY,
    Room,
    weigh,
)
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import card_bit, cards_hinted, code_at, n_held, touched_slots
from hanabi.rules.kernels.packed import Packed, kind_of, target_of, value_of
from hanabi.solvers.hints.kernels import copy_scratch, partition_hand

# The messages of hints, by the cards that they touch.
#
# For each recipient and each kind of hint, colors or ranks, some slots are pivots. The message of a
# hint is the number of the first pivot that it touches, or that it touches none. Pivots are chosen
# by public knowledge, so that the card of each is likely to have a value that no earlier pivot has.
# Then each message can probably be given, whatever the hand. Pivots without common possible values
# are the disjoint rows of [ODwyer2018]. Distinguishing hints by the slots that they touch, not only
# by their values, adds the message of touching none.

SURE = 1024  # a probability of one


@jit_hot
def _differs(planes: Words, groups: Words, mask: int, free: Words) -> int:
    """Return the chance that no pivot has a card's value."""
    total, new = 0, 0
    for value in range(groups.size):
        part = weigh(planes, mask, groups[value])
        total += part
        new += part * free[value]
    return new // total if total > 0 else 0


@jit_hot
def _n_values(groups: Words, mask: int) -> int:
    values = 0
    for value in range(groups.size):
        if mask & groups[value]:
            values += 1
    return values


@jit_hot
def _next_pivot(
    planes: Words, groups: Words, masks: Words, likely: int, free: Words, chosen: int
) -> int:
    """Return the slot most likely to have a new value, of equals that with fewest values; or -1."""
    best, best_slot, fewest = likely - 1, -1, 0
    for slot in range(masks.size):
        if chosen >> slot & 1:
            continue
        chance = _differs(planes, groups, masks[slot], free)
        values = _n_values(groups, masks[slot])
        if chance > best or (chance == best and best_slot >= 0 and values < fewest):
            best, best_slot, fewest = chance, slot, values
    return best_slot


@jit_hot
def _take(planes: Words, groups: Words, mask: int, free: Words) -> None:
    """Update `free`, each value's chance that no pivot has it, for one more pivot."""
    total = 0
    for value in range(groups.size):
        total += weigh(planes, mask, groups[value])
    for value in range(groups.size):
        part = weigh(planes, mask, groups[value])
        if total > 0:
            free[value] = free[value] * (total - part) // total


@jit_hot
def place_pivots(
    planes: Words,
    groups: Words,
    masks: Words,
    likely: int,
    most: int,
    free: Words,
    pivots: Words,
) -> int:
    """Write the pivots' slots in order, and return the number of messages, one more than pivots.

    `groups` are the cards of each color or rank. `likely`, in units of 1 / `SURE`, is the least
    chance that each message can be given. There are at most `most` messages; `free` has one word
    per color or rank.
    """
    size = masks.size
    for value in range(groups.size):
        free[value] = SURE
    found, chosen = 0, 0
    while found + 1 < min(most, size):
        pivot = _next_pivot(planes, groups, masks, likely, free, chosen)
        if pivot < 0:
            break
        _take(planes, groups, masks[pivot], free)
        chosen |= 1 << pivot
        none = SURE  # the chance that every other card has a value of a pivot
        for slot in range(size):
            if not chosen >> slot & 1:
                chance = _differs(planes, groups, masks[slot], free)
                none = none * (SURE - chance) // SURE
        if SURE - none < likely:
            break
        pivots[found] = pivot
        found += 1
    return found + 1


@jit_hot
def message_of(pivots: Words, messages: int, touched: int) -> int:
    """Return the number of the first touched pivot, or else the last message."""
    for number in range(messages - 1):
        if touched >> pivots[number] & 1:
            return number
    return messages - 1


# Hint partitions as messages: a hint stands for the part of its recipient's partition that holds
# it.
#
# The hints for a recipient, colors and ranks together, are split into as many parts as possible,
# each certain to contain a legal hint [ODwyer2018]. This is the maximum partition of
# :mod:`hanabi.solvers.hints.kernels`, for the publicly known sets of cards and copies.

ALWAYS = 2  # option PARTITION: use partitions whatever the number of parts


@jit_hot
def split_hints(
    rules: Words, options: Words, masks: Words, planes: Words, seat: int, messages: int, room: Room
) -> int:
    """Split the hints for a recipient, and return the number of parts; 0 if pivots are used.

    Pivots are used if there are fewer parts than `messages`, unless the player always partitions.
    They are also used if no hand fits, which happens after an untruthful action. `planes` are the
    copies left without those of known cards; a hand's own known cards count too.
    """
    if masks.size == 0:
        return 0
    hints = room.parts.size
    for card in range(room.copies.size):
        bit = 1 << card
        room.copies[card] = 0
        for level in range(planes.size):
            room.copies[card] += 1 if planes[level] & bit else 0
        for slot in range(masks.size):
            room.copies[card] += 1 if masks[slot] == bit else 0
    found = partition_hand(masks, room.copies, room.table, room.parts)
    for part in range(found):
        for hint in range(hints):
            if room.parts[part] >> hint & 1:
                room.part_of[seat * hints + hint] = part
    return int(found if options[PARTITION] == ALWAYS or found >= messages else 0)


@jit_hot_inline
def part_of(rules: Words, seat: int, action: int, room: Room) -> int:
    """Return the part, as `split_hints` wrote it, that contains a hint to `seat`."""
    hint = value_of(action)
    if kind_of(action) == k.HINT_RANK:
        hint += rules[k.COLORS] - 1
    return int(room.part_of[seat * room.parts.size + hint])


# A seat's answer: a walk down a tree of questions about its hand.
#
# With a budget of n answers, the question is whether one card is in a certain set. The answers are
# split between yes and no, roughly in proportion to their chances, and the walk continues with the
# share that fits the hand. It ends when one answer is left or no question is worth asking.
# Questions depend on public knowledge alone, and the whole budget is used, whatever it is.

SCALE = 1024


class Beliefs(NamedTuple):
    """Public knowledge of the cards: copies left, and `sets`; see `knowledge`."""

    planes: Words
    sets: Words
    n_colors: int


@jit_hot
def _worth(planes: Words, mask: int, group: int, total: int, price: int) -> int:
    """Return the value of asking whether a card is in a group, 0 if that is known."""
    part = weigh(planes, mask, group)
    return price * (part * (total - part) * SCALE // (total * total))


@jit_hot
def _n_hands(masks: Words, dead: int, skip: int, most: int) -> int:
    """Return the number of hands that the masks allow without one slot, at most `most`."""
    n = 1
    for slot in range(masks.size):
        if slot != skip and masks[slot] & ~dead != 0:
            n *= count_bits(masks[slot])
            if n >= most:
                return most
    return n


@jit_hot
def _price_of(options: Words, which: int, has_playable: bool) -> int:
    """Return the value of knowing whether a card is in group number `which`."""
    if which == PLAYABLE:
        return int(options[ASK_ANOTHER if has_playable else ASK_PLAYABLE])
    if which == DEAD:
        return int(options[ASK_DEAD])
    if which == CRITICAL:
        return int(options[ASK_CRITICAL])
    return int(options[ASK_NEAR if which == NEAR else ASK_NEARER])


@jit_hot
def choose_question(options: Words, beliefs: Beliefs, masks: Words) -> tuple[int, int]:
    """Return the slot and the group of the best question; slot -1 if none is worth asking.

    A card that somebody is known to hold counts as dead here: one copy is enough.
    """
    planes, sets = beliefs.planes, beliefs.sets
    has_playable = False
    for slot in range(masks.size):
        if masks[slot] & ~sets[PLAYABLE] == 0:
            has_playable = True
    best, best_slot, best_group = 0, -1, 0
    for slot in range(masks.size):
        mask = masks[slot]
        if mask & (mask - 1) == 0 or mask & ~(sets[DEAD] | sets[PINNED]) == 0:
            continue
        total = weigh(planes, mask, mask)
        price = options[ASK_WHICH]
        if mask & ~(sets[PLAYABLE] & ~sets[PINNED]) != 0:
            price = options[ASK_COLOR]
            for which in range(PLAYABLE, NEARER + 1):
                group = sets[which]
                if which == PLAYABLE:
                    group &= ~sets[PINNED]
                elif which == DEAD:
                    group |= sets[PINNED]
                price_of = _price_of(options, which, has_playable)
                worth = _worth(planes, mask, group, total, price_of)
                if worth > best:
                    best, best_slot, best_group = worth, slot, group
        group = 0
        for color in range(beliefs.n_colors - 1):
            group |= sets[COLOR_SETS + color]
            worth = _worth(planes, mask, group, total, price)
            if worth > best:
                best, best_slot, best_group = worth, slot, group
    return best_slot, best_group


@jit_hot
def answer(
    options: Words, beliefs: Beliefs, masks: Words, budget: int, cards: Words, given: int
) -> int:
    """Return a hand's answer, 0 .. `budget` - 1, and narrow `masks` by it.

    The hand is that of `cards` (bits) or, if `given` is not negative, any hand with this answer.
    """
    planes, sets = beliefs.planes, beliefs.sets
    least, is_given = 0, given >= 0
    while budget > 1:
        slot, group = choose_question(options, beliefs, masks)
        if slot < 0:
            break
        mask = masks[slot]
        part, total = weigh(planes, mask, group), weigh(planes, mask, mask)
        yes = (2 * budget * part + total) // (2 * total)
        # No more answers than there are hands, on either side.
        rest = _n_hands(masks, sets[DEAD] | sets[PINNED], slot, budget)
        yes = max(yes, budget - rest * count_bits(mask & ~group), 1)
        yes = min(yes, rest * count_bits(mask & group), budget - 1)
        if given < least + yes if is_given else cards[slot] & group != 0:
            masks[slot] = mask & group
            budget = yes
        else:
            masks[slot] = mask & ~group
            budget -= yes
            least += yes
    return least


@jit_hot
def plan_codes(rules: Words, state: Words, options: Words, memory: Words, room: Room) -> int:
    """Write the codes of hints by the seat to act, and return the number of messages.

    For each seat and kind of hint: the number of messages, and the pivots. The messages of a hint
    are numbered over the recipients from the next seat on, colors before ranks. While discards are
    not allowed, the option `full` sets the chance of messages. If hints may be empty there are no
    pivots: the message is the value. A player that partitions has parts instead, if it can.
    """
    hand = rules[k.HAND_SIZE]
    planes = memory[rules[k.SEATS] * hand : -1]
    likely = options[LIKELY]
    if state[k.HINTS] == rules[k.MAX_HINTS] and not rules[k.DISCARD_AT_FULL_HINTS]:
        likely = options[LIKELY_FULL]
    if options[PARTITION] != 0:
        copy_scratch(options[TABLE:], room.table)
    total = 0
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        size = n_held(rules, state, seat)
        masks = memory[seat * hand : seat * hand + size]
        here = 0
        for kind in range(2):
            number = 2 * seat + kind
            messages = 0
            if size > 0 and rules[k.EMPTY_HINTS] and options[MOST_MESSAGES] > 1:
                messages = rules[k.COLORS + kind]  # every value can be hinted
            elif size > 0:
                most = options[MOST_MESSAGES]
                first = COLOR_SETS + kind * rules[k.COLORS]
                groups = room.sets[first : first + rules[k.COLORS + kind]]
                pivots = room.pivots[number * hand : (number + 1) * hand]
                messages = place_pivots(planes, groups, masks, likely, most, room.free, pivots)
            room.n_messages[number] = messages
            here += messages
        parts = 0
        if options[PARTITION] != 0:
            parts = split_hints(rules, options, masks, planes, seat, here, room)
        room.n_parts[seat] = parts
        total += parts if parts > 0 else here
    return int(total)


@jit_hot_inline
def message(position: Packed, action: int, room: Room) -> int:
    """Return the message of a hint, for the codes of `plan_codes`."""
    rules, state = position.rules, position.state
    hand, said = rules[k.HAND_SIZE], 0
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        if room.n_parts[seat] > 0:
            if seat == target_of(action):
                return int(said + part_of(rules, seat, action, room))
            said += room.n_parts[seat]
            continue
        for kind in range(2):
            number = 2 * seat + kind
            messages = room.n_messages[number]
            if seat == target_of(action) and kind == kind_of(action) - k.HINT_COLOR:
                if rules[k.EMPTY_HINTS] and messages == rules[k.COLORS + kind]:
                    return int(said + (value_of(action)) - kind)
                pivots = room.pivots[number * hand : (number + 1) * hand]
                return int(said + message_of(pivots, messages, touched_slots(position, action)))
            said += messages
    return -1


@jit_hot
def useless_slots(rules: Words, state: Words, memory: Words, sets: Words) -> int:
    """Return the acting seat's slots, as bits, that are publicly known to be useless.

    Their cards can never be played again or are known to be held elsewhere. Of two equal known
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
    """Return the acting seat's slots, as bits, that are publicly known to be playable.

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
    """Return the slots whose choice carries information if `action` takes one of them, else 0."""
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
    room: Room,
    blind: int,
    said: int,
) -> int:
    """Return the message that the seat to act has to send, and write the public knowledge after it.

    The message is the sum of the others' answers, modulo the number of messages or, without the
    option `exact`, the largest power of two in it. If `blind` is one of the other seats, its cards
    are not read: its answer is the difference to `said`.
    """
    rules, state = position.rules, position.state
    hand = rules[k.HAND_SIZE]
    n = rules[k.SEATS] * hand
    told, cards = room.told, room.cards
    beliefs = Beliefs(memory[n:-1], room.sets, rules[k.COLORS])
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
        total += answer(options, beliefs, masks, budget, cards, given)
    return int(total % budget)


@jit_hot
def hear(position: Packed, action: int, masks: Words) -> None:
    """Narrow the masks of a hint's recipient by its literal meaning."""
    rules, state = position.rules, position.state
    seat = target_of(action)
    group = cards_hinted(rules, kind_of(action), value_of(action))
    touched = touched_slots(position, action)
    first = seat * rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, seat)):
        masks[first + slot] &= group if touched >> slot & 1 else ~group
