"""The smart player, compiled; see hanabi.players.smart, which states its rules.

`memory` has for each card of the deck what everyone knows of it while it is held: the set of cards
that it can be, as bits `color * RANKS + rank - 1`. The last word is 1 if seats may know different
things, after a discard that only some of them can explain.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import RandomStream, Words
from hanabi.ground.compiled.bits import count_bits
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.players.information.kernels.knowledge import (
    ALL,
    COLOR_SETS,
    CRITICAL,
    DEAD,
    PLAYABLE,
    count_left,
    eliminate,
    judge,
    lay_planes,
    n_levels,
    n_sets,
)
from hanabi.players.kernels import policy as policies
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    card_bit,
    cards_hinted,
    cards_known,
    code_at,
    deck_left,
    has_hint,
    hintable,
    index_at,
    known_at,
    may_discard,
    n_held,
    touched_slots,
)
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import (
    Packed,
    action_code,
    card_of,
    clue_bit,
    is_hint,
    kind_of,
    rank_of,
    target_of,
    value_of,
)
from hanabi.rules.kernels.rules import step

# Why an action is chosen.
SURE, LATE, WARNING, FINESSE, HINT, STALL, USELESS, OLD, LEAST, FORCED = range(10)

# What a hint means beyond its literal meaning, and what its slots are: those that it shows to be
# playable, the one that it calls to be played, or the one that is not to be discarded.
NOTHING, SHOWS, CALLS, WARNS = range(4)


class SmartPolicy(NamedTuple):
    """The player; `lives` are the fewest with which it plays unsure cards at the end."""

    lives: int


class Room(NamedTuple):
    """The work space, cut from `scratch`.

    Attributes
    ----------
    sets
        Sets of cards, as `judge` writes them.
    counts, planes
        A word per card, and the planes of `eliminate`.
    masks
        What everyone knows of the card in each place of a hand; 0 for no card.
    own
        What the seat to act knows of its cards, by what it sees.
    told
        What a seat would know after a hint.
    actions
        The legal actions.
    """

    sets: Words
    counts: Words
    planes: Words
    masks: Words
    own: Words
    told: Words
    actions: Words


@jit_hot_inline
def _cut(words: Words, n: int) -> tuple[Words, Words]:
    return words[:n], words[n:]


@jit_hot_inline
def _open_room(rules: Words, scratch: Words) -> Room:
    hand = rules[k.HAND_SIZE]
    sets, rest = _cut(scratch, n_sets(rules))
    counts, rest = _cut(rest, rules[k.COLORS] * rules[k.RANKS])
    planes, rest = _cut(rest, n_levels(rules))
    masks, rest = _cut(rest, rules[k.SEATS] * hand)
    own, rest = _cut(rest, hand)
    told, actions = _cut(rest, hand)
    return Room(sets, counts, planes, masks, own, told, actions)


@policies.scratch_size.register(SmartPolicy)
@jit_hot
def scratch_size(policy: SmartPolicy, rules: Words) -> int:
    """Return the number of words of a room."""
    size = n_sets(rules) + rules[k.COLORS] * rules[k.RANKS] + n_levels(rules)
    return int(size + (rules[k.SEATS] + 2) * rules[k.HAND_SIZE] + rules[k.MAX_ACTIONS])


@policies.memory_size.register(SmartPolicy)
@jit_hot
def memory_size(policy: SmartPolicy, rules: Words) -> int:
    """Return the number of words of `memory`."""
    return int(rules[k.DECK_SIZE] + 1)


@policies.is_shared.register(SmartPolicy)
@jit_hot
def is_shared(policy: SmartPolicy, rules: Words, memory: Words) -> bool:
    """Whether everyone understood every discard alike."""
    return bool(memory[rules[k.DECK_SIZE]] == 0)


@policies.possible.register(SmartPolicy)
@jit_hot
def possible(policy: SmartPolicy, position: Packed, memory: Words, seat: int, slot: int) -> int:
    """Return the publicly known set of a slot's possible cards, by hints and their meaning.

    It may not contain the true card after an action that the player would not take.
    """
    rules = position.rules
    return int(memory[index_at(rules, position.state, seat * rules[k.HAND_SIZE] + slot)])


@jit_hot
def _load(position: Packed, memory: Words, room: Room) -> None:
    """Write the sets of the position, and what everyone knows of each place."""
    rules, state = position.rules, position.state
    judge(rules, state, room.sets)
    for place in range(rules[k.SEATS] * rules[k.HAND_SIZE]):
        index = index_at(rules, state, place)
        room.masks[place] = memory[index] if index >= 0 else 0


@jit_hot
def _store(position: Packed, memory: Words, room: Room) -> None:
    for place in range(position.rules[k.SEATS] * position.rules[k.HAND_SIZE]):
        index = index_at(position.rules, position.state, place)
        if index >= 0:
            memory[index] = room.masks[place]


@jit_hot
def _settle(position: Packed, memory: Words, room: Room) -> None:
    """Remove the cards that are all played, discarded, or known to be held elsewhere."""
    rules, state = position.rules, position.state
    _load(position, memory, room)
    count_left(rules, state, room.counts)
    left = room.sets[ALL] & ~lay_planes(room.counts, room.planes)
    for place in range(room.masks.size):
        # Misunderstandings aside, what hints mean agrees with what they literally say.
        if room.masks[place] & left:
            room.masks[place] &= left
        elif index_at(rules, state, place) >= 0:
            room.masks[place] = cards_known(rules, known_at(rules, state, place)) & left
    eliminate(room.masks, room.counts, room.planes)
    _store(position, memory, room)


@policies.start.register(SmartPolicy)
@jit_hot
def start(policy: SmartPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    """Write the memory of a newly dealt position, in which every card can be anything."""
    rules = position.rules
    room = _open_room(rules, scratch)
    judge(rules, position.state, room.sets)
    for index in range(rules[k.DECK_SIZE]):
        memory[index] = room.sets[ALL]
    memory[rules[k.DECK_SIZE]] = 0
    _settle(position, memory, room)


# What everyone reads in an action.


@jit_hot_inline
def _may_be(mask: int, cards: int) -> bool:
    """Whether a card may be in a set and may not."""
    return bool(mask & cards and mask & ~cards)


@jit_hot
def _next_discard(position: Packed, seat: int, room: Room) -> int:
    """Return the slot that everyone expects a seat to discard next, or -1.

    There is none if the seat has a card that is known to be playable or dead, or holds only cards
    known to be the last of their kind. Of equally likely dead cards it is the first.
    """
    rules, best, good, of = position.rules, -1, 0, 1
    for slot in range(n_held(rules, position.state, seat)):
        mask = room.masks[seat * rules[k.HAND_SIZE] + slot]
        if mask & ~room.sets[PLAYABLE] == 0 or mask & ~room.sets[DEAD] == 0:
            return -1
        if mask & ~room.sets[CRITICAL] == 0:
            continue
        n_dead, n = count_bits(mask & room.sets[DEAD]), count_bits(mask)
        if best < 0 or n_dead * of > good * n:
            best, good, of = slot, n_dead, n
    return best


@jit_hot
def _note_no_warning(position: Packed, room: Room) -> None:
    """Conclude that the next seat may discard: otherwise it would have been warned."""
    rules, state = position.rules, position.state
    if deck_left(rules, state) == 0 or not has_hint(rules, state) or rules[k.SEATS] == 1:
        return
    seat = (state[k.SEAT] + 1) % rules[k.SEATS]
    slot = _next_discard(position, seat, room)
    if slot >= 0:
        room.masks[seat * rules[k.HAND_SIZE] + slot] &= ~room.sets[CRITICAL]


@jit_hot
def _hear(position: Packed, action: int, touched: int, room: Room) -> tuple[int, int, int]:
    """Write to `told` what a hand is by a hint's literal meaning.

    Return the slots, as bits, that are newly known to be playable, the newest touched one that only
    may be, as before, or -1; and how many possibilities are gone.
    """
    rules, state, seat = position.rules, position.state, target_of(action)
    cards = cards_hinted(rules, kind_of(action), value_of(action))
    playable, shown, lead, gone = room.sets[PLAYABLE], 0, -1, 0
    for slot in range(n_held(rules, state, seat) - 1, -1, -1):
        place = seat * rules[k.HAND_SIZE] + slot
        is_touched, old = touched >> slot & 1 != 0, room.masks[place]
        named = cards if is_touched else ~cards
        new = old & named
        if new == 0:  # another seat did not mean what was read in its actions
            new = cards_known(rules, known_at(rules, state, place)) & named & room.sets[ALL]
        room.told[slot] = new
        gone += count_bits(old) - count_bits(new)
        if not _may_be(old, playable):
            continue
        if new & ~playable == 0:
            shown |= 1 << slot
        elif is_touched and new & playable and lead < 0:
            lead = slot
    return shown, lead, gone


@jit_hot
def _read_hint(position: Packed, action: int, room: Room) -> tuple[int, int]:
    """Update what everyone knows by a hint; return its meaning, and the slots of that as bits."""
    rules, state, seat = position.rules, position.state, target_of(action)
    next_seat, first = (state[k.SEAT] + 1) % rules[k.SEATS], seat * rules[k.HAND_SIZE]
    touched = touched_slots(position, action)
    warned, is_stall = -1, False
    if kind_of(action) == k.HINT_RANK:
        is_from_left = state[k.SEAT] == (seat + 1) % rules[k.SEATS]
        is_stall = not may_discard(rules, state) and is_from_left and touched & 1 != 0
        slot = _next_discard(position, seat, room) if seat == next_seat and not is_stall else -1
        if slot >= 0 and touched >> slot & 1 and _may_warn(rules, action, first + slot, room):
            warned = slot
            room.masks[first + slot] &= room.sets[CRITICAL]
    shown, lead, _ = _hear(position, action, touched, room)
    for slot in range(n_held(rules, state, seat)):
        room.masks[first + slot] = room.told[slot]
    if warned >= 0:
        return WARNS, 1 << warned
    if shown != 0:
        return SHOWS, shown
    if is_stall or lead < 0:
        return NOTHING, 0
    room.masks[first + lead] &= room.sets[PLAYABLE]
    return CALLS, 1 << lead


@jit_hot_inline
def _may_warn(rules: Words, action: int, place: int, room: Room) -> bool:
    """Whether a card, not known to be the last of its kind, may be so by a rank."""
    mask, critical = room.masks[place], room.sets[CRITICAL]
    named = cards_hinted(rules, k.HINT_RANK, value_of(action))
    return bool(mask & ~critical and mask & critical & named)


@jit_hot
def _read_discard(position: Packed, memory: Words, action: int, room: Room, blind: int) -> None:
    """Read in the discard of a known playable card who else has it.

    That seat's newest card is the same. Seat `blind` does not see its own: it has the card if it
    sees nobody else who has. If `blind` is -1, all hands are seen.
    """
    rules, state, hand = position.rules, position.state, position.rules[k.HAND_SIZE]
    actor = state[k.SEAT]
    place = actor * hand + target_of(action)
    bit = card_bit(rules, code_at(position, place))
    if room.masks[place] != bit or not bit & room.sets[PLAYABLE]:
        return
    holder, holders = -1, 0
    for seat in range(rules[k.SEATS]):
        newest = seat * hand + n_held(rules, state, seat) - 1
        if seat == actor or seat == blind or newest < seat * hand:
            continue
        if card_bit(rules, code_at(position, newest)) == bit:
            holder, holders = seat if holder < 0 else holder, holders + 1
    if blind < 0 and holders != 1:
        memory[rules[k.DECK_SIZE]] = 1
    if holder < 0 and blind != actor:
        holder = blind
    if holder < 0 or n_held(rules, state, holder) == 0:
        return
    newest = holder * hand + n_held(rules, state, holder) - 1
    if cards_known(rules, known_at(rules, state, newest)) & bit:
        room.masks[newest] = bit


@jit_hot
def _advance(position: Packed, memory: Words, action: int, scratch: Words, blind: int) -> None:
    """Advance without reading the cards in the hand of seat `blind`, except the one it plays."""
    rules, state = position.rules, position.state
    room, next_seat = _open_room(rules, scratch), (state[k.SEAT] + 1) % rules[k.SEATS]
    _load(position, memory, room)
    if is_hint(action):
        _read_hint(position, action, room)
    if not is_hint(action) or target_of(action) != next_seat:
        _note_no_warning(position, room)
    if kind_of(action) == k.DISCARD:
        _read_discard(position, memory, action, room, blind)
    _store(position, memory, room)
    step(position, action)
    _settle(position, memory, room)


@policies.advance.register(SmartPolicy)
@jit_hot
def advance(
    policy: SmartPolicy, position: Packed, memory: Words, action: int, scratch: Words
) -> None:
    """Take any seat's legal action, and update what everyone knows."""
    _advance(position, memory, action, scratch, -1)


@policies.advance_seen.register(SmartPolicy)
@jit_hot
def advance_seen(
    policy: SmartPolicy, position: Packed, memory: Words, action: int, scratch: Words, seat: int
) -> None:
    """Advance as `seat` sees it."""
    _advance(position, memory, action, scratch, seat)


policies.truthful.register(SmartPolicy, policies.keeps_true_cards)


# Decisions.


@jit_hot
def _write_own(position: Packed, room: Room) -> None:
    """Write what the seat to act knows of its cards by what it sees as well."""
    rules, state = position.rules, position.state
    hand, me = rules[k.HAND_SIZE], state[k.SEAT]
    count_left(rules, state, room.counts)
    for seat in range(rules[k.SEATS]):
        for place in range(seat * hand, seat * hand + n_held(rules, state, seat)):
            if seat != me:
                room.counts[card_of(rules, code_at(position, place))] -= 1
            elif count_bits(room.masks[place]) == 1:
                room.counts[count_bits(room.masks[place] - 1)] -= 1
    gone = lay_planes(room.counts, room.planes)
    for slot in range(n_held(rules, state, me)):
        mask = room.masks[me * hand + slot]
        is_open = count_bits(mask) > 1 and mask & ~gone != 0
        room.own[slot] = mask & ~gone if is_open else mask


@jit_hot_inline
def _rank_if_known(rules: Words, mask: int, room: Room) -> int:
    """Return the rank that all cards of a set have, or -1."""
    for rank in range(1, rules[k.RANKS] + 1):
        if mask & ~room.sets[COLOR_SETS + rules[k.COLORS] + rank - 1] == 0:
            return rank
    return -1


@jit_hot
def _choose_play(position: Packed, room: Room) -> int:
    """Return the slot of the playable card to play, or -1.

    First come those that only this seat knows to be playable, then cards of unknown rank, then low
    ones.
    """
    rules, state = position.rules, position.state
    best, most = -1, 0
    for slot in range(n_held(rules, state, state[k.SEAT])):
        mask = room.masks[state[k.SEAT] * rules[k.HAND_SIZE] + slot]
        if room.own[slot] & ~room.sets[PLAYABLE] == 0:
            worth = rules[k.RANKS] + 1 - _rank_if_known(rules, room.own[slot], room)
            if mask & ~room.sets[PLAYABLE]:
                worth += rules[k.RANKS] + 2
            if worth > most:
                best, most = slot, worth
    return best


@jit_hot
def _choose_late_play(policy: SmartPolicy, position: Packed, room: Room) -> int:
    """Return the slot most likely to be playable when few cards are left to draw, or -1."""
    rules, state = position.rules, position.state
    few = 3 if state[k.LIVES] > 2 else 1
    if deck_left(rules, state) > few or state[k.LIVES] < policy.lives:
        return -1
    best, good, of = -1, 0, 1
    for slot in range(n_held(rules, state, state[k.SEAT]) - 1, -1, -1):
        n_good, n = count_bits(room.own[slot] & room.sets[PLAYABLE]), count_bits(room.own[slot])
        if n_good * of > good * n:
            best, good, of = slot, n_good, n
    return best


@jit_hot
def _choose_finesse(position: Packed, room: Room) -> int:
    """Return a known playable card's slot, or -1; just one other seat has it as its newest."""
    rules, state, hand = position.rules, position.state, position.rules[k.HAND_SIZE]
    cards = room.sets[PLAYABLE] & ~room.sets[CRITICAL]
    for slot in range(n_held(rules, state, state[k.SEAT])):
        mask, holders = room.masks[state[k.SEAT] * hand + slot], 0
        if count_bits(mask) > 1 or not mask & cards:
            continue
        for turn in range(1, rules[k.SEATS]):
            seat = (state[k.SEAT] + turn) % rules[k.SEATS]
            size = n_held(rules, state, seat)
            if size > 0:
                holders += card_bit(rules, code_at(position, seat * hand + size - 1)) == mask
        if holders == 1:
            return slot
    return -1


@jit_hot
def _choose_hint_to(position: Packed, seat: int, room: Room) -> tuple[int, int]:
    """Return the hint that calls or shows a playable card and leaves fewest cards, and its gain.

    -1 if there is none. A rank that would be read as a warning is left out.
    """
    rules, state, first = position.rules, position.state, seat * position.rules[k.HAND_SIZE]
    risky, best, most = -1, -1, 0
    if seat == (state[k.SEAT] + 1) % rules[k.SEATS]:
        slot = _next_discard(position, seat, room)
        if slot >= 0:
            rank = action_code(k.HINT_RANK, seat, rank_of(code_at(position, first + slot)))
            risky = rank if _may_warn(rules, rank, first + slot, room) else -1
    bits = hintable(position, seat)
    for clue in range(rules[k.COLORS] + rules[k.RANKS]):
        kind, value = k.HINT_COLOR, clue
        if clue >= rules[k.COLORS]:
            kind, value = k.HINT_RANK, clue - rules[k.COLORS] + 1
        action = action_code(kind, seat, value)
        if not bits & clue_bit(kind, value) or action == risky:
            continue
        touched = touched_slots(position, action)
        if touched == 0:
            continue
        shown, lead, gain = _hear(position, action, touched, room)
        is_good = shown != 0
        if not is_good and lead >= 0:
            is_good = card_bit(rules, code_at(position, first + lead)) & room.sets[PLAYABLE] != 0
        if is_good and gain > most:
            best, most = action, gain
    return best, most


@jit_hot
def _choose_hint(position: Packed, room: Room) -> int:
    """Return the hint to any seat that leaves fewest cards possible, or -1; nearer seats first."""
    rules, state = position.rules, position.state
    best, most = -1, 0
    if has_hint(rules, state):
        for turn in range(1, rules[k.SEATS]):
            action, gain = _choose_hint_to(position, (state[k.SEAT] + turn) % rules[k.SEATS], room)
            if gain > most:
                best, most = action, gain
    return best


@jit_hot
def _hint_rank_of(position: Packed, seat: int, slot: int) -> int:
    """Return the hint of a card's rank, or -1 if it is not legal."""
    rules, state = position.rules, position.state
    if not has_hint(rules, state) or seat == state[k.SEAT] or slot >= n_held(rules, state, seat):
        return -1
    rank = rank_of(code_at(position, seat * rules[k.HAND_SIZE] + slot))
    is_legal = hintable(position, seat) & clue_bit(k.HINT_RANK, rank)
    return action_code(k.HINT_RANK, seat, rank) if is_legal else -1


@jit_hot
def _choose_warning(position: Packed, room: Room) -> int:
    """Return a hint that keeps the next seat from discarding the last of a kind, or -1."""
    rules, state = position.rules, position.state
    seat = (state[k.SEAT] + 1) % rules[k.SEATS]
    if seat == state[k.SEAT] or not has_hint(rules, state):
        return -1
    slot = _next_discard(position, seat, room)
    if slot < 0:
        return -1
    card = card_bit(rules, code_at(position, seat * rules[k.HAND_SIZE] + slot))
    if not card & room.sets[CRITICAL]:
        return -1
    action, _ = _choose_hint_to(position, seat, room)
    return action if action >= 0 else _hint_rank_of(position, seat, slot)


@jit_hot
def _choose_discard(position: Packed, room: Room) -> tuple[int, int]:
    """Return the slot to discard, or -1, and why."""
    rules, state = position.rules, position.state
    me, size = state[k.SEAT], n_held(rules, state, state[k.SEAT])
    first, dead, best, good, of = me * rules[k.HAND_SIZE], room.sets[DEAD], -1, 0, 1
    for slot in range(size):
        if room.own[slot] & ~dead == 0:
            # What the others do not know to be dead goes first, before they waste a hint on it.
            mask = room.masks[first + slot]
            n_dead, n = count_bits(mask & dead), count_bits(mask)
            if best < 0 or n_dead * of < good * n:
                best, good, of = slot, n_dead, n
    if best >= 0:
        return best, USELESS
    best = _next_discard(position, me, room)
    if best >= 0:
        return best, OLD
    highest = -1
    for slot in range(size):
        rank = _rank_if_known(rules, room.masks[first + slot], room)
        if best < 0 or rank > highest:
            best, highest = slot, rank
    return best, LEAST


@jit_hot
def choose(policy: SmartPolicy, position: Packed, memory: Words, scratch: Words) -> tuple[int, int]:
    """Return the action of the seat to act, and why it is chosen."""
    rules, state = position.rules, position.state
    room = _open_room(rules, scratch)
    _load(position, memory, room)
    _write_own(position, room)
    sure, late = _choose_play(position, room), _choose_late_play(policy, position, room)
    if deck_left(rules, state) == 0 and max(sure, late) >= 0:
        return action_code(k.PLAY, sure if sure >= 0 else late, 0), SURE if sure >= 0 else LATE
    action = _choose_warning(position, room)
    if action >= 0:
        return action, WARNING
    may, slot = may_discard(rules, state), _choose_finesse(position, room)
    if slot >= 0 and may:
        return action_code(k.DISCARD, slot, 0), FINESSE
    if sure >= 0:
        return action_code(k.PLAY, sure, 0), SURE
    action = _choose_hint(position, room)
    if action >= 0:
        return action, HINT
    if late >= 0:
        return action_code(k.PLAY, late, 0), LATE
    if may:
        slot, why = _choose_discard(position, room)
        if slot >= 0:
            return action_code(k.DISCARD, slot, 0), why
    else:
        action = _hint_rank_of(position, (state[k.SEAT] + rules[k.SEATS] - 1) % rules[k.SEATS], 0)
        if action >= 0:
            return action, STALL
    legal_actions(position, room.actions)
    return int(room.actions[0]), FORCED


@policies.decide.register(SmartPolicy)
@jit_hot
def decide(
    policy: SmartPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action of the seat to act, without drawing from the stream."""
    return choose(policy, position, memory, scratch)[0]


# What `explain` finds: the player's own action, and why it is chosen; what a hint means, and the
# slots of that, as bits; and of a slot the number of its possible cards, by what the seat sees, and
# how many of these are playable and dead.
OWN, REASON, MEANING, SLOTS, OF, PLAYABLE_OF, DEAD_OF, FINDINGS = range(8)


@jit_hot
def explain(
    policy: SmartPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
    found: Words,
) -> None:
    """Write why the player chooses its action, and what an action means."""
    room = _open_room(position.rules, scratch)
    for word in range(FINDINGS):
        found[word] = 0
    found[OWN], found[REASON] = choose(policy, position, memory, scratch)
    if is_hint(action):
        found[MEANING], found[SLOTS] = _read_hint(position, action, room)
    elif kind_of(action) == k.PLAY or kind_of(action) == k.DISCARD:
        cards = room.own[target_of(action)]
        found[OF] = count_bits(cards)
        found[PLAYABLE_OF] = count_bits(cards & room.sets[PLAYABLE])
        found[DEAD_OF] = count_bits(cards & room.sets[DEAD])
