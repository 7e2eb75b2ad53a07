"""Compiled hint partitions, hand by hand or in bulk."""

from __future__ import annotations

import numpy as np

from hanabi.ground.compiled import Words, jit, jit_inline
from hanabi.ground.compiled.bits import count_bits

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

# Families of sets of hints, one bit a set, and the sets that single cards make *safe*.
#
# A family over h hints is a row of `families`, 2**h bits: the set T is bit ``T & 63`` of word
# ``T >> 6``. Sixteen words hold any family over ten hints. The sets that touch all possible
# identities of a card are an AND of rows, one for each identity. Supersets of safe sets are safe.

MOST_CARDS = 8
MOST_HINTS = 12
NO_HAND = -1
"""Size of a partition if no hand fits the table."""

# Rows of `families`. SMALL + n: all sets of at most n hints. From COUNT: the bits of a counter for
# each set. From TOUCHING, a row for each identity: the sets that touch it.
SAFE, FOUND, SMALL = range(3)
COUNT = SMALL + MOST_HINTS + 1
TOUCHING = COUNT + 3

# Words of `hand`: the different rows of its cards, and the number of cards with each row.
ROWS, CARDS = range(0, 2 * MOST_CARDS, MOST_CARDS)
HAND = 2 * MOST_CARDS

# The sets in a word that contain hint 0, 1, ... 5.
HAS_0, HAS_1, HAS_2 = ~0x5555555555555555, ~0x3333333333333333, ~0x0F0F0F0F0F0F0F0F
HAS_3, HAS_4, HAS_5 = ~0x00FF00FF00FF00FF, ~0x0000FFFF0000FFFF, ~0x00000000FFFFFFFF


@jit
def n_words(hints: int) -> int:
    """Return the number of words of a family."""
    return 1 if hints <= 6 else 1 << (hints - 6)


@jit
def fill_constants(touched: Words, hints: int, families: Words) -> None:
    """Fill the rows from SMALL and TOUCHING; `touched` has a mask of hints for each identity."""
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
    """Fill `hand`; return its number of different rows, or NO_HAND.

    Identities without copies are omitted. An empty `copies` means any number of each.
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
    """Fill FOUND with the sets of at most `most` hints that touch all given identities."""
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
    """Fill SAFE by rows: the sets that touch all possible identities of some card."""
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
    """Fill FOUND with the minimal sets of SAFE."""
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


# The sets of hints that are safe because too few copies are left for several cards together.
#
# By Hall's theorem a set is safe if and only if, for some group of cards, the identities that the
# set leaves untouched have fewer copies than the group has cards. Another card whose identities all
# belong to the group already changes only the number of cards, so only *closed* groups count: all
# cards whose row lies in a union of rows. If the rows fall into two parts without a common
# identity, one part lacks copies by itself. A set that a group makes safe touches all identities
# with at least as many copies as the group has cards; the others are *scarce*, and it may leave
# some of them untouched.
#
# Few sets can matter. Let m be the largest number of disjoint sets that are safe by rows, and q the
# least number of hints of a set that needs a group. Of m + 1 disjoint sets, some number j <= m are
# safe by rows, with no fewer hints than the j smallest such sets; m - j others have q hints or more
# each; the last one, which needs a group, has at most the hints that are left. Larger sets, and
# groups that need them, are not searched.

# Words of `groups`: the union of rows, the number of cards and the least hints of each group;
# unions by set of rows; whether a set of rows hangs together; identities with fewer than n copies;
# constants: a word for each identity and half of the hints, with a 1 in the lane of each hint that
# touches the identity.
MOST_GROUPS = 1 << MOST_CARDS
UNION, NEED, LEAST, UNIONS, HANGS, SCARCE = range(0, 6 * MOST_GROUPS, MOST_GROUPS)
LANES = SCARCE + MOST_CARDS + 1
MOST_IDENTITIES = 62
GROUPS = LANES + 2 * MOST_IDENTITIES

HALF = MOST_HINTS // 2
LANE = 10  # bits; at most MOST_CARDS copies of each identity are added


@jit
def fill_lanes(touched: Words, groups: Words) -> None:
    """Fill in the constants of `groups`."""
    for i in range(touched.size):
        for half in range(2):
            lanes = 0
            for hint in range(HALF):
                lanes |= (touched[i] >> (half * HALF + hint) & 1) << (LANE * hint)
            groups[LANES + 2 * i + half] = lanes


@jit_inline
def _least_hints(union: int, need: int, copies: Words, groups: Words) -> int:
    """Return a lower bound on the hints of a set that leaves fewer than `need` copies untouched."""
    low_sum, high_sum, left = 0, 0, 0
    while union != 0:
        low = union & -union
        union ^= low
        i = count_bits(low - 1)
        count = min(copies[i], need)
        low_sum += count * groups[LANES + 2 * i]
        high_sum += count * groups[LANES + 2 * i + 1]
        left += count
    lane_mask = (1 << LANE) - 1
    hints = 0
    while left >= need:
        best, lane = 0, 0
        for hint in range(HALF):
            if low_sum >> (LANE * hint) & lane_mask > best:
                best, lane = low_sum >> (LANE * hint) & lane_mask, hint
        is_high = False
        for hint in range(HALF):
            if high_sum >> (LANE * hint) & lane_mask > best:
                best, lane, is_high = high_sum >> (LANE * hint) & lane_mask, hint, True
        if is_high:
            high_sum -= best << (LANE * lane)
        else:
            low_sum -= best << (LANE * lane)
        left -= best
        hints += 1
    return hints


@jit_inline
def list_groups(kinds: int, most: int, copies: Words, hand: Words, groups: Words) -> int:
    """List the groups that can make sets of `most` hints safe; return their number, or NO_HAND."""
    for need in range(2, MOST_CARDS + 1):
        groups[SCARCE + need] = 0
    for i in range(copies.size):
        for need in range(max(copies[i], 1) + 1, MOST_CARDS + 1):
            groups[SCARCE + need] |= 1 << i
    found = 0
    for group in range(1, 1 << kinds):
        need = _cards_of_group(group, kinds, hand, groups)
        union = groups[UNIONS + group]
        if need < 2 or union & groups[SCARCE + need] == 0:
            continue
        least = _least_hints(union, need, copies, groups)
        if least == 0:
            return NO_HAND
        if least <= most:
            groups[UNION + found] = union
            groups[NEED + found] = need
            groups[LEAST + found] = least
            found += 1
    return found


@jit_inline
def _cards_of_group(group: int, kinds: int, hand: Words, groups: Words) -> int:
    """Fill in the union of a set of rows; return its number of cards if it is closed and connected.

    Otherwise return 0 or less. Its subsets must have been processed before.
    """
    low = group & -group
    union = hand[ROWS + count_bits(low - 1)]
    if group != low:
        union |= groups[UNIONS + (group ^ low)]
    groups[UNIONS + group] = union
    need, hangs = 0, group == low
    for kind in range(kinds):
        row = hand[ROWS + kind]
        if group >> kind & 1:
            need += hand[CARDS + kind]
            rest = group ^ 1 << kind
            hangs = hangs or (groups[HANGS + rest] != 0 and groups[UNIONS + rest] & row != 0)
        elif row & ~union == 0:
            need = -MOST_CARDS
    groups[HANGS + group] = hangs
    return need if hangs else 0


@jit_inline
def _count_copies(scarce: int, need: int, copies: Words, families: Words) -> None:
    """Remove from FOUND the sets that leave at least `need` copies of scarce identities.

    For all sets at once, a counter of three bits starts at 8 - `need`, so that it overflows at
    `need` copies.
    """
    start = 8 - need
    for word in range(families.shape[1]):
        families[COUNT, word] = -(start & 1)
        families[COUNT + 1, word] = -(start >> 1 & 1)
        families[COUNT + 2, word] = -(start >> 2)
    while scarce != 0:
        low = scarce & -scarce
        scarce ^= low
        i = count_bits(low - 1)
        for _ in range(copies[i]):
            for word in range(families.shape[1]):
                carry = ~families[TOUCHING + i, word]
                bits = families[COUNT, word]
                families[COUNT, word] = bits ^ carry
                carry &= bits
                bits = families[COUNT + 1, word]
                families[COUNT + 1, word] = bits ^ carry
                carry &= bits
                bits = families[COUNT + 2, word]
                families[COUNT + 2, word] = bits ^ carry
                families[FOUND, word] &= ~(carry & bits)


@jit_inline
def add_groups(found: int, most: int, copies: Words, groups: Words, families: Words) -> bool:
    """Add to SAFE the sets of at most `most` hints that groups make safe; return if any is new."""
    is_any = False
    for g in range(found):
        if groups[LEAST + g] > most:
            continue
        union, need = groups[UNION + g], groups[NEED + g]
        scarce = union & groups[SCARCE + need]
        touch_all(union & ~scarce, most, families)
        fresh = 0
        for word in range(families.shape[1]):
            fresh |= families[FOUND, word] & ~families[SAFE, word]
        if fresh == 0:
            continue
        _count_copies(scarce, need, copies, families)
        for word in range(families.shape[1]):
            fresh = families[FOUND, word] & ~families[SAFE, word]
            is_any = is_any or fresh != 0
        add_found(families)
    return is_any


# A largest packing of disjoint sets of a family over few hints, by branch and bound, with the sets
# ordered by size.

MOST_SETS = 924
"""Most sets over `MOST_HINTS` hints of which none contains another: all sets of half the hints."""

# Words of `packing`: for each size the place after its last set; the path of the search (indices of
# sets, from which it continues, and hints left); the best path; the sets, twice.
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
    """Fill BEST with the indices of as many disjoint sets as possible; return their number.

    Sets are tried by ascending size. So n more sets fit only if the number of hints left is at
    least n times the size of the next set.
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

    New sets have at least `least` hints; `best` is the maximum for the sets listed so far.
    """
    most, taken = 0, 0
    for old in range(best + 1):
        most = max(most, hints - taken - (best - old) * least)
        if old < best:
            taken += count_bits(packing[SETS + old])
    return most


# Exact hint partitions of hands, compiled: hand by hand for players, and in bulk.
#
# A hand has at most `MOST_CARDS` cards; each is a mask of at most `MOST_IDENTITIES` identities.
# First the sets that are safe by rows are packed (`families`, `packing`). Then, if the copies left
# could allow more parts, the sets that need several cards are added (`copies`).
#
# A calling kernel fills a `scratch` once for a rule set, then partitions one hand after the other,
# at about a microsecond a hand. Identities and hints may be colors alone, ranks alone, or both.

# Words of `scratch`: three numbers, then those of each step, then the families.
N_HINTS, N_IDENTITIES, N_WORDS, IN_HAND = range(4)
IN_GROUPS = IN_HAND + HAND
IN_PACKING = IN_GROUPS + GROUPS
IN_FAMILIES = IN_PACKING + PACKING


@jit
def scratch_size(identities: int, hints: int) -> int:
    """Return the number of words of `scratch` for at most 62 identities and 12 hints."""
    return IN_FAMILIES + (TOUCHING + identities) * n_words(hints)


@jit
def start_scratch(touched: Words, hints: int, scratch: Words) -> None:
    """Prepare `scratch`, once for a rule set. O(2**hints * identities).

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
    """Copy the work of `start_scratch` to another scratch: far faster than starting it anew."""
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
    """Return the largest number of safe sets into which the hints can be split, or NO_HAND.

    Parameters
    ----------
    rows
        For each of at most `MOST_CARDS` cards, a mask of its possible identities; 0 for no card.
    copies
        For each identity the copies that the hand can hold. Empty for any number, which gives the
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
    """Fill in a maximum partition; return its number of parts, or NO_HAND. See `count_parts`.

    `parts`, with at least one word a hint, gets each part as a mask of hints, then zeros. Every
    hint is in one part. The choice of parts depends only on `rows`, in any order, and `copies`.
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
        Shape (hands, cards): for each card a mask of identities; 0 for no card.
    unseen
        Shape (hands, identities): copies; or (hands, 0) for any number.
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
