"""Independent sets by the most cards that can be played: streams that cannot be won.

So many cards can be played beside one for each vertex of a largest independent set, of which there
are alpha; so the most cards are as hard to approximate as independent sets.

=====================  ==  ==  =======  ===============  ======
variant                r   n   N        most cards       graphs
=====================  ==  ==  =======  ===============  ======
most_cards_two_copies  2   3   3V + 4E  2V + 3E + alpha  any
most_cards_one_copy    1   4   8V       5V + alpha       cubic
=====================  ==  ==  =======  ===============  ======

V vertices, E edges; h = 1. *More values*: 1, 2, ... of all colors come first, and the others are
raised. *A larger hand*: a fresh color for each further place and each gap between two cards, its 2
before the gap, its 1 after it, the rest at the end. Each adds n cards to the most. Proofs:
`docs/complexity.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from hanabi.ground import InvalidInputError
from hanabi.solitaire.hardness.annotation import IF_TRUE
from hanabi.solitaire.hardness.graph import Graph
from hanabi.solitaire.hardness.layout import ALWAYS, NEVER, Piece
from hanabi.solitaire.hardness.minimal import Windows

__all__ = ["MOST", "MostOneCopy", "MostTwoCopies"]


class _Most(Windows):
    """A stream whose most cards show a largest independent set, with its own hand and values."""

    def __init__(
        self, graph: Graph, hand_size: int | None = None, values: int | None = None
    ) -> None:
        self.problem: Graph = graph
        self.hand = hand_size or 1
        self._raised = max((values or 0) - self._least, 0)
        self._own, self._gadgets = self._plain(graph)
        gaps = sum(len(cards) for _, _, cards in self._gadgets) - 1
        self._fillers = (self.hand - 1) * gaps
        self._check_size(self._least + self._raised, len(self._own) + self._fillers)

    def _plain(self, graph: Graph) -> tuple[list[int | str], list[Piece]]:
        """Return the meanings of the colors, and the gadgets, with one card in hand."""
        raise NotImplementedError

    @cached_property
    def meanings(self) -> list[int | str]:
        """The vertices, other colors, and the fillers of a larger hand."""
        return [*self._own, *["gap filled"] * self._fillers]

    @cached_property
    def tops(self) -> list[int]:
        """The same everywhere: the gadgets have all values."""
        return [self._least + self._raised] * len(self.meanings)

    def _pieces(self) -> Iterator[Piece]:
        own = len(self._own)
        if self._raised:
            lower = range(1, self._raised + 1)
            yield "first values", 0, [(v, color, NEVER) for color in range(own) for v in lower]
        fillers = range(own, own)
        for role, number, cards in self._gadgets:
            raised = [(value + self._raised, color, keep) for value, color, keep in cards]
            if self.hand == 1:
                yield role, number, raised
                continue
            for card in raised:
                yield "gap filled", 0, [(2, filler, ALWAYS) for filler in fillers]
                yield "gap ends", 0, [(1, filler, NEVER) for filler in fillers]
                yield role, number, [card]
                fillers = range(fillers.stop, fillers.stop + self.hand - 1)
        for color in range(own, self.c):
            yield "last cards", 0, [(value, color, NEVER) for value in range(3, self.n + 1)]


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
    _least = 3

    def _plain(self, graph: Graph) -> tuple[list[int | str], list[Piece]]:
        vertices = range(1, len(graph.classes) + 1)
        edges = sorted(graph.joined)
        within: dict[int, list[Piece]] = {vertex: [] for vertex in vertices}
        for color, edge in enumerate(edges, start=len(vertices)):
            for value, vertex in zip((2, 3), edge, strict=True):
                cards = [(value, color, -vertex), (value - 1, color, NEVER)]
                within[vertex].append(("edge", vertex, cards))
        gadgets: list[Piece] = [("first values", 0, [(1, x - 1, NEVER) for x in vertices])]
        for x in vertices:
            gadgets += (IF_TRUE, x, [(3, x - 1, x)]), *within[x]
            gadgets.append(("stretch ends", x, [(2, x - 1, NEVER)]))
        return [*vertices, *(f"edge {u} {v}" for u, v in edges)], gadgets


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
    _least = 4

    def _plain(self, graph: Graph) -> tuple[list[int | str], list[Piece]]:
        V = len(graph.classes)
        vertices, fillers = range(1, V + 1), range(V, 2 * V)
        begun: set[int] = set()
        gadgets: list[Piece] = [("first values", 0, [(1, color, NEVER) for color in fillers])]

        def opens(x: int) -> None:
            role, value = (IF_TRUE, 4) if x in begun else ("first interval", 2)
            gadgets.append((role, x, [(value, x - 1, x)]))

        def fill(x: int) -> None:
            if x not in begun:
                cards = [(3, V + x - 1, -x), (2, V + x - 1, NEVER)]
                gadgets.append(("vertex filled", x, cards))

        def closes(x: int) -> None:
            gadgets.append(("interval ends", x, [(3 if x in begun else 1, x - 1, NEVER)]))
            begun.add(x)

        for trail in _trails(graph):
            opens(trail[0])
            fill(trail[0])
            for one, other in pairwise(trail):
                opens(other)
                closes(one)
                fill(other)
            closes(trail[-1])
        gadgets.append(("last cards", 0, [(4, color, NEVER) for color in fillers]))
        return [*vertices, *(f"filler {x}" for x in vertices)], gadgets


def _trails(graph: Graph) -> Iterator[Sequence[int]]:
    """Yield trails of a cubic graph, by vertices: each edge once, each vertex once as an end."""
    neighbors: list[list[tuple[int, int]]] = [[] for _ in range(len(graph.classes) + 1)]
    n_edges = n_all = 0

    def join(u: int, v: int) -> None:
        nonlocal n_all
        neighbors[u].append((v, n_all))
        neighbors[v].append((u, n_all))
        n_all += 1

    for u, v in sorted(graph.joined):
        join(u, v)
    n_edges = n_all
    for vertex, around in enumerate(neighbors[1:], start=1):
        if len(around) != 3:
            raise InvalidInputError(
                f"vertex {vertex} has {len(around)} neighbors: a cubic graph is needed, in which"
                " each has 3"
            )
    used, seen = set[int](), set[int]()
    for root in range(1, len(neighbors)):
        if root in seen:
            continue
        component = [root]
        seen.add(root)
        for vertex in component:
            fresh = [other for other, _ in neighbors[vertex] if other not in seen]
            component += fresh
            seen.update(fresh)
        for u, v in zip(component[::2], component[1::2], strict=True):
            join(u, v)
        # Hierholzer's tour, from the last vertex back; each with the edge to the one after it.
        stack, tour = [(root, -1)], list[tuple[int, int]]()
        while stack:
            around = neighbors[stack[-1][0]]
            while around and around[-1][1] in used:
                around.pop()
            if around:
                stack.append(around.pop())
                used.add(stack[-1][1])
            else:
                tour.append(stack.pop())
        cut = next(i for i, (_, edge) in enumerate(tour) if edge >= n_edges)
        trail: list[int] = []
        for vertex, edge in tour[cut + 1 : -1] + tour[: cut + 1]:
            trail.append(vertex)
            if edge >= n_edges:  # one that was added
                yield trail
                trail = []


MOST: dict[str, type[MostTwoCopies | MostOneCopy]] = {
    each.name: each for each in (MostTwoCopies, MostOneCopy)
}
"""The constructions for independent sets, by name."""
