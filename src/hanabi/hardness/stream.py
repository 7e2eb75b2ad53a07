"""Larger r, larger h, several players: what goes around the plain stream [Baffier2017, sec. 5.1].

Each modification is a filter on blocks, so that streams of any length pass through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError, quote
from hanabi.hardness.formula import Formula
from hanabi.hardness.gadgets import Keep
from hanabi.hardness.layout import CARDS_A_BLOCK, Block, Layout, ramp, simple_block
from hanabi.hardness.variants import blueprint

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Options", "Stream"]

# What no input has to spell out, and all the same takes memory.
_MOST_STEP = 100_000
_MOST_HAND = 100_000
_MOST_ADDED = 1 << 24  # cards in a block


@dataclass(frozen=True, slots=True)
class Options:
    """What a reduction is asked for; see :func:`hanabi.hardness.reduction.reduce`."""

    variant: str = "paper"
    hand_size: int | None = None
    multiplicity: int | None = None
    copies: str = "beside"
    reduction_by: str = "fresh"
    step: int = 5
    players: int | None = None
    as_printed: bool = False


class Stream:
    """The whole stream of cards that a formula is reduced to, as blocks.

    Raises
    ------
    InvalidInputError
        If the options contradict each other or the variant.
    """

    def __init__(self, formula: Formula, options: Options) -> None:
        for name in ("hand_size", "multiplicity", "players", "step"):
            number = getattr(options, name)
            if number is not None and (type(number) is not int or not 1 <= number < 2**31):
                raise InvalidInputError(f"{name}: {quote(number)} is not an integer >= 1")
        for name, known in (("copies", ("beside", "exact")), ("reduction_by", ("fresh", "same"))):
            if getattr(options, name) not in known:
                raise InvalidInputError(f"{name}: {quote(getattr(options, name))}: one of {known}")
        if options.step > _MOST_STEP:
            raise InvalidInputError(f"step: {options.step} is more than {_MOST_STEP:,}")
        hand = self._hand_size(options)
        if hand is not None and hand > _MOST_HAND:
            raise InvalidInputError(f"a hand of {hand} cards: more than {_MOST_HAND:,}")
        if options.variant == "paper" and hand == 1:
            options = replace(options, variant="one_card_a")  # how section 5.1 goes on for h = 1
        plan = blueprint(options.variant, step=options.step, as_printed=options.as_printed)
        self.options = options
        self.layout = Layout(formula, plan)
        self.hand_size = plan.hand if hand is None else hand
        self.copies = plan.copies if options.multiplicity is None else options.multiplicity
        self._check()

    @staticmethod
    def _hand_size(options: Options) -> int | None:
        if options.players is None:
            return options.hand_size
        if options.players < 2:
            raise InvalidInputError(f"players: {quote(options.players)} is not 2 or more")
        if options.hand_size is None:
            raise InvalidInputError("players: hand_size is needed, the cards of each player")
        return options.players * options.hand_size - 1

    def _check(self) -> None:
        plan, options = self.layout.blueprint, self.options
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
        if plan.local and options.reduction_by == "same" and self.reduced:
            raise InvalidInputError(
                f"reduction_by: variant {name} has no values to spare in its dummy colors"
            )
        if options.players is not None and options.copies == "exact":
            raise InvalidInputError("players: the cards after the end are more than r copies")

    @property
    def reduced(self) -> int:
        """By how much the hand is larger than the gadgets want, and is reduced throughout."""
        return self.hand_size - self.layout.blueprint.hand

    @cached_property
    def n(self) -> int:
        """Number of values."""
        if self.options.reduction_by == "same" and self.reduced:
            return max(self.layout.n, self.layout.n_dummies + self.reduced + 1)
        return max(self.layout.n, 2) if self.reduced else self.layout.n

    @cached_property
    def outer(self) -> list[tuple[int, int, int]]:
        """The hand reductions around everything: (color, value before the first, amount)."""
        if not self.reduced:
            return []
        if self.options.reduction_by == "same":
            return [(self.layout.n_literals, self.layout.n_dummies, self.reduced)]
        # R(i) needs i + 1 values: a larger one takes several colors.
        most = self.n - 1
        amounts = [min(most, self.reduced - done) for done in range(0, self.reduced, most)]
        return [(self.layout.c + i, 0, amount) for i, amount in enumerate(amounts)]

    @property
    def fillers(self) -> int:
        """Number of colors played before everything, whose second copies end the deck."""
        if self.options.players is None:
            return 0
        return -(-self.inert // (self.n * (self.copies - 1)))

    @property
    def inert(self) -> int:
        """Number of cards of no use at the end of the deck: p * h for p players."""
        return 0 if self.options.players is None else self.hand_size + 1

    @property
    def _first_filler(self) -> int:
        fresh = len(self.outer) if self.options.reduction_by == "fresh" else 0
        return self.layout.c + fresh

    @property
    def c(self) -> int:
        """Number of colors."""
        return self._first_filler + self.fillers

    @property
    def color_meanings(self) -> list[int | str]:
        """For each color the literal it stands for, or "dummy", "reduction" or "filler"."""
        meanings: list[int | str] = []
        for variable in range(1, self.layout.formula.n_vars + 1):
            meanings += [variable, -variable]
        meanings += ["dummy"] * len(self.layout.dummy_levels)
        meanings += ["reduction"] * (self._first_filler - self.layout.c)
        return meanings + ["filler"] * self.fillers

    def blocks(self) -> Iterator[Block]:
        """Yield the stream in blocks of some hundred thousand cards. Can be called again."""
        import numpy as np

        if self.fillers:
            colors = np.arange(self._first_filler, self.c, dtype=np.int32)
            yield simple_block(*ramp(colors, np.ones_like(colors), self.n), Keep.NEVER, "filler")
        yield from self._with_copies(self._with_reduction(self.layout))
        if self.inert:
            numbers = np.arange(self.inert, dtype=np.int32)
            color, value = np.divmod(numbers % (self.n * self.fillers), self.n)
            colors = (self._first_filler + color).astype(np.int32)
            yield simple_block((value + 1).astype(np.int32), colors, Keep.NEVER, "no use")

    def _with_reduction(self, layout: Layout) -> Iterator[Block]:
        """Put R(h - 2) around everything.

        The dummies must be completed to n, or no play wins: a fresh color at the end; the values
        of the one dummy color above those that the gadgets use (E14).
        """
        import numpy as np

        for color, base, amount in self.outer:
            values = np.arange(base + 2, base + amount + 2, dtype=np.int32)
            colors = np.full_like(values, color)
            yield simple_block(values, colors, Keep.ALWAYS, "outer hand reduction opens")
        same = self.options.reduction_by == "same" and bool(self.outer)
        yield from layout.blocks(self.n, dummies_to=layout.n_dummies if same else self.n)
        for color, base, amount in self.outer:
            one = np.array([base + 1], dtype=np.int32)
            role = "outer hand reduction closes"
            yield simple_block(one, np.full_like(one, color), Keep.NEVER, role)
            colors = np.array([color], dtype=np.int32)
            values, colors = ramp(colors, np.array([base + amount + 2]), self.n)
            if len(values):
                yield simple_block(values, colors, Keep.NEVER, "dummy completed")

    def _with_copies(self, blocks: Iterator[Block]) -> Iterator[Block]:
        """Add copies of cards right after their first appearance.

        "beside": as many of each, so that r grows to what was asked for; "exact": until each card
        has just r copies. (The slides' r - 1 copies beside each card give 2r, E13.)
        """
        import numpy as np

        more = self.copies - self.layout.blueprint.copies
        counts = None
        if self.options.copies == "exact":
            counts = np.zeros(self.n * self.c, dtype=np.int32)
            for block in self._with_reduction(self.layout):
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
