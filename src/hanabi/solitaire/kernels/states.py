"""Packed states of Solitaire Hanabi, and the arena of layers that holds them.

A state is a row of 63-bit words: the c piles in fields of `pile_bits`, then the cards in hand,
sorted, in fields of `card_bits` (card + 1; 0 is empty). A card is `color * n + value - 1`.
Layers stand one after another in `arena`; `parent` gives each state's predecessor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import jit_inline

# Indices into `Search.control`, which survives between calls.
POSITION = 0  # next position of the stream, 0-based
START = 1  # the current layer is arena[START:TOP]
TOP = 2
STATES = 3  # states expanded so far
LAYERS = 4  # layers recorded in layer_start and layer_position
CUT = 5  # 1 once a layer was cut to its best `width` states: a refutation is then no proof
WINNER = 6  # arena index of a state that reached the target, -1 if none has
STAMP = 7
STOP = 8  # position of the stream at which to pause in any case
WORK = 9  # elementary steps done so far, roughly: words touched
LIMIT = 10  # pause when WORK reaches this
PHASE = 11  # what is being done to the layer
NEXT = 12  # how far that has come: the index of the state, or of its rank, to look at next
DROP = 13  # in the state being expanded: the card in hand to try to drop next
END = 14  # the layer in the making is arena[TOP:END]
BRANCHED = 15  # 1 if some state of the current layer has more than one successor
KEPT = 16  # states of the layer in the making that are to stay
N_CONTROLS = 17

Bools = npt.NDArray[np.bool_]
Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


class Fields(NamedTuple):
    """Where the fields of a packed row lie."""

    pile_bits: int
    piles_per_word: int
    offset: int  # first word of the hand
    card_bits: int
    cards_per_word: int
    words: int


class Search(NamedTuple):
    """One search: the problem and all its working memory."""

    cards: Int32s  # the stream, shape (N,)
    n: int
    c: int
    h: int
    target: int  # cards to be played in all
    fields: Fields
    following: Int32s  # (N,): next position of the same card, N if none
    upcoming: Int32s  # (n c,): next position of each card, from the current layer on
    last: Int32s  # (n c,): last position of each card, -1 if none
    arena: Int64s  # (capacity, words): the layers' packed states
    parent: Int32s  # (capacity,): arena index of the predecessor
    table: Int32s  # (a power of two,): hash table of the current layer
    layer_start: Int64s  # (N + 1,): first arena index of each recorded layer
    layer_position: Int64s  # (N + 1,): position of the card that made it
    control: Int64s  # (N_CONTROLS,)
    pile: Int32s  # (c,), and the rest of the scratch space
    hand: Int32s  # (h + 1,)
    saved_hand: Int32s
    mark: Int64s  # (n c,): stamp of the last call in which the card was in hand
    load: Int64s  # difference array over the positions ahead
    bucket: Int64s  # counters of the sort by score
    order: Int64s  # (most states a layer can have before it is thinned,): while the layer is
    # made, the table slot of each state; then the states, strongest first
    score: Int64s
    signature: npt.NDArray[np.uint64]


@jit_inline
def unpack(row: Int64s, q: Search, pile: Int32s, hand: Int32s) -> int:
    """Write a packed row into `pile` and `hand`; return the number of cards in hand."""
    f = q.fields
    mask = (np.int64(1) << f.pile_bits) - 1
    for k in range(q.c):
        pile[k] = (row[k // f.piles_per_word] >> (k % f.piles_per_word * f.pile_bits)) & mask
    mask = (np.int64(1) << f.card_bits) - 1
    for j in range(q.h):
        word = row[f.offset + j // f.cards_per_word]
        card = (word >> (j % f.cards_per_word * f.card_bits)) & mask
        if card == 0:
            return j
        hand[j] = card - 1
    return q.h


@jit_inline
def pile_of(row: Int64s, q: Search, k: int) -> int:
    """Return the height of pile k."""
    f = q.fields
    mask = (np.int64(1) << f.pile_bits) - 1
    return int((row[k // f.piles_per_word] >> (k % f.piles_per_word * f.pile_bits)) & mask)


@jit_inline
def card_at(row: Int64s, q: Search, j: int) -> int:
    """Return card + 1 for the j-th card in hand, 0 if there are fewer."""
    f = q.fields
    word = row[f.offset + j // f.cards_per_word]
    return int((word >> (j % f.cards_per_word * f.card_bits)) & ((np.int64(1) << f.card_bits) - 1))


@jit_inline
def holds(row: Int64s, q: Search, x: int) -> bool:
    """Whether card x is in hand."""
    low, high = 0, q.h
    while low < high:
        middle = (low + high) >> 1
        card = card_at(row, q, middle)
        if card == 0 or card > x:  # at x or above
            high = middle
        else:
            low = middle + 1
    return low < q.h and card_at(row, q, low) == x + 1


@jit_inline
def pack(row: Int64s, q: Search, pile: Int32s, hand: Int32s, held: int) -> None:
    """Write piles and hand into a row."""
    f = q.fields
    for w in range(f.words):
        row[w] = 0
    for k in range(q.c):
        row[k // f.piles_per_word] |= np.int64(pile[k]) << (k % f.piles_per_word * f.pile_bits)
    for j in range(held):
        card = np.int64(hand[j] + 1)
        row[f.offset + j // f.cards_per_word] |= card << (j % f.cards_per_word * f.card_bits)


@jit_inline
def keep(q: Search, base: int, top: int, origin: int) -> int:
    """Keep the row just written at arena[top], unless the layer from `base` has it; return top."""
    words = q.fields.words
    # Products stay below 2**62, so plain Python computes the same without a warning.
    h = 0x3779B97F
    for w in range(words):
        word = q.arena[top, w]
        h = (h ^ (word & 0x7FFFFFFF)) * 0x2C9277B5
        h = (h ^ h >> 31) & 0x7FFFFFFF
        h = (h ^ (word >> 31)) * 0x2C9277B5
        h = (h ^ h >> 31) & 0x7FFFFFFF
    mask = q.table.shape[0] - 1
    slot = (h ^ h >> 15) & mask
    while True:
        other = q.table[slot]
        if other < base or other >= top or q.order[other - base] != slot:
            q.table[slot] = top
            q.order[top - base] = slot
            q.parent[top] = origin
            return top + 1
        same = True
        for w in range(words):
            if q.arena[other, w] != q.arena[top, w]:
                same = False
                break
        if same:
            return top
        slot = (slot + 1) & mask


@jit_inline
def find(hand: Int32s, held: int, x: int) -> int:
    """Return the index of card x in the sorted hand, or -1."""
    low, high = 0, held
    while low < high:
        middle = (low + high) >> 1
        if hand[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low if low < held and hand[low] == x else -1


@jit_inline
def remove(hand: Int32s, held: int, j: int) -> int:
    """Take hand[j] out; return the number of cards left."""
    for i in range(j, held - 1):
        hand[i] = hand[i + 1]
    return held - 1


@jit_inline
def insert(hand: Int32s, held: int, x: int) -> int:
    """Put card x into the sorted hand; return the number of cards."""
    j = held
    while j > 0 and hand[j - 1] > x:
        hand[j] = hand[j - 1]
        j -= 1
    hand[j] = x
    return held + 1
