"""What a search over draws works with: frames, moves and a table of values.

The value of a position is a whole number: what its best play scores, summed over all orders of the
cards still to be drawn, copies told apart. Of a deck of n cards there are n! orders, all equally
likely. So values are exact, and an expectation is a value over n!.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import Words

DEPTH, IS_NEW, TRIED, VALUE, FILLED, MAY_GROW, GOAL, N_USED = range(8)
"""Words of `used`. DEPTH: the frame at work. IS_NEW: whether it is still to be looked at. TRIED:
positions expanded so far. VALUE: that of frame 0, once it is known. FILLED: rows of the table.
MAY_GROW: whether a full table ends a run; if not, what does not fit is forgotten. GOAL: the
value of an order is 1 if it scores so many points, else 0; or if this is `EXPECTATION`, its
score."""

EXPECTATION = 0

N_MOVES, MOVE, INDEX, FIRST, COPIES, SUM, LEFT, BEST, CHOICE, TOP, CEILING, KEY = range(12)
"""Words of a frame. MOVE: the number of the move at work. INDEX: where in the deck the card is
that it draws, which stands at the place FIRST meanwhile. COPIES: of it in the deck. SUM: the
move's value so far. LEFT: orders that it does not count yet. BEST: the best value of a move,
which is number CHOICE. TOP: no order has a greater value. CEILING: nor have all together. From
KEY on: the key in the table."""

DONE, PAUSED, FULL, ASKING = range(4)
"""Answers of a run: the value is known; the limit is reached; the table needs more rows; the
ceiling of the frame at work may be lowered before it goes on."""


class Search(NamedTuple):
    """A search from one position, which stands in `states[0]`.

    Attributes
    ----------
    rules
        The rule set.
    deck
        The cards; those still to be drawn in any order, and rearranged as the search goes on.
    is_plain
        Whether the reductions of `hanabi.draws` hold.
    dead
        For each card, the class of cards that it belongs to once it can never be played.
    orders
        n! for n up to the cards still to be drawn.
    states, frames, moves
        A row for each depth.
    classes, alive
        Classes of the cards of one position, hands first; the ranks to come of each color, as bits.
    keys, values
        The table; a value of -1 is an empty row. Their number is a power of two.
    used
        Counters, see `DEPTH`.
    """

    rules: Words
    deck: Words
    is_plain: bool
    dead: Words
    orders: Words
    states: Words
    frames: Words
    moves: Words
    classes: Words
    alive: Words
    keys: Words
    values: Words
    used: Words
