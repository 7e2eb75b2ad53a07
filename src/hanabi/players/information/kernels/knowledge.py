"""Public knowledge of the hands, as the information player stores it.

A card is bit `color * RANKS + rank - 1`, so that a set of cards is one word. `memory` holds, seat
by seat, the set of publicly possible cards of each place in a hand (0: no card); then the planes.
Plane k is the set of cards with more than k copies unaccounted for: neither played, nor discarded,
nor publicly known to be in a place.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.bits import count_bits
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    cards_known,
    code_at,
    copies_kept,
    copies_left,
    copies_of,
    known_at,
    n_held,
)
from hanabi.rules.kernels.packed import Packed, card_of
from hanabi.solvers.hints.kernels import MOST_CARDS, MOST_HINTS, MOST_IDENTITIES
from hanabi.solvers.hints.kernels import scratch_size as table_size

# Words of `sets`: cards that are playable now, dead, down to their last copy, within three or two
# ranks of their pile, existing, known to be held by somebody; then those of each color, then those
# of each rank.
PLAYABLE, DEAD, CRITICAL, NEAR, NEARER, ALL, PINNED, COLOR_SETS = range(8)


@jit_hot
def n_levels(rules: Words) -> int:
    """Return the number of planes, the most copies of any card."""
    most = 1
    for card in range(rules[k.COLORS] * rules[k.RANKS]):
        most = max(most, copies_of(rules, card))
    return int(most)


@jit_hot
def n_sets(rules: Words) -> int:
    """Return the number of words of `sets`."""
    return int(COLOR_SETS + rules[k.COLORS] + rules[k.RANKS])


@jit_hot
def weigh(planes: Words, mask: int, group: int) -> int:
    """Return the copies of cards of `mask` that are in a group; a known card counts once."""
    total = 0
    if mask & (mask - 1) == 0:
        return 1 if mask & group else 0
    mask &= group
    for level in range(planes.size):
        total += count_bits(mask & planes[level])
    return total


@jit_hot
def judge(rules: Words, state: Words, sets: Words) -> None:
    """Write `sets` for the piles and discards of a position."""
    colors, ranks = rules[k.COLORS], rules[k.RANKS]
    for word in range(sets.size):
        sets[word] = 0
    for color in range(colors):
        pile = state[k.PILES + color]
        is_dead = False
        for index in range(ranks):
            card = color * ranks + index
            bit = 1 << card
            copies = copies_of(rules, card)
            if copies == 0:
                is_dead = is_dead or index >= pile
                continue
            sets[ALL] |= bit
            sets[COLOR_SETS + color] |= bit
            sets[COLOR_SETS + colors + index] |= bit
            if index < pile:
                sets[DEAD] |= bit
                continue
            left = copies_kept(rules, state, card)
            is_dead = is_dead or left == 0
            if is_dead:
                sets[DEAD] |= bit
                continue
            if index == pile:
                sets[PLAYABLE] |= bit
            if left == 1:
                sets[CRITICAL] |= bit
            if index <= pile + 1:
                sets[NEARER] |= bit
            if index <= pile + 2:
                sets[NEAR] |= bit


@jit_hot
def pin(memory: Words, n: int, sets: Words) -> None:
    """Write the set of the cards that somebody is known to hold; `n` places."""
    sets[PINNED] = 0
    for place in range(n):
        mask = memory[place]
        if mask & (mask - 1) == 0:
            sets[PINNED] |= mask


@jit_hot
def count_left(rules: Words, state: Words, counts: Words) -> None:
    """Write how many copies of each card are neither played nor discarded."""
    for card in range(rules[k.COLORS] * rules[k.RANKS]):
        counts[card] = copies_left(rules, state, card)


@jit_hot
def lay_planes(counts: Words, planes: Words) -> int:
    """Write the planes of the counts, and return the set of cards without copies."""
    gone = 0
    for level in range(planes.size):
        planes[level] = 0
    for card in range(counts.size):
        bit = 1 << card
        if counts[card] <= 0:
            gone |= bit
        for level in range(min(planes.size, counts[card])):
            planes[level] |= bit
    return gone


@jit_hot
def eliminate(masks: Words, counts: Words, planes: Words) -> None:
    """Remove cards whose copies are all accounted for from `masks`, until nothing changes.

    `counts` are the copies left; cards that become known are subtracted. At the end the planes of
    the counts are written.
    """
    for place in range(masks.size):
        if masks[place] != 0 and masks[place] & (masks[place] - 1) == 0:
            counts[count_bits(masks[place] - 1)] -= 1
    while True:
        gone, is_new = lay_planes(counts, planes), False
        for place in range(masks.size):
            mask = masks[place]
            if mask & (mask - 1) == 0:
                continue
            # A set would become empty only if the cards contradict public knowledge.
            if mask & gone != 0 and mask & ~gone != 0:
                mask &= ~gone
                masks[place] = mask
                if mask & (mask - 1) == 0:
                    counts[count_bits(mask - 1)] -= 1
                    is_new = True
        if not is_new:
            return


@jit_hot
def begin(rules: Words, state: Words, sets: Words, memory: Words, counts: Words) -> None:
    """Write the memory of a position, using only its hints."""
    n = rules[k.SEATS] * rules[k.HAND_SIZE]
    for place in range(n):
        memory[place] = 0
    for seat in range(rules[k.SEATS]):
        first = seat * rules[k.HAND_SIZE]
        for place in range(first, first + n_held(rules, state, seat)):
            memory[place] = cards_known(rules, known_at(rules, state, place)) & sets[ALL]
    count_left(rules, state, counts)
    memory[memory.size - 1] = 0
    eliminate(memory[:n], counts, memory[n:-1])


@jit_hot
def know_own(position: Packed, memory: Words, own: Words, counts: Words, planes: Words) -> None:
    """Write the acting seat's knowledge of its own cards: `memory`, less the hands that it sees."""
    rules, state = position.rules, position.state
    count_left(rules, state, counts)
    me, size = state[k.SEAT], rules[k.HAND_SIZE]
    for seat in range(rules[k.SEATS]):
        if seat != me:
            for place in range(seat * size, seat * size + n_held(rules, state, seat)):
                code = code_at(position, place)
                counts[card_of(rules, code)] -= 1
    for slot in range(size):
        own[slot] = memory[me * size + slot]
    eliminate(own, counts, planes)


# The words of `options`; :mod:`hanabi.players.information` explains them.

LIKELY, LIKELY_FULL, MOST_MESSAGES, EXACT = range(4)
TELL_BY_DISCARD, TELL_BY_PLAY = range(4, 6)
ASK_PLAYABLE, ASK_ANOTHER, ASK_DEAD, ASK_CRITICAL, ASK_NEARER, ASK_NEAR = range(6, 12)
ASK_COLOR, ASK_WHICH = range(12, 14)
GAIN_FIRST, GAIN_ANOTHER, GAIN_DEAD, GAIN_BIT, TOKEN, TOKEN_SLOPE = range(14, 20)
LOSS_CRITICAL, LOSS_SPARE, LOSS_SEEN, PACE, LOSS_PACE = range(20, 25)
GAIN_RISK, LOSS_RISK, FOLLOW = range(25, 28)
CHAIN, PACE_UNSEEN, PARTITION = range(28, 31)
OPTIONS = 31
TABLE = OPTIONS  # for players that partition: a started scratch of `hanabi.solvers.hints.kernels`


class InformationPolicy(NamedTuple):
    """The player; `options` are the words above."""

    options: Words


class Room(NamedTuple):
    """The work space of a decision, cut from `scratch`.

    Attributes
    ----------
    sets
        Sets of cards; see `PLAYABLE`.
    counts
        A word per card.
    planes, own
        The planes and the masks of the seat to act.
    cards
        A word per slot of a hand.
    told
        The masks of all hands after an informative action.
    free
        A word per color or rank.
    n_messages, pivots
        The codes of hints: for each seat and kind of hint, the number of messages, and a hand's
        slots; see `hanabi.players.information.kernels.hints.plan_codes`.
    actions
        The legal actions.
    n_parts, part_of
        Partitions: each seat's number of parts, or 0, and the part of each of its hints.
    copies, parts
        The copies of each card that a hand can hold, and the parts of its partition.
    table
        The scratch of `hanabi.solvers.hints.kernels`.
    """

    sets: Words
    counts: Words
    planes: Words
    own: Words
    cards: Words
    told: Words
    free: Words
    n_messages: Words
    pivots: Words
    actions: Words
    n_parts: Words
    part_of: Words
    copies: Words
    parts: Words
    table: Words


@jit_hot_inline
def _cut(words: Words, n: int) -> tuple[Words, Words]:
    return words[:n], words[n:]


@jit_hot_inline
def open_room(rules: Words, scratch: Words) -> Room:
    """Cut `scratch` into the parts of a room; the table of partitions gets the rest."""
    seats, hand = rules[k.SEATS], rules[k.HAND_SIZE]
    kinds, hints = rules[k.COLORS] * rules[k.RANKS], rules[k.COLORS] + rules[k.RANKS]
    sets, rest = _cut(scratch, n_sets(rules))
    counts, rest = _cut(rest, kinds)
    planes, rest = _cut(rest, n_levels(rules))
    own, rest = _cut(rest, hand)
    cards, rest = _cut(rest, hand)
    told, rest = _cut(rest, seats * hand)
    free, rest = _cut(rest, max(rules[k.COLORS], rules[k.RANKS]))
    n_messages, rest = _cut(rest, 2 * seats)
    pivots, rest = _cut(rest, 2 * seats * hand)
    actions, rest = _cut(rest, rules[k.MAX_ACTIONS])
    n_parts, rest = _cut(rest, seats)
    part_of, rest = _cut(rest, seats * hints)
    copies, rest = _cut(rest, kinds)
    parts, table = _cut(rest, hints)
    return Room(
        sets,
        counts,
        planes,
        own,
        cards,
        told,
        free,
        n_messages,
        pivots,
        actions,
        n_parts,
        part_of,
        copies,
        parts,
        table,
    )


@jit_hot
def can_partition(rules: Words) -> bool:
    """Return whether hands can be partitioned; if hints may be empty there is no need to."""
    cards, hints = rules[k.COLORS] * rules[k.RANKS], rules[k.COLORS] + rules[k.RANKS]
    is_small = cards <= MOST_IDENTITIES and hints <= MOST_HINTS and rules[k.HAND_SIZE] <= MOST_CARDS
    return bool(is_small and not rules[k.EMPTY_HINTS])


@jit_hot
def scratch_size(policy: InformationPolicy, rules: Words) -> int:
    """Return the number of words that `open_room` cuts up."""
    seats, hand = rules[k.SEATS], rules[k.HAND_SIZE]
    kinds, hints = rules[k.COLORS] * rules[k.RANKS], rules[k.COLORS] + rules[k.RANKS]
    size = n_sets(rules) + 2 * kinds + n_levels(rules) + 2 * hand
    size += 3 * seats * (hand + 1) + max(rules[k.COLORS], rules[k.RANKS])
    size += rules[k.MAX_ACTIONS] + (seats + 1) * hints
    if can_partition(rules):
        size += table_size(kinds, hints)
    return int(size)
