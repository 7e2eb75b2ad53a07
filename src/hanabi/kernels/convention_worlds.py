"""Worlds that could be the real one, for a seat that knows something of its own hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.kernels import jit
from hanabi.kernels.convention_sets import N_HANDS, card_bit, hand_room
from hanabi.kernels.game import (
    CARDS,
    COLORS,
    COPIES,
    DISCARDS,
    DRAWN,
    HAND_SIZE,
    PILES,
    RANKS,
    SEAT,
    SIZES,
    card_code,
)
from hanabi.kernels.rng import below

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

ATTEMPTS = 30  # at a hand of different copies, before its cards are drawn one after the other


@jit
def fill_pool(rules: Words, state: Words, room: Words, pool: Words) -> int:
    """Write the cards that the seat to act does not see, in the order of the rules."""
    n, ranks, counts = 0, rules[RANKS], hand_room(rules, N_HANDS)
    for card in range(rules[COLORS] * ranks):
        color, index = card // ranks, card % ranks
        left = rules[COPIES + card] - state[rules[DISCARDS] + card]
        left -= room[counts + card] + (index < state[PILES + color])
        for _ in range(left):
            pool[n] = card_code(color, index + 1)
            n += 1
    return n


@jit
def _pick(rules: Words, stream: RandomStream, pool: Words, first: int, n: int, cards: int) -> int:
    """Return the place of a random card of a set among pool[first:n], or -1."""
    fit = 0
    for place in range(first, n):
        fit += card_bit(rules, pool[place]) & cards != 0
    if fit == 0:
        return -1
    chosen = below(stream, fit)
    for place in range(first, n):
        if card_bit(rules, pool[place]) & cards:
            if chosen == 0:
                return place
            chosen -= 1
    return -1


@jit
def _draw_places(
    rules: Words, stream: RandomStream, pool: Words, n: int, own: Words, size: int
) -> bool:
    """Draw places of the pool for all slots, alike among all choices that fit; may fail."""
    places = rules[HAND_SIZE]
    for _ in range(ATTEMPTS):
        is_good = True
        for slot in range(size):
            place = _pick(rules, stream, pool, 0, n, own[slot])
            is_good = place >= 0
            for other in range(slot):
                is_good = is_good and own[places + other] != place
            if not is_good:
                break
            own[places + slot] = place
        if is_good:
            return True
    return False


@jit
def _draw_hand(
    rules: Words, stream: RandomStream, pool: Words, n: int, own: Words, size: int
) -> None:
    """Move a hand that fits to pool[:size]; card by card if the conventions leave none."""
    places = rules[HAND_SIZE]
    is_drawn = _draw_places(rules, stream, pool, n, own, size)
    for slot in range(size):
        place = own[places + slot] if is_drawn else _pick(rules, stream, pool, slot, n, own[slot])
        if place < 0:
            place = slot
        pool[slot], pool[place] = pool[place], pool[slot]
        for other in range(slot + 1, size):  # the card that stood here has moved
            if own[places + other] == slot:
                own[places + other] = place


@jit
def imagine(
    rules: Words, state: Words, stream: RandomStream, pool: Words, n: int, own: Words, world: Words
) -> None:
    """Put a hand that fits, and the other cards in random order, into the deck `world`."""
    seat = state[SEAT]
    size = state[rules[SIZES] + seat]
    _draw_hand(rules, stream, pool, n, own, size)
    for slot in range(size):
        world[state[rules[CARDS] + seat * rules[HAND_SIZE] + slot]] = pool[slot]
    for place in range(n - 1, size, -1):
        other = size + below(stream, place - size + 1)
        pool[place], pool[other] = pool[other], pool[place]
    for place in range(size, n):
        world[state[DRAWN] + place - size] = pool[place]
