"""The convention player, compiled."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import RandomStream, Words
from hanabi.ground.compiled.bits import count_bits
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.players.kernels import policy as policies
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    card_bit,
    cards_hinted,
    cards_known,
    code_at,
    copies_kept,
    copies_left,
    copies_of,
    hintable,
    index_at,
    known_at,
    last_rank,
    n_held,
    touched_slots,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule
from hanabi.rules.kernels.packed import (
    Packed,
    action_code,
    card_of,
    clue_bit,
    kind_of,
    target_of,
    value_of,
)
from hanabi.rules.kernels.rules import step

# The meaning of a hint to the convention player, beyond the literal one.
#
# `memory` is public: for each card of the deck the set of cards that it can be, then the marks that
# hints put on it. It is the same for every seat and does not depend on hidden cards.

# Sets of cards that everybody can derive from the table, for the convention player.
#
# A set of cards is a word: bit `color * rules[RANKS] + rank - 1` stands for a card. Rule sets with
# more than `MOST_CARDS` different cards do not fit.

MOST_CARDS = 60

# The first words of `scratch`. LEFT, LEFT + 1, LEFT + 2 are the cards of which at least one, two,
# three copies are neither played nor discarded; UNSEEN and the words after it count only those that
# the seat to act does not see in another hand. TOPS are the last cards of the colors; GAIN is the
# value of the best hint.
PLAYABLE, DEAD, CRITICAL, LEFT, UNSEEN, TOPS, GAIN = 0, 1, 2, 3, 6, 9, 10
# Two words per slot follow, possible cards and marks, for each of four hands; then one per card.
HANDS, N_HANDS = 11, 4


@jit_hot_inline
def at_hand(rules: Words, number: int) -> int:
    """Return where the hand of that number begins in `scratch`."""
    return int(HANDS + 2 * number * rules[k.HAND_SIZE])


@jit_hot_inline
def weigh(scratch: Words, lanes: int, cards: int) -> int:
    """Return the number of copies left of a set's cards, at most three of each."""
    return int(
        count_bits(cards & scratch[lanes])
        + count_bits(cards & scratch[lanes + 1])
        + count_bits(cards & scratch[lanes + 2])
    )


@jit_hot_inline
def next_cards(scratch: Words, cards: int) -> int:
    """Return the cards that come right after those of a set, in their colors."""
    return int((cards & ~scratch[TOPS]) << 1)


@jit_hot
def cards_held(position: Packed, seat: int) -> int:
    """Return the set of the cards in a hand."""
    rules, state = position.rules, position.state
    cards = 0
    first = seat * rules[k.HAND_SIZE]
    for place in range(first, first + n_held(rules, state, seat)):
        cards |= card_bit(rules, code_at(position, place))
    return cards


@jit_hot
def write_sets(position: Packed, scratch: Words) -> None:
    """Write the sets of a position; reads no card of the seat to act."""
    rules, state = position.rules, position.state
    ranks, counts = rules[k.RANKS], at_hand(rules, N_HANDS)
    for card in range(rules[k.COLORS] * ranks):
        scratch[counts + card] = 0
    for seat in range(rules[k.SEATS]):
        if seat != state[k.SEAT]:
            first = seat * rules[k.HAND_SIZE]
            for place in range(first, first + n_held(rules, state, seat)):
                code = code_at(position, place)
                scratch[counts + card_of(rules, code)] += 1
    # Sets grow in registers, and copies are counted without `copies_left`, which divides: this was
    # a fifth of the work of a decision. The player refuses variants, so piles are heights.
    playable, dead, critical, tops = 0, 0, 0, 0
    left_1, left_2, left_3, unseen_1, unseen_2, unseen_3 = 0, 0, 0, 0, 0, 0
    bit, card = 1, 0
    for color in range(rules[k.COLORS]):
        pile, is_reachable = state[k.PILES + color], True
        tops |= bit << (last_rank(rules, color) - 1)
        for index in range(ranks):
            left = copies_kept(rules, state, card) - (index < pile)
            unseen = left - scratch[counts + card]
            is_reachable = is_reachable and (index < pile or left > 0)
            if index < pile or not is_reachable:
                dead |= bit
            else:
                playable |= bit if index == pile else 0
                critical |= bit if left == 1 else 0
            left_1 |= bit if left > 0 else 0
            left_2 |= bit if left > 1 else 0
            left_3 |= bit if left > 2 else 0
            unseen_1 |= bit if unseen > 0 else 0
            unseen_2 |= bit if unseen > 1 else 0
            unseen_3 |= bit if unseen > 2 else 0
            bit, card = bit << 1, card + 1
    scratch[PLAYABLE], scratch[DEAD], scratch[CRITICAL] = playable, dead, critical
    scratch[LEFT], scratch[LEFT + 1], scratch[LEFT + 2] = left_1, left_2, left_3
    scratch[UNSEEN], scratch[UNSEEN + 1], scratch[UNSEEN + 2] = unseen_1, unseen_2, unseen_3
    scratch[TOPS] = tops


# Marks of a card: touched by a hint; called to be played; called to be discarded.
TOUCHED, TO_PLAY, TO_DISCARD = 1, 2, 4

# Words of `options`; see hanabi.players.convention. The first say whether to use each part; then
# follow weights and thresholds in twentieths of a play.
RANK_CALLS, DISCARD_CALLS, SAVES, NEWEST, ASIDE = range(5)
PLAY_WORTH, FIRST_WORTH, TRASH_WORTH, KNOWING, HARM = range(5, 10)
HARM_CRITICAL, HARM_RANK, HARM_PLAYABLE, HARM_USEFUL, DANGER = range(10, 15)
SAVE_FROM, HINT_FIRST_TOKENS, HINT_FIRST_FROM = range(15, 18)
# The chance of being playable, in twentieths, from which a card is played instead of another being
# discarded; the same when turns run out and no hint has the value of the third word.
RISK_FROM, LATE_RISK_FROM, LATE_HINT_FROM = range(18, 21)
# Tables: the required value of a hint by the tokens available, up to a maximum, and the addition to
# it by the pace, from 0 to a maximum.
HINT_FROM, MOST_TOKENS = 21, 8
BY_PACE, MOST_PACE = HINT_FROM + MOST_TOKENS + 1, 17
OPTIONS = BY_PACE + MOST_PACE + 1


@jit_hot_inline
def load_hand(
    rules: Words, state: Words, memory: Words, seat: int, scratch: Words, at: int
) -> None:
    """Copy the public knowledge of a hand to `scratch`: possible cards, then marks."""
    hand = rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, seat)):
        place = seat * hand + slot
        index = index_at(rules, state, place)
        cards = memory[index] & scratch[LEFT]
        if cards == 0:  # some hint broke the conventions, but its literal meaning holds
            cards = cards_known(rules, known_at(rules, state, place)) & scratch[LEFT]
        scratch[at + slot] = cards
        scratch[at + hand + slot] = memory[rules[k.DECK_SIZE] + index]


@jit_hot_inline
def store_hand(
    rules: Words, state: Words, memory: Words, seat: int, scratch: Words, at: int
) -> None:
    """Copy it back."""
    hand = rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, seat)):
        index = index_at(rules, state, seat * hand + slot)
        memory[index] = scratch[at + slot]
        memory[rules[k.DECK_SIZE] + index] = scratch[at + hand + slot]


@jit_hot_inline
def _hear(rules: Words, size: int, scratch: Words, at: int, touched: int, cards: int) -> bool:
    """Apply a hint's literal meaning; return whether it shows a card to be playable or dead."""
    marks, is_plain = at + rules[k.HAND_SIZE], False
    playable, dead = scratch[PLAYABLE], scratch[DEAD]
    for slot in range(size):
        before = scratch[at + slot]
        if not touched >> slot & 1:
            scratch[at + slot] = before & ~cards
            continue
        after = before & cards
        scratch[at + slot] = after
        scratch[marks + slot] = scratch[marks + slot] & ~TO_DISCARD | TOUCHED
        if after & ~playable == 0 and before & ~playable:
            is_plain = is_plain or after != 0
        if after & ~dead == 0 and before & ~dead:
            is_plain = is_plain or after != 0
    return is_plain


@jit_hot_inline
def _call_play(scratch: Words, at: int, marks: int, slot: int) -> bool:
    """Call a slot if it could be playable, but is not known to be; return whether it was called."""
    cards, playable = scratch[at + slot], scratch[PLAYABLE]
    if cards & playable and cards & ~playable:
        scratch[at + slot] = cards & playable
        scratch[marks + slot] |= TO_PLAY
        return True
    return False


@jit_hot_inline
def _call_play_aside(rules: Words, size: int, scratch: Words, at: int, lead: int) -> None:
    """Call a play from `lead` to newer slots, wrapping around; untouched slots take precedence."""
    marks = at + rules[k.HAND_SIZE]
    for excluded in (TOUCHED, 0):
        for turn in range(size):
            slot = (lead + turn) % size
            if not scratch[marks + slot] & excluded and _call_play(scratch, at, marks, slot):
                return


@jit_hot_inline
def _call_play_from(rules: Words, size: int, scratch: Words, at: int, first: int) -> None:
    """Call a play from slot `first` to older ones, wrapping around."""
    for turn in range(size):
        if _call_play(scratch, at, at + rules[k.HAND_SIZE], (first - turn) % size):
            return


@jit_hot_inline
def _call_discard(rules: Words, size: int, scratch: Words, at: int, lead: int) -> None:
    """Call the first slot older than `lead` without a mark: it is not the last of its kind."""
    marks, critical = at + rules[k.HAND_SIZE], scratch[CRITICAL]
    for turn in range(1, size + 1):
        slot = (lead - turn) % size
        cards = scratch[at + slot]
        if scratch[marks + slot] or cards & ~scratch[PLAYABLE] == 0 or cards & ~critical == 0:
            continue
        scratch[at + slot] = cards & ~critical
        scratch[marks + slot] |= TO_DISCARD
        return


@jit_hot_inline
def tell(
    rules: Words,
    state: Words,
    options: Words,
    touched: int,
    action: int,
    scratch: Words,
    at: int,
) -> None:
    """Update the public knowledge of the hand at `scratch[at]` by a hint about to be given.

    It uses only public knowledge: the sets of the position, the hand, the touched slots.
    """
    size = n_held(rules, state, target_of(action))
    kind, marks, group = kind_of(action), at + rules[k.HAND_SIZE], 0
    for slot in range(size):
        if touched >> slot & 1 and not scratch[marks + slot] & TOUCHED:
            group |= 1 << slot
    is_fresh = group != 0
    if not is_fresh:
        group = touched
    cards = cards_hinted(rules, kind, value_of(action))
    if _hear(rules, size, scratch, at, touched, cards) or group == 0:
        return
    lead = size - 1
    while not group >> lead & 1:
        lead -= 1
    first = size - 1 if options[ASIDE] != 0 else lead
    if kind != k.HINT_RANK:
        if is_fresh and options[ASIDE] != 0:
            _call_play_aside(rules, size, scratch, at, lead)
        else:
            _call_play_from(rules, size, scratch, at, first)
        return
    useful = scratch[at + lead] & ~scratch[DEAD]
    if options[RANK_CALLS] != 0 and is_fresh and useful and useful & ~scratch[PLAYABLE] == 0:
        scratch[at + lead] = useful
        scratch[marks + lead] |= TO_PLAY
    elif state[k.HINTS] == rules[k.MAX_HINTS]:
        return  # nobody could discard, so some hint must have only its literal meaning
    elif options[RANK_CALLS] != 0 and not is_fresh:
        _call_play_from(rules, size, scratch, at, first)
    elif options[DISCARD_CALLS] != 0 and not (is_fresh and lead == size - 1):
        _call_discard(rules, size, scratch, at, lead)


# The convention player's decisions about a partially known hand.

WRONG = -1000  # value of a hint that makes someone play an unplayable card


@jit_hot_inline
def _is_sure(cards: int, marks: int, playable: int, dead: int) -> bool:
    """Whether a card is known to be playable; a called card is assumed not to be dead."""
    if marks & TO_PLAY and cards & ~dead:
        cards &= ~dead
    return cards != 0 and cards & ~playable == 0


@jit_hot_inline
def first_play(
    rules: Words, size: int, scratch: Words, at: int, playable: int, dead: int, gone: int
) -> int:
    """Return the first slot known to be playable, or -1; `gone` are slots to skip."""
    for slot in range(size):
        if not gone >> slot & 1 and _is_sure(
            scratch[at + slot], scratch[at + rules[k.HAND_SIZE] + slot], playable, dead
        ):
            return slot
    return -1


@jit_hot
def choose_play(position: Packed, scratch: Words, at: int) -> int:
    """Return the slot that the seat to act would play, or -1.

    Cards that let the next seat play go first, then called cards with several possible identities,
    because others depend on them.
    """
    rules, state = position.rules, position.state
    seat = (state[k.SEAT] + 1) % rules[k.SEATS]
    others = cards_held(position, seat) if rules[k.SEATS] > 1 else 0
    best, most = -1, -1
    for slot in range(n_held(rules, state, state[k.SEAT])):
        cards, marks = scratch[at + slot], scratch[at + rules[k.HAND_SIZE] + slot]
        if not _is_sure(cards, marks, scratch[PLAYABLE], scratch[DEAD]):
            continue
        if marks & TO_PLAY and cards & ~scratch[DEAD]:
            cards &= ~scratch[DEAD]
        worth = 1
        if cards & (cards - 1):
            worth = 2
        elif next_cards(scratch, cards) & others & ~scratch[DEAD]:
            worth = 3
        if worth > most:
            best, most = slot, worth
    return best


@jit_hot
def likeliest_play(size: int, scratch: Words, at: int) -> tuple[int, int]:
    """Return the slot most likely to be playable, and its chance in thousandths.

    The chance counts the copies that the seat does not see; its knowledge is at `scratch[at]`.
    """
    best, most = 0, 0
    for slot in range(size):
        cards = scratch[at + slot]
        chance = 1000 * weigh(scratch, UNSEEN, cards & scratch[PLAYABLE])
        chance //= max(weigh(scratch, UNSEEN, cards), 1)
        if chance > most:
            best, most = slot, chance
    return best, most


@jit_hot_inline
def next_discard(
    rules: Words, options: Words, size: int, scratch: Words, at: int, dead: int, lanes: int
) -> int:
    """Return the slot to discard: a dead, else called, else untouched, else least harmful one."""
    marks, critical = at + rules[k.HAND_SIZE], scratch[CRITICAL]
    for slot in range(size):
        if scratch[at + slot] & ~dead == 0:
            return slot
    for slot in range(size):
        if scratch[marks + slot] & TO_DISCARD:
            return slot
    for turn in range(size):
        slot = size - 1 - turn if options[NEWEST] != 0 else turn
        if not scratch[marks + slot] & (TOUCHED | TO_PLAY) and scratch[at + slot] & ~critical:
            return slot
    best, least, of = 0, 1 << 30, 1
    for slot in range(size):
        cards = scratch[at + slot]
        total = weigh(scratch, lanes, cards)
        harm = 4 * weigh(scratch, lanes, cards & critical) + weigh(scratch, lanes, cards & ~dead)
        if harm * of < least * total:
            best, least, of = slot, harm, total
    return best


@jit_hot_inline
def write_held(position: Packed, seat: int, scratch: Words, at: int) -> None:
    """Write the cards of a visible hand, as one single-card set per slot."""
    first = seat * position.rules[k.HAND_SIZE]
    for slot in range(n_held(position.rules, position.state, seat)):
        scratch[at + slot] = card_bit(position.rules, code_at(position, first + slot))


@jit_hot_inline
def harm_of(rules: Words, options: Words, size: int, slot: int, scratch: Words, held: int) -> int:
    """Return the loss from discarding a visible card; -1 if the discard is good.

    The hand's cards are at `scratch[held]`, as `write_held` writes them.
    """
    card = scratch[held + slot]
    if card & scratch[DEAD]:
        return -1
    for other in range(size):
        if other != slot and scratch[held + other] == card:
            return 0
    if card & scratch[CRITICAL]:
        above = 0
        while not card & scratch[TOPS]:
            card, above = card << 1, above + 1
        return int(options[HARM_CRITICAL] + options[HARM_RANK] * above)
    return int(options[HARM_PLAYABLE] if card & scratch[PLAYABLE] else options[HARM_USEFUL])


@jit_hot_inline
def outlook(rules: Words, options: Words, size: int, scratch: Words, at: int, held: int) -> int:
    """Return the value of the knowledge at `scratch[at]` about a hand of `size` cards.

    It counts the cards that the hand's seat would play, the one that it would discard next, and its
    knowledge of its useful cards. The hand's true cards are at `scratch[held]`.
    """
    if size == 0:
        return 0
    playable, dead = scratch[PLAYABLE], scratch[DEAD]
    plays, worth, gone = 0, 0, 0
    slot = first_play(rules, size, scratch, at, playable, dead, gone)
    while slot >= 0:
        card = scratch[held + slot]
        if not card & playable:
            return WRONG
        gone |= 1 << slot
        worth += options[PLAY_WORTH] + (options[FIRST_WORTH] if plays == 0 else 0)
        plays += 1
        dead |= card
        playable = (playable & ~card) | (next_cards(scratch, card) & ~dead)
        slot = first_play(rules, size, scratch, at, playable, dead, gone)
    n_dead, unsure = 0, 0
    for slot in range(size):
        if scratch[at + slot] & ~dead == 0:
            n_dead += 1
        if scratch[held + slot] & ~scratch[DEAD]:
            unsure += count_bits(scratch[at + slot])
    worth += options[TRASH_WORTH] * min(n_dead, 2) - options[KNOWING] * unsure // 16
    slot = next_discard(rules, options, size, scratch, at, dead, LEFT)
    harm = harm_of(rules, options, size, slot, scratch, held)
    return int(worth - options[HARM] * harm // (1 + plays))


@jit_hot
def write_own(position: Packed, memory: Words, scratch: Words, at: int) -> None:
    """Write what the seat to act knows about its own hand, including by what it sees."""
    rules, state = position.rules, position.state
    seat = state[k.SEAT]
    size = n_held(rules, state, seat)
    load_hand(rules, state, memory, seat, scratch, at)
    for slot in range(size):
        place = seat * rules[k.HAND_SIZE] + slot
        cards = scratch[at + slot] & scratch[UNSEEN]
        if rules[k.OPEN_HANDS] != 0:
            cards = card_bit(rules, code_at(position, place))
        if cards == 0:
            cards = cards_known(rules, known_at(rules, state, place)) & scratch[UNSEEN]
        scratch[at + slot] = cards
    # A card whose copies are all in known slots cannot be elsewhere. Two passes are enough.
    for _ in range(2):
        for slot in range(size):
            card = scratch[at + slot]
            if card & (card - 1):
                continue
            held = 0
            for other in range(size):
                held += scratch[at + other] == card
            if held >= weigh(scratch, UNSEEN, card):
                for other in range(size):
                    if scratch[at + other] & ~card:
                        scratch[at + other] &= ~card


# The convention player's decisions and their meaning; see hanabi.players.convention.

UNTRUE = 500  # loss of a hint that breaks the conventions
FORCE = -UNTRUE // 2  # required value of a hint when turns run out: any true hint
TWENTIETH = 50  # of certainty, in the thousandths of `likeliest_play`
BUSY, IDLE, IN_DANGER = range(3)
TOLD, BEFORE, HELD, OWN = range(4)  # the hands in `scratch`


class ConventionPolicy(NamedTuple):
    """The player; `options` are the words of `hanabi.players.convention.kernels`."""

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
        return FORCE
    needed = options[HINT_FROM + min(state[k.HINTS], MOST_TOKENS)]
    if rules[k.FINAL_ROUND] < 0:
        return int(needed)
    # Pace is the number of cards that can be drawn without a play before too few turns are left.
    missing = count_bits(scratch[LEFT] & ~scratch[DEAD])
    pace = rules[k.DECK_SIZE] - state[k.DRAWN] + rules[k.FINAL_ROUND] - missing
    if pace <= 0:
        return FORCE
    return int(needed + options[BY_PACE + min(pace, MOST_PACE)])


# Why an action is chosen: the card is known to be playable; the next seat would discard an
# important card; it would waste its turn; the hint is worth more than a discard; the card is likely
# enough to be playable, or late enough; the card is the next to be discarded; nothing else is left.
SURE, SAVE, URGENT, HINT, RISK, LATE_RISK, DISCARD, FORCED = range(8)


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
    return choose(policy, position, memory, scratch)[0]


@jit_hot
def choose(
    policy: ConventionPolicy, position: Packed, memory: Words, scratch: Words
) -> tuple[int, int]:
    """Return the action of the seat to act, and why it is chosen."""
    options = policy.options
    rules, state = position.rules, position.state
    own, size = at_hand(rules, OWN), n_held(rules, state, state[k.SEAT])
    write_sets(position, scratch)
    need = _look_ahead(position, options, memory, scratch)
    write_own(position, memory, scratch, own)
    slot = choose_play(position, scratch, own)
    if slot >= 0 and need == BUSY:
        return action_code(k.PLAY, slot, 0), SURE
    hint = best_hint(position, options, memory, scratch)
    gain = scratch[GAIN]
    must = need == IN_DANGER and gain >= options[SAVE_FROM]
    is_urgent = (
        need != BUSY
        and state[k.HINTS] >= options[HINT_FIRST_TOKENS]
        and gain >= options[HINT_FIRST_FROM]
    )
    if slot >= 0 and not must and not is_urgent:
        return action_code(k.PLAY, slot, 0), SURE
    may_discard = find_broken_rule(position, action_code(k.DISCARD, 0, 0)) == NO_RULE
    threshold = _threshold(rules, state, options, scratch)
    if slot < 0 and not must and state[k.LIVES] > 1:
        likeliest, chance = likeliest_play(size, scratch, own)
        is_late = threshold == FORCE and gain < options[LATE_HINT_FROM]
        needed = options[LATE_RISK_FROM] if is_late else options[RISK_FROM]
        if (is_late or gain < threshold) and chance >= TWENTIETH * needed:
            return action_code(k.PLAY, likeliest, 0), LATE_RISK if is_late else RISK
    if hint >= 0 and (must or gain >= threshold or not may_discard):
        return hint, SAVE if must else URGENT if slot >= 0 else HINT
    if slot >= 0:
        return action_code(k.PLAY, slot, 0), SURE
    if may_discard:
        slot = next_discard(rules, options, size, scratch, own, scratch[DEAD], UNSEEN)
        return action_code(k.DISCARD, slot, 0), DISCARD
    return action_code(k.PLAY, size - 1, 0), FORCED


# What `explain` finds: the player's own action, and why it is chosen; for a hint the slots, as
# bits, that it calls to be played or discarded, and those that it shows to be playable or dead; for
# a play or discard the card's marks, whether it is known to be dead, and its chance in thousandths.
OWN_ACTION, REASON, CALLS_PLAY, CALLS_DISCARD, SHOWS_PLAYABLE, SHOWS_DEAD = range(6)
MARKS, IS_DEAD, CHANCE, FINDINGS = range(6, 10)


@jit_hot
def explain(
    policy: ConventionPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
    found: Words,
) -> None:
    """Write why the player chooses its action, and what an action means by the conventions."""
    rules, state, hand = position.rules, position.state, position.rules[k.HAND_SIZE]
    own, told, before = at_hand(rules, OWN), at_hand(rules, TOLD), at_hand(rules, BEFORE)
    for word in range(FINDINGS):
        found[word] = 0
    found[OWN_ACTION], found[REASON] = choose(policy, position, memory, scratch)
    playable, dead, target = scratch[PLAYABLE], scratch[DEAD], target_of(action)
    if kind_of(action) == k.PLAY or kind_of(action) == k.DISCARD:
        cards = scratch[own + target]
        found[MARKS], found[IS_DEAD] = scratch[own + hand + target], cards & ~dead == 0
        total = max(weigh(scratch, UNSEEN, cards), 1)
        found[CHANCE] = 1000 * weigh(scratch, UNSEEN, cards & playable) // total
    if kind_of(action) != k.HINT_COLOR and kind_of(action) != k.HINT_RANK:
        return
    load_hand(rules, state, memory, target, scratch, before)
    load_hand(rules, state, memory, target, scratch, told)
    tell(rules, state, policy.options, touched_slots(position, action), action, scratch, told)
    for slot in range(n_held(rules, state, target)):
        was, now = scratch[before + slot], scratch[told + slot]
        new = scratch[told + hand + slot] & ~scratch[before + hand + slot]
        found[CALLS_PLAY] |= int(new & TO_PLAY != 0) << slot
        found[CALLS_DISCARD] |= int(new & TO_DISCARD != 0) << slot
        found[SHOWS_PLAYABLE] |= int(now & ~playable == 0 and was & ~playable != 0) << slot
        found[SHOWS_DEAD] |= int(now & ~dead == 0 and was & ~dead != 0) << slot


policies.truthful.register(ConventionPolicy, policies.keeps_true_cards)
