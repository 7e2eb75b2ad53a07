"""Reductions that need little: one or two cards in hand, three or four values, or two colors.

A color is a path of windows. Say that every playable card is played at once, and let T(v) be the
time at which the color's v is played. Then v is played when it is drawn, or it waited in hand from
its last copy before T(v - 1) until T(v - 1): that stretch is a *window* of the color. So a color
only chooses which of its windows to use, colors meet only in the hand, and a pile remembers what
was chosen without using the hand. The constructions below live on that. No card has more than two
copies.

============  ==  ====================  ==============  =========
variant       h   n                     c               N - n c
============  ==  ====================  ==============  =========
four_values   1   max(4, k + 1)         v + m           v + L - m
three_values  2   3                     v + 3m + 3L     v + 2L
two_colors    5m  2v + 22m + q + 1      2               10m
clique        1   see :class:`Cliques`  2 classes + 2
============  ==  ====================  ==============  =========

v variables (for two_colors those that occur), m clauses (without those that hold a literal and its
opposite, and none empty), k the most literals of a clause, L all literals, q the negative ones (for
two_colors once shorter clauses have repeated their last literal). Proofs: `docs/complexity.md`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, chain
from typing import ClassVar

from hanabi.ground import InvalidInputError
from hanabi.solitaire.hardness.annotation import IF_FALSE, IF_TRUE
from hanabi.solitaire.hardness.formula import Formula
from hanabi.solitaire.hardness.graph import Graph
from hanabi.solitaire.hardness.layout import (
    ALWAYS,
    MOST_CARDS,
    NEVER,
    Block,
    Piece,
    check_unused,
    packed,
    tail_blocks,
)

__all__ = ["WINDOWS", "Cliques", "FourValues", "ThreeValues", "TwoColors", "Windows"]


class Windows(ABC):
    """The stream of a problem under one of these constructions, with its own h and r.

    Raises
    ------
    InvalidInputError
        If a clause is too long for the construction, many variables are in no clause, or the stream
        would need more than 2**31 cards.
    """

    name: ClassVar[str]
    copies: ClassVar[int] = 2
    is_printed: ClassVar[bool] = False
    has_any_hand: ClassVar[bool] = True
    """Whether a larger hand can be filled by further colors."""
    _least: ClassVar[int] = 1

    problem: Formula | Graph
    hand: int

    @property
    @abstractmethod
    def tops(self) -> list[int]:
        """For each color, the largest value that the gadgets use; smaller ones all occur."""

    @property
    @abstractmethod
    def meanings(self) -> list[int | str]:
        """The meaning of each color: the number of a variable, or words."""

    @abstractmethod
    def _pieces(self) -> Iterator[Piece]:
        """Yield the gadgets in order."""

    def _check_size(self, n: int, c: int) -> None:
        if n * c > MOST_CARDS:
            raise InvalidInputError(f"n x c = {n} x {c} cards to build: more than 2**31")

    @cached_property
    def n(self) -> int:
        """Number of values."""
        return max([self._least, *self.tops])

    @cached_property
    def c(self) -> int:
        """Number of colors."""
        return len(self.tops)

    def blocks(self, n: int | None = None) -> Iterator[Block]:
        """Yield the stream in blocks: the gadgets, then each color's missing values up to `n`."""
        import numpy as np

        yield from packed(self._pieces())
        starts = np.array(self.tops, dtype=np.int32) + 1
        colors = np.arange(len(starts), dtype=np.int32)
        for block in tail_blocks(colors, starts, n or self.n, "last cards"):
            if len(block.values):
                yield block


class _OfFormula(Windows):
    """A construction for formulas: repeated literals count once, and tautologies are left out."""

    _most: ClassVar[int | None] = None

    def __init__(self, formula: Formula) -> None:
        check_unused(formula.n_vars, sum(map(len, formula.clauses)))
        self.problem: Formula = formula
        self.clauses: dict[int, tuple[int, ...]] = {}
        """The different literals of each clause that can be false, by variable."""
        for number, given in enumerate(formula.clauses, start=1):
            literals = tuple(sorted(set(given), key=abs))
            if len({*map(abs, literals)}) == len(literals):
                self.clauses[number] = literals
            if self._most is not None and len(literals) > self._most:
                raise InvalidInputError(
                    f"clause {number} {given} has more than {self._most} different literals"
                )
        self._check_size(self.n, self.c)

    @cached_property
    def holders(self) -> dict[int, list[int]]:
        """For each literal the numbers of the clauses that hold it."""
        found = defaultdict(list)
        for number, literals in self.clauses.items():
            for literal in literals:
                found[literal].append(number)
        return found

    @property
    def variables(self) -> range:
        """All variables."""
        return range(1, self.problem.n_vars + 1)


class FourValues(_OfFormula):
    """One card in hand, two copies, four values; clauses of any length k with max(4, k + 1) values.

    A clause of k literals is a color: 2 1, 3 2, ..., k+1 k. Each of these pairs is a window, one
    for each literal, in the order of the variables. The first card of a pair always comes too early
    by one: held until the second, it puts the color ahead, and then every later card fits at once.
    A color that never does so misses its only k+1. So at least one window is used.

    A variable is a color: 2 [the pairs of *not x*] 1 3 [the pairs of *x*] 2, then 4. It needs its 2
    in hand over the first stretch (then 3 follows at once) or its 3 over the second; with one card
    in hand, no pair in that stretch can be used. x is true if it is the first.

    >>> plan = FourValues(Formula(3, ((1, -2, 3),)))
    >>> [block] = plan.blocks()
    >>> " ".join(map("{}:{}".format, block.colors.tolist(), block.values.tolist()))
    '0:2 0:1 0:3 3:2 3:1 0:2 0:4 1:2 3:3 3:2 1:1 1:3 1:2 1:4 2:2 2:1 2:3 3:4 3:3 2:2 2:4'
    """

    name = "four_values"
    hand = 1
    _least = 4

    @cached_property
    def tops(self) -> list[int]:
        """4 for a variable, k + 1 for a clause."""
        return [4] * self.problem.n_vars + [
            len(literals) + 1 if literals else 3 for literals in self.clauses.values()
        ]

    @property
    def meanings(self) -> list[int | str]:
        """The variables, then the clauses."""
        return [*self.variables, *(f"clause {number}" for number in self.clauses)]

    def _pieces(self) -> Iterator[Piece]:
        places = dict.fromkeys(self.clauses, 0)  # pairs of each clause that have come
        colors = {number: self.problem.n_vars + i for i, number in enumerate(self.clauses)}

        def pairs(literal: int) -> Iterator[Piece]:
            for number in self.holders.get(literal, ()):
                places[number] += 1
                value, color = places[number], colors[number]
                yield "pair", number, [(value + 1, color, ALWAYS), (value, color, NEVER)]

        for x in self.variables:
            color = x - 1
            yield IF_TRUE, x, [(2, color, x)]
            yield from pairs(-x)
            yield "variable turns", x, [(1, color, NEVER), (3, color, -x)]
            yield from pairs(x)
            yield IF_FALSE, x, [(2, color, NEVER)]
            yield "variable completed", x, [(4, color, NEVER)]
        for number, literals in self.clauses.items():
            if not literals:  # two cards would have to wait for the 1
                color = colors[number]
                yield "empty clause", number, [(value, color, NEVER) for value in (3, 2, 1)]


class ThreeValues(_OfFormula):
    """Two cards in hand, two copies, three values; clauses of at most three literals.

    A *choice* is a color 2 [I] 1 ... 3 [J] 2: it holds its 2 over I, or its 3 over J. A *filler*, a
    color 2 .. 1 3 around the I of a choice, holds there for certain. Let a stretch of one choice
    contain the whole I of another with its filler: if the first holds there, there is no room for
    the second, which must hold over its J, wherever that is. So "held" is passed on in time.

    For each variable a choice; inside its I the I of the first link of a chain for x, inside its J
    that of a chain for *not x*. A link is a choice for an occurrence of the literal; its J contains
    the I of the next link, and the I of the occurrence's *exit*, a choice. The variable holds over
    I or J, so all links of one of its literals hold over their J, and so do their exits: that
    literal is false. The exits of a clause open their J together, 3 3 3 2 2 2, where only two can
    hold; a filler stands for each missing literal.

    >>> plan = ThreeValues(Formula(3, ((1, -2, 3),)))
    >>> [block] = plan.blocks()
    >>> plan.n, plan.c, len(block.values)
    (3, 15, 54)
    """

    name = "three_values"
    hand = 2
    _least = 3
    _most = 3

    @cached_property
    def tops(self) -> list[int]:
        """3 everywhere."""
        return [3] * len(self.meanings)

    @cached_property
    def meanings(self) -> list[int | str]:
        """The variables; for each occurrence four colors; the fillers of the clauses."""
        literals = sum(map(len, self.clauses.values()))
        occurrence = ["link", "place filled", "exit", "place filled"]
        missing = 3 * len(self.clauses) - literals
        return [*self.variables, *occurrence * literals, *["place filled"] * missing]

    def _pieces(self) -> Iterator[Piece]:
        literals = [sign * x for x in self.variables for sign in (1, -1)]
        counts = (4 * len(self.holders.get(literal, ())) for literal in literals)
        bases = accumulate(counts, initial=self.problem.n_vars)
        links = dict(zip(literals, bases, strict=False))  # the first link of each chain
        exits: dict[int, list[int]] = {number: [] for number in self.clauses}

        def first_window(number: int, color: int) -> Piece:
            held = [(2, color + 1, ALWAYS), (2, color, ALWAYS)]
            played = [(1, color, NEVER), (1, color + 1, NEVER), (3, color + 1, NEVER)]
            return "first window", number, held + played

        def chain_begins(literal: int) -> Iterator[Piece]:
            if self.holders.get(literal):
                yield first_window(self.holders[literal][0], links[literal])

        for x in self.variables:
            color = x - 1
            yield IF_FALSE, x, [(2, color, -x)]
            yield from chain_begins(x)
            yield "variable turns", x, [(1, color, NEVER), (3, color, ALWAYS)]
            yield from chain_begins(-x)
            yield IF_TRUE, x, [(2, color, NEVER)]
            for literal in (x, -x):
                clauses = self.holders.get(literal, [])
                for i, number in enumerate(clauses):
                    link = links[literal] + 4 * i
                    yield "second window opens", number, [(3, link, ALWAYS)]
                    if i + 1 < len(clauses):
                        yield first_window(clauses[i + 1], link + 4)
                    yield first_window(number, link + 2)
                    exits[number].append(link + 2)
                    yield "second window closes", number, [(2, link, NEVER)]
        filler = len(self.meanings) - sum(3 - len(each) for each in exits.values())
        for number, colors in exits.items():
            fillers = range(filler, filler + 3 - len(colors))
            filler += len(fillers)
            held = [(2, color, ALWAYS) for color in fillers]
            held += [(3, color, ALWAYS) for color in colors]
            played = [(2, color, NEVER) for color in colors]
            played += [(value, color, NEVER) for color in fillers for value in (1, 3)]
            yield "exits together", number, held + played


# Two colors: the cards of a clause, by letter the values before them, and the clause's script.
_A, _B = 0, 1
_OFFSETS_A = {"a": 0, "d": 3, "e": 8}
_OFFSETS_B = {"a'": 0, "y": 3, "d'": 5, "z": 9, "e'": 12}
_TRUE, _FALSE = ("a2", "d'2", "e2"), ("a'2", "d2", "e'2")
"""The cards T and F of the three literals."""
_CLAUSE = (
    ("first literal", "a1 a'1 a3 a'3", "a'2"),
    ("second literal", "d'1 d'3 d'4 z2", "a2"),
    ("second literal", "d1 d3 d4 d5", "d'2 d2"),
    ("places filled", "Z Z Z", ""),
    ("third literal", "z1 e1 z3 e3", "z2"),
    ("third literal", "e'1", ""),
    ("places filled", "Z", ""),
    ("third literal", "e'3", "e2 e'2"),
    ("places filled", "Z", ""),
)
"""A role, the cards that are stored if they do not fit, and those that are not."""


class TwoColors(_OfFormula):
    """Two colors, A and B, two copies; the hand is 5m for m clauses of three literals.

    Each occurrence of a literal owns two cards, T and F, with two copies each: *early* if the first
    copy is held, *late* if the second is played. Nearly all else is single. At most one of T and F
    is early, by the room in the part of the variables, and at least one, by that in the clauses; T
    is early exactly if the literal is true. A clause u, w, v has a card z2, too: if it is early, T
    of u or of w must be; if it is late, T of v must be. All by counting places: see the proof.

    Shorter clauses repeat their last literal.

    >>> plan = TwoColors(Formula(3, ((1, -2, 3),)))
    >>> plan.hand, plan.n, plan.tops
    (5, 30, [30, 15])
    """

    name = "two_colors"
    has_any_hand = False
    _most = 3

    def __init__(self, formula: Formula) -> None:
        super().__init__(formula)
        empty = next((number for number, each in self.clauses.items() if not each), None)
        if empty is not None:
            raise InvalidInputError(f"clause {empty} is empty")
        self.hand = 5 * len(self.clauses)

    @cached_property
    def _triples(self) -> dict[int, tuple[int, ...]]:
        return {
            number: (*literals, *literals[-1:] * (3 - len(literals)))
            for number, literals in self.clauses.items()
        }

    @cached_property
    def _places(self) -> dict[int, list[tuple[int, int]]]:
        """For each literal its occurrences: the index of the clause, and the place in it."""
        found = defaultdict(list)
        for j, literals in enumerate(self._triples.values()):
            for place, literal in enumerate(literals):
                found[literal].append((j, place))
        return found

    @cached_property
    def _used(self) -> list[int]:
        """The variables that occur."""
        return sorted({abs(literal) for literal in self._places})

    def _counts(self, x: int) -> tuple[int, int]:
        """Return the numbers p and q of the occurrences of x and *not x*."""
        return len(self._places.get(x, ())), len(self._places.get(-x, ()))

    @cached_property
    def tops(self) -> list[int]:
        """Values of A and of B."""
        variables = sum(2 + 2 * p + 3 * q for p, q in map(self._counts, self._used))
        m = len(self.clauses)
        return [variables + 11 * m + 1 + 5 * m, 15 * m]

    @property
    def meanings(self) -> list[int | str]:
        """Two names."""
        return ["color A", "color B"]

    def _pieces(self) -> Iterator[Piece]:
        firsts = {}  # the value of A before those of each variable
        base = 0
        for x in self._used:
            firsts[x] = base
            p, q = self._counts(x)
            base += 2 + 2 * p + 3 * q
        end = base + 11 * len(self._triples) + 1
        fillers = iter(range(end + 1, self.tops[_A] + 1))

        def cards(j: int, names: str, keep: int) -> Iterator[tuple[int, int, int]]:
            """Yield cards of clause j by their names, such as d'2; Z is the next filler."""
            for name in names.split():
                if name == "Z":
                    yield next(fillers), _A, keep
                    continue
                letter, place = name[:-1], int(name[-1])
                if letter in _OFFSETS_A:
                    yield base + 11 * j + _OFFSETS_A[letter] + place, _A, keep
                else:
                    yield 15 * j + _OFFSETS_B[letter] + place, _B, keep

        def owned(names: tuple[str, ...], literal: int, keep: int) -> list[tuple[int, int, int]]:
            found = (cards(j, names[place], keep) for j, place in self._places.get(literal, ()))
            return [*chain.from_iterable(found)]

        def run(first: int, count: int, keep: int) -> list[tuple[int, int, int]]:
            return [(first + i, _A, keep) for i in range(count)]

        for j, number in enumerate(self._triples):
            yield "places for a clause", number, [*cards(j, "y1 y2", ALWAYS)]
        for x in self._used:
            yield "places for a variable", x, run(firsts[x] + 2, sum(self._counts(x)), ALWAYS)
        for x in self._used:
            p, q = self._counts(x)
            start = firsts[x] + 1
            one = start + p + q + 1
            yield "variable turns", x, [(start, _A, NEVER)]
            yield IF_FALSE, x, run(one + 1, p + q, -x)
            yield "true and false cards", x, owned(_TRUE, x, x)
            yield "variable turns", x, [(one, _A, NEVER)]
            yield "true and false cards", x, owned(_FALSE, x, -x)
            yield "variable turns", x, run(one + p + q + 1, q, ALWAYS)
            yield "true and false cards", x, owned(_TRUE, -x, -x)
            yield IF_TRUE, x, run(one + 1, p + q, NEVER)
            yield "true and false cards", x, owned(_FALSE, -x, x)
        for j, number in enumerate(self._triples):
            for role, held, played in _CLAUSE:
                yield role, number, [*cards(j, held, ALWAYS), *cards(j, played, NEVER)]
        yield "places freed", 0, [(end, _A, NEVER)]


class Cliques(Windows):
    """One card in hand, two copies, two colors a class and two more: the colors are the parameter.

    - *Flush*: a color gives 2i 2i-1, adjacent and single, so the hand is empty there.
    - *Counter* x in 0 .. N for a class of N vertices, 2N + 1 values of a color. To write it: 2v
      2v-1 and a flush, for v = 1 .. N; then 2N+1. To read it, by the second copies: 2v+1 2v and a
      flush. After writing the pile shows 2x + 1; step v of writing holds a card if x >= v, and step
      v of reading does if x < v.
    - *Copy* a counter from a color C to another one C': 2v+1 of C, 2v of C', 2v of C, 2v-1 of C',
      flush; then 2N+1 of C'. One place in hand allows the copy no more than x.
    - *Clause*: a color with a pair i+1 i for each literal, as in :class:`FourValues`. The pair of
      x >= v stands after the 2v+1 of C, and that of x < v after the 2v of C, while a counter is
      copied: each finds the hand free only if its literal is true.

    The clauses of :attr:`Graph.formula` are tested one by one, each with a copying of all counters.
    The whole list is repeated once more often than counters can fall, so in one repetition they all
    stay, and show a clique.

    With V vertices, k classes, m clauses of L literals in all and R = V + 1 repetitions: h = 1,
    r = 2, c = 2k + 2, and n is the most of 2V(Rm + 2) (flushes), R(L + m) (clauses) and, for the
    largest class, (2N + 1)(floor(Rm / 2) + 1).

    >>> plan = Cliques(Graph((1, 1, 2), ((2, 3),)))
    >>> plan.c, plan.n, plan.rounds
    (6, 84, 4)
    """

    name = "clique"
    hand = 1
    _least = 3

    def __init__(self, graph: Graph) -> None:
        self.problem: Graph = graph
        self._check_size(self.n, self.c)

    @property
    def rounds(self) -> int:
        """Repetitions of the list of clauses."""
        return len(self.problem.classes) + 1

    @cached_property
    def _copies(self) -> int:
        """How often each counter is copied."""
        return self.rounds * (self.problem.n_classes + sum(self.problem.apart) // 2)

    @cached_property
    def tops(self) -> list[int]:
        """Two colors for each counter, then the clauses, then the flushes."""
        sizes = [2 * len(members) + 1 for members in self.problem.members]
        first = [size * (self._copies // 2 + 1) for size in sizes]
        second = [size * ((self._copies + 1) // 2) for size in sizes]
        clauses = self.rounds * self._clause_values
        return [*first, *second, clauses, 2 * len(self.problem.classes) * (self._copies + 2)]

    @cached_property
    def _clause_values(self) -> int:
        """Values that the clauses use in one round: one more than literals each."""
        apart = self.problem.apart
        last = sum(apart[members[-1] - 1] for members in self.problem.members)
        return 2 * self.problem.n_classes + 5 * sum(apart) // 2 - last

    @property
    def meanings(self) -> list[int | str]:
        """The counters twice, in turn; the color of the clauses; that of the flushes."""
        numbers = range(1, self.problem.n_classes + 1)
        first = (f"class {number}" for number in numbers)
        return [*first, *(f"class {number} copy" for number in numbers), "clauses", "flush"]

    def _pieces(self) -> Iterator[Piece]:
        graph = self.problem
        k = graph.n_classes
        clause_color, flush_color = 2 * k, 2 * k + 1
        flushed = done = 0  # values of the flushes and of the clauses so far
        bases = [0] * (2 * k)  # values of each counter's color before the current writing

        def flush() -> list[tuple[int, int, int]]:
            nonlocal flushed
            flushed += 2
            return [(flushed, flush_color, ALWAYS), (flushed - 1, flush_color, NEVER)]

        for i, counter in enumerate(graph.counters):
            cards: list[tuple[int, int, int]] = []
            for v, variable in enumerate(counter, start=1):
                cards += (2 * v, i, variable), (2 * v - 1, i, NEVER), *flush()
            yield "counter set", i + 1, [*cards, (2 * len(counter) + 1, i, NEVER)]
        now, other = list(range(k)), list(range(k, 2 * k))
        for _ in range(self.rounds):
            for number, clause in enumerate(graph.formula.clauses, start=1):
                literals, pairs = frozenset(clause), 0
                for i, counter in enumerate(graph.counters):
                    source, target = now[i], other[i]
                    low, to = bases[source], bases[target]
                    cards = []
                    for v, variable in enumerate(counter, start=1):
                        cards.append((low + 2 * v + 1, source, ALWAYS))
                        for literal in (variable, -variable):
                            if literal in literals:
                                pairs += 1
                                yield "counter copied", i + 1, cards
                                value = done + pairs
                                pair = (value + 1, clause_color, ALWAYS), (value, clause_color, 0)
                                yield "pair", number, pair
                                cards = []
                            if literal > 0:
                                cards.append((to + 2 * v, target, ALWAYS))
                                cards.append((low + 2 * v, source, NEVER))
                        cards += (to + 2 * v - 1, target, NEVER), *flush()
                    yield "counter copied", i + 1, [*cards, (to + 2 * v + 1, target, NEVER)]
                    bases[source] += 2 * len(counter) + 1
                    now[i], other[i] = target, source
                done += pairs + 1
        for i, counter in enumerate(graph.counters):
            cards = []
            for v in range(1, len(counter) + 1):
                value = bases[now[i]] + 2 * v
                cards += (value + 1, now[i], ALWAYS), (value, now[i], NEVER), *flush()
            yield "counter read", i + 1, cards


WINDOWS: dict[str, type[FourValues | ThreeValues | TwoColors]] = {
    each.name: each for each in (FourValues, ThreeValues, TwoColors)
}
"""The constructions for formulas, by name."""
