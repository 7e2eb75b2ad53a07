"""Hint partitions of many hands, exhaustively over all sets of hints, as bit masks.

A hand has at most `MOST_CARDS` cards; each is a mask of identities, at most 62. By Hall's theorem a
set of hints is safe if some group of cards has fewer copies of identities that the set leaves
untouched than it has cards. See :mod:`hanabi.hints.bulk`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.kernels import jit
from hanabi.kernels.bits import count_bits

__all__ = ["MOST_CARDS", "MOST_HINTS", "NO_HAND", "partition_hands"]

Words = npt.NDArray[np.int64]

MOST_CARDS = 6
MOST_HINTS = 12
NO_HAND = -1
"""Size for a table that no hand fits."""


@jit
def has_copies(mask: int, copies: Words, need: int) -> bool:
    """Return whether the identities of `mask`, one copy each at least, have `need` copies."""
    if count_bits(mask) >= need:
        return True
    total = 0
    while mask != 0:
        low = mask & -mask
        total += copies[count_bits(low - 1)]
        mask ^= low
    return total >= need


@jit
def list_groups(
    row: Words, copies: Words, groups: Words, needs: Words, unions: Words
) -> tuple[int, int]:
    """Fill in the groups of two or more cards that can lack copies.

    Return the number of cards, or NO_HAND, and the number of groups. `unions[1 << i]` becomes the
    mask of card i. `copies` is empty if there is no limit: then there are no groups. A group
    matters only if an identity that it can have has fewer copies than the group cards.
    """
    scarce = np.zeros(MOST_CARDS + 1, np.int64)
    gone = 0
    for i in range(copies.size):
        if copies[i] <= 0:
            gone |= 1 << i
        for need in range(2, MOST_CARDS + 1):
            if copies[i] < need:
                scarce[need] |= 1 << i
    cards = 0
    found = 0
    for slot in range(row.size):
        if row[slot] == 0:
            continue
        mask = row[slot] & ~gone
        if mask == 0:
            return NO_HAND, 0
        half = 1 << cards
        unions[half] = mask
        cards += 1
        if copies.size == 0:
            continue
        for a in range(1, half):
            union = unions[a] | mask
            unions[half + a] = union
            need = count_bits(a) + 1
            if union & scarce[need] != 0:
                if not has_copies(union, copies, need):
                    return NO_HAND, 0
                groups[found] = union
                needs[found] = need
                found += 1
    return cards, found


@jit
def is_safe(
    allowed: int,
    cards: int,
    unions: Words,
    found: int,
    groups: Words,
    needs: Words,
    copies: Words,
) -> bool:
    """Return whether the cards cannot all have identities of `allowed`."""
    for card in range(cards):
        if unions[1 << card] & allowed == 0:
            return True
    if found == 0:
        return False
    least = cards
    for card in range(cards):
        least = min(least, count_bits(unions[1 << card] & allowed))
    for g in range(found):
        # Smaller groups have as many identities as any one of their cards.
        if needs[g] > least and not has_copies(groups[g] & allowed, copies, needs[g]):
            return True
    return False


@jit
def list_minimal(
    cards: int,
    unions: Words,
    found: int,
    groups: Words,
    needs: Words,
    copies: Words,
    untouched: Words,
    safe: Words,
    minimal: Words,
) -> int:
    """Fill in the minimal safe sets, ascending, and return their number; `safe` is overwritten."""
    count = 0
    safe[0] = 0
    for hints in range(1, untouched.size):
        safe[hints] = 0
        rest = hints
        while rest != 0:
            low = rest & -rest
            if safe[hints ^ low] != 0:
                safe[hints] = 1
                break
            rest ^= low
        if safe[hints] == 0 and is_safe(
            untouched[hints], cards, unions, found, groups, needs, copies
        ):
            safe[hints] = 1
            minimal[count] = hints
            count += 1
    return count


@jit
def pack_sets(minimal: Words, count: int, best: Words, pick: Words, parts: Words) -> int:
    """Fill in the most disjoint sets, every other hint in the first; return their number."""
    best[0] = 0
    for hints in range(1, best.size):
        low = hints & -hints
        best[hints] = best[hints ^ low]
        pick[hints] = 0
        for m in range(count):
            each = minimal[m]
            if each & low != 0 and each & hints == each and best[hints ^ each] >= best[hints]:
                best[hints] = best[hints ^ each] + 1
                pick[hints] = each
    size = 0
    over = 0
    hints = best.size - 1
    while hints != 0:
        if pick[hints] != 0:
            parts[size] = pick[hints]
            size += 1
            hints ^= pick[hints]
        else:
            over |= hints & -hints
            hints &= hints - 1
    for p in range(size, parts.size):
        parts[p] = 0
    if size > 0:
        parts[0] |= over
    return size


@jit
def partition_hands(rows: Words, unseen: Words, touched: Words, sizes: Words, parts: Words) -> None:
    """Fill `sizes` and `parts` with a maximum partition for each hand.

    O(2**hints * (2**cards + minimal safe sets)) a hand at most.

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
    full = 1 << parts.shape[1]
    untouched = np.zeros(full, np.int64)
    for hints in range(full):
        for i in range(touched.size):
            if touched[i] & hints == 0:
                untouched[hints] |= 1 << i
    groups = np.empty(1 << MOST_CARDS, np.int64)
    needs = np.empty(1 << MOST_CARDS, np.int64)
    unions = np.empty(1 << MOST_CARDS, np.int64)
    safe = np.empty(full, np.int64)
    minimal = np.empty(full, np.int64)
    best = np.empty(full, np.int64)
    pick = np.empty(full, np.int64)
    for n in range(rows.shape[0]):
        copies = unseen[n]
        cards, found = list_groups(rows[n], copies, groups, needs, unions)
        if cards == NO_HAND:
            sizes[n] = NO_HAND
            for p in range(parts.shape[1]):
                parts[n, p] = 0
            continue
        count = list_minimal(cards, unions, found, groups, needs, copies, untouched, safe, minimal)
        sizes[n] = pack_sets(minimal, count, best, pick, parts[n])
