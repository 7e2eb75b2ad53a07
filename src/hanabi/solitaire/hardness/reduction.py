"""Reductions to Solitaire Hanabi: satisfiable iff winnable [Baffier2017, theorem 5.1].

Two reductions of graphs are to the most cards that can be played instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias

from hanabi.ground import InvalidInputError, quote
from hanabi.solitaire.hardness.annotation import Annotation, formula_of, spans_of
from hanabi.solitaire.hardness.by_hand import TwoColorsByHand
from hanabi.solitaire.hardness.formula import Formula, NormalForm, to_three_sat
from hanabi.solitaire.hardness.gadgets import BLUEPRINTS, blueprint
from hanabi.solitaire.hardness.graph import Graph
from hanabi.solitaire.hardness.layout import (
    ALWAYS,
    CARDS_A_BLOCK,
    MOST_CARDS,
    NEVER,
    Block,
    Layout,
    Parts,
    ramp,
    simple_block,
)
from hanabi.solitaire.hardness.minimal import (
    WINDOWS,
    Cliques,
    FourValues,
    ThreeValues,
    TwoColors,
    Windows,
)
from hanabi.solitaire.hardness.most import MOST
from hanabi.solitaire.instance import Instance

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.hardness.layout import Ints

__all__ = [
    "CLIQUE",
    "GRAPH_VARIANTS",
    "VARIANTS",
    "CardStream",
    "Reduction",
    "ReductionName",
    "normal_form",
    "reduce",
    "stream_of",
    "write_json",
]

VARIANTS = (*BLUEPRINTS, *WINDOWS)
"""The names of the reductions of formulas."""
CLIQUE = Cliques.name
"""The name of the reduction of graphs to one card in hand."""
GRAPH_VARIANTS = (CLIQUE, TwoColorsByHand.name, *MOST)
"""The names of the reductions of graphs."""

if TYPE_CHECKING:
    ReductionName: TypeAlias = str
else:
    ReductionName = Literal[(*VARIANTS, *GRAPH_VARIANTS)]
"""The name of a reduction, as a type that lists all of them."""

# Limits on sizes that a short input can request but that take memory.
_MOST_STEP = 100_000
_MOST_HAND = 100_000
_MOST_ADDED = 1 << 24  # cards in a block
_MOST_IN_MEMORY = 1 << 28  # different cards


class CardStream:
    """The whole stream of cards to which a formula is reduced, as blocks.

    Options and errors are as for :func:`hanabi.solitaire.hardness.reduction.reduce`, which puts the
    stream in memory. Use the stream itself for instances too large for that.

    >>> stream = CardStream(Formula(3, ((1, -2, 3),)))
    >>> stream.n, stream.c, sum(len(block.values) for block in stream.blocks())
    (10, 7, 121)
    """

    def __init__(
        self,
        formula: Formula | Graph,
        *,
        variant: str = "paper",
        hand_size: int | None = None,
        multiplicity: int | None = None,
        values: int | None = None,
        copies: str = "beside",
        reduction_by: str = "fresh",
        step: int = 5,
        rounds: int | None = None,
        players: int | None = None,
        as_printed: bool = False,
    ) -> None:
        for name, number in (
            ("hand_size", hand_size),
            ("multiplicity", multiplicity),
            ("values", values),
            ("players", players),
            ("step", step),
            ("rounds", rounds),
        ):
            if number is not None and (type(number) is not int or not 1 <= number < 2**31):
                raise InvalidInputError(f"{name}: {quote(number)} is not an integer >= 1")
        for name, given, known in (
            ("copies", copies, ("beside", "exact")),
            ("reduction_by", reduction_by, ("fresh", "same")),
        ):
            if given not in known:
                raise InvalidInputError(f"{name}: {quote(given)}: one of {known}")
        if step > _MOST_STEP:
            raise InvalidInputError(f"step: {step} is more than {_MOST_STEP:,}")
        hand = hand_size if players is None else _hand_of_all(players, hand_size)
        if hand is not None and hand > _MOST_HAND:
            raise InvalidInputError(f"a hand of {hand} cards: more than {_MOST_HAND:,}")
        if variant == "paper" and hand == 1:
            variant = "one_card_a"  # the construction of section 5.1 for h = 1
        if rounds is not None and variant != TwoColorsByHand.name:
            raise InvalidInputError(f"rounds: they are for variant {quote(TwoColorsByHand.name)}")
        if players is not None and variant in MOST:
            raise InvalidInputError(f"players: cards of variant {quote(variant)} are never won")
        self.layout = _layout_of(
            formula,
            variant,
            step=step,
            rounds=rounds,
            hand_size=hand,
            values=values,
            as_printed=as_printed,
        )
        self.hand_size = self.layout.hand if hand is None else hand
        self.copies = self.layout.copies if multiplicity is None else multiplicity
        self.values = values
        self.reduced = self.hand_size - self.layout.hand
        """The excess of the hand over the gadgets' need, by which it is reduced throughout."""
        self.is_exact = copies == "exact"
        self.is_same = reduction_by == "same" and self.reduced > 0
        """Whether the gadgets' own dummy color reduces the hand."""
        self.has_players = players is not None
        self._check()

    def _check(self) -> None:
        plan = self.layout
        name = quote(plan.name)
        if self.reduced and isinstance(plan, Windows) and not plan.has_any_hand:
            raise InvalidInputError(
                f"hand_size: the hand of variant {name} is its own, {plan.hand} for this formula,"
                f" got {self.hand_size}"
            )
        if self.hand_size < plan.hand:
            raise InvalidInputError(
                f"hand_size: variant {name} needs a hand of {plan.hand} or more,"
                f" got {self.hand_size}"
            )
        if self.copies < plan.copies:
            raise InvalidInputError(
                f"multiplicity: variant {name} has {plan.copies} copies of some cards,"
                f" got {self.copies}"
                + ("; 'four_values' does with h = 1, r = 2" if plan.copies > 2 else "")
            )
        if self.values is not None and (self.values < plan.n or plan.is_printed):
            least = "has its own in print" if plan.is_printed else f"needs {plan.n} or more here"
            raise InvalidInputError(f"values: variant {name} {least}, got {self.values}")
        if self.n * self.c > MOST_CARDS:
            raise InvalidInputError(f"n x c = {self.n} x {self.c} cards to build: more than 2**31")
        if self.copies - plan.copies > _MOST_ADDED // max(1, min(self.n * self.c, CARDS_A_BLOCK)):
            raise InvalidInputError(f"multiplicity: {self.copies} copies of each card are too many")
        if self.is_same and not (isinstance(plan, Layout) and not plan.blueprint.local):
            raise InvalidInputError(
                f"reduction_by: variant {name} has no values to spare in its dummy colors"
            )
        if self.has_players and self.is_exact:
            raise InvalidInputError("players: the cards after the end are more than r copies")

    @property
    def problem(self) -> Formula | Graph:
        """The formula or graph."""
        return self.layout.problem

    @property
    def formula(self) -> Formula:
        """The formula that the cards are about."""
        return formula_of(self.problem, self.layout.name)

    @cached_property
    def n(self) -> int:
        """Number of values."""
        least = max(self.layout.n, self.values or 0)
        if self.is_same:
            return max(least, self._dummies + self.reduced + 1)
        return max(least, 2) if self.reduced else least

    @property
    def _dummies(self) -> int:
        """Values of the gadgets' own dummy color, if they have just one."""
        return self.layout.n_dummies if isinstance(self.layout, Layout) else 0

    @cached_property
    def outer(self) -> list[tuple[int, int, int]]:
        """The hand reductions around everything: (color, value before the first, amount)."""
        if self.is_same:
            return [(2 * self.formula.n_vars, self._dummies, self.reduced)]
        # R(i) needs i + 1 values, so a larger reduction takes several colors.
        most = max(1, self.n - 1)
        amounts = [min(most, self.reduced - done) for done in range(0, self.reduced, most)]
        return [(self.layout.c + i, 0, amount) for i, amount in enumerate(amounts)]

    @property
    def fillers(self) -> int:
        """Number of colors that are played first, and whose second copies end the deck."""
        if not self.has_players:
            return 0
        return -(-self.inert // (self.n * (self.copies - 1)))

    @property
    def inert(self) -> int:
        """Number of useless cards at the end of the deck: p * h for p players."""
        return self.hand_size + 1 if self.has_players else 0

    @property
    def _first_filler(self) -> int:
        return self.layout.c + (0 if self.is_same else len(self.outer))

    @property
    def c(self) -> int:
        """Number of colors."""
        return self._first_filler + self.fillers

    def annotation(self, stretches: Iterable[Parts]) -> Annotation:
        """Return the annotation of the stream whose blocks have these parts."""
        further = ["reduction"] * (self._first_filler - self.layout.c) + ["filler"] * self.fillers
        colors = (*self.layout.meanings, *further)
        return Annotation(self.layout.name, self.problem, colors, tuple(spans_of(stretches)))

    def blocks(self) -> Iterator[Block]:
        """Yield the stream in blocks of a few hundred thousand cards. Can be called repeatedly."""
        import numpy as np

        if self.fillers:
            colors = np.arange(self._first_filler, self.c, dtype=np.int32)
            yield simple_block(*ramp(colors, np.ones_like(colors), self.n), NEVER, "filler")
        yield from self._with_copies(self._with_reduction())
        if self.inert:
            numbers = np.arange(self.inert, dtype=np.int32)
            color, value = np.divmod(numbers % (self.n * self.fillers), self.n)
            yield simple_block(value + 1, self._first_filler + color, NEVER, "no use")

    def _with_reduction(self) -> Iterator[Block]:
        """Put R(h - 2) around everything.

        The dummies must be completed to n, or no play wins. A fresh color is completed at the end;
        with the same dummy color, the reduction takes the values above those of the gadgets (E14).
        """
        for color, base, amount in self.outer:
            values = range(base + 2, base + amount + 2)
            yield simple_block(values, color, ALWAYS, "outer hand reduction opens")
        if isinstance(self.layout, Layout):
            dummies_to = self._dummies if self.is_same else self.n
            yield from self.layout.blocks(self.n, dummies_to=dummies_to)
        else:
            yield from self.layout.blocks(self.n)
        for color, base, amount in self.outer:
            yield simple_block((base + 1,), color, NEVER, "outer hand reduction closes")
            rest = range(base + amount + 2, self.n + 1)
            if rest:
                yield simple_block(rest, color, NEVER, "dummy completed")

    def _with_copies(self, blocks: Iterator[Block]) -> Iterator[Block]:
        """Add copies of cards right after their first appearance.

        "beside" adds equally many copies of each card, so that r grows to the requested number;
        "exact" adds copies until each card has exactly r. (The slides' r - 1 copies beside each
        card give 2r, E13.)
        """
        import numpy as np

        more = self.copies - self.layout.copies
        counts = None
        if self.is_exact:
            counts = np.zeros(self.n * self.c, dtype=np.int32)
            for block in self._with_reduction():
                np.add.at(counts, self._numbers(block), 1)
        elif not more:
            yield from blocks
            return
        seen = np.zeros(self.n * self.c, dtype=np.bool_)
        for block in blocks:
            numbers = self._numbers(block)
            cards, first = np.unique(numbers, return_index=True)
            new = ~seen[cards]
            seen[cards] = True
            repeats = np.ones(len(numbers), dtype=np.int64)
            repeats[first[new]] += more if counts is None else self.copies - counts[cards[new]]
            yield block.repeated(repeats)

    def _numbers(self, block: Block) -> npt.NDArray[np.int64]:
        import numpy as np

        numbers: npt.NDArray[np.int64] = np.multiply(block.colors, self.n, dtype=np.int64)
        numbers += block.values - 1
        return numbers


def _layout_of(
    problem: Formula | Graph,
    variant: str,
    *,
    step: int,
    rounds: int | None,
    hand_size: int | None,
    values: int | None,
    as_printed: bool,
) -> Layout | Windows:
    """Return the plain stream of a problem under a variant: h, r and n as small as possible.

    Where the most cards are asked for, no play needs to use what fills a larger hand, so such a
    stream has its own hand and values.
    """
    if variant not in (*VARIANTS, *GRAPH_VARIANTS):
        names = ", ".join((*VARIANTS, *GRAPH_VARIANTS))
        raise InvalidInputError(f"unknown variant {quote(variant)}: one of {names}")
    takes_graph = variant in GRAPH_VARIANTS
    if isinstance(problem, Graph) != takes_graph:
        takes, given = ("a graph", "formula") if takes_graph else ("a formula", "graph")
        raise InvalidInputError(f"variant {quote(variant)} takes {takes}, not a {given}")
    if as_printed and variant not in BLUEPRINTS:
        raise InvalidInputError(f"as printed: no source prints a text for variant {quote(variant)}")
    if isinstance(problem, Graph):
        if variant in MOST:
            return MOST[variant](problem, hand_size, values)
        return Cliques(problem) if variant == CLIQUE else TwoColorsByHand(problem, rounds)
    if variant in WINDOWS:
        return WINDOWS[variant](problem)
    return Layout(problem, blueprint(variant, step=step, as_printed=as_printed))


def _hand_of_all(players: int, hand_size: int | None) -> int:
    if players < 2:
        raise InvalidInputError(f"players: {quote(players)} is not 2 or more")
    if hand_size is None:
        raise InvalidInputError("players: hand_size is needed, the cards of each player")
    return players * hand_size - 1


class Reduction(Instance):
    """An instance made from a formula or graph, with an `annotation` of each card's purpose."""

    __slots__ = ("_annotation", "_parts", "keeps", "stream")

    stream: CardStream
    """The source of the cards; it can be laid out again."""
    keeps: Ints
    """For each card whether an assignment's play stores it, as in `layout.Block`."""
    _annotation: Annotation | None
    _parts: list[Parts]

    @classmethod
    def of(cls, stream: CardStream) -> Reduction:
        """Return the instance with the cards of a stream.

        Raises
        ------
        InvalidInputError
            If there are too many cards for memory.
        """
        import numpy as np

        if stream.n * stream.c > _MOST_IN_MEMORY:
            raise InvalidInputError(
                f"{stream.n * stream.c:,} different cards: more than {_MOST_IN_MEMORY:,}"
                " (hanabi reduce writes them to a file)"
            )

        blocks = list(stream.blocks())
        values, colors, keeps = (
            np.concatenate([np.zeros(0, dtype=kind), *(getattr(block, name) for block in blocks)])
            for name, kind in (("values", np.intc), ("colors", np.intc), ("keeps", np.int32))
        )
        reduction = cls.__new__(cls)
        reduction._set(stream.hand_size, values.data, colors.data, stream.n, stream.c)
        reduction.stream = stream
        reduction._parts = [block.parts for block in blocks]
        reduction._annotation = None
        reduction.keeps = keeps
        return reduction

    @property
    def annotation(self) -> Annotation:
        """The purpose of each card. O(gadgets) at the first use, then cached."""
        if self._annotation is None:
            self._annotation = self.stream.annotation(self._parts)
        return self._annotation

    @property
    def formula(self) -> Formula:
        """The formula that the cards are about."""
        return self.stream.formula

    def target(self, size: int) -> int:
        """Return how many cards can be played if the graph has an independent set of `size`.

        For the variants whose most cards are asked for.
        """
        return self.annotation.target(self, size)

    def with_hand_size(self, hand_size: int) -> Instance:
        """Return the stream with another hand size: a plain instance, no longer a reduction."""
        import numpy as np

        columns = np.asarray(self.colors), np.asarray(self.values)
        return Instance.from_arrays(hand_size, *columns, n=self.n, c=self.c)

    def __reduce__(self) -> tuple[object, tuple[CardStream]]:
        return Reduction.of, (self.stream,)


stream_of = CardStream
"""The stream of :func:`reduce` before layout, for instances too large for memory."""


def reduce(
    formula: Formula | Graph,
    *,
    variant: str = "paper",
    hand_size: int | None = None,
    multiplicity: int | None = None,
    values: int | None = None,
    copies: str = "beside",
    reduction_by: str = "fresh",
    step: int = 5,
    rounds: int | None = None,
    players: int | None = None,
    as_printed: bool = False,
) -> Reduction:
    """Return an instance of Solitaire Hanabi that can be won exactly if a problem has a solution.

    Under the variants "most_cards_two_copies" and "most_cards_one_copy", which take any graph and a
    cubic one, it is never won; at least `reduction.target(s)` cards can be played exactly if the
    graph has an independent set of s vertices.

    Parameters
    ----------
    formula
        A formula to satisfy, in the variant's :func:`normal_form`; or a graph in which to find a
        clique, or an independent set.
    variant
        One of `VARIANTS` for a formula, of `GRAPH_VARIANTS` for a graph. The modules
        :mod:`hanabi.solitaire.hardness.gadgets`, :mod:`hanabi.solitaire.hardness.minimal`,
        :mod:`hanabi.solitaire.hardness.by_hand` and :mod:`hanabi.solitaire.hardness.most` give h,
        r, n and c. "paper" with a hand of one card means "one_card_a".
    hand_size
        h, by default the variant's least. A larger hand is reduced throughout. ("two_colors" and
        "two_colors_by_hand" have their own h only.)
    multiplicity
        r, by default the variant's least.
    values
        n, by default the least that the variant takes. Larger values come last in each color.
    copies
        The way to a larger r: "beside" adds r - 2 (r - 3 for one card) copies right after the first
        appearance of each card; "exact" adds copies there until each card has exactly r.
    reduction_by
        The way to reduce a larger hand: with "fresh" dummy colors, completed to n at the end, or
        with values of the "same" dummy color above those that the gadgets use, which may raise n.
    step
        l, for the variant "slides".
    rounds
        Repetitions of the list of constraints, for the variant "two_colors_by_hand". By default
        enough to be sound: V - k + 1 for V vertices in k classes.
    players
        If given, the deck is for this many players with `hand_size` cards each, all face up, with
        plenty of hint tokens. The instance has hand size players * hand_size - 1, and ends with
        players * hand_size useless cards, since the game ends a round after the last card is drawn.
        With these, the game can be won exactly if the instance can. (The paper's hand size,
        players * hand_size without these cards, is wrong: E18.)
    as_printed
        Whether to follow the source's text with its slips, for "paper" (E9, E10), "one_card_a"
        (E15) and "slides" (E16); values above the printed n are left out.

    Raises
    ------
    InvalidInputError
        If the formula is not in normal form, or the options do not fit.

    Notes
    -----
    O(N) time, in array operations. N is at most 2 n c (3 n c for one card) before further copies.

    >>> formula = Formula(3, ((1, -2, 3), (1, 2, -3)))
    >>> reduce(formula)
    Instance(hand_size=2, N=183, n=15, c=7, r=2)
    >>> reduce(formula, variant="constant_two")
    Instance(hand_size=2, N=78, n=6, c=8, r=2)
    >>> reduce(formula, variant="four_values")
    Instance(hand_size=1, N=27, n=4, c=5, r=2)
    >>> reduce(Graph((1, 1, 2, 2), ((1, 3), (2, 3))), variant="clique")
    Instance(hand_size=1, N=1239, n=176, c=6, r=2)
    """
    return Reduction.of(
        CardStream(
            formula,
            variant=variant,
            hand_size=hand_size,
            multiplicity=multiplicity,
            values=values,
            copies=copies,
            reduction_by=reduction_by,
            step=step,
            rounds=rounds,
            players=players,
            as_printed=as_printed,
        )
    )


def normal_form(formula: Formula, variant: str) -> NormalForm:
    """Return a formula as a variant takes it, satisfiable exactly if `formula` is. O(literals).

    "four_values" takes any formula, "three_values" clauses of at most three literals, and
    "two_colors" of one to three; all others take clauses of three different variables.

    >>> formula = Formula(4, ((1, 2, 3, 4), (1, -2), ()))
    >>> [normal_form(formula, variant).formula.n_clauses for variant in VARIANTS[-4:]]
    [12, 3, 4, 5]
    """
    if variant == FourValues.name:
        return NormalForm(formula, formula, ())
    least = {ThreeValues.name: 0, TwoColors.name: 1}.get(variant, 3)
    return to_three_sat(formula, least=least)


# A writer of reduced instances as JSON, block by block, for streams of any length.


def write_json(stream: CardStream, file: BinaryIO) -> int:
    """Write a stream in the solitaire JSON form with its annotation; return the number of cards.

    The output is one line, which `hanabi solve` and `hanabi explain` read:
    `{"hand_size": h, "n": n, "c": c, "cards": [[value,color],...], "annotation": {...}}`.
    Colors count from 0, values and positions from 1. Memory holds only one block of cards at a
    time, and the list of gadgets.

    >>> import io
    >>> from hanabi.solitaire.hardness import Formula, stream_of
    >>> file = io.BytesIO()
    >>> write_json(stream_of(Formula(3, ((1, -2, 3),))), file)
    121
    >>> document = json.loads(file.getvalue())
    >>> sorted(document), document["annotation"]["gadgets"][1]
    (['annotation', 'c', 'cards', 'hand_size', 'n'],
     {'role': 'variable', 'number': 1, 'first': 2, 'last': 11})
    """
    head = {"hand_size": stream.hand_size, "n": stream.n, "c": stream.c}
    file.write(json.dumps(head)[:-1].encode() + b', "cards": [')
    cards = _CardTexts(stream.n, stream.c)
    total = 0
    stretches: list[Parts] = []
    for block in stream.blocks():
        if total:
            file.write(b",")
        file.write(cards.text(block.values, block.colors))
        stretches.append(block.parts)
        total += len(block.values)
    about = json.dumps(stream.annotation(()).to_json()).removesuffix("]}")
    file.write(b'], "annotation": ' + about.encode())
    file.write(", ".join(_span_texts(stretches)).encode())
    file.write(b"]}}\n")
    return total


def _span_texts(stretches: list[Parts]) -> Iterator[str]:
    heads: dict[str, str] = {}
    for role, number, first, last in spans_of(stretches):
        head = heads.get(role) or heads.setdefault(role, json.dumps({"role": role})[:-1])
        yield f'{head}, "number": {number}, "first": {first}, "last": {last}}}'


class _CardTexts:
    """A converter of cards to text that looks up both numbers in tables of padded strings."""

    def __init__(self, n: int, c: int) -> None:
        import numpy as np

        self.values = np.array([b"[%d," % value for value in range(n + 1)])
        self.colors = np.array([b"%d]," % color for color in range(max(c, 1))])

    def text(self, values: Ints, colors: Ints) -> bytes:
        """Return `[value,color],[value,color]`."""
        import numpy as np

        rows = np.empty(
            len(values), dtype=[("value", self.values.dtype), ("color", self.colors.dtype)]
        )
        rows["value"] = self.values[values]
        rows["color"] = self.colors[colors]
        return rows.tobytes().translate(None, b"\0")[:-1]
