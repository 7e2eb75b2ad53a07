"""Three values and one card in hand, for long streams: arrays and compiled loops.

The same algorithm as `few_values.PlainChoices`, which states it; but windows that overlap are found
in a tree, not listed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hanabi.ground import Clock
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.kernels import choices
from hanabi.solitaire.loops import Loops
from hanabi.solitaire.play import Play

__all__ = ["CompiledChoices"]

_STEPS = 2**17  # steps of a search between two looks at the clock

Ints = npt.NDArray[np.int32]


class CompiledChoices(Loops):
    """Three values and one card in hand."""

    def __init__(self, instance: Instance, clock: Clock) -> None:
        super().__init__(instance, 3, clock, compiled=True)
        self.copies = self.zeros(6 * self.c).reshape(-1, 6)
        for stretch in self.stretches(self.N):
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
        latest = self.zeros(2 * n_leaves)
        latest[n_leaves : n_leaves + n_windows] = self.nodes.closes[:n_windows]
        first = n_leaves
        while first > 1:
            pairs = latest[first : 2 * first]
            latest[first // 2 : first] = np.maximum(pairs[::2], pairs[1::2])
            first //= 2
        label, stack, left = (self.zeros(size) for _ in range(3))
        return choices.Search(latest, label, stack, left, self.zeros(4, "q"))

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
        search, before, end = self._begin_search(), self.zeros(len(self.partner)) - 1, -1
        while end < 0:
            self.clock.check()
            end = choices.reach(self.nodes, start, search, before, _STEPS)
        return before, end

    def winning_play(self) -> Play:
        """Return the play of a stream that can be won."""
        one, two_before, two_after, three_before, three_between, three_after = self.copies.T
        chosen = self.zeros(3 * self.c)
        ways = chosen.reshape(-1, 3)
        ways[:, 0], ways[:, 1], ways[:, 2] = one, two_after, three_after
        rank = self.components[self.places].reshape(-1, 2)
        holds_two = rank[:, 0] > rank[:, 1]
        early, late = self.choosers[holds_two], self.choosers[~holds_two]
        ways[early, 1], ways[early, 2] = two_before[early], three_between[early]
        ways[late, 2] = three_before[late]
        return self.play_chosen(chosen)
