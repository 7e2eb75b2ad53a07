"""Reductions of the solitaire search: what may be dropped, and which states are lost.

Each is proven in `hanabi.solitaire.search_plain`, where it is stated in readable Python.
"""

from __future__ import annotations

import numpy as np

from hanabi.kernels import jit_inline
from hanabi.kernels.solitaire_states import CUT, STAMP, Int32s, Search, find, unpack

_STRONGER = 512  # a state is compared with at most this many stronger ones for dominance


@jit_inline
def is_out_of_reach(q: Search, pile: Int32s, hand: Int32s, held: int, x: int) -> bool:
    """Whether some lower card of x's color is gone for good (only when the target is not all)."""
    never = q.cards.shape[0]
    k = x // q.n
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
        total += value
    return total


@jit_inline
def is_doomed(q: Search, pile: Int32s, hand: Int32s, held: int, s: int) -> bool:
    """Whether more than h needed cards have to be in hand at one time (within the horizon).

    A needed card cannot be played before every lower card of its color that is not in hand has
    come; if no copy comes after that (or it is in hand and comes no more), it is held in between.
    """
    end = q.load.shape[0] - 1
    for t in range(end + 1):
        q.load[t] = 0
    q.control[STAMP] += 1
    stamp = q.control[STAMP]
    for j in range(held):
        q.mark[hand[j]] = stamp
    for k in range(q.c):
        earliest = np.int64(s)
        for x in range(k * q.n + pile[k], k * q.n + q.n):
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
    together = 0
    for t in range(end + 1):
        together += q.load[t]
        if together > q.h:
            return True
    return False


@jit_inline
def comes_before_use(q: Search, pile: Int32s, hand: Int32s, held: int, j: int) -> bool:
    """Whether hand[j] comes again before it could be played: dropping it then costs nothing."""
    y = hand[j]
    k = y // q.n
    for u in range(k * q.n + pile[k], y):
        if q.upcoming[u] > q.upcoming[y] and find(hand, held, u) < 0:
            return True
    return False


@jit_inline
def better_drop(q: Search, hand: Int32s, held: int, j: int) -> bool:
    """Whether a higher card of the same color comes again no later than hand[j]."""
    y = hand[j]
    for i in range(j + 1, held):
        if hand[i] // q.n != y // q.n:
            break
        if q.upcoming[hand[i]] <= q.upcoming[y]:
            return True
    return False


@jit_inline
def _measure(q: Search, base: int, top: int) -> None:
    """Score the layer's states and list them in `order`, strongest first (a counting sort)."""
    most = q.n * q.c * 2 + q.h + 1
    for i in range(most + 1):
        q.bucket[i] = 0
    for index in range(base, top):
        held = unpack(q.arena[index], q, q.pile, q.hand)
        score = np.int64(held)
        signature = np.uint64(0)
        for k in range(q.c):
            score += 2 * q.pile[k]
            for x in range(k * q.n, k * q.n + q.pile[k]):
                signature |= np.uint64(1) << np.uint64(x & 63)
        for j in range(held):
            signature |= np.uint64(1) << np.uint64(q.hand[j] & 63)
        q.score[index - base] = score
        q.signature[index - base] = signature
        q.bucket[most - score] += 1
    start = 0
    for i in range(most + 1):
        count = q.bucket[i]
        q.bucket[i] = start
        start += count
    for index in range(base, top):
        slot = most - q.score[index - base]
        q.order[q.bucket[slot]] = index
        q.bucket[slot] += 1


@jit_inline
def _dominates(q: Search, strong: int, weak: int) -> bool:
    """Whether `strong` has at least the piles of `weak`, and holds or has played all it holds."""
    held_strong = unpack(q.arena[strong], q, q.pile, q.hand)
    held_weak = unpack(q.arena[weak], q, q.saved_pile, q.saved_hand)
    for k in range(q.c):
        if q.pile[k] < q.saved_pile[k]:
            return False
    for j in range(held_weak):
        x = q.saved_hand[j]
        if x % q.n >= q.pile[x // q.n] and find(q.hand, held_strong, x) < 0:
            return False
    return True


@jit_inline
def thin(q: Search, base: int, top: int, width: int) -> int:
    """Drop dominated states of the new layer, cut it to `width`; return the new top."""
    _measure(q, base, top)
    size = top - base
    kept = 0
    for i in range(size):
        index = q.order[i]
        signature = q.signature[index - base]
        dominated = False
        for j in range(min(kept, _STRONGER)):
            other = q.order[j]
            if signature & ~q.signature[other - base] == 0 and _dominates(q, other, index):
                dominated = True
                break
        if not dominated:
            q.order[kept] = index
            kept += 1
    if kept > width:
        kept = width
        q.control[CUT] = 1
    if kept == size:
        return top
    # Arena order is kept, so that the rows can move down in place and runs stay deterministic.
    for i in range(size):
        q.score[i] = 0
    for i in range(kept):
        q.score[q.order[i] - base] = 1
    end = base
    for i in range(size):
        if q.score[i] == 1:
            for w in range(q.fields.words):
                q.arena[end, w] = q.arena[base + i, w]
            q.parent[end] = q.parent[base + i]
            end += 1
    return end
