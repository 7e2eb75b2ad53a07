"""From a layer of the solitaire search to the next, state by state and card by card to drop.

The work stops when `control[LIMIT]` is reached, and goes on where it stopped; each call that is
given any work gets at least one card further.
"""

from __future__ import annotations

from hanabi.compiled import jit_inline
from hanabi.solitaire.kernels.reductions import (
    better_drop,
    first_free,
    is_doomed,
    is_out_of_reach,
    reach,
)
from hanabi.solitaire.kernels.states import (
    BRANCHED,
    DROP,
    END,
    KEPT,
    LIMIT,
    NEXT,
    POSITION,
    START,
    STATES,
    TOP,
    WINNER,
    WORK,
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
def _append(q: Search, hand: Int32s, held: int) -> None:
    """Append the state with the piles of `pile` and this hand, unless the layer has it."""
    control = q.control
    control[WORK] += q.c + held + q.fields.words
    pack(q.arena[control[END]], q, q.pile, hand, held)
    control[END] = keep(q, control[TOP], control[END], control[NEXT])


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
    elif gone or is_doomed(q, pile, q.saved_hand, rest, q.control[POSITION]):
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
        q.control[WINNER] = q.control[END]
    return held


@jit_inline
def _expand(q: Search) -> bool:
    """Append the successors of state NEXT; return False if work ended before all are made."""
    control, pile, hand = q.control, q.pile, q.hand
    x = q.cards[control[POSITION]]
    k = x // q.n
    held = unpack(q.arena[control[NEXT]], q, pile, hand)
    control[WORK] += q.c + held
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
    while control[DROP] < held:
        if not better_drop(q, hand, held, control[DROP]):
            _drop(q, held, control[DROP])
        control[DROP] += 1
        if control[WORK] >= control[LIMIT] and control[DROP] < held:
            return False
    return True


@jit_inline
def expand_all(q: Search) -> bool:
    """Make the next layer from the states from START to TOP; stop at a winner."""
    control = q.control
    while control[NEXT] < control[TOP] and control[WINNER] < 0:
        if control[WORK] >= control[LIMIT]:
            return False
        if control[DROP] == 0:
            control[KEPT] = control[END]  # where this state's successors begin
        if not _expand(q):
            return False
        if control[END] > control[KEPT] + 1:
            control[BRANCHED] = 1
        control[DROP] = 0
        control[NEXT] += 1
    control[STATES] += control[NEXT] - control[START]
    return True


@jit_inline
def _changes(q: Search, index: int) -> bool:
    """Whether the card drawn changes state `index`."""
    x = q.cards[q.control[POSITION]]
    k = x // q.n
    row = q.arena[index]
    pile = pile_of(row, q, k)
    return bool(x - k * q.n == pile or (x - k * q.n > pile and not holds(row, q, x)))


@jit_inline
def look(q: Search) -> bool:
    """Look for a state that the card drawn changes; NEXT stops at it."""
    control = q.control
    while control[NEXT] < control[TOP]:
        if _changes(q, control[NEXT]):
            return True
        if control[WORK] >= control[LIMIT]:
            return False
        control[WORK] += 8
        control[NEXT] += 1
    return True
