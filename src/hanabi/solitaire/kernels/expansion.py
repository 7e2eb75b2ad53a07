"""From a layer of the solitaire search to the next, state by state and card by card to drop.

What may be dropped, and which states are lost, is stated in readable Python and proven in
`hanabi.solitaire.search_plain`. The work stops when `control[LIMIT]` is reached, and goes on where
it stopped; each call that is given any work gets at least one card further.
"""

from __future__ import annotations

import numpy as np

from hanabi.ground.compiled import jit_inline
from hanabi.solitaire.kernels import states as at
from hanabi.solitaire.kernels.states import (
    Int32s,
    Search,
    card_at,
    find,
    holds,
    insert,
    keep,
    pack,
    pile_of,
    remove,
    unpack,
)


@jit_inline
def is_out_of_reach(q: Search, pile: Int32s, hand: Int32s, held: int, x: int) -> bool:
    """Whether some lower card of x's color is gone for good (only when the target is not all)."""
    never = q.cards.shape[0]
    k = x // q.n
    q.control[at.WORK] += x - k * q.n - pile[k]
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
        q.control[at.WORK] += value + 1 - pile[k]
        total += value
    return total


@jit_inline
def is_doomed(q: Search, pile: Int32s, hand: Int32s, held: int, s: int) -> bool:
    """Whether more than h needed cards have to be in hand at one time (within the horizon).

    A needed card cannot be played before every lower card of its color that is not in hand has
    come; if no copy comes after that (or it is in hand and comes no more), it is held in between.
    """
    end = q.load.shape[0] - 1
    q.control[at.WORK] += 2 * end + held
    for t in range(end + 1):
        q.load[t] = 0
    q.control[at.STAMP] += 1
    stamp = q.control[at.STAMP]
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
        q.control[at.WORK] += x + 1 - first
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
            q.control[at.WORK] += hand[j] - u + 1
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
        q.control[at.WORK] += 1
        if hand[i] // q.n != y // q.n:
            break
        if q.upcoming[hand[i]] <= q.upcoming[y]:
            return True
    return False


@jit_inline
def _append(q: Search, hand: Int32s, held: int) -> None:
    """Append the state with the piles of `pile` and this hand, unless the layer has it."""
    control = q.control
    control[at.WORK] += q.c + held + q.fields.words
    pack(q.arena[control[at.END]], q, q.pile, hand, held)
    control[at.END] = keep(q, control[at.TOP], control[at.END], control[at.NEXT])


@jit_inline
def _drop(q: Search, held: int, j: int) -> None:
    """Append the state without hand[j], if it can still reach the target."""
    pile, hand = q.pile, q.hand
    never = q.cards.shape[0]
    y = hand[j]
    gone = q.upcoming[y] == never
    rest = 0
    for i in range(held):
        # When the last copy goes, so does everything above it.
        if i != j and not (gone and hand[i] > y and hand[i] // q.n == y // q.n):
            q.saved_hand[rest] = hand[i]
            rest += 1
    if q.target < q.n * q.c:
        if gone and reach(q, pile, q.saved_hand, rest) < q.target:
            return
    elif gone or is_doomed(q, pile, q.saved_hand, rest, q.control[at.POSITION]):
        return
    _append(q, q.saved_hand, rest)


@jit_inline
def _play(q: Search, held: int, k: int) -> int:
    """Play the card drawn and all that follows it in hand; return the number of cards held."""
    pile, hand = q.pile, q.hand
    pile[k] += 1
    while pile[k] < q.n:
        j = find(hand, held, k * q.n + pile[k])
        if j < 0:
            break
        held = remove(hand, held, j)
        pile[k] += 1
    total = 0
    for color in range(q.c):
        total += pile[color]
    if total >= q.target:
        q.control[at.WINNER] = q.control[at.END]
    return held


@jit_inline
def _expand(q: Search) -> bool:
    """Append the successors of state NEXT; return False if work ended before all are made."""
    control, pile, hand = q.control, q.pile, q.hand
    x = q.cards[control[at.POSITION]]
    k = x // q.n
    held = unpack(q.arena[control[at.NEXT]], q, pile, hand)
    control[at.WORK] += q.c + held
    if x - k * q.n == pile[k]:
        held = _play(q, held, k)
    elif (
        x - k * q.n > pile[k]
        and find(hand, held, x) < 0
        and not (q.target < q.n * q.c and is_out_of_reach(q, pile, hand, held, x))
    ):
        held = insert(hand, held, x)
    if held <= q.h:
        _append(q, hand, held)
        return True

    free = first_free(q, pile, hand, held)
    if free >= 0:
        _drop(q, held, free)
        return True
    while control[at.DROP] < held:
        if not better_drop(q, hand, held, control[at.DROP]):
            _drop(q, held, control[at.DROP])
        control[at.DROP] += 1
        if control[at.WORK] >= control[at.LIMIT] and control[at.DROP] < held:
            return False
    return True


@jit_inline
def expand_all(q: Search) -> bool:
    """Make the next layer from the states from START to TOP; stop at a winner."""
    control = q.control
    while control[at.NEXT] < control[at.TOP] and control[at.WINNER] < 0:
        if control[at.WORK] >= control[at.LIMIT]:
            return False
        if control[at.DROP] == 0:
            control[at.KEPT] = control[at.END]  # where this state's successors begin
        if not _expand(q):
            return False
        if control[at.END] > control[at.KEPT] + 1:
            control[at.BRANCHED] = 1
        control[at.DROP] = 0
        control[at.NEXT] += 1
    control[at.STATES] += control[at.NEXT] - control[at.START]
    return True


@jit_inline
def _changes(q: Search, index: int) -> bool:
    """Whether the card drawn changes state `index`."""
    x = q.cards[q.control[at.POSITION]]
    k = x // q.n
    row = q.arena[index]
    pile = pile_of(row, q, k)
    return bool(x - k * q.n == pile or (x - k * q.n > pile and not holds(row, q, x)))


@jit_inline
def look(q: Search) -> bool:
    """Look for a state that the card drawn changes; NEXT stops at it."""
    control = q.control
    while control[at.NEXT] < control[at.TOP]:
        if _changes(q, control[at.NEXT]):
            return True
        if control[at.WORK] >= control[at.LIMIT]:
            return False
        control[at.WORK] += 8
        control[at.NEXT] += 1
    return True


# Thinning a layer of the solitaire search: dominated states go, and all but the best few.
#
# The work is cut into steps that stop when `control[LIMIT]` is reached and go on where they
# stopped; each returns whether it is complete. Dominance is proven in
# `hanabi.solitaire.search_plain`.

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
