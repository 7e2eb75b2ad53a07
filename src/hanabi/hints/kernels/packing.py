"""The most disjoint sets of a family over few hints, by branch and bound on the sets by size."""

from __future__ import annotations

from hanabi.compiled import Words, jit_inline
from hanabi.compiled.bits import count_bits
from hanabi.hints.kernels.families import FOUND, MOST_HINTS

MOST_SETS = 924
"""Most sets of which none contains another, over `MOST_HINTS` hints: those of half of them."""

# Words of `packing`: for each size the place behind its last set, the path of the search (indices
# of sets, from which to go on, and hints left), the best path, then the sets, twice.
ENDS = 0
PATH = ENDS + MOST_HINTS + 2
LEFT = PATH + MOST_HINTS + 1
BEST = LEFT + MOST_HINTS + 1
SETS = BEST + MOST_HINTS + 1
UNSORTED = SETS + MOST_SETS
PACKING = UNSORTED + MOST_SETS


@jit_inline
def list_sets(hints: int, families: Words, packing: Words) -> int:
    """Write the sets of FOUND to `packing`, smallest first, then ascending; return their number."""
    for size in range(hints + 2):
        packing[ENDS + size] = 0
    found = 0
    for word in range(families.shape[1]):
        for half in range(2):
            rest = families[FOUND, word] >> (32 * half) & 0xFFFFFFFF
            while rest != 0:
                low = rest & -rest
                rest ^= low
                each = word << 6 | half << 5 | count_bits(low - 1)
                packing[UNSORTED + found] = each
                packing[ENDS + count_bits(each) + 1] += 1
                found += 1
    for size in range(hints + 1):
        packing[ENDS + size + 1] += packing[ENDS + size]
    for index in range(found):
        each = packing[UNSORTED + index]
        size = count_bits(each)
        packing[SETS + packing[ENDS + size]] = each
        packing[ENDS + size] += 1
    return found


@jit_inline
def pack_sets(hints: int, found: int, packing: Words) -> int:
    """Fill in BEST with the indices of as many disjoint sets as possible; return their number.

    Sets are taken by ascending size. So a path can only be extended by n sets if the hints left
    are n times the size of the next set.
    """
    best, depth, at = 0, 0, 0
    left = (1 << hints) - 1
    while True:
        missing = best + 1 - depth
        while at < found and packing[SETS + at] & ~left != 0:
            at += 1
        each = packing[SETS + at] if at < found else 0
        if each != 0 and count_bits(each) * missing <= count_bits(left):
            packing[PATH + depth] = at
            packing[LEFT + depth] = left
            left ^= each
            depth += 1
            at += 1
            if depth > best:
                best = depth
                for index in range(depth):
                    packing[BEST + index] = packing[PATH + index]
        else:
            if depth == 0:
                return best
            depth -= 1
            at = packing[PATH + depth] + 1
            left = packing[LEFT + depth]


@jit_inline
def largest_useful(hints: int, best: int, least: int, packing: Words) -> int:
    """Return the most hints of a new set in a packing of more than `best` sets.

    New sets have `least` hints or more; `best` is a maximum for the sets listed.
    """
    most, taken = 0, 0
    for old in range(best + 1):
        most = max(most, hints - taken - (best - old) * least)
        if old < best:
            taken += count_bits(packing[SETS + old])
    return most
