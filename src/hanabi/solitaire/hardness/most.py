"""Independent sets by the most cards that can be played: streams that cannot be won.

A graph becomes a stream of which so many cards can be played beside one for each vertex of a
largest independent set. So the most cards are as hard to approximate as independent sets.

====================  ==  ==  =========  ===============  =======
variant               r   n   N          most cards       graphs
====================  ==  ==  =========  ===============  =======
most_cards_two_copies 2   3   3V + 4E    2V + 3E + alpha  any
most_cards_one_copy   1   4   8V         5V + alpha       cubic
====================  ==  ==  =========  ===============  =======

V vertices, E edges; alpha is the size of a largest independent set; h = 1.

- *More values*: the values 1, 2, ... of all colors come first, and the others are raised.
- *A larger hand*: a fresh color 2 1 for each further place and each gap between two cards, its 2
  before the gap and its 1 after it; its other values come at the end. Whoever holds an old card in
  such a place loses n - 1 cards, and none is worth more, so the most cards grow by n a color.

Proofs: `docs/complexity.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from hanabi.ground import InvalidInputError
from hanabi.solitaire.hardness.annotation import IF_TRUE
from hanabi.solitaire.hardness.graph import Graph
from hanabi.solitaire.hardness.layout import ALWAYS, NEVER, Piece
from hanabi.solitaire.hardness.minimal import Windows

__all__ = ["MOST", "MostOneCopy", "MostTwoCopies"]


class _Most(Windows):
    """A stream whose most cards show a largest independent set."""

    lost: ClassVar[int]
    """For each vertex, the cards that every play leaves out, if the set is empty."""

    def __init__(
        self, graph: Graph, hand_size: int | None = None, values: int | None = None
    ) -> None:
        self.problem: Graph = graph
        self.hand = hand_size or 1
        self._check_graph()
        self._raised = max((values or 0) - self._least, 0)
        self._check_size(self.n, self.c)

    def _check_graph(self) -> None:
        """Refuse a graph that the construction does not take."""

    @property
    def n(self) -> int:
        """Number of values."""
        return self._least + self._raised

    @property
    def c(self) -> int:
        """Number of colors."""
        return self._c + (self.hand - 1) * max(self._cards - 1, 0)

    @property
    def tops(self) -> list[int]:
        """All values of each color are in the gadgets."""
        return [self.n] * self.c

    @property
    def meanings(self) -> list[int | str]:
        """The meaning of each color."""
        return [*self._meanings, *["gap filled"] * (self.c - self._c)]

    @property
    def _c(self) -> int:
        return len(self._meanings)

    @property
    def _cards(self) -> int:
        """Number of cards of the plain construction."""
        raise NotImplementedError

    @cached_property
    def _meanings(self) -> list[int | str]:
        raise NotImplementedError

    def _gadgets(self) -> Iterator[Piece]:
        raise NotImplementedError

    def _pieces(self) -> Iterator[Piece]:
        lower = range(1, self._raised + 1)
        if lower:
            for color in range(self._c):
                yield "first values", 0, [(value, color, NEVER) for value in lower]
        yield from self._filled() if self.hand > 1 else self._moved()
        for color in range(self._c, self.c):
            yield "last cards", 0, [(value, color, NEVER) for value in range(3, self.n + 1)]

    def _moved(self) -> Iterator[Piece]:
        """Yield the gadgets, above the lower values."""
        for role, number, cards in self._gadgets():
            moved = [(value + self._raised, color, keep) for value, color, keep in cards]
            yield role, number, moved

    def _filled(self) -> Iterator[Piece]:
        """Yield the gadgets card by card, with the further places filled over each gap."""
        fillers = range(self._c, self._c)
        for role, number, cards in self._moved():
            for card in cards:
                if fillers:
                    yield "gap filled", 0, [(2, filler, ALWAYS) for filler in fillers]
                    yield "gap ends", 0, [(1, filler, NEVER) for filler in fillers]
                yield role, number, [card]
                fillers = range(fillers.stop, fillers.stop + self.hand - 1)


class MostTwoCopies(_Most):
    """One card in hand, two copies, three values; any graph.

    A vertex is a color: 1 at the start, `3 ... 2` around its *stretch*. It gets its 3 if it is held
    over the stretch. Stretches are disjoint. An edge is a color: `2 1` in the stretch of its first
    vertex, `3 2` in that of the other. It gets its 3 exactly if one of the stretches is not held.

    >>> plan = MostTwoCopies(Graph((1, 1), ((1, 2),)))
    >>> [block] = plan.blocks()
    >>> " ".join(map("{}:{}".format, block.colors.tolist(), block.values.tolist()))
    '0:1 1:1 0:3 2:2 2:1 0:2 1:3 2:3 2:2 1:2'
    """

    name = "most_cards_two_copies"
    lost = 1
    _least = 3

    @cached_property
    def _edges(self) -> list[tuple[int, int]]:
        return sorted(self.problem.joined)

    @property
    def _cards(self) -> int:
        return 3 * len(self.problem.classes) + 4 * len(self._edges)

    @cached_property
    def _meanings(self) -> list[int | str]:
        vertices = range(1, len(self.problem.classes) + 1)
        return [*vertices, *(f"edge {u} {v}" for u, v in self._edges)]

    def _gadgets(self) -> Iterator[Piece]:
        V = len(self.problem.classes)
        ends: list[list[tuple[int, bool]]] = [[] for _ in range(V)]
        for color, (u, v) in enumerate(self._edges, start=V):
            ends[u - 1].append((color, True))
            ends[v - 1].append((color, False))
        yield "first values", 0, [(1, color, NEVER) for color in range(V)]
        for vertex, edges in enumerate(ends, start=1):
            yield IF_TRUE, vertex, [(3, vertex - 1, vertex)]
            for color, is_first in edges:
                value = 2 if is_first else 3
                cards = [(value, color, -vertex), (value - 1, color, NEVER)]
                yield "edge", vertex, cards
            yield "stretch ends", vertex, [(2, vertex - 1, NEVER)]


class MostOneCopy(_Most):
    """One card in hand, one copy, four values; cubic graphs.

    Pairs of vertices added as edges make each component 4-regular; without them its Euler tour is
    trails which have each vertex once inside and once as an end. A trail is drawn as intervals that
    meet just their neighbors'. The earlier interval of v is A, the later one B.

    - v is a color: 2 at the start of A, 1 at its end, 4 at the start of B, 3 at its end. It gets 4
      values if it is held over both intervals, 3 with A alone, else 1.
    - Its *filler* is a color: 1 at the start of the stream, `3 2` inside A where no other interval
      is, 4 at the end. It gets 4 values if the hand is free for it, so A is not held; else 2.

    >>> plan = MostOneCopy(Graph((1,) * 4, ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))))
    >>> plan.n, plan.c, sum(len(block.values) for block in plan.blocks())
    (4, 8, 32)
    """

    name = "most_cards_one_copy"
    copies = 1
    lost = 3
    _least = 4

    def _check_graph(self) -> None:
        degrees = [0] * len(self.problem.classes)
        for edge in self.problem.joined:
            for vertex in edge:
                degrees[vertex - 1] += 1
        for vertex, degree in enumerate(degrees, start=1):
            if degree != 3:
                raise InvalidInputError(
                    f"vertex {vertex} has {degree} neighbors: variant {self.name!r} takes cubic"
                    " graphs, in which each has 3"
                )

    @property
    def _cards(self) -> int:
        return 8 * len(self.problem.classes)

    @cached_property
    def _meanings(self) -> list[int | str]:
        vertices = range(1, len(self.problem.classes) + 1)
        return [*vertices, *(f"filler {vertex}" for vertex in vertices)]

    def _gadgets(self) -> Iterator[Piece]:
        V = len(self.problem.classes)
        yield "first values", 0, [(1, V + color, NEVER) for color in range(V)]
        begun: set[int] = set()

        def opens(vertex: int) -> Piece:
            is_later = vertex in begun
            role = IF_TRUE if is_later else "first interval"
            return role, vertex, [(4 if is_later else 2, vertex - 1, vertex)]

        def closes(vertex: int) -> Piece:
            is_later = vertex in begun
            begun.add(vertex)
            return "interval ends", vertex, [(3 if is_later else 1, vertex - 1, NEVER)]

        def inside(vertex: int) -> Iterator[Piece]:
            """Yield the filler, if this is the first interval of the vertex."""
            if vertex not in begun:
                color = V + vertex - 1
                yield "vertex filled", vertex, [(3, color, -vertex), (2, color, NEVER)]

        for trail in _trails(self.problem):
            yield opens(trail[0])
            yield from inside(trail[0])
            for one, other in pairwise(trail):
                yield opens(other)
                yield closes(one)
                yield from inside(other)
            yield closes(trail[-1])
        yield "last cards", 0, [(4, V + color, NEVER) for color in range(V)]


def _trails(graph: Graph) -> Iterator[Sequence[int]]:
    """Yield trails of a cubic graph, by vertices: each edge once, each vertex once as an end."""
    neighbors: list[list[tuple[int, int]]] = [[] for _ in range(len(graph.classes) + 1)]
    edges = sorted(graph.joined)
    for number, (u, v) in enumerate(edges):
        neighbors[u].append((v, number))
        neighbors[v].append((u, number))
    used = [False] * (len(edges) + len(graph.classes) // 2)
    seen = set[int]()
    number = len(edges)  # of the next pair
    for root in range(1, len(graph.classes) + 1):
        if root in seen:
            continue
        component, found = [root], {root}
        for vertex in component:
            for other, _ in neighbors[vertex]:
                if other not in found:
                    found.add(other)
                    component.append(other)
        seen |= found
        for u, v in zip(component[::2], component[1::2], strict=True):
            neighbors[u].append((v, number))
            neighbors[v].append((u, number))
            number += 1
        # Hierholzer's tour; each step with the number of the edge that leads there.
        stack, tour = [(root, -1)], list[tuple[int, int]]()
        while stack:
            vertex = stack[-1][0]
            while neighbors[vertex] and used[neighbors[vertex][-1][1]]:
                neighbors[vertex].pop()
            if neighbors[vertex]:
                other, edge = neighbors[vertex].pop()
                used[edge] = True
                stack.append((other, edge))
            else:
                tour.append(stack.pop())
        # tour[i][1] is the edge from tour[i] to tour[i + 1]; begin behind an added one.
        cut = next(i for i, (_, edge) in enumerate(tour) if edge >= len(edges))
        trail: list[int] = []
        for vertex, edge in tour[cut + 1 : -1] + tour[: cut + 1]:
            trail.append(vertex)
            if edge >= len(edges):
                yield trail
                trail = []


MOST: dict[str, type[MostTwoCopies | MostOneCopy]] = {
    each.name: each for each in (MostTwoCopies, MostOneCopy)
}
"""The constructions for independent sets, by name."""
