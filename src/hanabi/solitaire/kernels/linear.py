"""Loops of the linear-time solvers: `unique`, `single_color`, `few_values` and `eager`.

They are plain Python, and import neither NumPy nor Numba. Short streams run them as they are, over
lists; :mod:`hanabi.solitaire.kernels.fast` has them compiled, over arrays, for long streams.

Card (value, color) has index `color * n + value - 1`, so that a color's cards are neighbors. Stream
positions count from 1, and 0 stands for "none". Sets are bits of words of 32 bits. Streams are
handled a stretch at a time, from `first` to before `stop` counted from 0, so that the caller can
look at the clock. Loops take the columns out of a record first: in compiled code, each look into it
would count a reference.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, NamedTuple

__all__ = [
    "Columns",
    "Copies",
    "Line",
    "choose_copies",
    "find_last_needed",
    "find_limits",
    "find_positions",
    "first_zero",
    "last_mark",
    "link_copies",
    "list_moves",
    "list_open",
    "list_witnesses",
    "mark_chosen",
    "mark_last_playable",
    "most_left",
    "most_open",
    "open_and_close",
    "play_greedily",
    "play_what_fits",
]

# The codes of hanabi.solitaire.play.DrawAction; a kernel cannot import from the floor above it.
_STORE = 0
_DISCARD = 1
_PLAY = 2

Ints = MutableSequence[int]


class Columns(NamedTuple):
    """An instance, as columns."""

    values: Any  # integers, in a list or an array
    colors: Any
    n: int
    hand_size: int


class Line(NamedTuple):
    """The moves of a play, and what is needed to write them; `held` and `piles` are zero before."""

    positions: Ints
    actions: Ints
    wanted: Ints  # flags, one a position from 0: whether its card is to be played
    held: Ints  # of each card: the position of its copy in hand, or where it was
    piles: Ints  # the height of each color


class Copies(NamedTuple):
    """The copies of the values of one color."""

    last: Ints  # last position of each value; entry 0 is unused
    previous: Ints  # position of the copy before the one at each position


# For all of them: the play of given copies.


def first_zero(numbers: Ints, start: int) -> int:
    """Return the index of the first 0 from an index on, or -1."""
    for index in range(start, len(numbers)):
        if numbers[index] == 0:
            return index
    return -1


def mark_chosen(chosen: Ints, wanted: Ints) -> None:
    """Mark the positions that are in `chosen`, where 0 is none."""
    for position in chosen:
        wanted[position] = 1


def list_moves(columns: Columns, first: int, stop: int, line: Line, moves: int) -> int:
    """Write the play that takes exactly the wanted cards, as early as possible, for a stretch.

    `moves` is the number of moves before the stretch; returned is that after it.
    """
    values, colors, n = columns.values, columns.colors, columns.n
    positions, actions = line.positions, line.actions
    wanted, held, piles = line.wanted, line.held, line.piles
    for i in range(first, stop):
        positions[moves] = i + 1
        if not wanted[i + 1]:
            actions[moves] = _DISCARD
            moves += 1
            continue
        color, value = colors[i], values[i]
        index = color * n + value - 1
        if value != piles[color] + 1:
            actions[moves] = _STORE
            held[index] = i + 1
            moves += 1
            continue
        actions[moves] = _PLAY
        moves += 1
        while value < n:
            index += 1
            above = held[index]
            if above == 0:
                break
            value += 1
            positions[moves] = above
            actions[moves] = _PLAY
            moves += 1
        piles[color] = value
    return moves


# No card repeats.


def play_greedily(
    columns: Columns, first: int, stop: int, seen: Ints, piles: Ints, tally: Ints
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
        value, color = values[i], colors[i]
        index = color * n + value - 1
        bit = 1 << (index & 31)
        bits = seen[index >> 5]
        if bits & bit:
            return i + 1
        seen[index >> 5] = bits | bit
        if value == piles[color] + 1:
            end = (color + 1) * n
            index += 1
            # Everything met above the pile is in hand, so the bit of the next card is enough.
            while index < end and seen[index >> 5] & (1 << (index & 31)):
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


def find_positions(columns: Columns, first: int, stop: int, where: Ints) -> int:
    """Write the position of every card of a stretch into `where`, or stop at a repeated card.

    `where` is zero for cards that do not occur before the stretch. Returns the position of the
    first card that occurred before, or 0.
    """
    values, colors, n = columns.values, columns.colors, columns.n
    for i in range(first, stop):
        index = colors[i] * n + values[i] - 1
        if where[index] != 0:
            return i + 1
        where[index] = i + 1
    return 0


def find_limits(columns: Columns, seen: Ints, limits: Ints) -> int:
    """Write how far each color could be built (zero before); return the sum."""
    n, possible = columns.n, 0
    for color in columns.colors:
        if limits[color] == 0:
            first = index = color * n
            while index < first + n and seen[index >> 5] & (1 << (index & 31)):
                index += 1
            limits[color] = index - first
            possible += index - first
    return possible


def play_what_fits(
    columns: Columns, first: int, stop: int, held: Ints, limits: Ints, piles: Ints, tally: Ints
) -> None:
    """Bound the most cards that can be played.

    Only cards with all smaller values of their color present can be played. While they fit, all
    are. When greedy play first holds h + 1 of them, one and all above it in its color must be given
    up: that bounds from above. Giving up the largest held card of the color just drawn, whenever
    this happens, is a legal play: that bounds from below.

    `limits` are from `find_limits` at first. `held` (a flag a card) and `piles` (a number a color)
    are zero before the first stretch; `tally` has the number played, the number in hand, and the
    fewest cards that are lost (0: none yet).
    """
    values, colors, n, hand_size = columns.values, columns.colors, columns.n, columns.hand_size
    lower, in_hand, lost = tally[0], tally[1], tally[2]
    for i in range(first, stop):
        value, color = values[i], colors[i]
        limit, height = limits[color], piles[color]
        if value > limit:
            continue
        index = color * n + value - 1
        if value == height + 1:
            height += 1
            while height < limit and held[index + 1]:
                index += 1
                held[index] = 0
                height += 1
            lower += height - value + 1
            in_hand -= height - value
            piles[color] = height
            continue
        held[index] = 1
        in_hand += 1
        if in_hand > hand_size:
            if lost == 0:
                lost = _least_loss(columns, i + 1, held, limits)
            top = color * n + limit - 1
            while not held[top]:
                top -= 1
            held[top] = 0
            in_hand -= 1
            limits[color] = top - color * n
    tally[0], tally[1], tally[2] = lower, in_hand, lost


def _least_loss(columns: Columns, stop: int, held: Ints, limits: Ints) -> int:
    """Return the fewest cards that are lost when one of the held cards is given up."""
    values, colors, n = columns.values, columns.colors, columns.n
    least = n
    for i in range(stop):
        value, color = values[i], colors[i]
        if limits[color] - value + 1 < least and held[color * n + value - 1]:
            least = limits[color] - value + 1
    return least


def find_last_needed(where: Ints, cards: Sequence[int], n: int, needed: Ints) -> None:
    """Write f of every position; `cards` are the indices of all cards that occur, ascending."""
    end = last = 0
    for index in cards:
        position = where[index]
        if index >= end:
            end = (index // n + 1) * n
            last = position
        elif position > last:
            last = position
        needed[position - 1] = last


def most_left(where: Ints, cards: Sequence[int], needed: Ints, place: Ints) -> tuple[int, int]:
    """Return the most intervals that meet any position, and the farthest move to the left.

    `place` is zero before. It counts the cards by their f; then it is where the next card of an f
    goes when they are sorted by f. Those of equal f are neighbors, by value.
    """
    for last in needed:
        place[last] += 1
    thickness = held = sorted_before = 0
    for position in range(1, len(place)):
        ended = place[position]
        place[position] = sorted_before
        sorted_before += ended
        held += 1 - ended
        if held > thickness:
            thickness = held
    farthest = 0
    for index in cards:
        position = where[index]
        last = needed[position - 1]
        if position - 1 - place[last] > farthest:
            farthest = position - 1 - place[last]
        place[last] += 1
    return thickness, farthest


# One color.


def link_copies(columns: Columns, first: int, stop: int, copies: Copies) -> None:
    """Write the copies, zero before the first stretch; skips values above n."""
    values, n, last, previous = columns.values, columns.n, copies.last, copies.previous
    for i in range(first, stop):
        value = values[i]
        if value <= n:
            previous[i + 1] = last[value]
            last[value] = i + 1


def mark_last_playable(
    copies: Copies, first: int, stop: int, free: int, marks: bytearray, chosen: Ints, largest: int
) -> tuple[int, int]:
    """Filter the values first, first - 1, ..., stop + 1, after those from n down to first + 1.

    Values from `free` = n - h on have no useless copy. The last playable position of each value is
    written to `chosen`, and `marks` has a flag for each of them, a position from 0, zero before.
    `largest` is the largest position looked at: 0 for the first stretch, then what the one
    before returned after 0 or the value that has no playable copy.

    The paper keeps the smallest h + 1 last playable positions in a heap, but looks at the largest
    alone, and it only ever falls: to the next smaller position that is marked. A finger that walks
    down the marks does the same in O(N + n) altogether, whatever h.
    """
    last, previous = copies
    finger = largest
    for value in range(first, stop, -1):
        position = last[value]
        if value < free:
            while position > finger:
                position = previous[position]
        if position == 0:
            return value, finger
        chosen[value] = position
        marks[position] = 1
        if value >= free:
            if position > finger:
                finger = position
        else:
            finger = last_mark(marks, finger)
    return 0, finger


def last_mark(marks: bytearray, stop: int) -> int:
    """Return the position of the last mark before one; `fast` has another form of this loop."""
    return marks.rfind(1, 0, stop)


def list_witnesses(copies: Copies, chosen: Ints, value: int, found: Ints) -> int:
    """Write larger values in hand when `value` first comes, from the largest; return how many."""
    first = copies.last[value]
    while copies.previous[first]:
        first = copies.previous[first]
    n_found = 0
    for larger in range(len(chosen) - 1, value, -1):
        if n_found == len(found):
            break
        if chosen[larger] < first:
            found[n_found] = larger
            n_found += 1
    return n_found


# No choice: two values, or no hand.


def choose_copies(columns: Columns, first: int, stop: int, piles: Ints, chosen: Ints) -> None:
    """Write the copies of a stream in which there is no choice; zero before the first stretch.

    A card is played when it is drawn if it fits; of n <= 2 values, the last copy of 2 is held if
    none follows the first 1.
    """
    values, colors, n = columns.values, columns.colors, columns.n
    may_hold = n <= 2
    for i in range(first, stop):
        color, value = colors[i], values[i]
        pile = piles[color]
        if value == pile + 1:
            piles[color] = value
            chosen[color * n + value - 1] = i + 1
        elif may_hold and pile == 0:
            chosen[color * n + value - 1] = i + 1


def open_and_close(chosen: Ints, change: Ints) -> int:
    """Write where windows of two values open (1) and close (-1), and return how many there are."""
    n_windows = 0
    for index in range(1, len(chosen), 2):
        opens, closes = chosen[index], chosen[index - 1]
        if opens < closes:  # at one position only one window opens, and none closes
            change[opens] = 1
            change[closes] = -1
            n_windows += 1
    return n_windows


def most_open(change: Ints) -> tuple[int, int]:
    """Return the most windows that are open at once, and after which card they are first."""
    most = n_open = position = 0
    for i in range(len(change)):
        n_open += change[i]
        if n_open > most:
            most, position = n_open, i
    return most, position


def list_open(chosen: Ints, position: int, found: Ints) -> int:
    """Write colors whose windows are open after a position, ascending; return how many."""
    n_found = 0
    for index in range(1, len(chosen), 2):
        if n_found == len(found):
            break
        if chosen[index] <= position < chosen[index - 1]:
            found[n_found] = index // 2
            n_found += 1
    return n_found
