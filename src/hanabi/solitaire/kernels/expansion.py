"""From a layer of the solitaire search to the next, state by state and card by card to drop.

What may be dropped, and which states are lost, is stated in readable Python and proven in
`hanabi.solitaire.search_plain`. The work stops when `control[LIMIT]` is reached, and goes on where
it stopped; each call that is given any work gets at least one card further.
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import jit_inline
from hanabi.solitaire.kernels import states as at
from hanabi.solitaire.kernels.states import (
    Int32s,
    Search,
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
