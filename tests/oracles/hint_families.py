"""Hint partitions over all sets of hints, as arrays of truth values: one place a set, as bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]


def safe_by_hands(hints: int, given: Iterable[frozenset[int]]) -> Flags:
    """Which sets hold a possible hint for every hand, of which the possible hints are `given`."""
    sets = np.arange(1 << hints)
    safe = np.ones(sets.size, np.bool_)
    for possible in given:
        safe &= (sets & sum(1 << hint for hint in possible)) != 0
    return safe


def safe_by_groups(
    rows: Sequence[int], copies: Sequence[int] | None, touched: Sequence[int], hints: int
) -> Flags:
    """Which sets leave some cards fewer copies than they are, by Hall's theorem."""
    sets = np.arange(1 << hints)
    cards = [row for row in rows if row]
    safe = np.zeros(sets.size, np.bool_)
    for size in range(1, len(cards) + 1):
        for group in combinations(cards, size):
            union = int(np.bitwise_or.reduce(group))
            left = np.zeros(sets.size, np.int64)
            for identity, mask in enumerate(touched):
                if union >> identity & 1:
                    count = len(cards) if copies is None else copies[identity]
                    left += count * ((sets & mask) == 0)
            safe |= left < size
    return safe


def most_disjoint(safe: Flags) -> int:
    """Return the most disjoint safe sets; -1 if the empty set is safe, since no hand fits."""
    if safe[0]:
        return -1
    sets = np.arange(safe.size)
    minimal = safe.copy()
    for bit in (1 << hint for hint in range(safe.size.bit_length() - 1)):
        minimal &= ~((sets & bit != 0) & safe[sets & ~bit])
    splits, count = np.ones(safe.size, np.bool_), -1
    while splits.any():  # into `count` + 1 safe sets, and what is left
        longer = np.zeros(safe.size, np.bool_)
        for each in np.flatnonzero(minimal):
            inside = sets[(sets & each) == each]
            longer[inside] |= splits[inside ^ each]
        splits, count = longer, count + 1
    return count
