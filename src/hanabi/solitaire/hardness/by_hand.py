"""Cliques by two colors with two copies: the hand, four cards more than classes, is the parameter.

A constraint x_i != a or x_j != b for each two vertices of different classes that are not adjacent;
x_i is the place of the vertex of class i.

- *Section* of color B: blocks of consecutive values. *Gate* q draws block q + 1, then block q. Some
  gate must be used: its upper block is all in hand at once.
- *Unit* of color A: values 1', a *token*, 3', 4'. Stream: 1' 3' 4', a gate, first copies of later
  tokens (*offers*), the second copy of its own. If its token is not held, 3' 4' take two places,
  and its gate has no room. A *blank* unit is 1' 3' 4' and the only copy of its token.
- *Pass* of a class: a blank unit, and one unit with a gate for each place. Its tokens are offered
  in the last pass of the class: one of them is held, and the value never falls. In a constraint, a
  pass of each class offers the tokens *before* and *after* around the unit of a (or b), whose gate
  is larger: it has room only if *before* is not held. Two passes of two units each play them. The
  first offers a *further* token if x_j != b, and the second needs it if x_i = a.

The list of constraints is repeated once more often than values can rise. The proof is on the page
`docs/complexity.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from hanabi.solitaire.hardness.annotation import IF_FALSE, IF_TRUE
from hanabi.solitaire.hardness.graph import Graph
from hanabi.solitaire.hardness.layout import ALWAYS, NEVER, Piece
from hanabi.solitaire.hardness.minimal import Windows

__all__ = ["TwoColorsByHand"]

_A, _B = 0, 1
_UNIT = 4  # values of a unit with one token
_GATE, _LARGE = 3, 4  # values of a block, and of the one at a special unit


class _Pass(NamedTuple):
    """A pass of a class: the value of A before it, and the place of its special unit, or none."""

    start: int
    special: int | None

    def before(self, place: int) -> int:
        """Return the value of A before unit `place`, or after the last one."""
        is_moved = self.special is not None and place >= self.special
        return self.start + _UNIT * (place + 1) + 2 * is_moved


class TwoColorsByHand(Windows):
    """Two colors, two copies; the hand is k + 4 for k classes.

    With V vertices, m constraints, S = the sum of N_i + N_j over them (sizes of both classes), and
    R rounds: n = R (4 S + 37 m) + 5 k + 4 V + 3.

    >>> plan = TwoColorsByHand(Graph((1, 1, 2), ((2, 3),)))
    >>> plan.hand, plan.c, plan.n, plan.rounds
    (6, 2, 123, 2)
    """

    name = "two_colors_by_hand"
    has_any_hand = False

    def __init__(self, graph: Graph, rounds: int | None = None) -> None:
        self.problem: Graph = graph
        self.hand = graph.n_classes + 4
        self.rounds = len(graph.classes) - graph.n_classes + 1 if rounds is None else rounds
        self._check_size(self.n, self.c)

    @property
    def meanings(self) -> list[int | str]:
        """Two names."""
        return ["color A", "color B"]

    @cached_property
    def tops(self) -> list[int]:
        """Values of A and of B."""
        apart, classes = self.problem.apart, self.problem.classes
        m, k, V, R = sum(apart) // 2, self.problem.n_classes, len(classes), self.rounds
        members = self.problem.members
        S = sum(x * len(members[number - 1]) for x, number in zip(apart, classes, strict=True))
        return [R * (4 * S + 37 * m) + 5 * k + 4 * V + 3, R * (3 * S + 18 * m) + k + 3 * V]

    def _pieces(self) -> Iterator[Piece]:
        return _Cards(self.problem, self.rounds).pieces()


class _Cards:
    """The cards of a graph, gadget by gadget."""

    def __init__(self, graph: Graph, rounds: int) -> None:
        self.members, self.rounds = graph.members, rounds
        self.sizes = [len(each) for each in graph.members]
        self.constraints = list(graph.pairs_apart())
        self.starts = [0]  # the values of A before each constraint of a round, and at its end
        self.passes: list[list[_Pass]] = [[] for _ in self.sizes]  # of each class, in a round
        for (i, a), (j, b) in self.constraints:
            first = _Pass(self.starts[-1], a)
            second = _Pass(first.before(self.sizes[i]), b)
            self.passes[i].append(first)
            self.passes[j].append(second)
            self.starts.append(second.before(self.sizes[j]) + 25)
        self.final = []
        end = rounds * self.starts[-1]
        for size in self.sizes:
            self.final.append(_Pass(end, None))
            end = self.final[-1].before(size)
        self.last = end + 1
        """The value of A below all top values."""
        self.counts = [0] * len(self.sizes)
        """Passes of each class so far."""
        self.done = 0
        """Values of B so far."""

    def pieces(self) -> Iterator[Piece]:
        """Yield the gadgets in order."""
        for i, size in enumerate(self.sizes):
            for place in range(size):
                yield self.token(i, 0, place, is_offer=True)
        for turn in range(self.rounds):
            for number in range(len(self.constraints)):
                yield from self.constraint(turn, number)
        yield "place held", 0, [(self.last + more, _A, ALWAYS) for more in (1, 2)]
        for i in range(len(self.sizes)):
            yield from self.class_pass(i)
            yield note("place held", self.last + 3 + i, ALWAYS)
        yield note("place freed", self.last, NEVER)

    def pass_of(self, i: int, number: int) -> _Pass:
        """Return a pass of class i, counted through all rounds."""
        if number >= len(self.passes[i]) * self.rounds:
            return self.final[i]
        turn, index = divmod(number, len(self.passes[i]))
        found = self.passes[i][index]
        return found._replace(start=found.start + turn * self.starts[-1])

    def token(self, i: int, number: int, place: int, *, is_offer: bool) -> Piece:
        """Return a copy of the token of a unit."""
        value, vertex = self.pass_of(i, number).before(place) + 2, self.members[i][place]
        card = value, _A, vertex if is_offer else NEVER
        return IF_TRUE if is_offer else IF_FALSE, vertex, [card]

    def gates(self, *blocks: tuple[int, int]) -> list[Piece]:
        """Return the gates of a section: how large each block is, and by which literal it is held.

        A block below the first one has one value.
        """
        self.done += 1
        below, found = range(self.done, self.done + 1), list[Piece]()
        for size, literal in blocks:
            block = range(self.done + 1, self.done + size + 1)
            self.done += size
            cards = [(value, _B, literal) for value in block]
            found.append(("gate", 0, cards + [(value, _B, NEVER) for value in below]))
            below = block
        return found

    def class_pass(self, i: int, before: int = 0, after: int = 0) -> Iterator[Piece]:
        """Yield the next pass of class i; its special unit offers two further tokens."""
        number = self.counts[i]
        self.counts[i] += 1
        here = self.pass_of(i, number)
        yield blank(here.start, i + 1)
        sizes = (_LARGE if place == here.special else _GATE for place in range(self.sizes[i]))
        gates = self.gates(*zip(sizes, self.members[i], strict=True))
        for place, (vertex, gate) in enumerate(zip(self.members[i], gates, strict=True)):
            if place == here.special:
                yield note("place freed", here.before(place) - 1, NEVER)
                yield note("before offered", before, -vertex)
            yield unit(here.before(place), i + 1)
            yield gate
            if here is not self.final[i]:
                yield self.token(i, number + 1, place, is_offer=True)
            yield self.token(i, number, place, is_offer=False)
            if place == here.special:
                yield note("after offered", after, vertex)

    def constraint(self, turn: int, number: int) -> Iterator[Piece]:
        """Yield the four passes of a constraint in a round."""
        (i, a), (j, b) = self.constraints[number]
        u, v = self.members[i][a], self.members[j][b]
        one, two = self.pass_of(i, self.counts[i]), self.pass_of(j, self.counts[j])
        fillers = [(one.before(a), _A, ALWAYS), (two.before(b), _A, ALWAYS)]
        yield "place held", number + 1, fillers
        z = turn * self.starts[-1] + self.starts[number + 1] - 25  # the value before each pass
        c = z + 3 * _UNIT
        z_before, z_after, y_before = z + _UNIT + 2, z + 2 * _UNIT + 2, c + _UNIT + 2
        further, y_after = c + 2 * _UNIT + 2, c + 2 * _UNIT + 3
        yield from self.class_pass(i, y_before, y_after)
        yield from self.class_pass(j, z_before, z_after)
        first, second = self.gates((_GATE, -v), (_GATE, v))
        yield blank(z)
        yield unit(z + _UNIT)
        yield first
        yield note("further token offered", further, -v)
        yield note("before again", z_before, NEVER)
        yield unit(z + 2 * _UNIT)
        yield second
        yield note("after again", z_after, NEVER)
        first, second = self.gates((_GATE, -u), (_GATE, u))
        yield blank(c)
        yield unit(c + _UNIT)
        yield first
        yield note("before again", y_before, NEVER)
        yield unit(c + 2 * _UNIT, tokens=2)
        yield second
        yield note("further token again", further, NEVER)
        yield note("after again", y_after, NEVER)


def note(role: str, value: int, keep: int) -> Piece:
    """Return a single card of A."""
    return role, 0, [(value, _A, keep)]


def unit(start: int, number: int = 0, *, tokens: int = 1) -> Piece:
    """Return the cards of a unit that come before its gate; `start` is the value before it."""
    cards = [(start + 1, _A, NEVER)]
    return "unit", number, cards + [(start + tokens + more, _A, ALWAYS) for more in (2, 3)]


def blank(start: int, number: int = 0) -> Piece:
    """Return a blank unit."""
    return "blank unit", number, [*unit(start)[2], (start + 2, _A, NEVER)]
