"""The sets of hints that are safe because too few copies are left for several cards together.

By Hall's theorem a set is safe if and only if some cards have, between them, fewer copies of
identities that it leaves untouched than they are. A further card whose identities they have anyway
changes nothing but their number, so only *closed* groups count: all cards whose row lies in a union
of rows. If the rows fall into two parts without a common identity, one part lacks copies by itself.
A set that is safe for the sake of a group touches all identities with as many copies as the group
has cards; of the *scarce* ones it may leave some untouched.

Few sets can matter. Let m be the most disjoint sets that are safe by rows, and q the least hints of
a set that needs a group. Of m + 1 disjoint sets some number j, at most m, are safe by rows, with no
fewer hints than the j smallest such sets; m - j others have q or more each; the last one, which
needs a group, has at most the hints that are left. Larger sets are not looked for, nor are groups
that need larger ones.
"""

from __future__ import annotations

from hanabi.compiled import Words, jit, jit_inline
from hanabi.compiled.bits import count_bits
from hanabi.hints.kernels.families import (
    CARDS,
    COUNT,
    FOUND,
    MOST_CARDS,
    MOST_HINTS,
    NO_HAND,
    ROWS,
    SAFE,
    TOUCHING,
    add_found,
    touch_all,
)

# Words of `groups`: the union of rows, the cards and the least hints of each group; unions by set
# of rows; identities with fewer copies than n; constants: a word for each identity and half of the
# hints, with a 1 in the lane of each hint that touches it.
MOST_GROUPS = 1 << MOST_CARDS
UNION, NEED, LEAST, UNIONS, HANGS, SCARCE = range(0, 6 * MOST_GROUPS, MOST_GROUPS)
LANES = SCARCE + MOST_CARDS + 1
MOST_IDENTITIES = 62
GROUPS = LANES + 2 * MOST_IDENTITIES

HALF = MOST_HINTS // 2
LANE = 10  # bits: at most MOST_CARDS copies of each identity are added


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
    """Return a number of hints that every set needs to leave fewer than `need` copies."""
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
    """Fill in the groups that can make `most` hints safe; return their number, or NO_HAND."""
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
    """Fill in the union of a set of rows, and return its cards if it is closed and hangs together.

    Otherwise return 0. Smaller sets of rows must be done.
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
    """Take from FOUND the sets that leave `need` copies or more of scarce identities.

    For all sets at once a counter of three bits starts so that `need` copies carry out of it.
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
    """Add to SAFE the sets of `most` hints or fewer that a group makes safe; return if any."""
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
