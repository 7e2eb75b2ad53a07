"""Solitaire Hanabi in which no card repeats, for long streams: arrays and compiled loops.

The same algorithms as in :mod:`hanabi.solitaire.unique_plain`, which states them. Streams are
handled a stretch at a time, with a look at the clock between two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hanabi.clock import Clock, loading
from hanabi.errors import SolverError
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.kernels import unique as kernel
from hanabi.solitaire.play import Play
from hanabi.solitaire.unique_plain import Greedy, refuse

__all__ = ["Compiled"]

_STRETCH = 2**20  # cards between two looks at the clock
_NO_CARDS = Instance(0, ()).values  # read-only, as every stream is


class Compiled:
    """The same for long streams, over arrays: see the kernels."""

    def __init__(self, instance: Instance, clock: Clock) -> None:
        _load()
        self.instance = instance
        self.clock = clock
        self.stream = np.asarray(instance.values), np.asarray(instance.colors)
        self.n_stored = 0

    def _stretches(self) -> Iterator[tuple[int, int]]:
        """Yield the stream's stretches (first, stop), and look at the clock before each."""
        for first in range(0, self.instance.N, _STRETCH):
            self.clock.check()
            yield first, min(first + _STRETCH, self.instance.N)

    def greedy(self) -> Greedy:
        """Play as early as possible, whatever the hand grows to."""
        n, c, goal = self.instance.n, self.instance.c, self.instance.goal
        seen, piles, tally = _zeros(goal // 64 + 1, "int64"), _zeros(c), _zeros(4, "int64")
        for first, stop in self._stretches():
            repeated = kernel.play_greedily(
                *self.stream, first, stop, n, self.instance.hand_size, seen, piles, tally
            )
            if repeated:
                raise self._refusal(repeated)
        _, most_held, overflow, self.n_stored = map(int, tally)
        if goal == self.instance.N:
            return Greedy(most_held, overflow, None)
        word = int((seen != -1).argmax())
        bits = int(seen[word])
        index = 64 * word + (~bits & (bits + 1)).bit_length() - 1
        return Greedy(most_held, overflow, (index % n + 1, index // n))

    def _refusal(self, second: int) -> SolverError:
        values, colors = self.stream
        value, color = int(values[second - 1]), int(colors[second - 1])
        first = int(((values == value) & (colors == color)).argmax()) + 1
        return refuse((value, color), first, second)

    def _where(self) -> npt.NDArray[np.int32]:
        where = _zeros(self.instance.goal)
        for first, stop in self._stretches():
            repeated = kernel.find_positions(*self.stream, first, stop, self.instance.n, where)
            if repeated:
                raise self._refusal(repeated)
        return where

    def _ends(self, where: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        ends = _zeros(self.instance.N + 1)
        kernel.tally_ends(where, self.instance.n, self.instance.c, ends)
        return ends

    def play(self) -> Play:
        """Return the play of a stream that can be won."""
        where = self._where()
        self.clock.check()
        ends = self._ends(where)
        n_moves = self.instance.N + self.n_stored
        positions, actions = _zeros(n_moves), _zeros(n_moves, "int8")
        moves = 0
        for first, stop in self._stretches():
            moves = kernel.list_moves(
                *self.stream, first, stop, self.instance.n, where, ends, positions, actions, moves
            )
        return Play.from_arrays(positions, actions)

    def bounds(self) -> tuple[int, int]:
        """Return bounds on the most cards that can be played."""
        n, c = self.instance.n, self.instance.c
        limits, piles, tally = _zeros(c), _zeros(c), _zeros(3, "int64")
        possible = kernel.find_limits(self._where(), n, c, limits)
        held = _zeros(self.instance.goal, "int8")
        for first, stop in self._stretches():
            kernel.play_what_fits(
                *self.stream, first, stop, n, c, self.instance.hand_size, held, limits, piles, tally
            )
        return int(tally[0]), possible - int(tally[2])

    def last_needed(self) -> memoryview:
        """Return f of every position."""
        needed = _zeros(self.instance.N)
        kernel.mark_last_needed(self._where(), self.instance.n, self.instance.c, needed)
        return needed.data

    def interval_thickness(self) -> int:
        """Return the most intervals that meet any position."""
        return kernel.largest_thickness(self._ends(self._where()))

    def bubble_sort_passes(self) -> int:
        """Return the farthest that sorting moves a card to the left."""
        where = self._where()
        ends = self._ends(where)
        return kernel.longest_shift(where, self.instance.n, self.instance.c, ends)


def _load() -> None:
    """Load what solving calls, on a stream of no cards."""
    cards, none, bits = np.asarray(_NO_CARDS), _zeros(0), _zeros(4, "int64")
    with loading():
        kernel.play_greedily(cards, cards, 0, 0, 1, 0, bits, none, bits)
        kernel.find_positions(cards, cards, 0, 0, 1, none)
        kernel.tally_ends(none, 1, 0, none)
        kernel.list_moves(cards, cards, 0, 0, 1, none, none, none, _zeros(0, "int8"), 0)
        kernel.find_limits(none, 1, 0, none)
        kernel.play_what_fits(cards, cards, 0, 0, 1, 0, 0, _zeros(0, "int8"), none, none, bits)


def _zeros(size: int, dtype: str = "int32") -> npt.NDArray[Any]:
    return np.zeros(size, dtype=dtype)
