"""The two linear-time solvers for long streams: arrays and compiled loops.

The same algorithms as in `unique_plain` and `single_color`, which state them. Streams are handled a
stretch at a time, with a look at the clock between two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hanabi.cards import Card
from hanabi.clock import Clock
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.kernels import linear as kernel
from hanabi.solitaire.play import Play
from hanabi.solitaire.unique_plain import Greedy, refuse

__all__ = ["CompiledGreedy", "CompiledLazy"]

_STRETCH = 2**20  # cards or values between two looks at the clock

Ints = npt.NDArray[np.int32]


class _LongStream:
    """A stream of which the values 1..n count."""

    def __init__(self, instance: Instance, n: int, clock: Clock) -> None:
        self.n = n
        self.clock = clock
        values, colors = np.asarray(instance.values), np.asarray(instance.colors)
        self.columns = kernel.Columns(values, colors, n, instance.c, instance.hand_size)

    def _stretches(self, stop: int) -> Iterator[tuple[int, int]]:
        """Yield stretches (first, stop), and look at the clock before each."""
        for first in range(0, stop, _STRETCH):
            self.clock.check()
            yield first, min(first + _STRETCH, stop)


class CompiledGreedy(_LongStream):
    """No card repeats."""

    def __init__(self, instance: Instance, clock: Clock) -> None:
        super().__init__(instance, instance.n, clock)
        self.N, self.goal = instance.N, instance.goal
        self.card_name = instance.card_name
        self.n_stored = 0

    def greedy(self) -> Greedy:
        """Play as early as possible, whatever the hand grows to."""
        seen, tally = _zeros(self.goal // 64 + 1, "int64"), _zeros(4, "int64")
        piles = _zeros(self.columns.c)
        for stretch in self._stretches(self.N):
            self._refuse(kernel.play_greedily(self.columns, *stretch, seen, piles, tally))
        _, most_held, overflow, self.n_stored = map(int, tally)
        if self.goal == self.N:
            return Greedy(most_held, overflow, None)
        word = int((seen != -1).argmax())
        bits = int(seen[word])
        index = 64 * word + (~bits & (bits + 1)).bit_length() - 1
        return Greedy(most_held, overflow, Card(index // self.n, index % self.n + 1))

    def _refuse(self, second: int) -> None:
        """Raise SolverError if there is a position of a repeated card."""
        if second:
            values, colors = self.columns.values, self.columns.colors
            value, color = int(values[second - 1]), int(colors[second - 1])
            first = int(((values == value) & (colors == color)).argmax()) + 1
            raise refuse(self.card_name(color, value), first, second)

    def _where(self) -> Ints:
        where = _zeros(self.goal)
        for stretch in self._stretches(self.N):
            self._refuse(kernel.find_positions(self.columns, *stretch, where))
        return where

    def play(self) -> Play:
        """Return the play of a stream that can be won."""
        where, plays = self._where(), _zeros(self.N + 1)
        self.clock.check()
        kernel.count_plays(where, self.n, self.columns.c, plays)
        n_moves = self.N + self.n_stored
        line = kernel.Line(_zeros(n_moves), _zeros(n_moves, "int8"))
        moves = 0
        for stretch in self._stretches(self.N):
            moves = kernel.list_greedy_moves(self.columns, *stretch, where, plays, line, moves)
        return Play.from_columns(line.positions.data, line.actions.data)

    def bounds(self) -> tuple[int, int]:
        """Return bounds on the most cards that can be played."""
        c = self.columns.c
        limits, piles, tally = _zeros(c), _zeros(c), _zeros(3, "int64")
        possible = kernel.find_limits(self._where(), self.n, c, limits)
        held = _zeros(self.goal, "int8")
        for stretch in self._stretches(self.N):
            kernel.play_what_fits(self.columns, *stretch, held, limits, piles, tally)
        return int(tally[0]), possible - int(tally[2])

    def _by_color(self) -> tuple[Ints, Ints]:
        """Return the positions by color and value, and their f."""
        where = self._where().reshape(self.columns.c, self.n)
        occurs = where > 0
        return where[occurs], np.maximum.accumulate(where, axis=1)[occurs]

    def last_needed(self) -> memoryview:
        """Return f of every position."""
        where, last = self._by_color()
        needed = _zeros(self.N)
        needed[where - 1] = last
        return needed.data

    def interval_thickness(self) -> int:
        """Return the most intervals that meet any position."""
        ends = np.bincount(self._by_color()[1], minlength=self.N + 1)
        return int((1 - ends[1:]).cumsum().max(initial=0))

    def bubble_sort_passes(self) -> int:
        """Return the farthest that sorting moves a card to the left."""
        where, last = self._by_color()
        # Cards of equal f are neighbors, by value; a card's place is their first one's and on.
        index = np.arange(self.N)
        first = np.maximum.accumulate(np.where(np.diff(last, prepend=0), index, 0))
        up_to = np.bincount(last, minlength=self.N + 1).cumsum()
        place = up_to[last - 1] + index - first
        return int((where - 1 - place).max(initial=0))


class CompiledLazy(_LongStream):
    """One color, without the heap."""

    def __init__(self, instance: Instance, n: int, clock: Clock) -> None:
        super().__init__(instance, n, clock)
        N = instance.N
        self.copies = kernel.Copies(
            _zeros(n + 1), _zeros(N + 1), _zeros(N // 64 + 1, "int64"), _zeros(n + 1)
        )
        for stretch in self._stretches(N):
            kernel.link_copies(self.columns, *stretch, self.copies)

    def first_missing(self) -> int:
        """Return the smallest value that never occurs, or 0."""
        missing = self.copies.last[1:] == 0
        return int(missing.argmax()) + 1 if missing.any() else 0

    def filter(self, n: int, hand_size: int) -> int:
        """Find the last playable indices of n, n-1, ..., 1; return 0 or the value without one."""
        self.copies = self.copies._replace(chosen=_zeros(n + 1))
        self.copies.marks.fill(0)
        lost = largest = 0
        for first in range(n, 0, -_STRETCH):
            self.clock.check()
            lost, largest = kernel.mark_last_playable(
                self.copies, first, max(first - _STRETCH, 0), n, hand_size, largest
            )
            if lost:
                break
        return int(lost)

    def playable(self) -> memoryview:
        """Return the last playable indices."""
        return self.copies.chosen[1:].data.toreadonly()

    def witnesses(self, value: int, count: int) -> tuple[int, ...]:
        """Return at most `count` larger values that are in hand when `value` first comes."""
        first = (self.columns.values == value).argmax() + 1
        larger = np.flatnonzero(self.copies.chosen[value + 1 :] < first) + value + 1
        return tuple(larger[-count:].tolist())

    def play(self) -> Play:
        """Return the lazy play of a stream that can be won."""
        stop = int(self.copies.chosen.max())  # the last of the chosen copies completes the pile
        line = kernel.Line(_zeros(stop + self.n), _zeros(stop + self.n, "int8"))
        moves = pile = 0
        for stretch in self._stretches(stop):
            moves, pile = kernel.list_lazy_moves(
                self.columns, *stretch, self.copies, line, moves, pile
            )
        return Play.from_columns(line.positions[:moves].data, line.actions[:moves].data)


def _zeros(size: int, dtype: str = "int32") -> npt.NDArray[Any]:
    return np.zeros(size, dtype=dtype)
