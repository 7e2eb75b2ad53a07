"""Compiled loops of :mod:`hanabi.solitaire.unique`, for streams in which no card repeats.

Card (value, color) has index `color * n + value - 1`, so that a color's cards are neighbors. Stream
positions count from 1; a zero in `where` means that the card does not occur. Streams are handled a
stretch at a time, so that the caller can look at the clock.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit

__all__ = [
    "find_limits",
    "find_positions",
    "largest_thickness",
    "list_moves",
    "longest_shift",
    "mark_last_needed",
    "play_greedily",
    "play_what_fits",
    "tally_ends",
]

Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]

# The codes of hanabi.solitaire.play.Action; a kernel cannot import from the floor above it.
_STORE = 0
_PLAY = 2


@jit
def play_greedily(
    values: Int32s,
    colors: Int32s,
    first: int,
    stop: int,
    n: int,
    hand_size: int,
    seen: Int64s,
    piles: Int32s,
    tally: Int64s,
) -> int:
    """Store what cannot be played yet, play the rest; keep no card's position, only one bit.

    Parameters
    ----------
    values, colors
        The stream.
    first, stop
        The stretch of it to play, from 0, when all before it has been played.
    n
        Number of values.
    hand_size
        Nothing is refused: the hand may grow beyond it, and the answer says where it does.
    seen
        Bits, one a card, all zero; afterwards set for the cards that occur.
    piles
        Height of each color's pile, all zero; afterwards as greedy play leaves them.
    tally
        Four numbers, all zero; afterwards the cards held, the most cards held at once, position of
        the card that first makes them more than `hand_size` (0: never), number of cards stored.

    Returns
    -------
    int
        Position of the first card that occurred before (0: none; the rest is then void).
    """
    held, most_held, overflow, stored = tally[0], tally[1], tally[2], tally[3]
    for i in range(first, stop):
        value = np.int64(values[i])
        color = np.int64(colors[i])
        index = color * n + value - 1
        bit = np.int64(1) << (index & 63)
        if seen[index >> 6] & bit:
            return i + 1
        seen[index >> 6] |= bit
        if value == piles[color] + 1:
            end = (color + 1) * n
            index += 1
            # Everything met above the pile is in hand, so the bit of the next card is enough.
            while index < end and seen[index >> 6] & (np.int64(1) << (index & 63)):
                index += 1
                held -= 1
            piles[color] = index - color * n
        else:
            held += 1
            stored += 1
            if held > most_held:
                most_held = held
                if held == hand_size + 1:
                    overflow = i + 1
    tally[0], tally[1], tally[2], tally[3] = held, most_held, overflow, stored
    return 0


@jit
def find_positions(
    values: Int32s, colors: Int32s, first: int, stop: int, n: int, where: Int32s
) -> int:
    """Write the position of every card of a stretch into `where`, or stop at a repeated card.

    `where` is zero for cards that do not occur before the stretch. Returns the position of the
    first card that occurred before, or 0.
    """
    for i in range(first, stop):
        index = np.int64(colors[i]) * n + values[i] - 1
        if where[index] != 0:
            return i + 1
        where[index] = i + 1
    return 0


@jit
def tally_ends(where: Int32s, n: int, c: int, ends: Int32s) -> None:
    """Write into ``ends[j]`` (zero before) how many cards are needed in hand up to position j.

    These are the cards with f = j; they are neighbors in `where`, the first at position j itself.
    """
    for color in range(c):
        last = run = 0
        for index in range(color * n, (color + 1) * n):
            position = where[index]
            if position == 0:
                continue
            if position > last:
                ends[last] = run
                last = position
                run = 0
            run += 1
        ends[last] = run


@jit
def mark_last_needed(where: Int32s, n: int, c: int, last_needed: Int32s) -> None:
    """Write f of the card at position i into ``last_needed[i - 1]``."""
    for color in range(c):
        last = 0
        for index in range(color * n, (color + 1) * n):
            position = where[index]
            if position > last:
                last = position
            if position != 0:
                last_needed[position - 1] = last


@jit
def largest_thickness(ends: Int32s) -> int:
    """Return the most intervals (i, f] that any position meets."""
    open_now = thickest = 0
    for j in range(1, ends.size):
        open_now += 1 - ends[j]
        if open_now > thickest:
            thickest = open_now
    return thickest


@jit
def longest_shift(where: Int32s, n: int, c: int, ends: Int32s) -> int:
    """Return how many places sorting by (f, value) moves some card to the left, at most.

    A counting sort without its output: `ends` is overwritten with the number of smaller f.
    """
    before = 0
    for j in range(1, ends.size):
        count = ends[j]
        ends[j] = before
        before += count
    longest = 0
    for color in range(c):
        last = 0
        for index in range(color * n, (color + 1) * n):
            position = where[index]
            if position == 0:
                continue
            if position > last:
                last = position
            # Values ascend here, so equal f are ranked by value.
            ends[last] += 1
            shift = position - ends[last]
            if shift > longest:
                longest = shift
    return longest


@jit
def list_moves(
    values: Int32s,
    colors: Int32s,
    first: int,
    stop: int,
    n: int,
    where: Int32s,
    ends: Int32s,
    positions: Int32s,
    actions: Int8s,
    moves: int,
) -> int:
    """Write greedy play of a stretch of a stream in which every card occurs.

    `moves` is the number of moves before the stretch; returned is that after it.
    """
    for i in range(first, stop):
        count = ends[i + 1]
        positions[moves] = i + 1
        actions[moves] = _PLAY if count else _STORE
        moves += 1
        if count > 1:
            index = np.int64(colors[i]) * n + values[i] - 1
            for later in range(index + 1, index + count):
                positions[moves] = where[later]
                actions[moves] = _PLAY
                moves += 1
    return moves


@jit
def play_what_fits(
    values: Int32s,
    colors: Int32s,
    first: int,
    stop: int,
    n: int,
    c: int,
    hand_size: int,
    held: Int8s,
    limits: Int32s,
    piles: Int32s,
    tally: Int64s,
) -> None:
    """Bound the most cards that can be played; see `_Plain.bounds` of the plain module.

    `limits` are from `find_limits` at first. `held` (a flag a card) and `piles` (a number a color)
    are zero before the first stretch; `tally` has the number played, the number in hand, and the
    fewest cards that are lost (0: none yet).
    """
    lower, in_hand, lost = tally[0], tally[1], tally[2]
    for i in range(first, stop):
        value = np.int64(values[i])
        color = np.int64(colors[i])
        index = color * n + value - 1
        if value > limits[color]:
            continue
        if value == piles[color] + 1:
            lower += 1
            piles[color] += 1
            while piles[color] < limits[color] and held[index + 1]:
                index += 1
                held[index] = 0
                in_hand -= 1
                lower += 1
                piles[color] += 1
            continue
        held[index] = 1
        in_hand += 1
        if in_hand > hand_size:
            if lost == 0:
                lost = _least_loss(n, c, held, limits)
            top = color * n + limits[color] - 1
            while not held[top]:
                top -= 1
            held[top] = 0
            in_hand -= 1
            limits[color] = top - color * n
    tally[0], tally[1], tally[2] = lower, in_hand, lost


@jit
def find_limits(where: Int32s, n: int, c: int, limits: Int32s) -> int:
    """Write how far each color could be built (zero before); return the sum."""
    possible = 0
    for pile in range(c):
        while limits[pile] < n and where[pile * n + limits[pile]] != 0:
            limits[pile] += 1
        possible += limits[pile]
    return possible


@jit
def _least_loss(n: int, c: int, held: Int8s, limits: Int32s) -> int:
    """Return the fewest cards that are lost when one of the held cards is given up."""
    least = n
    for color in range(c):
        for loss in range(1, min(limits[color], least - 1) + 1):
            if held[color * n + limits[color] - loss]:
                least = loss
                break
    return least
