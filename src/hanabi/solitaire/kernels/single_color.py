"""Compiled loops of :mod:`hanabi.solitaire.single_color`.

Stream positions count from 1; 0 stands for "none". Sets of positions are bits in int64 words.
Streams are handled a stretch at a time, so that the caller can look at the clock.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit

__all__ = ["link_copies", "list_moves", "mark_last_playable"]

Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]

# The codes of hanabi.solitaire.play.Action; a kernel cannot import from the floor above it.
_STORE = 0
_DISCARD = 1
_PLAY = 2


@jit
def link_copies(values: Int32s, first: int, stop: int, last: Int32s, previous: Int32s) -> None:
    """Write the last position of every value, and the previous copy of the card at each position.

    Values of `last.size` and more are passed over. Both arrays are all zero before the first
    stretch; entry 0 of each stays zero.
    """
    for i in range(first, stop):
        value = values[i]
        if value < last.size:
            previous[i + 1] = last[value]
            last[value] = i + 1


@jit
def _is_marked(bits: Int64s, position: np.int64) -> bool:
    return bool(bits[position >> 6] & (np.int64(1) << (position & 63)))


@jit
def mark_last_playable(
    last: Int32s,
    previous: Int32s,
    first: int,
    stop: int,
    n: int,
    hand_size: int,
    marks: Int64s,
    chosen: Int32s,
    largest: int,
) -> tuple[int, int]:
    """Filter the values first, first - 1, ..., stop + 1, after those from n down to first + 1.

    Parameters
    ----------
    last, previous
        From :func:`link_copies`.
    first, stop
        The stretch of values.
    n, hand_size
        Number of values and size of the hand.
    marks
        Bits, one a position from 0, all zero; afterwards set for the last playable copies.
    chosen
        All zero; afterwards the last playable position of every value down to the answer.
    largest
        0 for the first stretch, then what the one before returned: the largest position looked at.

    Returns
    -------
    tuple
        0 or the value that has no playable copy; `largest` for the next stretch.

    Notes
    -----
    The paper keeps the smallest h + 1 last playable positions in a heap, but looks at the largest
    alone, and it only ever falls: to the next smaller position that is marked. A finger that walks
    down the marks does the same in O(N + n) altogether, whatever h.
    """
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


@jit
def list_moves(
    values: Int32s,
    first: int,
    stop: int,
    n: int,
    marks: Int64s,
    chosen: Int32s,
    positions: Int32s,
    actions: Int8s,
    moves: int,
    pile: int,
) -> tuple[int, int]:
    """Write the lazy play that uses the chosen copies alone, for a stretch of the stream.

    `moves` and `pile` are the number of moves and the height of the pile before the stretch;
    returned are those after it.
    """
    for position in range(first + 1, stop + 1):
        if pile == n:
            break
        positions[moves] = position
        if not _is_marked(marks, np.int64(position)):
            actions[moves] = _DISCARD
            moves += 1
        elif values[position - 1] != pile + 1:
            actions[moves] = _STORE
            moves += 1
        else:
            actions[moves] = _PLAY
            moves += 1
            pile += 1
            while pile < n and chosen[pile + 1] < position:
                pile += 1
                positions[moves] = chosen[pile]
                actions[moves] = _PLAY
                moves += 1
    return moves, pile
