"""Layer-by-layer search over the states of Solitaire Hanabi, compiled.

`hanabi.solitaire.search_plain` states the same search in readable Python and proves its
reductions; this module only makes it fast. A layer is the set of states after a card of the
stream. N, the length of the stream, stands for "never" where a position is asked for.

The hash table of the current layer is never cleared between layers: an entry that points below
the layer's start, or past its end, is stale and counts as empty.
"""

from __future__ import annotations

from hanabi.kernels import jit, jit_inline
from hanabi.kernels.solitaire_reductions import (
    better_drop,
    comes_before_use,
    is_doomed,
    is_out_of_reach,
    reach,
    thin,
)
from hanabi.kernels.solitaire_states import (
    CUT,
    LAYERS,
    N_CONTROLS,
    POSITION,
    START,
    STATES,
    TOP,
    WINNER,
    Bools,
    Int8s,
    Int32s,
    Search,
    find,
    insert,
    keep,
    pack,
    pile_of,
    remove,
    unpack,
    unpack_hand,
)

# What `advance` returns.
PAUSED, WON, EXHAUSTED, FULL = 0, 1, 2, 3


@jit
def begin(q: Search) -> None:
    """Fill the occurrence arrays and make layer 0: empty piles, empty hand.

    `following[i]`: next position of the card at i; `upcoming[x]`: next position of card x;
    `last[x]`: its last position, -1 if it has none.
    """
    total = q.cards.shape[0]
    for x in range(q.upcoming.shape[0]):
        q.upcoming[x] = total
        q.last[x] = -1
        q.mark[x] = 0
    for i in range(total - 1, -1, -1):
        x = q.cards[i]
        q.following[i] = q.upcoming[x]
        q.upcoming[x] = i
        if q.last[x] < 0:
            q.last[x] = i
    for w in range(q.fields.words):
        q.arena[0, w] = 0
    q.parent[0] = -1
    for i in range(q.table.shape[0]):
        q.table[i] = -1
    for i in range(N_CONTROLS):
        q.control[i] = 0
    q.control[TOP] = 1
    q.control[LAYERS] = 1
    q.layer_start[0] = 0
    q.layer_position[0] = -1


@jit_inline
def _drop(q: Search, held: int, j: int, s: int, base: int, top: int, origin: int) -> int:
    """Append the state without hand[j], if it can still reach the target; return the new top."""
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
            return top
    elif gone or is_doomed(q, pile, q.saved_hand, rest, s):
        return top
    pack(q.arena[top], q, pile, q.saved_hand, rest)
    return keep(q, base, top, origin)


@jit_inline
def _expand(q: Search, index: int, s: int, base: int, top: int) -> int:
    """Append the successors of state `index` after the card at position s; return the new top."""
    x = q.cards[s]
    k, n = x // q.n, q.n
    pile, hand = q.pile, q.hand
    held = unpack(q.arena[index], q, pile, hand)
    if x - k * n == pile[k]:
        pile[k] += 1
        while pile[k] < n:
            j = find(hand, held, k * n + pile[k])
            if j < 0:
                break
            held = remove(hand, held, j)
            pile[k] += 1
    elif (
        x - k * n > pile[k]
        and find(hand, held, x) < 0
        and not (q.target < n * q.c and is_out_of_reach(q, pile, hand, held, x))
    ):
        held = insert(hand, held, x)
    if held <= q.h:
        pack(q.arena[top], q, pile, hand, held)
        return keep(q, base, top, index)

    for j in range(held):
        if comes_before_use(q, pile, hand, held, j):
            return _drop(q, held, j, s, base, top, index)
    for j in range(held):
        if not better_drop(q, hand, held, j):
            top = _drop(q, held, j, s, base, top, index)
    return top


@jit_inline
def _changes(q: Search, s: int) -> bool:
    """Whether the card at position s changes any state of the current layer."""
    x = q.cards[s]
    k = x // q.n
    for index in range(q.control[START], q.control[TOP]):
        row = q.arena[index]
        pile = pile_of(row, q, k)
        if x - k * q.n == pile:
            return True
        if x - k * q.n > pile:
            held = unpack_hand(row, q, q.hand)
            if find(q.hand, held, x) < 0:
                return True
    return False


@jit_inline
def _winner(q: Search, base: int, top: int) -> int:
    for index in range(base, top):
        total = 0
        for k in range(q.c):
            total += pile_of(q.arena[index], q, k)
        if total >= q.target:
            return index
    return -1


@jit
def advance(q: Search, width: int, pause_at: int) -> int:
    """Search on until a verdict, a full arena, or `pause_at` states in all.

    Returns WON (`control[WINNER]` is the state), EXHAUSTED (no line exists, unless
    `control[CUT]`), FULL (the next layer may not fit the arena) or PAUSED; the last two resume.
    """
    control = q.control
    total = q.cards.shape[0]
    if control[POSITION] == 0:
        if q.target <= 0:
            return WON
        held = unpack(q.arena[0], q, q.pile, q.hand)
        for x in range(q.upcoming.shape[0]):
            if q.target == q.n * q.c and q.last[x] < 0:
                return EXHAUSTED
        if q.target < q.n * q.c:
            if reach(q, q.pile, q.hand, held) < q.target:
                return EXHAUSTED
        elif is_doomed(q, q.pile, q.hand, held, 0):
            return EXHAUSTED
    while control[POSITION] < total:
        s = control[POSITION]
        first, base = control[START], control[TOP]
        if base == first:
            return EXHAUSTED
        x = q.cards[s]
        q.upcoming[x] = q.following[s]
        if _changes(q, s):
            if base + (base - first) * (q.h + 1) >= q.arena.shape[0]:
                q.upcoming[x] = s
                return FULL
            top = base
            branched = False
            for index in range(first, base):
                before = top
                top = _expand(q, index, s, base, top)
                branched = branched or top > before + 1
            control[STATES] += base - first
            if top - base > 1 and (branched or top - base > width):
                top = thin(q, base, top, width)
            control[START], control[TOP] = base, top
            q.layer_start[control[LAYERS]] = base
            q.layer_position[control[LAYERS]] = s
            control[LAYERS] += 1
            control[POSITION] = s + 1
            winner = _winner(q, base, top)
            if winner >= 0:
                control[WINNER] = winner
                return WON
        else:
            control[POSITION] = s + 1
        if control[STATES] >= pause_at:
            return PAUSED
    return EXHAUSTED


@jit
def trace(q: Search, index: int, chosen: Bools, awaited: Int32s) -> int:
    """Walk from state `index` back to the first layer of the arena, marking the cards it plays.

    `chosen[i]` is set when the copy at position i gets onto a pile. `awaited[x]` carries, between
    calls on earlier and earlier stretches, whether card x is in hand at the stretch's end and will
    be played (1), so that the copy stored last before is the one to mark. Returns the index of the
    state's ancestor in the arena's first layer.
    """
    layer = q.control[LAYERS] - 1
    while layer > 0 and q.layer_start[layer] > index:
        layer -= 1
    while layer > 0:
        s = q.layer_position[layer]
        x = q.cards[s]
        k = x // q.n
        before = q.parent[index]
        held_before = unpack(q.arena[before], q, q.pile, q.hand)
        held_after = unpack(q.arena[index], q, q.saved_pile, q.saved_hand)
        if q.saved_pile[k] > q.pile[k]:
            chosen[s] = True
            for y in range(k * q.n + q.pile[k] + 1, k * q.n + q.saved_pile[k]):
                awaited[y] = 1
        elif (
            awaited[x] == 1
            and find(q.saved_hand, held_after, x) >= 0
            and find(q.hand, held_before, x) < 0
        ):
            chosen[s] = True
            awaited[x] = 0
        index = before
        layer -= 1
    return index


@jit
def decide_many(q: Search, streams: Int32s, width: int, outcomes: Int8s) -> None:
    """Search every row of `streams` with the memory of `q`; write what `advance` returned.

    A cut refutation is written as FULL: both leave the question open.
    """
    for i in range(streams.shape[0]):
        for s in range(streams.shape[1]):
            q.cards[s] = streams[i, s]
        begin(q)
        outcome = advance(q, width, 1 << 62)
        if outcome == EXHAUSTED and q.control[CUT] == 1:
            outcome = FULL
        outcomes[i] = outcome
