"""Reductions of the solitaire search: what may be dropped, and which states are lost.

Each is proven in `hanabi.solitaire.search_plain`, where it is stated in readable Python.
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import jit_inline
from hanabi.solitaire.kernels.states import STAMP, WORK, Int32s, Search, find


@jit_inline
def is_out_of_reach(q: Search, pile: Int32s, hand: Int32s, held: int, x: int) -> bool:
    """Whether some lower card of x's color is gone for good (only when the target is not all)."""
    never = q.cards.shape[0]
    k = x // q.n
    q.control[WORK] += x - k * q.n - pile[k]
    for u in range(k * q.n + pile[k], x):
        if q.upcoming[u] == never and find(hand, held, u) < 0:
            return True
    return False


@jit_inline
def reach(q: Search, pile: Int32s, hand: Int32s, held: int) -> int:
    """Most cards that can be on the piles in the end if the hand were unlimited from now on."""
    never = q.cards.shape[0]
    total = 0
    for k in range(q.c):
        value = pile[k]
        while value < q.n:
            x = k * q.n + value
            if q.upcoming[x] == never and find(hand, held, x) < 0:
                break
            value += 1
        q.control[WORK] += value + 1 - pile[k]
        total += value
    return total


@jit_inline
def is_doomed(q: Search, pile: Int32s, hand: Int32s, held: int, s: int) -> bool:
    """Whether more than h needed cards have to be in hand at one time (within the horizon).

    A needed card cannot be played before every lower card of its color that is not in hand has
    come; if no copy comes after that (or it is in hand and comes no more), it is held in between.
    """
    end = q.load.shape[0] - 1
    q.control[WORK] += 2 * end + held
    for t in range(end + 1):
        q.load[t] = 0
    q.control[STAMP] += 1
    stamp = q.control[STAMP]
    for j in range(held):
        q.mark[hand[j]] = stamp
    for k in range(q.c):
        earliest = np.int64(s)
        first = k * q.n + pile[k]
        x = first
        for x in range(first, k * q.n + q.n):
            if q.mark[x] != stamp and q.upcoming[x] > earliest:
                earliest = q.upcoming[x]
            if q.last[x] < earliest:
                start = max(q.last[x] - s, 0)
                if start <= end:
                    q.load[start] += 1
                    if earliest - s <= end:
                        q.load[earliest - s] -= 1
            if earliest - s > end:
                break
        q.control[WORK] += x + 1 - first
    together = 0
    for t in range(end + 1):
        together += q.load[t]
        if together > q.h:
            return True
    return False


@jit_inline
def first_free(q: Search, pile: Int32s, hand: Int32s, held: int) -> int:
    """Return the first j so that hand[j] comes again before it could be played, or -1.

    Dropping that card then costs nothing.
    """
    j = 0
    while j < held:
        k = hand[j] // q.n
        u = k * q.n + pile[k]
        latest = np.int64(-1)  # when the last of the lower cards that are not in hand comes
        while j < held and hand[j] // q.n == k:
            q.control[WORK] += hand[j] - u + 1
            while u < hand[j]:
                latest = max(latest, np.int64(q.upcoming[u]))
                u += 1
            if latest > q.upcoming[hand[j]]:
                return j
            u += 1
            j += 1
    return -1


@jit_inline
def better_drop(q: Search, hand: Int32s, held: int, j: int) -> bool:
    """Whether a higher card of the same color comes again no later than hand[j]."""
    y = hand[j]
    for i in range(j + 1, held):
        q.control[WORK] += 1
        if hand[i] // q.n != y // q.n:
            break
        if q.upcoming[hand[i]] <= q.upcoming[y]:
            return True
    return False
