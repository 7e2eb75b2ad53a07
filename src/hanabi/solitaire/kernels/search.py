"""Layer-by-layer search over the states of Solitaire Hanabi, compiled.

`hanabi.solitaire.search_plain` states the same search in readable Python and proves its
reductions; this module only makes it fast. A layer is the set of states after a card of the
stream. N, the length of the stream, stands for "never" where a position is asked for.

One state can take a millisecond (ten thousand cards, hundreds in hand) and one layer minutes. So
all work is counted in elementary steps, and a search pauses within a layer, even within a state,
when its share is done; `control` has what it needs to go on.

The hash table of the current layer is never cleared: an entry that does not point at a state of
this layer that points back at it is stale, and counts as empty.
"""

from __future__ import annotations

from hanabi.ground.compiled import jit, jit_inline
from hanabi.solitaire.kernels import expansion as thinning
from hanabi.solitaire.kernels import states as at
from hanabi.solitaire.kernels.expansion import expand_all, is_doomed, look, reach
from hanabi.solitaire.kernels.states import Bools, Int8s, Int32s, Search, holds, pile_of, unpack

# What `advance` returns.
PAUSED, WON, EXHAUSTED, FULL = 0, 1, 2, 3

# What is being done, in this order for every card of the stream: draw it, look whether it changes
# anything, expand all states, thin the new layer in four steps, take it as the current one.
NEW, DRAW, LOOK, EXPAND, MEASURE, RANK, SIFT, CLOSE_RANKS, TAKE = range(9)


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
    for i in range(at.N_CONTROLS):
        q.control[i] = 0
    q.control[at.TOP] = 1
    q.control[at.LAYERS] = 1
    q.control[at.WINNER] = -1
    q.control[at.STOP] = total
    q.layer_start[0] = 0
    q.layer_position[0] = -1


@jit_inline
def _is_lost(q: Search) -> bool:
    """Whether the target is out of reach from the start."""
    held = unpack(q.arena[0], q, q.pile, q.hand)
    if q.target < q.n * q.c:
        return reach(q, q.pile, q.hand, held) < q.target
    for x in range(q.last.shape[0]):
        if q.last[x] < 0:
            return True
    return is_doomed(q, q.pile, q.hand, held, 0)


@jit_inline
def _enter(q: Search, phase: int, first: int) -> None:
    q.control[at.PHASE] = phase
    q.control[at.NEXT] = first


@jit_inline
def _take(q: Search) -> None:
    """Make the new layer the current one."""
    control = q.control
    control[at.START], control[at.TOP] = control[at.TOP], control[at.END]
    q.layer_start[control[at.LAYERS]] = control[at.START]
    q.layer_position[control[at.LAYERS]] = control[at.POSITION]
    control[at.LAYERS] += 1
    control[at.POSITION] += 1
    _enter(q, DRAW, 0)


@jit_inline
def _draw(q: Search) -> None:
    x = q.cards[q.control[at.POSITION]]
    q.upcoming[x] = q.following[q.control[at.POSITION]]
    q.control[at.WORK] += 1
    _enter(q, LOOK, q.control[at.START])


@jit_inline
def _start_layer(q: Search) -> bool:
    """Get ready to expand, unless no state changes; return whether the arena has room."""
    control = q.control
    base, size = control[at.TOP], control[at.TOP] - control[at.START]
    if control[at.NEXT] == base:
        control[at.POSITION] += 1
        _enter(q, DRAW, 0)
    elif base + size * (q.h + 1) >= q.arena.shape[0]:
        q.upcoming[q.cards[control[at.POSITION]]] = control[at.POSITION]
        _enter(q, DRAW, 0)
        return False
    else:
        control[at.END] = base
        control[at.BRANCHED] = control[at.DROP] = 0
        _enter(q, EXPAND, control[at.START])
    return True


@jit_inline
def _thin(q: Search, width: int) -> bool:
    """Thin the layer that has been made, step by step."""
    control = q.control
    if control[at.PHASE] == MEASURE:
        if not thinning.measure(q):
            return False
        _enter(q, RANK, control[at.TOP])
        thinning.begin_ranking(q)
    if control[at.PHASE] == RANK:
        if not thinning.rank(q):
            return False
        control[at.KEPT] = 0
        _enter(q, SIFT, 0)
    if control[at.PHASE] == SIFT:
        if not thinning.sift(q, width):
            return False
        _enter(q, CLOSE_RANKS, control[at.TOP])
        control[at.KEPT] = control[at.TOP]
    return thinning.close_ranks(q)


@jit
def advance(q: Search, width: int, work: int) -> int:
    """Search on until a verdict, a full arena, the position STOP, or `work` steps more.

    Returns WON (`control[WINNER]` is the state), EXHAUSTED (no line exists, unless
    `control[CUT]`), FULL (the next layer may not fit the arena) or PAUSED; the last two resume.
    """
    control = q.control
    control[at.LIMIT] = control[at.WORK] + work
    if control[at.PHASE] == NEW:
        if q.target <= 0:
            control[at.WINNER] = 0
            return WON
        if _is_lost(q):
            return EXHAUSTED
        _enter(q, DRAW, 0)
    while True:
        if control[at.PHASE] == DRAW:
            if control[at.START] == control[at.TOP] or control[at.POSITION] == q.cards.shape[0]:
                return EXHAUSTED
            if control[at.POSITION] == control[at.STOP]:
                return PAUSED
            _draw(q)
        if control[at.PHASE] == LOOK:
            if not look(q):
                return PAUSED
            if not _start_layer(q):
                return FULL
            if control[at.PHASE] == DRAW:
                continue
        if control[at.PHASE] == EXPAND:
            if not expand_all(q):
                return PAUSED
            size = control[at.END] - control[at.TOP]
            thinned = control[at.WINNER] < 0 and (control[at.BRANCHED] == 1 or size > width)
            if size > 1 and thinned:
                _enter(q, MEASURE, control[at.TOP])
                thinning.begin_measuring(q)
            else:
                _enter(q, TAKE, control[at.TOP])
        if control[at.PHASE] != TAKE and not _thin(q, width):
            return PAUSED
        _take(q)
        if control[at.WINNER] >= 0:
            return WON


@jit
def trace(q: Search, index: int, chosen: Bools, awaited: Int32s) -> int:
    """Walk from state `index` back to the first layer of the arena, marking the cards it plays.

    `chosen[i]` is set when the copy at position i gets onto a pile. `awaited[x]` carries, between
    calls on earlier and earlier stretches, whether card x is in hand at the stretch's end and will
    be played (1), so that the copy stored last before is the one to mark. Returns the index of the
    state's ancestor in the arena's first layer.
    """
    layer = q.control[at.LAYERS] - 1
    while layer > 0 and q.layer_start[layer] > index:
        layer -= 1
    while layer > 0:
        s = q.layer_position[layer]
        x = q.cards[s]
        k = x // q.n
        before = q.parent[index]
        now, then = q.arena[index], q.arena[before]
        pile_before, pile_after = pile_of(then, q, k), pile_of(now, q, k)
        if pile_after > pile_before:
            chosen[s] = True
            for y in range(k * q.n + pile_before + 1, k * q.n + pile_after):
                awaited[y] = 1
        elif awaited[x] == 1 and holds(now, q, x) and not holds(then, q, x):
            chosen[s] = True
            awaited[x] = 0
        index = before
        layer -= 1
    return index


@jit
def decide_many(
    q: Search, streams: Int32s, first: int, resumed: bool, width: int, work: int, outcomes: Int8s
) -> int:
    """Search the rows of `streams` from `first` on with the memory of `q`.

    Writes what `advance` returned; a cut refutation is written as FULL: both leave the question
    open. Returns the number of rows done when about `work` steps are: all of them, or the row to go
    on with, which is `resumed`.
    """
    for i in range(first, streams.shape[0]):
        if i > first or not resumed:
            for s in range(streams.shape[1]):
                q.cards[s] = streams[i, s]
            begin(q)
            work -= streams.shape[1] + q.last.shape[0]
        before = q.control[at.WORK]
        outcome = advance(q, width, max(work, 0))
        work -= q.control[at.WORK] - before
        if outcome == PAUSED:
            return i
        if outcome == EXHAUSTED and q.control[at.CUT] == 1:
            outcome = FULL
        outcomes[i] = outcome
    return int(streams.shape[0])
