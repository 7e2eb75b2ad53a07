"""The deals that a seat cannot exclude, compiled: all of them, and draws.

See :mod:`hanabi.worlds`. Nothing here reads a hidden card of a position, so that no draw depends on
where it truly is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.ground.compiled.rng import below, shuffle
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    code_at,
    copies_left,
    deck_left,
    index_at,
    known_at,
    mask_of,
    n_held,
)
from hanabi.rules.kernels.packed import Packed, card_code, card_of

_STEPS = 64  # steps of the enumeration for each requested world
_TRIES = 4096  # draws for a sampled world


class Hidden(NamedTuple):
    """The cards that a seat does not see.

    Attributes
    ----------
    places
        Their places in the deck: the seat's own slots, then the cards still to be drawn.
    cards
        Their codes, sorted.
    fits
        By hidden slot and index in `cards`: whether the slot may hold the card.
    """

    places: Words
    cards: Words
    fits: npt.NDArray[np.bool_]


@jit_hot
def count_unseen(position: Packed, seat: int, unseen: Words) -> None:
    """Write the copies of each card that a seat does not see; of seat -1, those still to be drawn.

    The own hand is not seen.
    """
    rules, state, size = position.rules, position.state, position.rules[k.HAND_SIZE]
    for card in range(unseen.size):
        unseen[card] = copies_left(rules, state, card)
    for other in range(rules[k.SEATS]):
        if other != seat:
            for place in range(other * size, other * size + n_held(rules, state, other)):
                unseen[card_of(rules, code_at(position, place))] -= 1


@jit
def open_hidden(position: Packed) -> Hidden:
    """Return what the seat to act does not see, by hints."""
    rules, state, seat = position.rules, position.state, position.state[k.SEAT]
    slots = 0 if rules[k.OPEN_HANDS] else n_held(rules, state, seat)
    n, own = slots + deck_left(rules, state), seat * rules[k.HAND_SIZE]
    hidden = Hidden(np.empty(n, np.int64), np.empty(n, np.int64), np.empty((slots, n), np.bool_))
    unseen = np.empty(rules[k.COLORS] * rules[k.RANKS], np.int64)
    count_unseen(position, -1 if rules[k.OPEN_HANDS] else seat, unseen)
    index = 0
    for card in range(unseen.size):
        for _ in range(unseen[card]):
            hidden.cards[index] = card_code(card // rules[k.RANKS], card % rules[k.RANKS] + 1)
            index += 1
    for slot in range(slots):
        hidden.places[slot] = index_at(rules, state, own + slot)
        excluded = ~known_at(rules, state, own + slot)
        for index in range(n):
            hidden.fits[slot, index] = mask_of(rules, hidden.cards[index]) & excluded == 0
    for index in range(slots, n):
        hidden.places[index] = state[k.DRAWN] + index - slots
    return hidden


@jit_hot
def limit(hidden: Hidden, rules: Words, slot: int, cards: int) -> None:
    """Let a slot hold a set of cards only, whatever was known before."""
    for index in range(hidden.cards.size):
        hidden.fits[slot, index] = cards >> card_of(rules, hidden.cards[index]) & 1 != 0


@jit_hot
def lay(places: Words, world: Words, deck: Words) -> None:
    """Put the hidden cards of a world into a deck."""
    for index in range(places.size):
        deck[places[index]] = world[index]


# All worlds, and a uniform sample.
#
# A world is a row of card codes, one for each of `places`.


@jit
def list_worlds(hidden: Hidden, worlds: Words) -> int:
    """Write every world once, in lexicographic order; return their number, -1 if they do not fit.

    All are equally likely, since each stands for the same number of permutations of the hidden
    cards. -1 also means that the enumeration found too few worlds for its effort.
    """
    cards, n, slots, found = hidden.cards, hidden.cards.size, hidden.fits.shape[0], 0
    is_used = np.zeros(n, np.bool_)
    chosen = np.empty(n + 1, np.int64)
    depth, chosen[0] = 0, -1
    for _ in range(_STEPS * (n + 1) * (worlds.shape[0] + 1)):
        if depth == n:  # a world is complete
            if found == worlds.shape[0]:
                return -1
            for place in range(n):
                worlds[found, place] = cards[chosen[place]]
            found += 1
            depth -= 1
        if depth < 0:
            return found
        index = chosen[depth]
        if index >= 0:
            is_used[index] = False
        index += 1
        # Of the copies of a card that are left, only the first is tried.
        while index < n and (
            is_used[index]
            or (index > 0 and cards[index] == cards[index - 1] and not is_used[index - 1])
            or (depth < slots and not hidden.fits[depth, index])
        ):
            index += 1
        if index == n:
            depth -= 1
            if depth < 0:
                return found
        else:
            chosen[depth] = index
            is_used[index] = True
            depth += 1
            chosen[depth] = -1
    return -1


@jit
def _arrange(hidden: Hidden, rng: RandomStream, order: Words) -> bool:
    """Write a world, as indices in `cards`; return False if this attempt failed.

    Each slot takes one of its possible cards. If earlier slots have taken some of them, the attempt
    continues with the probability that corrects for it, so that accepted worlds are equally likely.
    """
    n, slots = order.size, hidden.fits.shape[0]
    for index in range(n):
        order[index] = index
    for slot in range(slots):
        all_fitting, fitting = 0, 0
        for index in range(n):
            if hidden.fits[slot, order[index]]:
                all_fitting += 1
                fitting += index >= slot
        if fitting == 0 or below(rng, all_fitting) >= fitting:
            return False
        wanted = below(rng, fitting)
        for index in range(slot, n):
            if hidden.fits[slot, order[index]]:
                if wanted == 0:
                    order[slot], order[index] = order[index], order[slot]
                    break
                wanted -= 1
    shuffle(rng, order[slots:])
    return True


@jit
def sample_worlds(hidden: Hidden, rng: RandomStream, worlds: Words) -> int:
    """Fill `worlds` with independent, equally likely worlds; return their number, or 0.

    0 means that no world was found in reasonable time.
    """
    order = np.empty(hidden.cards.size, np.int64)
    for world in range(worlds.shape[0]):
        tries = _TRIES
        while tries > 0 and not _arrange(hidden, rng, order):
            tries -= 1
        if tries == 0:
            return 0
        for index in range(order.size):
            worlds[world, index] = hidden.cards[order[index]]
    return int(worlds.shape[0])


# Many draws for one decision, of which only the next cards of the deck matter.
#
# The hand is dealt slot by slot, from the slots with the fewest possible cards to those with the
# most. Each slot gets one of the cards that are left and possible there. That alone would favour
# deals that leave few choices. So a slot's card is accepted only with probability (choices left) /
# (most that can be left); otherwise the hand is dealt again. If the sets of possible cards are
# nested or disjoint, no hand is ever dealt again; they are, unless hints named a color to one slot
# and a rank to another.


class Dealer(NamedTuple):
    """What is known of the hidden cards for all draws, and the work space to deal them.

    Attributes
    ----------
    hidden
        These cards.
    order
        The hidden slots in the order of dealing.
    fitting
        For each of them, a row with the indices in `cards` of those possible there.
    n_fitting, most
        The number of these cards, and the most of them that can be left when the slot's turn comes.
    dealt
        The index of each slot's card.
    is_held
        Whether each card is in the hand of this deal; 0 between deals.
    rest
        Those left for the deck.
    """

    hidden: Hidden
    order: Words
    fitting: Words
    n_fitting: Words
    most: Words
    dealt: Words
    is_held: npt.NDArray[np.bool_]
    rest: Words


@jit
def open_dealer(hidden: Hidden) -> Dealer:
    """Return the hidden cards, ready for `deal_world`."""
    fits, (slots, n) = hidden.fits, hidden.fits.shape
    fitting, n_fitting = np.empty((slots, n), np.int64), np.zeros(slots, np.int64)
    order, most = np.empty(slots, np.int64), np.empty(slots, np.int64)
    for slot in range(slots):
        for index in range(n):
            if fits[slot, index]:
                fitting[slot, n_fitting[slot]] = index
                n_fitting[slot] += 1
        at = slot  # those with fewer possible cards come first
        while at > 0 and n_fitting[order[at - 1]] > n_fitting[slot]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = slot
    for i in range(slots):
        slot = order[i]
        most[slot] = n_fitting[slot]
        for j in range(i):
            is_part = True
            for index in range(n):
                is_part &= fits[slot, index] or not fits[order[j], index]
            most[slot] -= is_part
    dealt, rest = np.empty(slots, np.int64), np.empty(n, np.int64)
    return Dealer(hidden, order, fitting, n_fitting, most, dealt, np.zeros(n, np.bool_), rest)


@jit_hot_inline
def _deal_hand(dealer: Dealer, rng: RandomStream) -> bool:
    """Deal the hidden hand; return whether this deal is accepted."""
    fits, order, dealt, is_held = dealer.hidden.fits, dealer.order, dealer.dealt, dealer.is_held
    for i in range(order.size):
        slot = order[i]
        n, left, most = dealer.n_fitting[slot], dealer.n_fitting[slot], dealer.most[slot]
        for j in range(i):
            left -= fits[slot, dealt[order[j]]]
        if left < most and below(rng, most) >= left:
            for j in range(i):
                is_held[dealt[order[j]]] = False
            return False
        index = dealer.fitting[slot, below(rng, n)]
        while is_held[index]:
            index = dealer.fitting[slot, below(rng, n)]
        is_held[index] = True
        dealt[slot] = index
    return True


@jit_hot
def deal_world(dealer: Dealer, deck: Words, depth: int, rng: RandomStream) -> None:
    """Deal the hidden hand and the next `depth` cards of the deck.

    The cards after these are dealt too, but not randomly.
    """
    hidden, is_held, rest = dealer.hidden, dealer.is_held, dealer.rest
    while not _deal_hand(dealer, rng):
        pass
    slots, n = dealer.order.size, 0
    for slot in range(slots):
        deck[hidden.places[slot]] = hidden.cards[dealer.dealt[slot]]
    for index in range(hidden.cards.size):
        if is_held[index]:
            is_held[index] = False
        else:
            rest[n] = hidden.cards[index]
            n += 1
    for i in range(n):
        if i < depth and i < n - 1:
            j = i + below(rng, n - i)
            rest[i], rest[j] = rest[j], rest[i]
        deck[hidden.places[slots + i]] = rest[i]
