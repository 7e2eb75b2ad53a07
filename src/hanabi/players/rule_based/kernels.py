"""The rule-based player, compiled."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import RandomStream, Words
from hanabi.ground.compiled.bits import lowest_bit
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.ground.compiled.rng import below
from hanabi.players.kernels import policy as policies
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    clues_of,
    code_at,
    colors_and_ranks,
    copies_kept,
    copies_left,
    first_hint,
    has_hint,
    height_of,
    hintable,
    index_at,
    is_hintable,
    is_inverted,
    is_next,
    known_at,
    mask_of,
    n_held,
    ranks_to_come,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule, legal_actions
from hanabi.rules.kernels.packed import (
    Packed,
    action_code,
    card_of,
    clue_bit,
    color_of,
    is_hint,
    kind_of,
    rank_of,
    target_of,
    value_of,
)
from hanabi.rules.kernels.rules import step

# The chances of all cards in hands to be of some sort, updated through a game.
#
# A weight counts copies of cards in four lanes of one word: all copies that a seat does not see,
# and those of them that are useless, spare and playable. Weights add lane by lane. So a slot's
# chances are ratios of the lanes of one word, the weight of all its possible cards. `memory` has
# one for every slot, from the viewpoint of its own seat:
#
# ======  ================================================================================
# words   meaning
# ======  ================================================================================
# 0       weight of the whole deck
# from 1  weight of all copies of each card in the deck, color by color
# then    weight of one copy of each card
# then    the ranks, as bits, that can still be played on each color's pile
# then    what each slot can be as far as its seat looks at hints, as `known_at`
# then    weight of each slot
# then    the hints that have touched each slot's card, as `clue_bit`
# ======  ================================================================================
#
# The memory counts the cards drawn, so it depends on hidden ones.

# Words of `options`; see hanabi.players.rule_based.RuleBased. Probabilities are fractions, so that
# comparing them is exact.
HINT_RULE, DISCARD_RULE, PLAY_FROM, PLAY_OF, USELESS_FROM, USELESS_OF = range(6)
HINTING, HINTING_OF, SAFE, PICK_BEST, NEVER_AGAIN, NEGATIVE, TELL_RANK = range(6, 13)
OPTIONS = 13

# Words that `explain` writes, followed by the weights of the seat's slots.
TO_PLAY, TO_DISCARD, HINT, MEANING, OTHER_DISCARD, FINDINGS = range(6)
NAMES_USELESS, NAMES_PLAYABLE = -2, -1  # values of MEANING; others count what the hint names

LANE = 16
UNSEEN, USELESS, SPARE, PLAYABLE = 0, LANE, 2 * LANE, 3 * LANE
LANE_BITS = (1 << LANE) - 1


@jit_hot_inline
def is_open(bits: int) -> bool:
    """Whether one half of a card's knowledge, colors or ranks, leaves more than one possibility."""
    return bits & (bits - 1) != 0


@jit_hot_inline
def card_word(rules: Words, code: int) -> int:
    """Return the word of a card's weight."""
    return 1 + card_of(rules, code)


@jit_hot_inline
def copy_word(rules: Words, code: int) -> int:
    """Return the word of the weight of one copy of a card."""
    return int(card_word(rules, code) + rules[k.COLORS] * rules[k.RANKS])


@jit_hot_inline
def to_come(rules: Words) -> int:
    """Return the first word of the ranks that can still be played."""
    return int(1 + 2 * rules[k.COLORS] * rules[k.RANKS])


@jit_hot_inline
def heard(rules: Words) -> int:
    """Return the first word of the slots' possible cards."""
    return int(to_come(rules) + rules[k.COLORS])


@jit_hot_inline
def slots(rules: Words) -> int:
    """Return the first word of the slots' weights."""
    return int(heard(rules) + rules[k.SEATS] * rules[k.HAND_SIZE])


@jit_hot_inline
def told(rules: Words) -> int:
    """Return the first word of the hints that have touched the slots' cards."""
    return int(slots(rules) + rules[k.SEATS] * rules[k.HAND_SIZE])


@jit_hot
def table_size(rules: Words) -> int:
    """Return the number of words of `memory`."""
    return int(told(rules) + rules[k.SEATS] * rules[k.HAND_SIZE])


@jit_hot_inline
def is_dead(rules: Words, memory: Words, code: int) -> bool:
    """Whether a card can never be played again."""
    return not memory[to_come(rules) + color_of(code)] >> rank_of(code) & 1


@jit_hot_inline
def weigh_copy(rules: Words, state: Words, options: Words, memory: Words, code: int) -> int:
    """Return the weight of one copy of a card.

    An inverted card is played by discarding it, so it is useful where others are useless.
    """
    is_playable = is_next(rules, state, code)
    is_useless = not is_playable
    if options[NEVER_AGAIN] != 0:
        is_useless = is_dead(rules, memory, code)
    if is_inverted(rules, code):
        is_playable, is_useless = is_useless, is_playable
    is_spare = False
    if options[DISCARD_RULE] == 4:  # otherwise not needed
        is_spare = copies_left(rules, state, card_of(rules, code)) > 1
    return int(1 | is_useless << USELESS | is_spare << SPARE | is_playable << PLAYABLE)


@jit_hot_inline
def is_copy(rules: Words, memory: Words, code: int, lane: int) -> bool:
    """Whether a card belongs to a lane, `PLAYABLE` or `USELESS`, by its own suit's rule.

    For an inverted suit the lanes are exchanged; see `weigh_copy`.
    """
    if is_inverted(rules, code):
        lane = PLAYABLE + USELESS - lane
    return bool(memory[copy_word(rules, code)] >> lane & 1)


@jit_hot_inline
def what_is_heard(position: Packed, options: Words, place: int) -> int:
    """Return the cards that hints leave possible at a place, as its seat interprets them."""
    rules, deck, state = position
    if rules[k.OPEN_HANDS] != 0:
        index = index_at(rules, state, place)
        return int(mask_of(rules, deck[index]) if index >= 0 else 0)
    known = known_at(rules, state, place)
    if options[NEGATIVE] == 0:  # only in the plain game
        if is_open(known & k.COLOR_BITS):
            known |= rules[k.ANYTHING] & k.COLOR_BITS
        if is_open(known >> k.RANK_BITS):
            known |= rules[k.ANYTHING] & ~k.COLOR_BITS
    return int(known)


@jit_hot_inline
def _weigh_deck(rules: Words, memory: Words, bits: int) -> int:
    """Return the weight of a slot's possible cards in the whole deck."""
    if bits == rules[k.ANYTHING]:
        return int(memory[0])
    if rules[k.KNOWN_CARDS] != 0:
        total, card = 0, 1
        while bits:
            total += memory[card] & -(bits & 1)
            bits >>= 1
            card += 1
        return total
    colors, ranks, total, of_rank = rules[k.COLORS], rules[k.RANKS], 0, bits >> k.RANK_BITS
    word = 1
    for color in range(colors):
        if bits >> color & 1:
            for index in range(ranks):
                total += memory[word + index] & -(of_rank >> index & 1)
        word += ranks
    return total


@jit_hot_inline
def weigh(position: Packed, memory: Words, seat: int, bits: int) -> int:
    """Return the weight of all possible cards of a seat's slot."""
    rules, state = position.rules, position.state
    total = _weigh_deck(rules, memory, bits)
    first = seat * rules[k.HAND_SIZE]
    for place in range(first, first + n_held(rules, state, seat)):
        code = code_at(position, place)
        own = mask_of(rules, code)
        total += memory[copy_word(rules, code)] * (bits & own == own)
    return total


@jit_hot_inline
def start_table(position: Packed, options: Words, memory: Words) -> None:
    """Write the `memory` of a position.

    A position does not show whether a color or rank was named or follows by exclusion of all
    others; only its history does. It counts as named.
    """
    rules, state = position.rules, position.state
    weigh_table(position, options, memory)
    for place in range(rules[k.SEATS] * rules[k.HAND_SIZE]):
        memory[told(rules) + place] = 0
        known = colors_and_ranks(rules, known_at(rules, state, place))
        if not is_open(known & k.COLOR_BITS) and rules[k.COLORS] > 1:
            memory[told(rules) + place] |= known & k.COLOR_BITS
        if not is_open(known >> k.RANK_BITS) and rules[k.RANKS] > 1:
            memory[told(rules) + place] |= known & ~k.COLOR_BITS


@jit_hot_inline
def weigh_table(position: Packed, options: Words, memory: Words) -> None:
    """Write the `memory` of a position, without the hints that have touched cards."""
    rules, deck, state = position
    for word in range(told(rules)):
        memory[word] = 0
    for color in range(rules[k.COLORS]):
        memory[to_come(rules) + color] = ranks_to_come(rules, state, color)
        for rank in range(1, rules[k.RANKS] + 1):
            code = color << 5 | rank
            memory[copy_word(rules, code)] = weigh_copy(rules, state, options, memory, code)
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        weight = memory[copy_word(rules, deck[index])]
        memory[0] += weight
        memory[card_word(rules, deck[index])] += weight
    for seat in range(rules[k.SEATS]):
        first = seat * rules[k.HAND_SIZE]
        for place in range(first, first + n_held(rules, state, seat)):
            bits = what_is_heard(position, options, place)
            memory[heard(rules) + place] = bits
            memory[slots(rules) + place] = weigh(position, memory, seat, bits)


# Updates of the rule-based player's memory during a game.


@jit_hot_inline
def _add(rules: Words, memory: Words, first: int, end: int, bits: int, weight: int) -> None:
    """Add to the weights of the places first .. end - 1 that can hold a card.

    `bits` are the card's, as `mask_of`.
    """
    from_heard, from_slots = heard(rules), slots(rules)
    for place in range(first, end):
        memory[from_slots + place] += weight * (memory[from_heard + place] & bits == bits)


@jit_hot_inline
def _judge(position: Packed, options: Words, memory: Words, code: int) -> None:
    """Update all weights after a change to a card's status."""
    rules, state = position.rules, position.state
    copy, card = copy_word(rules, code), card_word(rules, code)
    change = weigh_copy(rules, state, options, memory, code) - memory[copy]
    if change == 0:
        return
    left, first, bits = memory[card] & LANE_BITS, 0, mask_of(rules, code)
    memory[copy] += change
    memory[card] += left * change
    memory[0] += left * change
    for seat in range(rules[k.SEATS]):
        unseen = left
        for place in range(first, first + n_held(rules, state, seat)):
            unseen += code_at(position, place) == code
        _add(rules, memory, first, first + rules[k.HAND_SIZE], bits, unseen * change)
        first += rules[k.HAND_SIZE]


@jit_hot_inline
def _judge_color(position: Packed, options: Words, memory: Words, color: int) -> None:
    rules, state = position.rules, position.state
    memory[to_come(rules) + color] = ranks_to_come(rules, state, color)
    for rank in range(1, rules[k.RANKS] + 1):
        _judge(position, options, memory, color << 5 | rank)


@jit_hot_inline
def gone(position: Packed, options: Words, memory: Words, code: int) -> None:
    """Update `memory` after a copy of a card was played or discarded."""
    rules, state = position.rules, position.state
    color, rank = color_of(code), rank_of(code)
    if rules[k.KNOWN_CARDS] != 0:  # one pile's next card can depend on another pile
        for each in range(rules[k.COLORS]):
            _judge_color(position, options, memory, each)
        return
    if copies_kept(rules, state, card_of(rules, code)) == 0:
        _judge_color(position, options, memory, color)
        return
    is_played = rank == height_of(rules, state, color)
    if is_played:
        memory[to_come(rules) + color] &= ~(1 << rank)
    if is_played or options[DISCARD_RULE] == 4:
        _judge(position, options, memory, code)
        if rank < rules[k.RANKS]:
            _judge(position, options, memory, code + 1)


@jit_hot_inline
def _write_told(position: Packed, memory: Words, action: int, row: Words) -> None:
    """Write the weights of all cards that a hint names, from its seat's viewpoint, to `row`."""
    rules, state = position.rules, position.state
    seat, value = target_of(action), value_of(action)
    clue = clue_bit(kind_of(action), value)
    colors, ranks = rules[k.COLORS], rules[k.RANKS]
    first = seat * rules[k.HAND_SIZE]
    end = first + n_held(rules, state, seat)
    if kind_of(action) == k.HINT_RANK:
        for color in range(colors):
            row[color] = memory[color * ranks + value]
        for place in range(first, end):
            code = code_at(position, place)
            row[color_of(code)] += memory[copy_word(rules, code)] * (
                clues_of(rules, code) & clue != 0
            )
    else:
        for index in range(ranks):
            row[index] = memory[value * ranks + 1 + index]
        for place in range(first, end):
            code = code_at(position, place)
            row[rank_of(code) - 1] += memory[copy_word(rules, code)] * (
                clues_of(rules, code) & clue != 0
            )


@jit_hot_inline
def hinted(
    position: Packed,
    options: Words,
    memory: Words,
    action: int,
    row: Words,
) -> None:
    """Update `memory` after a hint; `row` has room for one word per color or rank."""
    rules, state = position.rules, position.state
    seat, bit = target_of(action), clue_bit(kind_of(action), value_of(action))
    from_heard, from_slots, from_told = heard(rules), slots(rules), told(rules)
    first = seat * rules[k.HAND_SIZE]
    end = first + n_held(rules, state, seat)
    for place in range(first, end):
        memory[from_told + place] |= clues_of(rules, code_at(position, place)) & bit
    if options[NEGATIVE] == 0 or rules[k.OPEN_HANDS] != 0 or rules[k.KNOWN_CARDS] != 0:
        for place in range(first, end):
            bits = what_is_heard(position, options, place)
            memory[from_heard + place] = bits
            memory[from_slots + place] = weigh(position, memory, seat, bits)
        return
    _write_told(position, memory, action, row)
    shift, n = (0, rules[k.COLORS]) if bit > k.COLOR_BITS else (k.RANK_BITS, rules[k.RANKS])
    for place in range(first, end):
        before, bits = memory[from_heard + place], known_at(rules, state, place)
        weight = 0
        for index in range(n):
            weight += row[index] & -(before >> (shift + index) & 1)
        # A touched card is one of these; any other card is not.
        weight *= before & bit != 0
        memory[from_heard + place] = bits
        if bits & bit != 0:
            memory[from_slots + place] = weight
        else:
            memory[from_slots + place] -= weight


@jit_hot_inline
def replaced(
    position: Packed,
    options: Words,
    memory: Words,
    seat: int,
    slot: int,
    code: int,
    drawn: int,
) -> None:
    """Update `memory` after a seat gave up a card, and perhaps drew one."""
    rules, deck, state = position
    from_heard, from_slots, from_told = heard(rules), slots(rules), told(rules)
    hand_size = rules[k.HAND_SIZE]
    first = seat * hand_size
    size = n_held(rules, state, seat)
    place = first + slot
    draws = state[k.DRAWN] > drawn
    last = first + size - 1 if draws else first + size
    if not (draws and rules[k.KEEP_SLOTS]):
        while place < last:
            memory[from_heard + place] = memory[from_heard + place + 1]
            memory[from_slots + place] = memory[from_slots + place + 1]
            memory[from_told + place] = memory[from_told + place + 1]
            place += 1
    memory[from_heard + place] = 0
    memory[from_slots + place] = 0
    memory[from_told + place] = 0
    weight = memory[copy_word(rules, code)]
    _add(rules, memory, first, first + hand_size, mask_of(rules, code), -weight)
    if draws:
        drawn_code = deck[drawn]
        weight = memory[copy_word(rules, drawn_code)]
        memory[0] -= weight
        memory[card_word(rules, drawn_code)] -= weight
        bits, end = mask_of(rules, drawn_code), rules[k.SEATS] * hand_size
        _add(rules, memory, 0, first, bits, -weight)
        _add(rules, memory, first + hand_size, end, bits, -weight)
        bits = what_is_heard(position, options, place)
        memory[from_heard + place] = bits
        memory[from_slots + place] = weigh(position, memory, seat, bits)


@jit_hot_inline
def seen(rules: Words, memory: Words, code: int) -> None:
    """Update `memory` after everybody saw a card drawn from the deck."""
    weight = memory[copy_word(rules, code)]
    memory[0] -= weight
    memory[card_word(rules, code)] -= weight
    _add(rules, memory, 0, rules[k.SEATS] * rules[k.HAND_SIZE], mask_of(rules, code), -weight)


# The rule-based player of [Bergh2016, section 4], compiled.
#
# :mod:`hanabi.players.rule_based` explains the player's rules.


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
def _widest_hint(position: Packed, memory: Words, counts: Words) -> tuple[int, int]:
    """Return the hint that names a new color or rank of the most cards, and their number."""
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
    return best, most


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
def find_hint(
    position: Packed,
    options: Words,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> tuple[int, int]:
    """Return the hint to give, and what it names (`MEANING`); at least one must be legal."""
    rule = options[HINT_RULE]
    if rule == 1:
        return _random_hint(position, rng, scratch), 0
    if rule >= 3:
        hint = _hint_of_a_card(position, options, memory, True)
        if hint >= 0:
            return hint, NAMES_PLAYABLE
    if rule == 4:
        hint = _hint_of_a_card(position, options, memory, False)
        if hint >= 0:
            return hint, NAMES_USELESS
    return _widest_hint(position, memory, scratch)


class RuleBasedPolicy(NamedTuple):
    """The player; `options` are the words of `hanabi.players.rule_based.kernels`."""

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


@jit_hot_inline
def _slot_to_play(policy: RuleBasedPolicy, position: Packed, memory: Words) -> int:
    """Return the slot of a card that is likely enough to be playable, or -1."""
    rules, state, options = position.rules, position.state, policy.options
    needed, of = options[PLAY_FROM], options[PLAY_OF]
    if options[SAFE] != 0 and state[k.LIVES] == 1:
        needed, of = 1, 1
    words = slots(rules) + state[k.SEAT] * rules[k.HAND_SIZE]
    size = n_held(rules, state, state[k.SEAT])
    return int(_find(memory, words, size, PLAYABLE, needed, of, options[PICK_BEST] == 0))


@jit_hot_inline
def _useless_slot(policy: RuleBasedPolicy, position: Packed, memory: Words) -> int:
    """Return the slot of a card that is likely enough to be useless, or -1."""
    rules, state, options = position.rules, position.state, policy.options
    needed, of = options[USELESS_FROM], options[USELESS_OF]
    words = slots(rules) + state[k.SEAT] * rules[k.HAND_SIZE]
    size = n_held(rules, state, state[k.SEAT])
    return int(_find(memory, words, size, USELESS, needed, of, options[PICK_BEST] == 0))


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
    slot = _slot_to_play(policy, position, memory)
    if slot >= 0:
        return action_code(k.PLAY, slot, 0)
    may_discard = find_broken_rule(position, action_code(k.DISCARD, 0, 0)) == NO_RULE
    if may_discard:
        slot = _useless_slot(policy, position, memory)
        if slot >= 0:
            return action_code(k.DISCARD, slot, 0)
    if may_hint(position) and (
        not may_discard or _happens(rng, options[HINTING], options[HINTING_OF])
    ):
        return find_hint(position, options, rng, memory, scratch)[0]
    if may_discard:
        words = slots(rules) + state[k.SEAT] * rules[k.HAND_SIZE]
        slot = _choose_discard(rules, state, options, rng, memory, words)
        return action_code(k.DISCARD, slot, 0)
    legal_actions(position, scratch)
    return int(scratch[0])


@policies.chance.register(RuleBasedPolicy)
@jit_hot
def chance(
    policy: RuleBasedPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
) -> float:
    """Return the probability of an action of the seat to act."""
    options = policy.options
    rules, state = position.rules, position.state
    slot = _slot_to_play(policy, position, memory)
    if slot >= 0:
        return 1.0 if action == action_code(k.PLAY, slot, 0) else 0.0
    may_discard = find_broken_rule(position, action_code(k.DISCARD, 0, 0)) == NO_RULE
    if may_discard:
        slot = _useless_slot(policy, position, memory)
        if slot >= 0:
            return 1.0 if action == action_code(k.DISCARD, slot, 0) else 0.0
    hinting = 0.0
    if may_hint(position):
        hinting = options[HINTING] / options[HINTING_OF] if may_discard else 1.0
    if hinting > 0 and is_hint(action):
        if options[HINT_RULE] != 1:
            hint, _ = find_hint(position, options, rng, memory, scratch)
            return hinting * (action == hint)
        n = legal_actions(position, scratch)
        n_hints, is_legal = 0, False
        for index in range(n):
            n_hints += is_hint(scratch[index])
            is_legal |= scratch[index] == action
        return hinting / n_hints * is_legal
    if may_discard:
        size = n_held(rules, state, state[k.SEAT])
        if options[DISCARD_RULE] == 1:
            is_held = kind_of(action) == k.DISCARD and target_of(action) < size
            return (1 - hinting) / size * is_held
        words = slots(rules) + state[k.SEAT] * rules[k.HAND_SIZE]
        slot = _choose_discard(rules, state, options, rng, memory, words)
        return (1 - hinting) * (action == action_code(k.DISCARD, slot, 0))
    if hinting > 0:
        return 0.0
    legal_actions(position, scratch)
    return 1.0 if action == scratch[0] else 0.0


@jit_hot
def explain(
    policy: RuleBasedPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    found: Words,
) -> None:
    """Write what each step would do, -1 for nothing, and the weights of the seat's slots."""
    rules, state, options = position.rules, position.state, policy.options
    words = slots(rules) + state[k.SEAT] * rules[k.HAND_SIZE]
    found[TO_PLAY] = _slot_to_play(policy, position, memory)
    found[TO_DISCARD] = _useless_slot(policy, position, memory)
    found[HINT] = -1
    if may_hint(position):
        found[HINT], found[MEANING] = find_hint(position, options, rng, memory, scratch)
    found[OTHER_DISCARD] = _choose_discard(rules, state, options, rng, memory, words)
    for slot in range(n_held(rules, state, state[k.SEAT])):
        found[FINDINGS + slot] = memory[words + slot]


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
