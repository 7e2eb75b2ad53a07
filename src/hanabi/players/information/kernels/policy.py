"""The information player's decisions, the information that they carry, and whole games.

:mod:`hanabi.players.information` describes the player. `memory` is public knowledge, the same for
all seats (see `knowledge`), and a last word: whether an untruthful action has occurred, after which
the seats' memories differ. That happens if no truthful action is left; then every seat infers a
different answer of its own. Rules may have at most 62 different cards.
"""

from __future__ import annotations

from hanabi.ground.compiled import RandomStream, Words
from hanabi.ground.compiled.bits import count_bits
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.players.information.kernels.hints import (
    ask,
    choices,
    hear,
    message,
    nth_slot,
    plan_codes,
    useless_slots,
)
from hanabi.players.information.kernels.knowledge import (
    ALL,
    CHAIN,
    CRITICAL,
    DEAD,
    FOLLOW,
    GAIN_ANOTHER,
    GAIN_BIT,
    GAIN_DEAD,
    GAIN_FIRST,
    GAIN_RISK,
    LOSS_CRITICAL,
    LOSS_PACE,
    LOSS_RISK,
    LOSS_SEEN,
    LOSS_SPARE,
    PACE,
    PACE_UNSEEN,
    PLAYABLE,
    TELL_BY_DISCARD,
    TOKEN,
    TOKEN_SLOPE,
    InformationPolicy,
    Room,
    begin,
    count_left,
    eliminate,
    judge,
    know_own,
    n_levels,
    open_room,
    pin,
    scratch_size,
    weigh,
)
from hanabi.players.kernels import policy as policies
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    card_bit,
    code_at,
    hintable,
    index_at,
    may_discard,
    n_held,
    reach,
)
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed, action_code, clue_bit, is_hint, kind_of, target_of
from hanabi.rules.kernels.rules import step

__all__ = ["InformationPolicy"]

# The information player's weighing of hints, plays and discards.

SCALE = 1024  # a probability of one


@jit_hot
def seen_cards(position: Packed) -> int:
    """Return the set of the cards in the hands of the others."""
    rules, state = position.rules, position.state
    hand, seen = rules[k.HAND_SIZE], 0
    for seat in range(rules[k.SEATS]):
        if seat != state[k.SEAT]:
            for place in range(seat * hand, seat * hand + n_held(rules, state, seat)):
                seen |= card_bit(rules, code_at(position, place))
    return seen


@jit_hot
def known_cards(rules: Words, state: Words, own: Words) -> int:
    """Return the set of the cards that the seat to act knows to be in its hand."""
    known = 0
    for slot in range(n_held(rules, state, state[k.SEAT])):
        if own[slot] & (own[slot] - 1) == 0:
            known |= own[slot]
    return known


@jit_hot
def _n_followers(ranks: int, bit: int, cards: int) -> int:
    """Return how many of the next cards of a card's color, without a gap, are in a set."""
    n = 0
    for _ in range(ranks - 1 - count_bits(bit - 1) % ranks):
        bit <<= 1
        if not cards & bit:
            break
        n += 1
    return n


@jit_hot
def choose_play(
    rules: Words, state: Words, options: Words, sets: Words, own: Words, planes: Words, seen: int
) -> int:
    """Return the slot of the best card certain to be playable, or -1.

    The last rank of a color is best while a token is missing, then come cards that let others play,
    then low ranks and cards with many successors in hands.
    """
    best, best_slot, ranks = -1, -1, rules[k.RANKS]
    held = seen | known_cards(rules, state, own)
    for slot in range(n_held(rules, state, state[k.SEAT])):
        mask = own[slot]
        if mask & ~sets[PLAYABLE] != 0:
            continue
        worth, total, rest = 0, 0, mask
        while rest != 0:
            bit = rest & -rest
            rest ^= bit
            rank = count_bits(bit - 1) % ranks + 1
            value = 10 * (ranks - rank)
            if rank == ranks and state[k.HINTS] < rules[k.MAX_HINTS]:
                value = 10 * ranks
            if rank < ranks and seen & bit << 1:
                value += options[FOLLOW]
            value += options[CHAIN] * _n_followers(ranks, bit, held)
            copies = weigh(planes, mask, bit)
            worth += copies * value
            total += copies
        worth = 16 * worth // max(total, 1)
        if worth > best:
            best, best_slot = worth, slot
    return best_slot


@jit_hot
def loss_of(
    rules: Words, state: Words, options: Words, sets: Words, mask: int, planes: Words, seen: int
) -> int:
    """Return the expected loss when a card of `mask` is discarded."""
    loss, ranks = 0, rules[k.RANKS]
    rest = mask & ~sets[DEAD]
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        card = count_bits(bit - 1)
        color, rank = card // ranks, card % ranks + 1
        copies = weigh(planes, mask, bit)
        if bit & sets[CRITICAL]:
            loss += copies * options[LOSS_CRITICAL] * (reach(rules, state, color) - rank + 2)
        elif bit & seen:
            loss += copies * options[LOSS_SEEN]
        else:
            loss += copies * options[LOSS_SPARE] * max(16 - rank + state[k.PILES + color], 1)
    return int(loss // max(weigh(planes, mask, mask), 1))


@jit_hot
def choose_discard(
    rules: Words, state: Words, options: Words, sets: Words, own: Words, planes: Words, seen: int
) -> tuple[int, int]:
    """Return the slot with the least expected loss, and that loss."""
    best, best_slot = 1 << 60, -1
    for slot in range(n_held(rules, state, state[k.SEAT])):
        loss = loss_of(rules, state, options, sets, own[slot], planes, seen)
        if loss < best:
            best, best_slot = loss, slot
    return best_slot, best


@jit_hot
def choose_risk(
    rules: Words, state: Words, sets: Words, own: Words, planes: Words
) -> tuple[int, int]:
    """Return the slot most likely to be playable, and its chance in units of 1 / `SCALE`."""
    best, best_slot = 0, -1
    for slot in range(n_held(rules, state, state[k.SEAT])):
        total = weigh(planes, own[slot], own[slot])
        chance = SCALE * weigh(planes, own[slot], sets[PLAYABLE]) // max(total, 1)
        if chance > best:
            best, best_slot = chance, slot
    return best_slot, best


@jit_hot
def loss_of_pace(
    rules: Words, state: Words, options: Words, sets: Words, own: Words, seen: int
) -> int:
    """Return the loss from drawing a card without scoring a point.

    The pace is how often that can happen while all points stay in reach. Nothing is lost until it
    is low, nor if nobody else can play first, because then somebody has to draw. The threshold is
    in eighths of a card, and is lower for each useful card that the seat does not see, since that
    is still to be drawn.
    """
    pace = state[k.POINTS] + rules[k.DECK_SIZE] - state[k.DRAWN] + rules[k.SEATS]
    for color in range(rules[k.COLORS]):
        pace -= reach(rules, state, color)
    unseen = sets[ALL] & ~(sets[DEAD] | seen | known_cards(rules, state, own))
    missing = options[PACE] - options[PACE_UNSEEN] * count_bits(unseen) - 8 * pace
    if state[k.TURNS_LEFT] > 0 or missing <= 0 or not seen & sets[PLAYABLE]:
        return 0
    return int(options[LOSS_PACE] * missing // 8)


@jit_hot
def gain_of(
    rules: Words, state: Words, options: Words, sets: Words, before: Words, after: Words
) -> int:
    """Return the value of public knowledge becoming `after`, for seats with a turn left."""
    gain, hand, turns = 0, rules[k.HAND_SIZE], rules[k.SEATS]
    if state[k.TURNS_LEFT] >= 0:
        turns = min(turns, state[k.TURNS_LEFT])
    for turn in range(1, turns):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        was, now = 0, 0
        for place in range(seat * hand, seat * hand + n_held(rules, state, seat)):
            old, new = before[place], after[place]
            was += 1 if old & ~sets[PLAYABLE] == 0 else 0
            now += 1 if new & ~sets[PLAYABLE] == 0 else 0
            if old != new:
                gain += options[GAIN_BIT] * (count_bits(old) - count_bits(new))
                if new & ~sets[DEAD] == 0 and old & ~sets[DEAD] != 0:
                    gain += options[GAIN_DEAD]
        if now > was:
            gain += options[GAIN_FIRST] if was == 0 else 0
            gain += options[GAIN_ANOTHER] * (now - max(was, 1))
    return int(gain)


@jit_hot
def choose_hint(position: Packed, options: Words, memory: Words, room: Room) -> tuple[int, int]:
    """Return the most valuable truthful hint and its value; -1 if there is none."""
    rules, state = position.rules, position.state
    hand, told, kept = rules[k.HAND_SIZE], room.told, room.cards
    if state[k.HINTS] == 0:
        return -1, 0
    messages = plan_codes(rules, state, options, memory, room)
    if messages == 0:
        return -1, 0
    wanted = ask(position, options, memory, messages, room, -1, 0)
    best, best_worth = -1, 0
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        bits = hintable(position, seat)
        for slot in range(hand):
            kept[slot] = told[seat * hand + slot]
        for index in range(rules[k.COLORS] + rules[k.RANKS]):
            kind, value = k.HINT_COLOR, index
            if index >= rules[k.COLORS]:
                kind, value = k.HINT_RANK, index - rules[k.COLORS] + 1
            action = action_code(kind, seat, value)
            if not bits & clue_bit(kind, value):
                continue
            if message(position, action, room) != wanted:
                continue
            hear(position, action, told)
            worth = gain_of(rules, state, options, room.sets, memory, told)
            for slot in range(hand):
                told[seat * hand + slot] = kept[slot]
            if best < 0 or worth > best_worth:
                best, best_worth = action, worth
    cost = options[TOKEN] + options[TOKEN_SLOPE] * (rules[k.MAX_HINTS] - state[k.HINTS])
    return best, int(best_worth - cost)


# The information player's decision: a sure play, or else the most valuable other action.

NOTHING = -(1 << 60)  # value of an illegal action

# Why an action is chosen: the card is certain to be playable; the hint, or the discard, has the
# most value; the card is likely enough to be playable; nothing else is legal.
SURE, HINT, DISCARD, RISK, FORCED = range(5)


@jit_hot
def _tell_by_discard(
    position: Packed, options: Words, memory: Words, room: Room
) -> tuple[int, int]:
    """Return the truthful discard of a useless card and its value, or -1."""
    rules, state = position.rules, position.state
    slots = useless_slots(rules, state, memory, room.sets)
    if slots == 0 or options[TELL_BY_DISCARD] == 0:
        return -1, 0
    said = ask(position, options, memory, count_bits(slots), room, -1, 0)
    return nth_slot(slots, said), gain_of(rules, state, options, room.sets, memory, room.told)


@jit_hot
def choose(
    policy: InformationPolicy, position: Packed, memory: Words, scratch: Words
) -> tuple[int, int]:
    """Return an action of the seat to act, and why it is chosen."""
    options = policy.options
    rules, state = position.rules, position.state
    hand, room = rules[k.HAND_SIZE], open_room(rules, scratch)
    judge(rules, state, room.sets)
    pin(memory, rules[k.SEATS] * hand, room.sets)
    know_own(position, memory, room.own, room.counts, room.planes)
    if rules[k.OPEN_HANDS]:
        for slot in range(n_held(rules, state, state[k.SEAT])):
            place = state[k.SEAT] * hand + slot
            room.own[slot] = card_bit(rules, code_at(position, place))
    seen = seen_cards(position)
    slot = choose_play(rules, state, options, room.sets, room.own, room.planes, seen)
    if slot >= 0:
        slots = choices(rules, state, options, memory, room.sets, action_code(k.PLAY, slot, 0))
        if slots != 0:
            said = ask(position, options, memory, count_bits(slots), room, -1, 0)
            slot = nth_slot(slots, said)
        return action_code(k.PLAY, slot, 0), SURE
    return _choose_without_play(position, options, memory, room, seen)


@jit_hot
def _choose_without_play(
    position: Packed, options: Words, memory: Words, room: Room, seen: int
) -> tuple[int, int]:
    """Return the most valuable hint, discard or risky play, and why it is chosen."""
    rules, state = position.rules, position.state
    sets, own, planes = room.sets, room.own, room.planes
    risky, chance = choose_risk(rules, state, sets, own, planes)
    late = loss_of_pace(rules, state, options, sets, own, seen)
    slot, loss = choose_discard(rules, state, options, sets, own, planes, seen)
    discarding = NOTHING
    if slot >= 0 and may_discard(rules, state):
        discarding = -loss - late
        useless, gain = _tell_by_discard(position, options, memory, room)
        if useless >= 0:
            slot, discarding = useless, gain - late
    hint, hinting = choose_hint(position, options, memory, room)
    if hint < 0:
        hinting = NOTHING
    if risky >= 0 and state[k.LIVES] > 1:
        bad = 0
        if state[k.TURNS_LEFT] <= 0:
            bad = options[LOSS_RISK] * (2 if state[k.LIVES] == 2 else 1) + late
        risking = (chance * options[GAIN_RISK] - (SCALE - chance) * bad) // SCALE
        if risking > max(hinting, discarding):
            return action_code(k.PLAY, risky, 0), RISK
    if max(hinting, discarding) > NOTHING:
        if hinting >= discarding:
            return hint, HINT
        return action_code(k.DISCARD, slot, 0), DISCARD
    if risky >= 0 and state[k.LIVES] > 1:
        return action_code(k.PLAY, risky, 0), RISK
    n = legal_actions(position, room.actions)
    return int(room.actions[0 if state[k.LIVES] > 1 else n - 1]), FORCED


@jit_hot
def decide(
    policy: InformationPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return an action of the seat to act."""
    return choose(policy, position, memory, scratch)[0]


policies.decide.register(InformationPolicy, decide)
policies.scratch_size.register(InformationPolicy, scratch_size)


@policies.memory_size.register(InformationPolicy)
@jit_hot
def memory_size(policy: InformationPolicy, rules: Words) -> int:
    """Return the number of words of `memory`."""
    return int(rules[k.SEATS] * rules[k.HAND_SIZE] + n_levels(rules) + 1)


@policies.is_shared.register(InformationPolicy)
@jit_hot
def is_shared(policy: InformationPolicy, rules: Words, memory: Words) -> bool:
    """Whether every message so far is true."""
    return bool(memory[memory.size - 1] == 0)


@policies.start.register(InformationPolicy)
@jit_hot
def start(policy: InformationPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    """Write the memory of a position in which only the hints are publicly known."""
    rules, state = position.rules, position.state
    room = open_room(rules, scratch)
    judge(rules, state, room.sets)
    begin(rules, state, room.sets, memory, room.counts)


@policies.possible.register(InformationPolicy)
@jit_hot
def possible(
    policy: InformationPolicy, position: Packed, memory: Words, seat: int, slot: int
) -> int:
    """Return the set of cards that a slot can hold by public knowledge."""
    rules = position.rules
    return int(memory[seat * rules[k.HAND_SIZE] + slot])


@jit_hot_inline
def read_message(
    position: Packed, options: Words, memory: Words, action: int, room: Room
) -> tuple[int, int]:
    """Return the number of an action's message, and how many messages there are.

    0 messages: the action carries no information beyond its literal meaning.
    """
    rules, state = position.rules, position.state
    judge(rules, state, room.sets)
    pin(memory, rules[k.SEATS] * rules[k.HAND_SIZE], room.sets)
    if is_hint(action):
        messages = plan_codes(rules, state, options, memory, room)
        return message(position, action, room), messages
    slots = choices(rules, state, options, memory, room.sets, action)
    return count_bits(slots & (1 << target_of(action)) - 1), count_bits(slots)


@policies.truthful.register(InformationPolicy)
@jit_hot
def truthful(
    policy: InformationPolicy, position: Packed, memory: Words, action: int, scratch: Words
) -> bool:
    """Return whether a legal action of the seat to act gives the others no false information."""
    room = open_room(position.rules, scratch)
    said, messages = read_message(position, policy.options, memory, action, room)
    if messages == 0:
        return True
    return ask(position, policy.options, memory, messages, room, -1, 0) == said


# What `explain` finds: the player's own action, and why it is chosen; the message of the action in
# question, how many there are, and which one is true; the chance of a play, in units of 1 /
# `SCALE`; how many cards become better known; then for each seat the slots, as bits, that become
# publicly playable, and those that become useless.
OWN, REASON, SAID, MESSAGES, TRUE, CHANCE, NARROWED, SLOTS = range(8)


@jit_hot
def explain(
    policy: InformationPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
    found: Words,
) -> None:
    """Write why the player chooses its action, and what an action would mean to the others."""
    rules, state = position.rules, position.state
    hand, room = rules[k.HAND_SIZE], open_room(rules, scratch)
    found[OWN], found[REASON] = choose(policy, position, memory, scratch)
    found[CHANCE] = 0
    if kind_of(action) == k.PLAY:
        mask = room.own[target_of(action)]
        total = max(weigh(room.planes, mask, mask), 1)
        found[CHANCE] = SCALE * weigh(room.planes, mask, room.sets[PLAYABLE]) // total
    found[SAID], found[MESSAGES] = read_message(position, policy.options, memory, action, room)
    for place in range(rules[k.SEATS] * hand):
        room.told[place] = memory[place]
    found[TRUE] = found[SAID]
    if found[MESSAGES] > 0:
        found[TRUE] = ask(position, policy.options, memory, found[MESSAGES], room, -1, 0)
    if is_hint(action):
        hear(position, action, room.told)
    found[NARROWED] = 0
    for seat in range(rules[k.SEATS]):
        playable, useless = 0, 0
        for slot in range(n_held(rules, state, seat)):
            old, new = memory[seat * hand + slot], room.told[seat * hand + slot]
            found[NARROWED] += old != new
            if new & ~room.sets[PLAYABLE] == 0 and old & ~room.sets[PLAYABLE] != 0:
                playable |= 1 << slot
            elif new & ~room.sets[DEAD] == 0 and old & ~room.sets[DEAD] != 0:
                useless |= 1 << slot
        found[SLOTS + 2 * seat], found[SLOTS + 2 * seat + 1] = playable, useless


@jit_hot
def _advance(
    position: Packed,
    options: Words,
    memory: Words,
    action: int,
    scratch: Words,
    blind: int,
) -> None:
    """Advance without reading the cards in the hand of seat `blind`, except the one it plays."""
    rules, state = position.rules, position.state
    n, room = rules[k.SEATS] * rules[k.HAND_SIZE], open_room(rules, scratch)
    said, messages = read_message(position, options, memory, action, room)
    if messages > 0:
        true = ask(position, options, memory, messages, room, blind, said)
        if blind < 0 and true != said:
            memory[memory.size - 1] = 1
        if is_hint(action):
            hear(position, action, room.told)
        for place in range(n):
            memory[place] = room.told[place]
    _move(position, action, memory, room)
    count_left(rules, state, room.counts)
    eliminate(memory[:n], room.counts, memory[n:-1])


@policies.advance.register(InformationPolicy)
@jit_hot
def advance(
    policy: InformationPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
) -> None:
    """Take any seat's legal action in `state` and update `memory`.

    The action is assumed to be truthful.
    """
    _advance(position, policy.options, memory, action, scratch, -1)


@jit_hot
def _move(position: Packed, action: int, memory: Words, room: Room) -> None:
    """Take an action; the knowledge of each card moves with it."""
    rules, state = position.rules, position.state
    hand = rules[k.HAND_SIZE]
    first = state[k.SEAT] * hand
    masks, indices = room.own, room.cards
    for slot in range(hand):
        masks[slot] = memory[first + slot]
        indices[slot] = index_at(rules, state, first + slot)
    step(position, action)
    for slot in range(hand):
        index = index_at(rules, state, first + slot)
        memory[first + slot] = room.sets[ALL] if index >= 0 else 0
        for old in range(hand):
            if index >= 0 and indices[old] == index:
                memory[first + slot] = masks[old]


@policies.advance_seen.register(InformationPolicy)
@jit_hot
def advance_seen(
    policy: InformationPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
    seat: int,
) -> None:
    """Advance as `seat` sees it: it infers its own answer from the rest of the sum."""
    _advance(position, policy.options, memory, action, scratch, seat)
