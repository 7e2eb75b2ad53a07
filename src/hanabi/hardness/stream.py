"""Extensions of the plain stream: larger r, larger h, several players [Baffier2017, sec. 5.1].

Each extension is a filter on blocks, so streams of any length pass through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError, quote
from hanabi.hardness.annotation import Annotation, spans_of
from hanabi.hardness.formula import Formula
from hanabi.hardness.gadgets import Keep
from hanabi.hardness.layout import CARDS_A_BLOCK, Block, Layout, Parts, ramp, simple_block
from hanabi.hardness.variants import blueprint

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["CardStream"]

# Limits on sizes that a short input can request but that take memory.
_MOST_STEP = 100_000
_MOST_HAND = 100_000
_MOST_ADDED = 1 << 24  # cards in a block


class CardStream:
    """The whole stream of cards to which a formula is reduced, as blocks.

    Options and errors are as for :func:`hanabi.hardness.reduction.reduce`, which puts the stream in
    memory. Use the stream itself for instances too large for that.

    >>> stream = CardStream(Formula(3, ((1, -2, 3),)))
    >>> stream.n, stream.c, sum(len(block.values) for block in stream.blocks())
    (10, 7, 121)
    """

    def __init__(
        self,
        formula: Formula,
        *,
        variant: str = "paper",
        hand_size: int | None = None,
        multiplicity: int | None = None,
        copies: str = "beside",
        reduction_by: str = "fresh",
        step: int = 5,
        players: int | None = None,
        as_printed: bool = False,
    ) -> None:
        for name, number in (
            ("hand_size", hand_size),
            ("multiplicity", multiplicity),
            ("players", players),
            ("step", step),
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
        plan = blueprint(variant, step=step, as_printed=as_printed)
        self.layout = Layout(formula, plan)
        self.hand_size = plan.hand if hand is None else hand
        self.copies = plan.copies if multiplicity is None else multiplicity
        self.reduced = self.hand_size - plan.hand
        """The excess of the hand over the gadgets' need, by which it is reduced throughout."""
        self.is_exact = copies == "exact"
        self.is_same = reduction_by == "same" and self.reduced > 0
        """Whether the gadgets' own dummy color reduces the hand."""
        self.has_players = players is not None
        self._check()

    def _check(self) -> None:
        plan = self.layout.blueprint
        name = quote(plan.name)
        if self.hand_size < plan.hand:
            raise InvalidInputError(
                f"hand_size: variant {name} needs a hand of {plan.hand} or more,"
                f" got {self.hand_size}"
            )
        if self.copies < plan.copies:
            raise InvalidInputError(
                f"multiplicity: variant {name} has {plan.copies} copies of some cards,"
                f" got {self.copies}" + (" (h = 1, r = 2 is open)" if plan.hand == 1 else "")
            )
        if self.copies - plan.copies > _MOST_ADDED // min(self.n * self.c, CARDS_A_BLOCK):
            raise InvalidInputError(f"multiplicity: {self.copies} copies of each card are too many")
        if plan.local and self.is_same:
            raise InvalidInputError(
                f"reduction_by: variant {name} has no values to spare in its dummy colors"
            )
        if self.has_players and self.is_exact:
            raise InvalidInputError("players: the cards after the end are more than r copies")

    @cached_property
    def n(self) -> int:
        """Number of values."""
        if self.is_same:
            return max(self.layout.n, self.layout.n_dummies + self.reduced + 1)
        return max(self.layout.n, 2) if self.reduced else self.layout.n

    @cached_property
    def outer(self) -> list[tuple[int, int, int]]:
        """The hand reductions around everything: (color, value before the first, amount)."""
        if self.is_same:
            return [(self.layout.n_literals, self.layout.n_dummies, self.reduced)]
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
        formula = self.layout.formula
        colors: list[int | str] = []
        for variable in range(1, formula.n_vars + 1):
            colors += [variable, -variable]
        colors += ["dummy"] * len(self.layout.dummy_levels)
        colors += ["reduction"] * (self._first_filler - self.layout.c)
        colors += ["filler"] * self.fillers
        spans = tuple(spans_of(stretches))
        return Annotation(self.layout.blueprint.name, formula, tuple(colors), spans)

    def blocks(self) -> Iterator[Block]:
        """Yield the stream in blocks of a few hundred thousand cards. Can be called repeatedly."""
        import numpy as np

        if self.fillers:
            colors = np.arange(self._first_filler, self.c, dtype=np.int32)
            yield simple_block(*ramp(colors, np.ones_like(colors), self.n), Keep.NEVER, "filler")
        yield from self._with_copies(self._with_reduction())
        if self.inert:
            numbers = np.arange(self.inert, dtype=np.int32)
            color, value = np.divmod(numbers % (self.n * self.fillers), self.n)
            yield simple_block(value + 1, self._first_filler + color, Keep.NEVER, "no use")

    def _with_reduction(self) -> Iterator[Block]:
        """Put R(h - 2) around everything.

        The dummies must be completed to n, or no play wins. A fresh color is completed at the end;
        with the same dummy color, the reduction takes the values above those of the gadgets (E14).
        """
        for color, base, amount in self.outer:
            values = range(base + 2, base + amount + 2)
            yield simple_block(values, color, Keep.ALWAYS, "outer hand reduction opens")
        dummies_to = self.layout.n_dummies if self.is_same else self.n
        yield from self.layout.blocks(self.n, dummies_to=dummies_to)
        for color, base, amount in self.outer:
            yield simple_block((base + 1,), color, Keep.NEVER, "outer hand reduction closes")
            rest = range(base + amount + 2, self.n + 1)
            if rest:
                yield simple_block(rest, color, Keep.NEVER, "dummy completed")

    def _with_copies(self, blocks: Iterator[Block]) -> Iterator[Block]:
        """Add copies of cards right after their first appearance.

        "beside" adds equally many copies of each card, so that r grows to the requested number;
        "exact" adds copies until each card has exactly r. (The slides' r - 1 copies beside each
        card give 2r, E13.)
        """
        import numpy as np

        more = self.copies - self.layout.blueprint.copies
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


def _hand_of_all(players: int, hand_size: int | None) -> int:
    if players < 2:
        raise InvalidInputError(f"players: {quote(players)} is not 2 or more")
    if hand_size is None:
        raise InvalidInputError("players: hand_size is needed, the cards of each player")
    return players * hand_size - 1
