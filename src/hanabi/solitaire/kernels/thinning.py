"""Thinning a layer of the solitaire search: dominated states go, and all but the best few.

The work is cut into steps that stop when `control[LIMIT]` is reached and go on where they stopped;
each returns whether it is complete. Dominance is proven in `hanabi.solitaire.search_plain`.
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import jit_inline
from hanabi.solitaire.kernels import states as at
from hanabi.solitaire.kernels.states import Search, card_at, pile_of, unpack

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
    control, base = q.control, q.control[at.TOP]
    most = _most(q)
    while control[at.NEXT] < control[at.END]:
        if control[at.WORK] >= control[at.LIMIT]:
            return False
        index = control[at.NEXT]
        held = unpack(q.arena[index], q, q.pile, q.hand)
        control[at.WORK] += q.c + held
        score = np.int64(held)
        signature = np.uint64(0)
        for k in range(q.c):
            score += 2 * q.pile[k]
            played = min(np.int64(q.pile[k]), np.int64(64))  # more fill the signature again
            control[at.WORK] += played
            for x in range(k * q.n, k * q.n + played):
                signature |= np.uint64(1) << np.uint64(x & 63)
        for j in range(held):
            signature |= np.uint64(1) << np.uint64(q.hand[j] & 63)
        q.score[index - base] = score
        q.signature[index - base] = signature
        q.bucket[most - score] += 1
        control[at.NEXT] += 1
    return True


@jit_inline
def begin_ranking(q: Search) -> None:
    """Get ready for `rank`: from counts to places."""
    q.control[at.WORK] += 2 * _most(q)
    start = 0
    for i in range(_most(q) + 1):
        count = q.bucket[i]
        q.bucket[i] = start
        start += count


@jit_inline
def rank(q: Search) -> bool:
    """List the measured states in `order`, strongest first: the rest of a counting sort."""
    control, base = q.control, q.control[at.TOP]
    most = _most(q)
    while control[at.NEXT] < control[at.END]:
        if control[at.WORK] >= control[at.LIMIT]:
            return False
        control[at.WORK] += 1
        slot = most - q.score[control[at.NEXT] - base]
        q.order[q.bucket[slot]] = control[at.NEXT]
        q.bucket[slot] += 1
        control[at.NEXT] += 1
    return True


@jit_inline
def _dominates(q: Search, strong: int, weak: int) -> bool:
    """Whether `strong` has at least the piles of `weak`, and holds or has played all it holds."""
    a, b = q.arena[strong], q.arena[weak]
    for k in range(q.c):
        if pile_of(a, q, k) < pile_of(b, q, k):
            q.control[at.WORK] += k + 1
            return False
    q.control[at.WORK] += q.c
    i = 0
    for j in range(q.h):
        card = card_at(b, q, j)
        if card == 0:
            break
        q.control[at.WORK] += 1
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
    base = q.control[at.TOP]
    score, signature = q.score[index - base], q.signature[index - base]
    for j in range(min(kept, _STRONGER)):
        other = q.order[j]
        q.control[at.WORK] += 1
        if q.score[other - base] <= score:
            return False
        if signature & ~q.signature[other - base] == 0 and _dominates(q, other, index):
            return True
    return False


@jit_inline
def sift(q: Search, width: int) -> bool:
    """Mark the states that are dominated, and all behind the first `width`; NEXT is a rank."""
    control, base = q.control, q.control[at.TOP]
    size = control[at.END] - base
    while control[at.NEXT] < size:
        if control[at.WORK] >= control[at.LIMIT]:
            return False
        control[at.WORK] += 1
        index = q.order[control[at.NEXT]]
        if _is_dominated(q, index, control[at.KEPT]):
            q.score[index - base] = _DROPPED
        else:
            if control[at.KEPT] >= width:
                control[at.CUT] = 1
            q.order[control[at.KEPT]] = index
            control[at.KEPT] += 1
        control[at.NEXT] += 1
    for i in range(width, control[at.KEPT]):
        q.score[q.order[i] - base] = _DROPPED
    return True


@jit_inline
def close_ranks(q: Search) -> bool:
    """Move the rows that stay down in place, in arena order, so that runs are deterministic.

    END becomes the end of the layer when all is done; until then KEPT is, from TOP on.
    """
    control, base = q.control, q.control[at.TOP]
    while control[at.NEXT] < control[at.END]:
        if control[at.WORK] >= control[at.LIMIT]:
            return False
        index, end = control[at.NEXT], control[at.KEPT]
        control[at.WORK] += 1
        if q.score[index - base] != _DROPPED:
            control[at.WORK] += q.fields.words
            for w in range(q.fields.words):
                q.arena[end, w] = q.arena[index, w]
            q.parent[end] = q.parent[index]
            control[at.KEPT] += 1
        control[at.NEXT] += 1
    control[at.END] = control[at.KEPT]
    return True
