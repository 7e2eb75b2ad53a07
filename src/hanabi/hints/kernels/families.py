"""Families of sets of hints, one bit a set, and the sets that single cards make *safe*.

A family over h hints is a row of `families`, 2**h bits: the set T is bit ``T & 63`` of word
``T >> 6``. Sixteen words hold any family over ten hints, and "all sets that touch whatever this
card can be" is an AND of rows, one for each identity. Supersets of safe sets are safe.
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import Words, jit, jit_inline
from hanabi.compiled.bits import count_bits

MOST_CARDS = 8
MOST_HINTS = 12
NO_HAND = -1
"""Size for a table that no hand fits."""

# Rows of `families`. SMALL + n: all sets of n hints or fewer. From TOUCHING, a row for each
# identity: the sets that touch it. From COUNT, the bits of a counter for each set.
SAFE, FOUND, SMALL = range(3)
COUNT = SMALL + MOST_HINTS + 1
TOUCHING = COUNT + 3

# Words of `hand`: the different rows of its cards, and how many cards have each.
ROWS, CARDS = range(0, 2 * MOST_CARDS, MOST_CARDS)
HAND = 2 * MOST_CARDS

# The sets in a word that have hint 0, 1, ... 5.
HAS_0, HAS_1, HAS_2 = ~0x5555555555555555, ~0x3333333333333333, ~0x0F0F0F0F0F0F0F0F
HAS_3, HAS_4, HAS_5 = ~0x00FF00FF00FF00FF, ~0x0000FFFF0000FFFF, ~0x00000000FFFFFFFF


@jit
def n_words(hints: int) -> int:
    """Return the number of words of a family."""
    return 1 if hints <= 6 else 1 << (hints - 6)


@jit
def fill_constants(touched: Words, hints: int, families: Words) -> None:
    """Fill in the rows from SMALL and TOUCHING; `touched` are masks of hints, one an identity."""
    for row in range(families.shape[0]):
        for word in range(families.shape[1]):
            families[row, word] = 0
    for each in range(1 << hints):
        word, bit = each >> 6, np.int64(1) << np.int64(each & 63)
        for size in range(count_bits(each), hints + 1):
            families[SMALL + size, word] |= bit
        for i in range(touched.size):
            if touched[i] & each != 0:
                families[TOUCHING + i, word] |= bit


@jit_inline
def list_rows(rows: Words, copies: Words, hand: Words) -> int:
    """Fill in `hand`, and return its number of different rows, or NO_HAND.

    Identities without copies are left out; no words of `copies`: any number of each.
    """
    gone = 0
    for i in range(copies.size):
        if copies[i] <= 0:
            gone |= 1 << i
    kinds = 0
    for slot in range(rows.size):
        if rows[slot] == 0:
            continue
        row = rows[slot] & ~gone
        if row == 0:
            return NO_HAND
        kind = 0
        while kind < kinds and hand[ROWS + kind] != row:
            kind += 1
        if kind == kinds:
            hand[ROWS + kind] = row
            hand[CARDS + kind] = 0
            kinds += 1
        hand[CARDS + kind] += 1
    return kinds


@jit_inline
def touch_all(identities: int, most: int, families: Words) -> None:
    """Fill in FOUND with the sets of `most` hints or fewer that touch all of some identities."""
    for word in range(families.shape[1]):
        families[FOUND, word] = families[SMALL + most, word]
    while identities != 0:
        low = identities & -identities
        identities ^= low
        i = count_bits(low - 1)
        for word in range(families.shape[1]):
            families[FOUND, word] &= families[TOUCHING + i, word]


@jit_inline
def add_found(families: Words) -> None:
    """Add FOUND to SAFE."""
    for word in range(families.shape[1]):
        families[SAFE, word] |= families[FOUND, word]


@jit_inline
def find_safe(kinds: int, hints: int, hand: Words, families: Words) -> None:
    """Fill in SAFE by rows: the sets that touch whatever one of the cards can be."""
    for word in range(families.shape[1]):
        families[SAFE, word] = 0
    for kind in range(kinds):
        row, is_least = hand[ROWS + kind], True
        for other in range(kinds):
            if other != kind and hand[ROWS + other] & ~row == 0:
                is_least = False
        if is_least:
            touch_all(row, hints, families)
            add_found(families)


@jit_inline
def find_minimal(families: Words) -> None:
    """Fill in FOUND with the sets of SAFE of which no hint can be left out."""
    for word in range(families.shape[1]):
        safe = families[SAFE, word]
        larger = (safe << 1) & HAS_0 | (safe << 2) & HAS_1 | (safe << 4) & HAS_2
        larger |= (safe << 8) & HAS_3 | (safe << 16) & HAS_4 | (safe << 32) & HAS_5
        families[FOUND, word] = safe & ~larger
    half = 1
    while half < families.shape[1]:
        for word in range(families.shape[1]):
            if word & half != 0:
                families[FOUND, word] &= ~families[SAFE, word ^ half]
        half <<= 1
