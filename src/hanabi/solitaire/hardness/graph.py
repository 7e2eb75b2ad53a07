"""Graphs: cliques with one vertex of each class, and independent sets.

Multicolored Clique, which :mod:`hanabi.solitaire.hardness.minimal` reduces to cards with one card
in hand, and :mod:`hanabi.solitaire.hardness.by_hand` to cards of two colors. Independent Set, which
:mod:`hanabi.solitaire.hardness.most` reduces to the most cards that can be played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

from hanabi.ground import InvalidInputError, Stream, quote
from hanabi.solitaire.hardness.formula import Assignment, Formula

__all__ = ["Graph", "random_graph", "read_graph"]

_MOST_VERTICES = 100_000


@dataclass(frozen=True)
class Graph:
    """A graph whose vertices 1, 2, ... belong to classes 1, 2, ...

    Attributes
    ----------
    classes
        The class of each vertex. Every class up to the largest number has a vertex.
    edges
        Pairs of different vertices. An edge within a class changes nothing.

    Raises
    ------
    InvalidInputError
        If there is no vertex, a class has none, or an edge is not one.

    >>> square = Graph((1, 1, 2, 2), ((1, 3), (3, 2), (2, 4), (4, 1)))
    >>> square.n_classes, square.is_clique((1, 3)), square.formula.n_clauses
    (2, True, 2)
    """

    classes: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        if not self.classes:
            raise InvalidInputError("a graph without vertices")
        if len(self.classes) > _MOST_VERTICES:
            raise InvalidInputError(f"{len(self.classes):,} vertices: more than {_MOST_VERTICES:,}")
        for vertex, number in enumerate(self.classes, start=1):
            if not 1 <= number <= len(self.classes):
                raise InvalidInputError(
                    f"vertex {vertex}: class {quote(number)} is not in 1 .. {len(self.classes)}"
                )
        for number, members in enumerate(self.members, start=1):
            if not members:
                raise InvalidInputError(f"no vertex has class {number} of {self.n_classes}")
        for edge in self.edges:
            for vertex in edge:
                if not 1 <= vertex <= len(self.classes):
                    raise InvalidInputError(
                        f"edge {edge}: vertex {quote(vertex)} is not in 1 .. {len(self.classes)}"
                    )
            if edge[0] == edge[1]:
                raise InvalidInputError(f"edge {edge}: it joins a vertex to itself")

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.members)

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The vertices of each class, ascending."""
        found: list[list[int]] = [[] for _ in range(max(self.classes))]
        for vertex, number in enumerate(self.classes, start=1):
            found[number - 1].append(vertex)
        return tuple(map(tuple, found))

    def is_independent(self, vertices: Iterable[int]) -> bool:
        """Return whether no two of `vertices` are adjacent. O(edges)."""
        chosen = frozenset(vertices)
        return not any(chosen.issuperset(edge) for edge in self.joined)

    def independent_in(self, vertices: Iterable[int]) -> tuple[int, ...]:
        """Return `vertices` without one end of each edge between them. O(size).

        >>> Graph((1, 1, 1), ((1, 2), (2, 3))).independent_in((1, 2, 3))
        (1, 3)
        """
        chosen = set(vertices)
        for u, v in sorted(self.joined):
            if u in chosen and v in chosen:
                chosen.remove(v)
        return tuple(sorted(chosen))

    @cached_property
    def joined(self) -> frozenset[tuple[int, int]]:
        """The edges, each once, its smaller vertex first."""
        return frozenset((min(edge), max(edge)) for edge in self.edges)

    def is_clique(self, vertices: Sequence[int]) -> bool:
        """Return whether `vertices` are one of each class, in order, and all adjacent. O(k^2)."""
        return (
            len(vertices) == self.n_classes
            and all(map(tuple.__contains__, self.members, vertices))
            and all((min(pair), max(pair)) in self.joined for pair in combinations(vertices, 2))
        )

    @cached_property
    def apart(self) -> tuple[int, ...]:
        """For each vertex how many vertices of other classes are not adjacent to it. O(size)."""
        found = [len(self.classes) - len(self.members[number - 1]) for number in self.classes]
        for u, v in self.joined:
            if self.classes[u - 1] != self.classes[v - 1]:
                found[u - 1] -= 1
                found[v - 1] -= 1
        return tuple(found)

    # The clique as a formula: for each class a counter, the place of its vertex.

    @cached_property
    def counters(self) -> tuple[tuple[int, ...], ...]:
        """The variables of each class: the v-th is true if the class's vertex is its v-th or later.

        >>> Graph((1, 2, 1), ()).counters
        ((1, 2), (3,))
        """
        ends = [0]
        for members in self.members:
            ends.append(ends[-1] + len(members))
        return tuple(tuple(range(start + 1, end + 1)) for start, end in pairwise(ends))

    @cached_property
    def formula(self) -> Formula:
        """A formula over the counters that says: they show a clique. O(vertices^2).

        Every counter is at least 1, and of two vertices that are not adjacent one is not chosen.
        That a counter's variables are true from the first on is left to the counters themselves.
        """
        clauses: list[tuple[int, ...]] = [(counter[0],) for counter in self.counters]
        clauses += (
            (*self._not_at(*one), *self._not_at(*other)) for one, other in self.pairs_apart()
        )
        return Formula(len(self.classes), tuple(clauses))

    # The same over the vertices themselves, and an independent set.

    @cached_property
    def formula_of_vertices(self) -> Formula:
        """A formula over the vertices that says: they have a clique. O(vertices^2).

        Each class has a vertex, and no two vertices of different classes that are not adjacent are
        both chosen. If a class has several, any one of them will do.
        """
        apart = (
            (-self.members[i][a], -self.members[j][b]) for (i, a), (j, b) in self.pairs_apart()
        )
        return Formula(len(self.classes), (*self.members, *apart))

    @cached_property
    def formula_of_sets(self) -> Formula:
        """A formula over the vertices that says: no two of them are adjacent. O(edges)."""
        return Formula(len(self.classes), tuple((-u, -v) for u, v in sorted(self.joined)))

    def chosen_by(self, vertices: Iterable[int]) -> Assignment:
        """Return the values of the variables of vertices that are true of just these.

        >>> Graph((1, 2, 1), ()).chosen_by((3, 2))
        (False, True, True)
        """
        chosen = frozenset(vertices)
        return tuple(vertex in chosen for vertex in range(1, len(self.classes) + 1))

    def pairs_apart(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield the pairs that are not adjacent, each vertex as its class and place from 0."""
        for first, second in combinations(range(self.n_classes), 2):
            for a, one in enumerate(self.members[first]):
                for b, other in enumerate(self.members[second]):
                    if (min(one, other), max(one, other)) not in self.joined:
                        yield (first, a), (second, b)

    def _not_at(self, number: int, place: int) -> tuple[int, ...]:
        counter = self.counters[number]
        return -counter[place], *counter[place + 1 : place + 2]

    def values_of(self, vertices: Sequence[int]) -> Assignment:
        """Return the values of the counters' variables that show these vertices, one a class.

        Raises
        ------
        InvalidInputError
            If they are not one vertex of each class, in order.

        >>> Graph((1, 2, 1), ()).values_of((3, 2))
        (True, True, True)
        """
        if len(vertices) != self.n_classes or not all(
            map(tuple.__contains__, self.members, vertices)
        ):
            raise InvalidInputError(
                f"{quote(tuple(vertices))}: not one vertex of each of the {self.n_classes} classes"
            )
        return tuple(
            place <= members.index(vertex)
            for vertex, members in zip(vertices, self.members, strict=True)
            for place in range(len(members))
        )

    def clique_of(self, assignment: Sequence[bool]) -> tuple[int, ...]:
        """Return the vertices that the counters show; a class whose counter is 0 is left out."""
        shown: list[int] = []
        for members, counter in zip(self.members, self.counters, strict=True):
            place = sum(assignment[variable - 1] for variable in counter)
            shown += members[place - 1 : place] if place else ()
        return tuple(shown)


def read_graph(lines: Iterable[str], *, has_classes: bool = True) -> Graph:
    """Read a graph with classes from the lines of a DIMACS edge file. O(size).

    Comment lines begin with `c`. The header `p edge VERTICES EDGES` (or `p col`) comes first, then,
    in any order, `n VERTEX CLASS` once for each vertex and `e VERTEX VERTEX` once for each edge; an
    edge that is listed in both directions counts twice. Without `has_classes` all vertices are of
    class 1, whatever the lines `n` say, which may be missing.

    Raises
    ------
    InvalidInputError
        For anything else; the message names the line.

    >>> read_graph(["c an edge", "p edge 2 1", "n 1 1", "n 2 2", "e 1 2"])
    Graph(classes=(1, 2), edges=((1, 2),))
    >>> read_graph(["p edge 2 1", "n 1 1", "e 1 2"])
    Traceback (most recent call last):
    ...
    hanabi.ground.errors.InvalidInputError: line 3: the end, and vertex 2 has no line `n 2 CLASS`
    """
    sizes: tuple[int, int] | None = None
    classes: list[int] = []
    edges: list[tuple[int, int]] = []
    number = 0
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            if sizes is not None:
                raise InvalidInputError(f"line {number}: a second header {quote(line.strip())}")
            if len(words) != 4 or words[1] not in ("edge", "col"):
                raise InvalidInputError(
                    f"line {number}: {quote(line.strip())} is not `p edge VERTICES EDGES`"
                )
            sizes = _number(number, words[2], 1, _MOST_VERTICES), _number(number, words[3])
            classes = [0 if has_classes else 1] * sizes[0]
        elif sizes is None:
            raise InvalidInputError(
                f"line {number}: {quote(words[0])} before the header `p edge VERTICES EDGES`"
            )
        elif words[0] == "n" and len(words) == 3:
            vertex = _number(number, words[1], 1, sizes[0])
            if classes[vertex - 1] and has_classes:
                raise InvalidInputError(f"line {number}: a second class for vertex {vertex}")
            classes[vertex - 1] = _number(number, words[2], 1, sizes[0]) if has_classes else 1
        elif words[0] == "e" and len(words) == 3:
            edge = (_number(number, words[1], 1, sizes[0]), _number(number, words[2], 1, sizes[0]))
            if edge[0] == edge[1]:
                raise InvalidInputError(f"line {number}: {edge[0]} is joined to itself")
            edges.append(edge)
        else:
            raise InvalidInputError(
                f"line {number}: {quote(line.strip())} is not `n VERTEX CLASS` or `e VERTEX VERTEX`"
            )
    if sizes is None:
        raise InvalidInputError("no header `p edge VERTICES EDGES`")
    if 0 in classes:
        vertex = classes.index(0) + 1
        raise InvalidInputError(
            f"line {number}: the end, and vertex {vertex} has no line `n {vertex} CLASS`"
        )
    if len(edges) != sizes[1]:
        raise InvalidInputError(
            f"line {number}: the end after {len(edges)} edges; the header says {sizes[1]}"
        )
    return Graph(tuple(classes), tuple(edges))


def _number(line: int, word: str, least: int = 0, most: int = 2**31 - 1) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 10 and least <= int(word) <= most):
        raise InvalidInputError(f"line {line}: {quote(word)} is not a number in {least} .. {most}")
    return int(word)


def random_graph(sizes: Sequence[int], *, density: float = 0.5, seed: int = 0) -> Graph:
    """Return a random graph with classes of these sizes.

    Every pair of vertices of different classes is adjacent with probability `density`.

    >>> random_graph((2, 2), seed=1)
    Graph(classes=(1, 1, 2, 2), edges=((1, 4), (2, 3), (2, 4)))
    """
    rng = Stream(seed)
    classes = tuple(number for number, size in enumerate(sizes, start=1) for _ in range(size))
    pairs = combinations(range(1, len(classes) + 1), 2)
    edges = tuple(
        (u, v)
        for u, v in pairs
        if classes[u - 1] != classes[v - 1] and rng.below(10**6) < density * 10**6
    )
    return Graph(classes, edges)
