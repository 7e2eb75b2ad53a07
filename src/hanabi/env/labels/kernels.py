"""Kernels of labels: a seat's own cards, and the chance of each card in each of its slots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import Words, jit
from hanabi.compiled.bits import count_bits, lowest_bit
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.env.kernels import Batch
from hanabi.game import layout as k
from hanabi.game.kernels.facts import cards_known, code_at, copies_left, known_at, n_held
from hanabi.game.kernels.packed import Packed, card_of

# A hand is a choice of different copies, one for each slot, from those that the seat does not see;
# all choices that hints allow are equally likely. Copies that fit the same slots form a class, so
# ways are counted class by class: with M copies, a class fills j slots in M (M - 1) ... (M - j + 1)
# ways. Counts are whole numbers; only the last division is not exact.


class LabelArrays(NamedTuple):
    """The arrays of labels, by game, observer and slot.

    Attributes
    ----------
    cards
        The number of each card, -1 for none.
    posteriors
        Also by card: its chance.
    """

    cards: npt.NDArray[np.int8]
    posteriors: npt.NDArray[np.float32]


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
    before, after
        By number of classes, and slots as bits: the ways to fill these slots with copies of the
        first classes, and with those of the others.
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
        np.empty((most + 1, sets), np.int64),
        np.empty((most + 1, sets), np.int64),
    )


@jit_hot
def _count_unseen(position: Packed, seat: int, counting: Counting) -> None:
    """Write the unseen copies of each card, and the slots of a seat that they fit."""
    rules, state, unseen = position.rules, position.state, counting.unseen
    size = rules[k.HAND_SIZE]
    for card in range(unseen.size):
        unseen[card] = copies_left(rules, state, card)
        counting.fits[card] = 0
    for other in range(rules[k.SEATS]):
        if other != seat:
            for place in range(other * size, other * size + n_held(rules, state, other)):
                unseen[card_of(rules, code_at(position, place))] -= 1
    for slot in range(n_held(rules, state, seat)):
        cards = cards_known(rules, known_at(rules, state, seat * size + slot))
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
    _count_unseen(position, seat, counting)
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
    for number in range(n):
        slots = classes[number]
        _add_class(before[number], before[number + 1], slots, sizes[slots])
        slots = classes[n - 1 - number]
        _add_class(after[n - number], after[n - 1 - number], slots, sizes[slots])
    for number in range(n):
        _share_out(counting, number, full, posteriors)
    for number in range(n):
        sizes[classes[number]] = 0


@jit_hot
def _share_out(
    counting: Counting, number: int, full: int, posteriors: npt.NDArray[np.float32]
) -> None:
    """Write the chances of the cards of one class, in the slots that they fit."""
    unseen, fits, sizes, classes, before, after = counting
    slots, total = classes[number], before[0, 0] * after[0, full]
    size, rest = sizes[slots], slots
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        ways = 0  # with a certain copy of the class in this slot
        for filled in range(full + 1):
            if before[number, filled] == 0 or filled >> slot & 1:
                continue
            free = slots & ~filled & ~(1 << slot)
            more = free
            while True:
                left = full & ~filled & ~more & ~(1 << slot)
                if after[number + 1, left]:
                    few = _ordered(size - 1, count_bits(more))
                    ways += before[number, filled] * few * after[number + 1, left]
                if more == 0:
                    break
                more = more - 1 & free
        for card in range(unseen.size):
            if fits[card] == slots:
                posteriors[slot, card] = unseen[card] * ways / total


@jit
def write_labels(
    batch: Batch, rules: Words, is_joint: bool, labels: LabelArrays, first: int, last: int
) -> None:
    """Write the labels of the games `first` .. `last` - 1: of the seat to act, or of each seat."""
    counting, size = new_counting(rules), rules[k.HAND_SIZE]
    for game in range(first, last):
        position = Packed(rules, batch.decks[game], batch.states[game])
        for view in range(labels.cards.shape[1]):
            seat = position.state[k.SEAT] if labels.cards.shape[1] == 1 else view
            for slot in range(size):
                labels.cards[game, view, slot] = -1
            for slot in range(n_held(rules, position.state, seat)):
                code = code_at(position, seat * size + slot)
                labels.cards[game, view, slot] = card_of(rules, code)
            write_posteriors(position, seat, is_joint, counting, labels.posteriors[game, view])
