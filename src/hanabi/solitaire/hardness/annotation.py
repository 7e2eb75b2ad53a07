"""Annotation of a reduced instance: the purpose of its cards by gadget, and of its colors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hanabi.ground import InvalidInputError, naming, printable
from hanabi.rules import MOST, as_integer, as_items, as_object, as_text
from hanabi.solitaire.hardness.formula import Formula
from hanabi.solitaire.hardness.graph import Graph

if TYPE_CHECKING:
    from hanabi.solitaire.hardness.layout import Parts
    from hanabi.solitaire.instance import Instance

__all__ = [
    "COUNTERS",
    "IF_FALSE",
    "IF_TRUE",
    "SETS",
    "VARIABLE",
    "Annotation",
    "Span",
    "formula_of",
    "spans_of",
]

VARIABLE = "variable"
"""The role of the cards of a variable gadget with a color for each literal: the literal whose 2 is
played is true."""
IF_TRUE, IF_FALSE = "played if true", "played if false"
"""The roles of cards that a winning play uses only if their variable is true, or false."""
_MARKS = (VARIABLE, IF_TRUE, IF_FALSE)

COUNTERS = "clique"
"""The variant whose formula is about counters, not about vertices."""
SETS = {"most_cards_two_copies": 1, "most_cards_one_copy": 3}
"""The variants that ask for an independent set; for each vertex, the cards that no play can have if
the set is empty."""

_LENGTH = 40  # of a name in the input
_FORMULA, _GRAPH = ("variables", "clauses"), ("classes", "edges")
_KEYS = ("colors", "gadgets", "variant")


class Span(NamedTuple):
    """Cards `first` .. `last` of the stream (from 1), with their role.

    `number` is the number of their variable, vertex, clause or class, by the role; or 0.
    """

    role: str
    number: int
    first: int
    last: int


def spans_of(stretches: Iterable[Parts]) -> Iterator[Span]:
    """Yield the non-empty spans of a stream whose blocks have these parts.

    Cards of one role without a number form one span, even across blocks.
    """
    before = Span("", 0, 1, 0)
    for parts in stretches:
        columns = parts.kinds.tolist(), parts.numbers.tolist(), parts.lengths.tolist()
        for kind, number, length in zip(*columns, strict=True):
            if not length:
                continue
            role, last = parts.roles[kind], before.last + length
            if role == before.role and number == before.number == 0:
                before = before._replace(last=last)
                continue
            if before.role:
                yield before
            before = Span(role, number, before.last + 1, last)
    if before.role:
        yield before


def formula_of(problem: Formula | Graph, variant: str) -> Formula:
    """Return the formula that the cards of a problem under a variant are about.

    For a graph it says that its variables, counters or vertices, show a clique, or an independent
    set.
    """
    if isinstance(problem, Formula):
        return problem
    if variant in SETS:
        return problem.formula_of_sets
    return problem.formula if variant == COUNTERS else problem.formula_of_vertices


@dataclass(frozen=True, slots=True)
class Annotation:
    """The origin of a reduced instance.

    Attributes
    ----------
    variant
        Name of the variant.
    problem
        The formula, or the graph whose clique or independent set is asked for.
    colors
        For each color the literal (or variable) that it represents, or words such as "dummy",
        "reduction" (the hand reduction around everything) or "filler" (no part in the proof).
    spans
        The stream divided into gadgets; every card is in one span.
    """

    variant: str
    problem: Formula | Graph
    colors: tuple[int | str, ...] = field(repr=False)
    spans: tuple[Span, ...] = field(repr=False)

    @property
    def formula(self) -> Formula:
        """The formula that the cards are about."""
        return formula_of(self.problem, self.variant)

    @property
    def asks_for_set(self) -> bool:
        """Whether the most cards show a largest independent set, and not a winning play a solution.

        Such cards cannot be won.
        """
        return self.graph is not None and self.variant in SETS

    @property
    def graph(self) -> Graph | None:
        """The graph, if the cards were made from one."""
        return None if isinstance(self.problem, Formula) else self.problem

    def target(self, instance: Instance, size: int) -> int:
        """Return how many cards can be played if the graph has an independent set of `size`."""
        return instance.goal - SETS[self.variant] * self.formula.n_vars + size

    def to_json(self) -> dict[str, object]:
        """Return the annotation ready for `json.dumps`; :meth:`from_json` reads it back."""
        problem: dict[str, object]
        if isinstance(self.problem, Formula):
            problem = {"variables": self.problem.n_vars, "clauses": self.problem.clauses}
        else:
            problem = {"classes": self.problem.classes, "edges": self.problem.edges}
        return {
            "variant": self.variant,
            **problem,
            "colors": self.colors,
            "gadgets": [span._asdict() for span in self.spans],
        }

    @classmethod
    def from_json(cls, data: object) -> Annotation:
        """Read an annotation; O(size).

        Raises
        ------
        InvalidInputError
            If an entry is missing or has the wrong type; the message names it.
        """
        is_graph = "classes" in as_object(data, "annotation")
        entries = _entries(data, "annotation", (*(_GRAPH if is_graph else _FORMULA), *_KEYS))
        problem = _graph(entries) if is_graph else _formula(entries)
        colors = tuple(
            printable(meaning, _LENGTH)
            if isinstance(meaning, str)
            else as_integer(meaning, path, -MOST)
            for meaning, path in as_items(entries["colors"], "annotation.colors")
        )
        spans = tuple(_span(*span) for span in as_items(entries["gadgets"], "annotation.gadgets"))
        return cls(_name(entries["variant"], "annotation.variant"), problem, colors, spans)

    def check(self, n_cards: int, n_colors: int) -> None:
        """Check that the annotation fits an instance of `n_cards` cards in `n_colors` colors.

        Raises
        ------
        InvalidInputError
            If it does not fit; the message names the mismatch.
        """
        if len(self.colors) != n_colors:
            raise InvalidInputError(
                f"annotation: {len(self.colors)} colors are explained, the cards have {n_colors}"
            )
        if self.graph is not None:
            self._check_graph(self.graph, n_cards)
        colors, end = frozenset(self.colors), 0
        for span in self.spans:
            if span.first != end + 1 or span.last < span.first:
                raise InvalidInputError(
                    f"annotation: gadget {span.first} .. {span.last} does not follow card {end}"
                )
            end = span.last
            if self.variant != COUNTERS and span.role in _MARKS:
                self._check_variable(span, colors)
        if end != n_cards:
            raise InvalidInputError(f"annotation: it ends with card {end} of {n_cards}")

    def _check_variable(self, span: Span, colors: frozenset[int | str]) -> None:
        place = f"annotation: gadget {span.first} .. {span.last}"
        if not 1 <= span.number <= self.formula.n_vars:
            raise InvalidInputError(
                f"{place}: variable {span.number} is not in 1 .. {self.formula.n_vars}"
            )
        if (span.role == VARIABLE or self.asks_for_set) and span.number not in colors:
            raise InvalidInputError(f"{place}: variable {span.number} has no color")

    def _check_graph(self, graph: Graph, n_cards: int) -> None:
        counts_all = self.variant == COUNTERS
        clauses = graph.n_classes + (0 if self.asks_for_set else sum(graph.apart) // 2)
        if clauses * (len(graph.classes) if counts_all else 1) > n_cards:  # before it is made
            raise InvalidInputError(f"annotation: {n_cards} cards are too few for its graph")
        if not counts_all:
            return
        colors = frozenset(self.colors)
        for number in range(1, graph.n_classes + 1):
            for color in (f"class {number}", f"class {number} copy"):
                if color not in colors:
                    raise InvalidInputError(f"annotation: no color is {color!r}")


def _entries(data: object, path: str, keys: Sequence[str]) -> dict[str, object]:
    entries = as_object(data, path)
    for key in keys:
        if key not in entries:
            raise InvalidInputError(f"{path}: {key} is missing")
    return entries


def _formula(entries: dict[str, object]) -> Formula:
    clauses = _rows(entries["clauses"], "annotation.clauses", -MOST)
    n_vars = as_integer(entries["variables"], "annotation.variables")
    with naming("annotation"):
        return Formula(n_vars, clauses)


def _graph(entries: dict[str, object]) -> Graph:
    classes = tuple(
        as_integer(number, path)
        for number, path in as_items(entries["classes"], "annotation.classes")
    )
    edges = _rows(entries["edges"], "annotation.edges", 0)
    with naming("annotation"):
        for edge in edges:
            if len(edge) != 2:
                raise InvalidInputError(f"edge {list(edge)}: not two vertices")
        return Graph(classes, tuple((edge[0], edge[1]) for edge in edges))


def _rows(value: object, path: str, least: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(as_integer(number, at, least) for number, at in as_items(row, where))
        for row, where in as_items(value, path)
    )


def _name(value: object, path: str) -> str:
    name = as_text(value, path)
    if not name:
        raise InvalidInputError(f"{path}: it is empty")
    return printable(name, _LENGTH)


def _span(data: object, path: str) -> Span:
    entries = _entries(data, path, Span._fields)
    number, first, last = (
        as_integer(entries[key], f"{path}.{key}") for key in ("number", "first", "last")
    )
    return Span(_name(entries["role"], f"{path}.role"), number, first, last)
