"""Solitaire Hanabi in one color, for long streams: arrays and compiled loops.

The same algorithm as in :mod:`hanabi.solitaire.single_color`, which states it, without the heap.
Streams are handled a stretch at a time, with a look at the clock between two.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hanabi.clock import Clock, loading
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.kernels import single_color as kernel
from hanabi.solitaire.play import Play

__all__ = ["Compiled"]

_STRETCH = 2**20  # cards or values between two looks at the clock
_NO_CARDS = Instance(0, ()).values  # read-only, as every stream is


class Compiled:
    """The same for long streams, over arrays: see the kernels."""

    def __init__(self, values: memoryview, n: int, clock: Clock) -> None:
        _load()
        self.values = np.asarray(values)
        self.n = n
        self.clock = clock
        self.last = np.zeros(n + 1, dtype=np.intc)
        self.previous = np.zeros(len(values) + 1, dtype=np.intc)
        self.marks = np.zeros(len(values) // 64 + 1, dtype=np.int64)
        self.chosen = self.last
        for first, stop in self._stretches():
            kernel.link_copies(self.values, first, stop, self.last, self.previous)

    def _stretches(self) -> Iterator[tuple[int, int]]:
        """Yield the stream's stretches (first, stop), and look at the clock before each."""
        for first in range(0, len(self.values), _STRETCH):
            self.clock.check()
            yield first, min(first + _STRETCH, len(self.values))

    def first_missing(self) -> int:
        """Return the smallest value that never occurs, or 0."""
        missing = self.last[1:] == 0
        return int(missing.argmax()) + 1 if missing.any() else 0

    def filter(self, n: int, hand_size: int) -> int:
        """Find the last playable indices of n, n-1, ..., 1; return 0 or the value without one."""
        self.chosen = np.zeros(n + 1, dtype=np.intc)
        self.marks.fill(0)
        lost = largest = 0
        for first in range(n, 0, -_STRETCH):
            self.clock.check()
            lost, largest = kernel.mark_last_playable(
                self.last,
                self.previous,
                first,
                max(first - _STRETCH, 0),
                n,
                hand_size,
                self.marks,
                self.chosen,
                largest,
            )
            if lost:
                break
        return int(lost)

    def playable(self) -> memoryview:
        """Return the last playable indices."""
        return self.chosen[1:].data.toreadonly()

    def witnesses(self, value: int, count: int) -> tuple[int, ...]:
        """Return at most `count` larger values that are in hand when `value` first comes."""
        first = (self.values == value).argmax() + 1
        larger = np.flatnonzero(self.chosen[value + 1 :] < first) + value + 1
        return tuple(larger[-count:].tolist())

    def play(self) -> Play:
        """Return the lazy play of a stream that can be won."""
        positions = np.empty(len(self.values) + self.n, dtype=np.intc)
        actions = np.empty(len(positions), dtype=np.int8)
        moves = pile = 0
        for first, stop in self._stretches():
            moves, pile = kernel.list_moves(
                self.values,
                first,
                stop,
                self.n,
                self.marks,
                self.chosen,
                positions,
                actions,
                moves,
                pile,
            )
        return Play.from_arrays(positions[:moves], actions[:moves])


def _load() -> None:
    """Load what solving calls, on a stream of no cards."""
    cards = np.asarray(_NO_CARDS)
    none, bits = np.zeros(1, dtype=np.intc), np.zeros(1, dtype=np.int64)
    with loading():
        kernel.link_copies(cards, 0, 0, none, none)
        kernel.mark_last_playable(none, none, 0, 0, 0, 0, bits, none, 0)
        kernel.list_moves(cards, 0, 0, 0, bits, none, none, np.zeros(1, dtype=np.int8), 0, 0)
