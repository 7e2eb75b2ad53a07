"""The solvers of the easy cases for long streams: arrays and compiled loops.

The same algorithms as in `unique_plain`, `single_color` and `few_values`, which state them. Streams
are handled a stretch at a time, with a look at the clock between two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hanabi.cards import Card
from hanabi.clock import Clock
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.kernels import choices
from hanabi.solitaire.kernels import linear as kernel
from hanabi.solitaire.play import Play
from hanabi.solitaire.unique_plain import Greedy, refuse

__all__ = ["CompiledChoices", "CompiledForced", "CompiledGreedy", "CompiledLazy"]

_STRETCH = 2**20  # cards or values between two looks at the clock
_STEPS = 2**17  # the same for steps of a search

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

    def _play_chosen(self, marks: npt.NDArray[np.int64], chosen: Ints) -> Play:
        """Return the play of the chosen copies, which wins."""
        stop = int(chosen.max())  # the last of them completes the last pile
        n_moves = stop + self.n * self.columns.c
        line = kernel.Line(_zeros(n_moves), _zeros(n_moves, "int8"))
        choice, piles, moves = kernel.Choice(marks, chosen), _zeros(self.columns.c), 0
        for stretch in self._stretches(stop):
            moves = kernel.list_chosen_moves(self.columns, *stretch, choice, line, moves, piles)
        return Play.from_columns(line.positions[:moves].data, line.actions[:moves].data)


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
        return self._play_chosen(self.copies.marks, self.copies.chosen)


class CompiledForced(_LongStream):
    """No choice: two values, or no hand."""

    def __init__(self, instance: Instance, clock: Clock) -> None:
        super().__init__(instance, instance.n, clock)
        self.N = instance.N
        self.chosen, piles = _zeros(instance.goal + 1), _zeros(instance.c)
        for stretch in self._stretches(self.N):
            kernel.choose_copies(self.columns, *stretch, piles, self.chosen)

    def _windows(self) -> tuple[Ints, Ints, Ints]:
        """Return the color of each window, and when it opens and closes."""
        if self.n < 2:
            return (_zeros(0),) * 3
        ones, twos = self.chosen[1::2], self.chosen[2::2]
        colors = np.flatnonzero(twos < ones).astype(np.int32)
        return colors, twos[colors], ones[colors]

    def most_open(self) -> tuple[int, int, int]:
        """Return how many windows there are, how many are open at once, and after which card."""
        colors, opens, closes = self._windows()
        self.clock.check()
        change = _zeros(self.N + 1)
        change[opens] = 1  # at one position only one window opens, and none closes
        change[closes] = -1
        n_open = change.cumsum(dtype=np.int32)
        position = int(n_open.argmax())
        return len(colors), int(n_open[position]), position

    def open_after(self, position: int, count: int) -> list[tuple[int, int, int]]:
        """Return at most `count` of the windows that are open after the card at a position."""
        columns = self._windows()
        _, opens, closes = columns
        which = np.flatnonzero((opens <= position) & (position < closes))[:count]
        return list(zip(*(column[which].tolist() for column in columns), strict=True))

    def first_stuck(self) -> Card | None:
        """Return the first card that is not played, or None."""
        stuck = self.chosen[1:] == 0
        card = int(stuck.argmax())
        return Card(card // self.n, card % self.n + 1) if stuck.any() else None

    def n_chosen(self) -> int:
        """Return how many cards are played."""
        return int(np.count_nonzero(self.chosen))

    def play(self) -> Play:
        """Return the play of a stream that can be won."""
        return self._play_chosen(_marks_of(self.chosen[1:], self.N), self.chosen)


class CompiledChoices(_LongStream):
    """Three values and one card in hand."""

    def __init__(self, instance: Instance, clock: Clock) -> None:
        super().__init__(instance, 3, clock)
        self.N = instance.N
        self.copies = _zeros(6 * instance.c).reshape(-1, 6)
        for stretch in self._stretches(self.N):
            choices.find_copies(self.columns, *stretch, self.copies)
        self.choosers = np.flatnonzero(self.copies[:, 5] == 0)
        one, two_before, two_after, three_before, three_between, _ = self.copies[self.choosers].T
        holds = np.stack(
            ((two_before > 0) & (three_between > 0), (two_after > 0) & (three_before > 0)), axis=1
        )
        hopeless = self.choosers[~holds.any(axis=1)]
        self.hopeless = int(hopeless[0]) if len(hopeless) else None
        never = self.N + 1
        opens = np.where(holds, np.stack((two_before, three_before), axis=1), never).ravel()
        closes = np.where(holds, np.stack((one, two_after), axis=1), never).ravel()
        clock.check()
        self.order = opens.argsort(kind="stable").astype(np.int32)
        places = np.empty_like(self.order)
        places[self.order] = np.arange(len(opens), dtype=np.int32)
        self.places = places
        self.partner = places[self.order ^ 1]
        opens, closes = opens[self.order], closes[self.order]
        clock.check()
        bound = np.searchsorted(opens, closes).astype(np.int32)
        self.nodes = choices.Nodes(
            opens.astype(np.int32), closes.astype(np.int32), self.partner, bound, int(holds.sum())
        )

    def is_window(self, node: int) -> bool:
        """Return whether the window of a node can be used at all."""
        return node < self.nodes.n_windows

    def window(self, node: int) -> tuple[int, int, int, int]:
        """Return the color, the value and both ends of the window of a node."""
        window = int(self.order[node])
        color, nodes = int(self.choosers[window // 2]), self.nodes
        return color, 2 + window % 2, int(nodes.opens[node]), int(nodes.closes[node])

    def _begin_search(self) -> choices.Search:
        n_windows, size = self.nodes.n_windows, len(self.partner)
        n_leaves = 1 << size.bit_length()
        latest = _zeros(2 * n_leaves)
        latest[n_leaves : n_leaves + n_windows] = self.nodes.closes[:n_windows]
        first = n_leaves
        while first > 1:
            pairs = latest[first : 2 * first]
            latest[first // 2 : first] = np.maximum(pairs[::2], pairs[1::2])
            first //= 2
        return choices.Search(latest, _zeros(size), _zeros(size), _zeros(size), _zeros(4, "int64"))

    def _explore(self, roots: Ints) -> choices.Search:
        search = self._begin_search()
        while not choices.explore(self.nodes, roots, search, _STEPS):
            self.clock.check()
        return search

    def contradictory(self) -> Iterator[int]:
        """Yield a node of each color whose two nodes imply each other."""
        partner = self.partner
        left = self._explore(np.arange(len(partner), dtype=np.int32)).left
        self.components = self._explore(partner[left[::-1]]).label[partner]
        same = self.components == self.components[partner]
        yield from np.flatnonzero(same & (np.arange(len(partner)) < partner)).tolist()

    def reach(self, start: int) -> tuple[Ints, int]:
        """Return where each node is reached from, and the one where a contradiction is."""
        search, before, end = self._begin_search(), _zeros(len(self.partner)) - 1, -1
        while end < 0:
            self.clock.check()
            end = choices.reach(self.nodes, start, search, before, _STEPS)
        return before, end

    def play(self) -> Play:
        """Return the play of a stream that can be won."""
        one, two_before, two_after, three_before, three_between, three_after = self.copies.T
        chosen = _zeros(3 * self.columns.c + 1)
        ways = chosen[1:].reshape(-1, 3)
        ways[:, 0], ways[:, 1], ways[:, 2] = one, two_after, three_after
        rank = self.components[self.places].reshape(-1, 2)
        holds_two = rank[:, 0] > rank[:, 1]
        early, late = self.choosers[holds_two], self.choosers[~holds_two]
        ways[early, 1], ways[early, 2] = two_before[early], three_between[early]
        ways[late, 2] = three_before[late]
        return self._play_chosen(_marks_of(chosen[1:], self.N), chosen)


def _zeros(size: int, dtype: str = "int32") -> npt.NDArray[Any]:
    return np.zeros(size, dtype=dtype)


def _marks_of(positions: Ints, N: int) -> npt.NDArray[np.int64]:
    """Return bits, one a position from 0, of which those at the positions are set."""
    is_marked = _zeros(64 * (N // 64 + 1), "bool")
    is_marked[positions] = True
    return np.packbits(is_marked, bitorder="little").view(np.int64)
