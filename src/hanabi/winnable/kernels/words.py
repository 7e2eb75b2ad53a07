"""Words, masks and the hash table shared by the kernels of `hanabi.winnable`.

A *type* is a card that may be needed: one bit of a mask. The ranks of a color take consecutive
bits, lowest rank first, followed by one guard bit that is always 0. Adding the mask of the lowest
ranks then carries through every unbroken run of low ranks at once, which gives the piles that a
set of cards can build, and the next card of every pile, in two operations.

`game` holds the constants below. Which types are in it depends on the goal: a card that the goal
does not need has type -1 in `deck` and is *trash* everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from hanabi.compiled import config, jit
from hanabi.compiled.bits import count_bits

__all__ = ["Deal", "Marks", "Stream", "Table", "Words"]

P = ParamSpec("P")
R = TypeVar("R")

Words = npt.NDArray[np.int64]
Marks = npt.NDArray[np.int8]
Stream = npt.NDArray[np.uint64]

# `game`: the constants of a deal and a goal.
CARDS, SEATS, HAND_SIZE, GOAL, MOST_HINTS, LAST_TURNS, BONUS = range(7)
FULL_DISCARD, EMPTY_HINTS, BOTTOMS, TOPS, NEEDED, GAME_WORDS = range(7, 13)
"""Deck size; seats; cards a hand; points wanted; hint tokens; turns after the last card is drawn
(`NO_LIMIT`: any number); completion bonus; discarding allowed at full hints; empty hints allowed;
masks of the lowest ranks, of the ranks that complete a color of the rules, and of all types."""

NO_LIMIT = 255


class Deal(NamedTuple):
    """A deal and a goal: constants, the type of every card, and the types from each card on."""

    game: Words  # (GAME_WORDS,)
    deck: Words  # (cards,)
    suffix: Words  # (cards + 1,): masks


class Table(NamedTuple):
    """A hash table of states; `used` counts its rows, and whatever else its owner counts."""

    keys: Words  # (a power of two, words a state)
    marks: Marks  # (the same power of two,)
    used: Words  # (3,)


LOST, WON, UNKNOWN = 0, 1, 2
"""Answers. UNKNOWN: a budget ended."""

EMPTY, MARKED_LOST, MARKED_WON, MARKED_UNKNOWN, REOPENED = range(5)
"""Marks of a table's rows: LOST, WON, UNKNOWN plus one. A state being searched is marked lost: it
cannot be its own descendant, and is marked again when its search does not end with "lost".
REOPENED: undecided by an earlier search, to be searched again."""


@jit
def index_of(bit: int) -> int:
    """Return the index of the only bit of `bit`."""
    return count_bits(bit - 1)


@jit
def bit_of(kind: int) -> int:
    """Return the mask of one type, 0 for trash."""
    if kind < 0:
        return 0
    return int(np.int64(1) << kind)


@jit
def buildable(mask: int, bottoms: int) -> int:
    """Return the types of `mask` that can be on the piles if nothing else is ever played."""
    return mask & ~(mask + bottoms)


@jit
def next_types(piles: int, bottoms: int, needed: int) -> int:
    """Return the next type of every pile, for `piles` as a mask of played types."""
    return (piles + bottoms) & needed


def _wrapping(function: Callable[P, R]) -> Callable[P, R]:
    """Silence NumPy about arithmetic modulo 2**64 where the kernels run as plain Python."""
    return np.errstate(over="ignore")(function) if config.DISABLE_JIT else function


@_wrapping
@jit
def find_row(table: Table, row: Words) -> int:
    """Return where the first words of `row` are in the table, or the empty row for them.

    One row of the table must be empty.
    """
    width = table.keys.shape[1]
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(width):
        h ^= np.uint64(row[w])
        h *= np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    last = table.marks.shape[0] - 1
    slot = np.int64(h >> np.uint64(1)) & last
    while table.marks[slot] != EMPTY:
        same = True
        for w in range(width):
            if table.keys[slot, w] != row[w]:
                same = False
                break
        if same:
            return int(slot)
        slot = (slot + 1) & last
    return int(slot)


@jit
def enter(table: Table, row: Words) -> int:
    """Return the answer known for a state; or mark its row lost, and return -1 - row.

    UNKNOWN if there is no row and the table is full (three quarters).
    """
    slot = find_row(table, row)
    if table.marks[slot] == REOPENED:
        table.marks[slot] = MARKED_LOST
        return -1 - slot
    if table.marks[slot] != EMPTY:
        return int(table.marks[slot] - MARKED_LOST)
    if table.used[0] * 4 >= table.marks.shape[0] * 3:
        return UNKNOWN
    table.used[0] += 1
    for w in range(table.keys.shape[1]):
        table.keys[slot, w] = row[w]
    table.marks[slot] = MARKED_LOST
    return -1 - slot
