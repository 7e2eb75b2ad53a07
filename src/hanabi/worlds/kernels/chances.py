"""The chance of each card in each slot of a seat's hand, by hints and copies.

A hand is a choice of different copies, one for each slot, from those that the seat does not see;
all choices that hints allow are equally likely. Copies that fit the same slots form a class, so
ways are counted class by class: with M copies, a class fills j slots in M (M - 1) ... (M - j + 1)
ways. Counts are whole numbers; only the last division is not exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import Words, jit
from hanabi.ground.compiled.bits import count_bits, lowest_bit
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import cards_known, known_at, n_held
from hanabi.rules.kernels.packed import Packed
from hanabi.worlds.kernels.deals import count_unseen


class Counting(NamedTuple):
    """Working memory of a count.

    Attributes
    ----------
    unseen, fits
        By card: the copies that the seat does not see, and the slots that they fit, as bits.
    sizes
        By slots, as bits: the copies that fit exactly these.
    classes
        The sets of slots that some copies fit.
    before
        By slots, as bits: the ways to fill these slots with copies of the first classes, in the
        first or the second row; and in the third one, by slot: those with one class there.
    after
        By number of classes, and slots as bits: the ways to fill these slots with the others.
    """

    unseen: Words
    fits: Words
    sizes: Words
    classes: Words
    before: Words
    after: Words


@jit
def new_counting(rules: Words) -> Counting:
    """Return working memory for the hands of some rules."""
    kinds, sets = rules[k.COLORS] * rules[k.RANKS], 1 << rules[k.HAND_SIZE]
    most = min(kinds, sets)
    return Counting(
        np.empty(kinds, np.int64),
        np.empty(kinds, np.int64),
        np.zeros(sets, np.int64),
        np.empty(most, np.int64),
        np.empty((3, sets), np.int64),
        np.empty((most + 1, sets), np.int64),
    )


@jit_hot
def _open_count(position: Packed, seat: int, counting: Counting) -> None:
    """Write the unseen copies of each card, and the slots of a seat that they fit."""
    rules, state = position.rules, position.state
    count_unseen(position, seat, counting.unseen)
    for card in range(counting.fits.size):
        counting.fits[card] = 0
    for slot in range(n_held(rules, state, seat)):
        cards = cards_known(rules, known_at(rules, state, seat * rules[k.HAND_SIZE] + slot))
        while cards:
            counting.fits[lowest_bit(cards)] |= 1 << slot
            cards &= cards - 1


@jit_hot
def _add_class(have: Words, to: Words, slots: int, size: int) -> None:
    """Write the ways to fill each set of slots from one more class, given those without it."""
    for filled in range(to.size):
        to[filled] = 0
    for filled in range(to.size):
        if have[filled] == 0:
            continue
        free = slots & ~filled & to.size - 1
        more = free
        while True:  # every subset of the free slots, the empty one last
            to[filled | more] += have[filled] * _ordered(size, count_bits(more))
            if more == 0:
                break
            more = more - 1 & free


@jit_hot_inline
def _ordered(size: int, n: int) -> int:
    """Return the number of ways to lay `n` of `size` different copies in `n` slots."""
    ways = 1
    for taken in range(n):
        ways *= size - taken
    return int(ways) if n <= size else 0


@jit_hot
def write_posteriors(
    position: Packed,
    seat: int,
    is_joint: bool,
    counting: Counting,
    posteriors: npt.NDArray[np.float32],
) -> None:
    """Write the chance of each card in each slot of a seat's hand; 0 in slots without a card.

    Without `is_joint` each slot is looked at alone: the other slots of the seat then count as if
    they were cards of the deck.
    """
    _open_count(position, seat, counting)
    unseen, fits, sizes, classes = counting[:4]
    held = n_held(position.rules, position.state, seat)
    for slot in range(posteriors.shape[0]):
        for card in range(unseen.size):
            posteriors[slot, card] = 0
    if not is_joint:
        for slot in range(held):
            total = 0
            for card in range(unseen.size):
                total += unseen[card] * (fits[card] >> slot & 1)
            for card in range(unseen.size):
                posteriors[slot, card] = unseen[card] * (fits[card] >> slot & 1) / total
        return
    full, n = (1 << held) - 1, 0
    for card in range(unseen.size):
        slots = fits[card]
        if slots and unseen[card] and sizes[slots] == 0:
            classes[n] = slots
            n += 1
        if slots:
            sizes[slots] += unseen[card]
    before, after = counting.before[:, : full + 1], counting.after[:, : full + 1]
    for filled in range(full + 1):
        before[0, filled] = after[n, filled] = filled == 0
    for number in range(n - 1, -1, -1):
        _add_class(after[number + 1], after[number], classes[number], sizes[classes[number]])
    for number in range(n):
        have, to = before[number & 1], before[1 - (number & 1)]
        _share_out(counting, have, after[number + 1], classes[number], after[0, full], posteriors)
        _add_class(have, to, classes[number], sizes[classes[number]])
    for number in range(n):
        sizes[classes[number]] = 0


@jit_hot
def _share_out(
    counting: Counting,
    before: Words,
    after: Words,
    slots: int,
    total: int,
    posteriors: npt.NDArray[np.float32],
) -> None:
    """Write the chances of the cards of one class, those that fit `slots`."""
    unseen, fits, ways, size = (
        counting.unseen,
        counting.fits,
        counting.before[2],
        counting.sizes[slots],
    )
    for slot in range(posteriors.shape[0]):
        ways[slot] = 0
    for filled in range(before.size):
        if before[filled] == 0:
            continue
        free = slots & ~filled & before.size - 1
        more = free
        while more:  # every subset of the free slots but the empty one
            of_these = before[filled] * _ordered(size, count_bits(more))
            of_these *= after[before.size - 1 - filled - more]
            rest = more
            while rest:
                ways[lowest_bit(rest)] += of_these
                rest &= rest - 1
            more = more - 1 & free
    for card in range(unseen.size):
        rest = slots if fits[card] == slots else 0
        while rest:
            slot = lowest_bit(rest)
            posteriors[slot, card] = unseen[card] * (ways[slot] // size) / total
            rest &= rest - 1
