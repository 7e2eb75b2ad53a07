"""Thinning a layer of the solitaire search: dominated states go, and all but the best few.

The work is cut into steps that stop when `control[LIMIT]` is reached and go on where they stopped;
each returns whether it is complete. Dominance is proven in `hanabi.solitaire.search_plain`.
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import jit_inline
from hanabi.solitaire.kernels.states import (
    CUT,
    END,
    KEPT,
    LIMIT,
    NEXT,
    TOP,
    WORK,
    Search,
    card_at,
    pile_of,
    unpack,
)

_STRONGER = 512  # a state is compared with at most this many stronger ones for dominance
_DROPPED = -1  # in place of the score of a state that goes


@jit_inline
def _most(q: Search) -> int:
    """Return a bound on the score: two a card played, one a card in hand."""
    return int(q.n * q.c * 2 + q.h + 1)


@jit_inline
def begin_measuring(q: Search) -> None:
    """Get ready for `measure`."""
    for i in range(_most(q) + 1):
        q.bucket[i] = 0


@jit_inline
def measure(q: Search) -> bool:
    """Score the states from TOP to END, and tally the scores."""
    control, base = q.control, q.control[TOP]
    most = _most(q)
    while control[NEXT] < control[END]:
        if control[WORK] >= control[LIMIT]:
            return False
        index = control[NEXT]
        held = unpack(q.arena[index], q, q.pile, q.hand)
        control[WORK] += q.c + held
        score = np.int64(held)
        signature = np.uint64(0)
        for k in range(q.c):
            score += 2 * q.pile[k]
            played = min(np.int64(q.pile[k]), np.int64(64))  # more fill the signature again
            control[WORK] += played
            for x in range(k * q.n, k * q.n + played):
                signature |= np.uint64(1) << np.uint64(x & 63)
        for j in range(held):
            signature |= np.uint64(1) << np.uint64(q.hand[j] & 63)
        q.score[index - base] = score
        q.signature[index - base] = signature
        q.bucket[most - score] += 1
        control[NEXT] += 1
    return True


@jit_inline
def begin_ranking(q: Search) -> None:
    """Get ready for `rank`: from counts to places."""
    q.control[WORK] += 2 * _most(q)
    start = 0
    for i in range(_most(q) + 1):
        count = q.bucket[i]
        q.bucket[i] = start
        start += count


@jit_inline
def rank(q: Search) -> bool:
    """List the measured states in `order`, strongest first: the rest of a counting sort."""
    control, base = q.control, q.control[TOP]
    most = _most(q)
    while control[NEXT] < control[END]:
        if control[WORK] >= control[LIMIT]:
            return False
        control[WORK] += 1
        slot = most - q.score[control[NEXT] - base]
        q.order[q.bucket[slot]] = control[NEXT]
        q.bucket[slot] += 1
        control[NEXT] += 1
    return True


@jit_inline
def _dominates(q: Search, strong: int, weak: int) -> bool:
    """Whether `strong` has at least the piles of `weak`, and holds or has played all it holds."""
    a, b = q.arena[strong], q.arena[weak]
    for k in range(q.c):
        if pile_of(a, q, k) < pile_of(b, q, k):
            q.control[WORK] += k + 1
            return False
    q.control[WORK] += q.c
    i = 0
    for j in range(q.h):
        card = card_at(b, q, j)
        if card == 0:
            break
        q.control[WORK] += 1
        if (card - 1) % q.n < pile_of(a, q, (card - 1) // q.n):
            continue
        while i < q.h and 0 < card_at(a, q, i) < card:
            i += 1
        if i == q.h or card_at(a, q, i) != card:
            return False
    return True


@jit_inline
def _is_dominated(q: Search, index: int, kept: int) -> bool:
    """Whether one of the first `kept` states of `order` dominates state `index`.

    Every card that the stronger state has played and the weaker holds raises the score, so of two
    different states only one with a higher score can dominate.
    """
    base = q.control[TOP]
    score, signature = q.score[index - base], q.signature[index - base]
    for j in range(min(kept, _STRONGER)):
        other = q.order[j]
        q.control[WORK] += 1
        if q.score[other - base] <= score:
            return False
        if signature & ~q.signature[other - base] == 0 and _dominates(q, other, index):
            return True
    return False


@jit_inline
def sift(q: Search, width: int) -> bool:
    """Mark the states that are dominated, and all behind the first `width`; NEXT is a rank."""
    control, base = q.control, q.control[TOP]
    size = control[END] - base
    while control[NEXT] < size:
        if control[WORK] >= control[LIMIT]:
            return False
        control[WORK] += 1
        index = q.order[control[NEXT]]
        if _is_dominated(q, index, control[KEPT]):
            q.score[index - base] = _DROPPED
        else:
            if control[KEPT] >= width:
                control[CUT] = 1
            q.order[control[KEPT]] = index
            control[KEPT] += 1
        control[NEXT] += 1
    for i in range(width, control[KEPT]):
        q.score[q.order[i] - base] = _DROPPED
    return True


@jit_inline
def close_ranks(q: Search) -> bool:
    """Move the rows that stay down in place, in arena order, so that runs are deterministic.

    END becomes the end of the layer when all is done; until then KEPT is, from TOP on.
    """
    control, base = q.control, q.control[TOP]
    while control[NEXT] < control[END]:
        if control[WORK] >= control[LIMIT]:
            return False
        index, end = control[NEXT], control[KEPT]
        control[WORK] += 1
        if q.score[index - base] != _DROPPED:
            control[WORK] += q.fields.words
            for w in range(q.fields.words):
                q.arena[end, w] = q.arena[index, w]
            q.parent[end] = q.parent[index]
            control[KEPT] += 1
        control[NEXT] += 1
    control[END] = control[KEPT]
    return True
