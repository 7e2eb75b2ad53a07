"""Compiled loops of the linear-time solvers: `unique`, `single_color` and `forced`.

Card (value, color) has index `color * n + value - 1`, so that a color's cards are neighbors. Stream
positions count from 1, and 0 stands for "none". Streams are handled a stretch at a time, from
`first` to before `stop` counted from 0, so that the caller can look at the clock. Loops take the
columns out of a record first: in a loop each look into it would count a reference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.compiled import jit
from hanabi.solitaire.kernels.states import Int8s, Int32s, Int64s

__all__ = [
    "Choice",
    "Columns",
    "Copies",
    "Line",
    "choose_copies",
    "count_plays",
    "find_limits",
    "find_positions",
    "link_copies",
    "list_chosen_moves",
    "list_greedy_moves",
    "mark_last_playable",
    "play_greedily",
    "play_what_fits",
]

# The codes of hanabi.solitaire.play.DrawAction; a kernel cannot import from the floor above it.
_STORE = 0
_DISCARD = 1
_PLAY = 2


class Columns(NamedTuple):
    """An instance, as columns."""

    values: Int32s
    colors: Int32s
    n: int
    c: int
    hand_size: int


class Line(NamedTuple):
    """The moves of a play."""

    positions: Int32s
    actions: Int8s


class Choice(NamedTuple):
    """The copies that a play uses."""

    marks: Int64s  # bits, one a position from 0
    chosen: Int32s  # the position of each card, at color * n + value


class Copies(NamedTuple):
    """The copies of the values of one color; entry 0 of the columns over values is unused."""

    last: Int32s  # last position of each value
    previous: Int32s  # position of the copy before the one at each position
    marks: Int64s  # bits, one a position from 0: the last playable copies
    chosen: Int32s  # the last playable position of each value


@jit
def _is_marked(bits: Int64s, position: np.int64) -> bool:
    return bool(bits[position >> 6] & (np.int64(1) << (position & 63)))


@jit
def count_plays(where: Int32s, n: int, c: int, plays: Int32s) -> None:
    """Write how many cards are played when each position's is drawn (zero before), if all occur.

    The cards played together are neighbors in `where`; it is the first that is drawn then.
    """
    for color in range(c):
        last = run = 0
        for index in range(color * n, (color + 1) * n):
            position = where[index]
            if position > last:
                plays[last] = run
                last = position
                run = 0
            run += 1
        plays[last] = run


@jit
def list_greedy_moves(
    columns: Columns, first: int, stop: int, where: Int32s, plays: Int32s, line: Line, moves: int
) -> int:
    """Write greedy play of a stretch of a stream in which every card occurs.

    `moves` is the number of moves before the stretch; returned is that after it.
    """
    values, colors, n = columns.values, columns.colors, columns.n
    positions, actions = line.positions, line.actions
    for i in range(first, stop):
        count = plays[i + 1]
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
def list_chosen_moves(
    columns: Columns, first: int, stop: int, choice: Choice, line: Line, moves: int, piles: Int32s
) -> int:
    """Write the play that uses the chosen copies alone, for a stretch of a stream that it wins.

    `moves` is the number of moves before the stretch; returned is that after it. `piles` are the
    heights before the stretch, and then those after it.
    """
    values, colors, n = columns.values, columns.colors, columns.n
    marks, chosen = choice.marks, choice.chosen
    positions, actions = line.positions, line.actions
    for position in range(first + 1, stop + 1):
        positions[moves] = position
        if not _is_marked(marks, np.int64(position)):
            actions[moves] = _DISCARD
            moves += 1
            continue
        color, value = np.int64(colors[position - 1]), np.int64(values[position - 1])
        if value != piles[color] + 1:
            actions[moves] = _STORE
            moves += 1
            continue
        actions[moves] = _PLAY
        moves += 1
        card = color * n
        while value < n and chosen[card + value + 1] < position:
            value += 1
            positions[moves] = chosen[card + value]
            actions[moves] = _PLAY
            moves += 1
        piles[color] = value
    return moves


@jit
def choose_copies(columns: Columns, first: int, stop: int, piles: Int32s, chosen: Int32s) -> None:
    """Write the copies of a stream in which there is no choice; zero before the first stretch.

    A card is played when it is drawn if it fits; of n <= 2 values, the last copy of 2 is held if
    none follows the first 1.
    """
    values, colors, n = columns.values, columns.colors, columns.n
    may_hold = n <= 2
    for i in range(first, stop):
        color, value = np.int64(colors[i]), np.int64(values[i])
        pile = piles[color]
        if value == pile + 1:
            piles[color] = value
            chosen[color * n + value] = i + 1
        elif may_hold and pile == 0:
            chosen[color * n + value] = i + 1


@jit
def play_greedily(
    columns: Columns, first: int, stop: int, seen: Int64s, piles: Int32s, tally: Int64s
) -> int:
    """Store what cannot be played yet, play the rest; keep no card's position, only one bit.

    Nothing is refused: the hand may grow beyond its size. All arrays are zero before the first
    stretch. Afterwards `seen` has a bit for each card that occurs, `piles` each color's height, and
    `tally` the cards held, the most held at once, the position of the card that first makes them
    more than the hand size (0: never), and the number of cards stored.

    Returns the position of the first card that occurred before (0: none; the rest is then void).
    """
    values, colors, n, hand_size = columns.values, columns.colors, columns.n, columns.hand_size
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
def find_positions(columns: Columns, first: int, stop: int, where: Int32s) -> int:
    """Write the position of every card of a stretch into `where`, or stop at a repeated card.

    `where` is zero for cards that do not occur before the stretch. Returns the position of the
    first card that occurred before, or 0.
    """
    values, colors, n = columns.values, columns.colors, columns.n
    for i in range(first, stop):
        index = np.int64(colors[i]) * n + values[i] - 1
        if where[index] != 0:
            return i + 1
        where[index] = i + 1
    return 0


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
def play_what_fits(
    columns: Columns,
    first: int,
    stop: int,
    held: Int8s,
    limits: Int32s,
    piles: Int32s,
    tally: Int64s,
) -> None:
    """Bound the most cards that can be played; see `PlainGreedy.bounds`.

    `limits` are from `find_limits` at first. `held` (a flag a card) and `piles` (a number a color)
    are zero before the first stretch; `tally` has the number played, the number in hand, and the
    fewest cards that are lost (0: none yet).
    """
    values, colors, n, hand_size = columns.values, columns.colors, columns.n, columns.hand_size
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
                lost = _least_loss(columns, held, limits)
            top = color * n + limits[color] - 1
            while not held[top]:
                top -= 1
            held[top] = 0
            in_hand -= 1
            limits[color] = top - color * n
    tally[0], tally[1], tally[2] = lower, in_hand, lost


@jit
def _least_loss(columns: Columns, held: Int8s, limits: Int32s) -> int:
    """Return the fewest cards that are lost when one of the held cards is given up."""
    least = columns.n
    for color in range(columns.c):
        for loss in range(1, min(limits[color], least - 1) + 1):
            if held[color * columns.n + limits[color] - loss]:
                least = loss
                break
    return least


@jit
def link_copies(columns: Columns, first: int, stop: int, copies: Copies) -> None:
    """Write `last` and `previous`, zero before the first stretch; larger values are passed over."""
    values, last, previous = columns.values, copies.last, copies.previous
    for i in range(first, stop):
        value = values[i]
        if value < last.size:
            previous[i + 1] = last[value]
            last[value] = i + 1


@jit
def mark_last_playable(
    copies: Copies, first: int, stop: int, n: int, hand_size: int, largest: int
) -> tuple[int, int]:
    """Filter the values first, first - 1, ..., stop + 1, after those from n down to first + 1.

    Writes `marks` and `chosen`, which are zero before. `largest` is the largest position looked at:
    0 for the first stretch, then what the one before returned after 0 or the value that has no
    playable copy.

    The paper keeps the smallest h + 1 last playable positions in a heap, but looks at the largest
    alone, and it only ever falls: to the next smaller position that is marked. A finger that walks
    down the marks does the same in O(N + n) altogether, whatever h.
    """
    last, previous, marks, chosen = copies
    finger = np.int64(largest)
    for value in range(first, stop, -1):
        position = np.int64(last[value])
        if value < n - hand_size:
            while position > finger:
                position = np.int64(previous[position])
        if position == 0:
            return value, int(finger)
        chosen[value] = position
        marks[position >> 6] |= np.int64(1) << (position & 63)
        if value >= n - hand_size:
            if position > finger:
                finger = position
            continue
        finger -= 1
        while not _is_marked(marks, finger):
            # Where a word has no mark below the finger, leave it at once.
            below = ~(np.int64(-1) << (finger & 63))
            if marks[finger >> 6] & below == 0:
                finger = finger >> 6 << 6
            finger -= 1
    return 0, int(finger)
