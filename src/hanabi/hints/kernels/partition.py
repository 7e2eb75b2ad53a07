"""Hint partitions of hands, compiled, exact: for players hand by hand, and in bulk.

A hand has at most `MOST_CARDS` cards; each is a mask of identities, at most `MOST_IDENTITIES`.
First the sets that are safe by rows are packed (`families`, `packing`); then, if the copies
that are left could allow more, those that need several cards as well (`copies`).

Another kernel fills a `scratch` once for a rule set, and asks for one hand after the other, at
about a microsecond a hand. Identities and hints may be colors alone, ranks alone, or both:

>>> import numpy as np
>>> touched = np.array([0b001, 0b010, 0b100])  # three colors, each touched by its own hint
>>> scratch = np.empty(scratch_size(3, 3), np.int64)
>>> start_scratch(touched, 3, scratch)
>>> rows, copies = np.array([0b011, 0b011, 0b100]), np.array([1, 1, 2])
>>> count_parts(rows, copies, scratch), count_parts(rows, copies[:0], scratch)
(3, 2)
>>> parts = np.empty(3, np.int64)
>>> partition_hand(rows, copies, scratch, parts), parts.tolist()
(3, [1, 2, 4])
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import Words, jit
from hanabi.hints.kernels.copies import (
    GROUPS,
    LANES,
    LEAST,
    MOST_IDENTITIES,
    add_groups,
    fill_lanes,
    list_groups,
)
from hanabi.hints.kernels.families import (
    COUNT,
    HAND,
    MOST_CARDS,
    MOST_HINTS,
    NO_HAND,
    SMALL,
    TOUCHING,
    fill_constants,
    find_minimal,
    find_safe,
    list_rows,
    n_words,
)
from hanabi.hints.kernels.packing import (
    BEST,
    PACKING,
    SETS,
    largest_useful,
    list_sets,
    pack_sets,
)

__all__ = [
    "MOST_CARDS",
    "MOST_HINTS",
    "MOST_IDENTITIES",
    "NO_HAND",
    "copy_scratch",
    "count_parts",
    "partition_hand",
    "partition_hands",
    "scratch_size",
    "start_scratch",
]


# Words of `scratch`: three numbers, then those of each step, then the families.
N_HINTS, N_IDENTITIES, N_WORDS, IN_HAND = range(4)
IN_GROUPS = IN_HAND + HAND
IN_PACKING = IN_GROUPS + GROUPS
IN_FAMILIES = IN_PACKING + PACKING


@jit
def scratch_size(identities: int, hints: int) -> int:
    """Return the words of `scratch` for so many identities and hints, at most 62 and 12."""
    return IN_FAMILIES + (TOUCHING + identities) * n_words(hints)


@jit
def start_scratch(touched: Words, hints: int, scratch: Words) -> None:
    """Fill in what `scratch` holds of the hints: once for a rule set, 2**hints * identities steps.

    Parameters
    ----------
    touched
        For each identity a mask of the hints that touch it. In a game with joint hints, identity
        ``color * ranks + rank - 1`` is touched by hints ``color`` and ``colors + rank - 1``.
    hints
        Number of hints, 1 to `MOST_HINTS`.
    scratch
        At least `scratch_size` words.
    """
    scratch[N_HINTS], scratch[N_IDENTITIES], scratch[N_WORDS] = hints, touched.size, n_words(hints)
    height, words = TOUCHING + touched.size, n_words(hints)
    families = scratch[IN_FAMILIES : IN_FAMILIES + height * words].reshape((height, words))
    fill_constants(touched, hints, families)
    fill_lanes(touched, scratch[IN_GROUPS:IN_PACKING])


@jit
def copy_scratch(source: Words, scratch: Words) -> None:
    """Copy what `start_scratch` wrote to another scratch: far quicker than starting it."""
    for word in range(IN_HAND):
        scratch[word] = source[word]
    for word in range(IN_GROUPS + LANES, IN_PACKING):
        scratch[word] = source[word]
    words = scratch[N_WORDS]
    for row in range(SMALL, TOUCHING + scratch[N_IDENTITIES]):
        if row < COUNT or row >= TOUCHING:
            for word in range(IN_FAMILIES + row * words, IN_FAMILIES + (row + 1) * words):
                scratch[word] = source[word]


@jit
def count_parts(rows: Words, copies: Words, scratch: Words) -> int:
    """Return into how many safe sets the hints for a hand can be split at most, or NO_HAND.

    Parameters
    ----------
    rows
        For each card, at most `MOST_CARDS`, a mask of the identities that it can have; 0: no card.
    copies
        For each identity the copies that the hand can hold; no words: any number, which is the
        partition by rows.
    scratch
        From `start_scratch`; overwritten.
    """
    hints, height, words = scratch[N_HINTS], TOUCHING + scratch[N_IDENTITIES], scratch[N_WORDS]
    families = scratch[IN_FAMILIES : IN_FAMILIES + height * words].reshape((height, words))
    hand, packing = scratch[IN_HAND:IN_GROUPS], scratch[IN_PACKING:IN_FAMILIES]
    kinds = list_rows(rows, copies, hand)
    if kinds == NO_HAND:
        return NO_HAND
    find_safe(kinds, hints, hand, families)
    best = _pack(hints, families, packing)
    if copies.size == 0:
        return best
    groups = scratch[IN_GROUPS:IN_PACKING]
    found = list_groups(kinds, hints - best, copies, hand, groups)
    if found <= 0:
        return NO_HAND if found == NO_HAND else best
    least = hints
    for g in range(found):
        least = min(least, groups[LEAST + g])
    most = largest_useful(hints, best, least, packing)
    if most >= least and add_groups(found, most, copies, groups, families):
        best = _pack(hints, families, packing)
    return best


@jit
def _pack(hints: int, families: Words, packing: Words) -> int:
    find_minimal(families)
    found = list_sets(hints, families, packing)
    return pack_sets(hints, found, packing)


@jit
def partition_hand(rows: Words, copies: Words, scratch: Words, parts: Words) -> int:
    """Fill in a maximum partition, and return its number of parts or NO_HAND; see `count_parts`.

    `parts`, at least one word a hint, gets each part as a mask of hints, then zeros. Every hint is
    in one part; which parts are chosen depends on `rows` (in any order) and `copies` alone.
    """
    size = count_parts(rows, copies, scratch)
    over = (1 << scratch[N_HINTS]) - 1
    for part in range(size):
        parts[part] = scratch[IN_PACKING + SETS + scratch[IN_PACKING + BEST + part]]
        over ^= parts[part]
    for part in range(max(size, 0), parts.size):
        parts[part] = 0
    if size > 0:
        parts[0] |= over
    return size


@jit
def partition_hands(rows: Words, unseen: Words, touched: Words, sizes: Words, parts: Words) -> None:
    """Fill `sizes` and `parts` with a maximum partition for each hand.

    Parameters
    ----------
    rows
        Shape (hands, cards): for each card a mask of identities; 0 where there is no card.
    unseen
        Shape (hands, identities): copies, or (hands, 0) for any number.
    touched
        Shape (identities,): for each identity a mask of hints.
    sizes
        Shape (hands,); overwritten: the number of parts, or NO_HAND.
    parts
        Shape (hands, hints); overwritten: each part as a mask of hints, then zeros.
    """
    hints = parts.shape[1]
    scratch = np.empty(scratch_size(touched.size, hints), np.int64)
    start_scratch(touched, hints, scratch)
    for n in range(rows.shape[0]):
        sizes[n] = partition_hand(rows[n], unseen[n], scratch, parts[n])
