"""How the memory of the rule-based player follows a game; see the kernel `table`."""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot_inline
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    clues_of,
    code_at,
    copies_kept,
    height_of,
    known_at,
    mask_of,
    n_held,
    ranks_to_come,
)
from hanabi.game.kernels.words import (
    Packed,
    card_of,
    clue_bit,
    color_of,
    kind_of,
    rank_of,
    target_of,
    value_of,
)
from hanabi.players.rule_based.kernels.table import (
    DISCARD_RULE,
    LANE_BITS,
    NEGATIVE,
    card_word,
    copy_word,
    heard,
    slots,
    to_come,
    told,
    weigh,
    weigh_copy,
    what_is_heard,
)


@jit_hot_inline
def _add(rules: Words, memory: Words, first: int, end: int, bits: int, weight: int) -> None:
    """Add to the weights of those slots at the places first .. end - 1 that can hold a card.

    `bits` are the card's, as `mask_of`.
    """
    from_heard, from_slots = heard(rules), slots(rules)
    for place in range(first, end):
        memory[from_slots + place] += weight * (memory[from_heard + place] & bits == bits)


@jit_hot_inline
def _judge(position: Packed, options: Words, memory: Words, code: int) -> None:
    """Bring all weights up to date with what has become of a card."""
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
    """Bring `memory` up to date after a copy of a card was played or discarded."""
    rules, state = position.rules, position.state
    color, rank = color_of(code), rank_of(code)
    if rules[k.KNOWN_CARDS] != 0:  # what one pile takes can depend on another
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
    """Write the weights of all cards that a hint names, as its seat weighs them, to `row`."""
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
    """Bring `memory` up to date after a hint; `row` has space for a word a color or rank."""
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
        # A touched card is one of these, another is not.
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
    """Bring `memory` up to date after a seat gave a card away, and perhaps drew a card."""
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
    """Bring `memory` up to date after all saw a card come from the deck."""
    weight = memory[copy_word(rules, code)]
    memory[0] -= weight
    memory[card_word(rules, code)] -= weight
    _add(rules, memory, 0, rules[k.SEATS] * rules[k.HAND_SIZE], mask_of(rules, code), -weight)
