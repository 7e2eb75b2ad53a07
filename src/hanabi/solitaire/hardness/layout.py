"""Layout of a formula as a stream of cards, block by block: the blocks, and the paper's variants.

Gadgets of one kind are laid out for many variables or clauses at once, so a stream of any length
costs a few array operations a block. Memory holds no more than one block.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.hardness.formula import Formula
from hanabi.solitaire.hardness.gadgets import (
    Blueprint,
    Cards,
    Group,
    Keep,
    hand_dump,
    variable_gadget,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

__all__ = [
    "ALWAYS",
    "CARDS_A_BLOCK",
    "MOST_CARDS",
    "NEVER",
    "Block",
    "Layout",
    "Parts",
    "Piece",
    "check_unused",
    "packed",
    "ramp",
    "simple_block",
    "tail_blocks",
]

NEVER, ALWAYS = 0, 2**31 - 1
"""Whether an assignment's play stores a card; any other number is the literal that must be true."""

MOST_CARDS = 2**31 - 1
_MOST_UNUSED = 100_000  # each costs cards, but nothing in the input

# Blocks of the stream as columns, and gadgets laid out row by row.

CARDS_A_BLOCK = 1 << 18
"""Approximate number of cards that are laid out at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The purpose of the cards of a block, part by part.

    Attributes
    ----------
    roles
        Roles, in any order.
    kinds, numbers, lengths
        For each part the index of its role, the number of its variable, clause or class (0 if it
        has none), and how many cards it has.
    """

    roles: tuple[str, ...]
    kinds: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]

    @classmethod
    def of_rows(cls, widths: Sequence[tuple[str, int]], rows: int, number: int) -> Parts:
        """Return the parts of equal rows, one a variable or clause; the first has this number."""
        import numpy as np

        roles, lengths = zip(*widths, strict=True)
        numbers = np.arange(number, number + rows) if number else np.zeros(rows, dtype=np.int64)
        return cls(
            roles,
            np.tile(np.arange(len(roles)), rows),
            np.repeat(numbers, len(roles)),
            np.tile(np.array(lengths, dtype=np.int64), rows),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A contiguous part of the stream.

    Attributes
    ----------
    values, colors
        One entry a card.
    keeps
        For each card, whether an assignment's play stores it: `NEVER`, `ALWAYS` (if there is room),
        or the literal that must be true.
    parts
        The purpose of the cards.
    """

    values: Ints
    colors: Ints
    keeps: Ints
    parts: Parts

    def repeated(self, repeats: npt.NDArray[np.int64]) -> Block:
        """Return the block with card i repeated `repeats[i]` times, 0 or more."""
        import numpy as np

        before = np.concatenate([[0], np.cumsum(repeats)])
        lengths = np.diff(before[np.cumsum(self.parts.lengths)], prepend=0)
        return Block(
            np.repeat(self.values, repeats),
            np.repeat(self.colors, repeats),
            np.repeat(self.keeps, repeats),
            replace(self.parts, lengths=lengths),
        )


def simple_block(values: Ints | Sequence[int], colors: Ints | int, keep: int, role: str) -> Block:
    """Return a block of one part, with the same `keep` for all cards."""
    import numpy as np

    columns = (np.asarray(values, dtype=np.int32), np.full(len(values), colors, dtype=np.int32))
    keeps = np.full(len(values), keep, dtype=np.int32)
    return Block(*columns, keeps, Parts.of_rows([(role, len(values))], 1, 0))


Piece = tuple[str, int, Sequence[tuple[int, int, int]]]
"""A role, the number of a variable, clause or class, and cards (value, color, keep)."""


def packed(pieces: Iterable[Piece]) -> Iterator[Block]:
    """Pack pieces into blocks of a few hundred thousand cards."""
    roles: dict[str, int] = {}
    cards, kinds, numbers, lengths = array("i"), array("q"), array("q"), array("q")
    for role, number, piece in pieces:
        kinds.append(roles.setdefault(role, len(roles)))
        numbers.append(number)
        lengths.append(len(piece))
        cards.extend(chain.from_iterable(piece))
        if len(cards) >= 3 * CARDS_A_BLOCK:
            yield _block(cards, tuple(roles), (kinds, numbers, lengths))
            cards, kinds, numbers, lengths = array("i"), array("q"), array("q"), array("q")
    if cards:
        yield _block(cards, tuple(roles), (kinds, numbers, lengths))


def _block(cards: array[int], roles: tuple[str, ...], parts: Iterable[array[int]]) -> Block:
    import numpy as np

    values, colors, keeps = np.frombuffer(cards, dtype=np.int32).reshape(-1, 3).T.copy()
    columns = (np.frombuffer(each, dtype=np.int64) for each in parts)
    return Block(values, colors, keeps, Parts(roles, *columns))


def ramp(colors: Ints, starts: Ints, n: int) -> tuple[Ints, Ints]:
    """Return the columns of the cards starts[i] .. n of colors[i], color after color.

    >>> import numpy as np
    >>> ramp(np.array([7, 4]), np.array([3, 2]), 4)[0].tolist()
    [3, 4, 2, 3, 4]
    """
    import numpy as np

    lengths = np.maximum(n + 1 - starts, 0)
    before = np.cumsum(lengths) - lengths
    values = np.arange(lengths.sum(), dtype=np.int32)
    values += np.repeat(starts - before, lengths).astype(np.int32)
    return values, np.repeat(colors, lengths).astype(np.int32)


def block_ranges(total: int, width: int) -> Iterator[range]:
    """Split rows of `width` cards into ranges of about a block."""
    size = max(1, CARDS_A_BLOCK // max(1, width))
    for start in range(0, total, size):
        yield range(start, min(start + size, total))


def gadget_block(
    gadget: Sequence[Cards], places: Mapping[Group, tuple[Ints, Ints]], number: int
) -> Block:
    """Lay out a gadget once for each row.

    Parameters
    ----------
    gadget
        The cards of the gadget.
    places
        For each group its colors, shape (rows, k), and the offsets added to its values, shape
        (rows, k) or (rows, 1). For dummies, each hand reduction in turn takes one column.
    number
        The number of the first row's variable or clause, from 1; 0 if there is none.
    """
    import numpy as np

    value_parts, color_parts = [], []
    stored: list[tuple[slice, Ints | int]] = []  # the columns of cards that are kept
    before = 0
    widths: list[tuple[str, int]] = []
    dummies = 0  # two for each hand reduction
    for cards in gadget:
        color, base = places[cards.group]
        if cards.group is Group.DUMMY:
            color, base = color[:, dummies // 2, None], base[:, dummies // 2, None]
            dummies += 1
        values = np.array(cards.values, dtype=np.int32)
        shape = (*color.shape, len(values))
        width = shape[1] * shape[2]
        grid = np.broadcast_to(base[:, :, None] + values, shape)
        value_parts.append(grid.reshape(-1, width))
        color_parts.append(np.broadcast_to(color[:, :, None], shape).reshape(-1, width))
        end = before + width
        stored += (
            (slice(before + index, end, len(values)), _keeps(cards, color))
            for index, value in enumerate(cards.values)
            if value in cards.kept
        )
        before = end
        if widths and widths[-1][0] == cards.role:
            width += widths.pop()[1]
        widths.append((cards.role, width))
    rows = len(value_parts[0])
    keeps = np.zeros((rows, before), dtype=np.int32)
    for columns, keep in stored:
        keeps[:, columns] = keep
    return Block(
        np.concatenate(value_parts, axis=1).ravel(),
        np.concatenate(color_parts, axis=1).ravel(),
        keeps.ravel(),
        Parts.of_rows(widths, rows, number),
    )


def _keeps(cards: Cards, colors: Ints) -> Ints | int:
    """Return whether the cards that are kept are stored: one entry a color, or one for all."""
    import numpy as np

    if cards.when not in (Keep.IF_TRUE, Keep.IF_FALSE):
        return ALWAYS
    is_true = (colors % 2 == 0) == (cards.when is Keep.IF_TRUE)
    literals = colors // 2 + 1
    return np.where(is_true, literals, -literals)


def check_unused(n_vars: int, n_literals: int) -> None:
    """Raise InvalidInputError if a formula declares many variables that no clause holds."""
    unused = n_vars - n_literals
    if unused > _MOST_UNUSED:
        raise InvalidInputError(
            f"{n_vars} variables, of which {unused} or more are in no clause:"
            f" more than {_MOST_UNUSED:,} such"
        )


def tail_blocks(colors: Ints, starts: Ints, n: int, role: str) -> Iterator[Block]:
    """Yield the cards starts[i] .. n of colors[i], color after color."""
    longest = n + 1 - int(starts.min(initial=n + 1))
    if longest > CARDS_A_BLOCK:
        for color, start in zip(colors.tolist(), starts.tolist(), strict=True):
            for low in range(start, n + 1, CARDS_A_BLOCK):
                values = range(low, min(low + CARDS_A_BLOCK, n + 1))
                yield simple_block(values, color, NEVER, role)
        return
    for chunk in block_ranges(len(starts), longest):
        rows = slice(chunk.start, chunk.stop)
        yield simple_block(*ramp(colors[rows], starts[rows], n), NEVER, role)


class Layout:
    """The stream of a formula under a variant, in its plain form: h and r as small as possible.

    The colors 2i - 2 and 2i - 1, from 0, stand for x_i and its negation (E17); dummies follow.

    Raises
    ------
    InvalidInputError
        If the formula has a clause without three different variables (see `to_three_sat`), many
        variables in no clause, or the stream would need values beyond 2**31.
    """

    def __init__(self, formula: Formula, blueprint: Blueprint) -> None:
        broken = formula.broken_clause()
        if broken is not None:
            raise InvalidInputError(
                f"clause {broken} {formula.clauses[broken - 1]} has not three different variables"
            )
        check_unused(formula.n_vars, 3 * formula.n_clauses)
        self.problem, self.blueprint = formula, blueprint
        self.name, self.hand, self.copies = blueprint.name, blueprint.hand, blueprint.copies
        self.is_printed = blueprint.printed
        self.n_literals = 2 * formula.n_vars
        dummies = sum(cards.group is Group.DUMMY for cards in blueprint.clause)
        self._reductions = dummies // 2  # each opens and closes with dummies
        if self.n * self.c > MOST_CARDS:
            raise InvalidInputError(f"n x c = {self.n} x {self.c} cards to build: more than 2**31")

    @cached_property
    def n(self) -> int:
        """Number of values; the table in `hanabi.solitaire.hardness.gadgets` has the formulas."""
        plan, m = self.blueprint, self.problem.n_clauses
        if plan.local:
            return plan.step * (max(self.problem.occurrences(), default=0) + 1)
        if plan.printed and plan.name != "slides":
            # The paper's 6m + 2, which is below the cards of its own clauses for m = 1, 2 (E10).
            return self.n_dummies
        return max(self.n_dummies, plan.step * (m + 1))

    @property
    def _before_clauses(self) -> int:
        """Values of the first dummy color that are used before the clauses."""
        return self.blueprint.held + 1 if self.blueprint.held else 0

    @property
    def n_dummies(self) -> int:
        """Values of the dummy color that hand reductions take, if there is only one such color."""
        gadgets = self._reductions * self.problem.n_clauses + self.blueprint.closing
        return self._before_clauses + self.blueprint.dump * gadgets

    @cached_property
    def dummy_levels(self) -> list[int]:
        """For each dummy color, the values that hand reductions take."""
        if not self.blueprint.local:
            return [self.n_dummies]
        gadgets = self._reductions * self.problem.n_clauses
        full = max(1, self.n // self.blueprint.dump)
        shares = (min(full, gadgets - done) for done in range(0, gadgets, full))
        return [self._before_clauses, *(self.blueprint.dump * share for share in shares)]

    @property
    def c(self) -> int:
        """Number of colors: those of the literals, then those of the dummies."""
        return self.n_literals + len(self.dummy_levels)

    @property
    def meanings(self) -> list[int | str]:
        """The literal that each color stands for, or "dummy"."""
        literals = [sign * x for x in range(1, self.problem.n_vars + 1) for sign in (1, -1)]
        return [*literals, *["dummy"] * len(self.dummy_levels)]

    def blocks(self, n: int | None = None, *, dummies_to: int | None = None) -> Iterator[Block]:
        """Yield the stream in blocks of a few hundred thousand cards.

        Literals get values up to `n`, and dummies up to `dummies_to`; by default both up to n.
        """
        import numpy as np

        top = self.n if n is None else n
        for block in self._all_blocks(top, top if dummies_to is None else dummies_to):
            if self.blueprint.printed and len(block.values) and block.values.max() > self.n:
                # No card of the game has a value above the printed n.
                yield block.repeated((block.values <= self.n).astype(np.int64))
            elif len(block.values):
                yield block

    def _all_blocks(self, n: int, dummies_to: int) -> Iterator[Block]:
        import numpy as np

        held, dummy = self.blueprint.held, self.n_literals
        if held:
            opening = range(2, held + 2)
            yield simple_block(opening, dummy, ALWAYS, "hand reduction opens")
        yield from self._variables()
        if held:
            yield simple_block((1,), dummy, NEVER, "hand reduction closes")
        yield from self._clauses()
        if self.blueprint.closing:
            base = np.full((1, 1), self.n_dummies - self.blueprint.dump, dtype=np.int32)
            places = {Group.DUMMY: (np.full_like(base, dummy), base)}
            yield gadget_block(hand_dump(), places, 0)
        yield from self._tail(n, dummies_to)

    def _variables(self) -> Iterator[Block]:
        import numpy as np

        gadget = variable_gadget(self.blueprint.step)
        for rows in block_ranges(self.problem.n_vars, sum(len(cards.values) for cards in gadget)):
            first = np.arange(2 * rows.start, 2 * rows.stop, 2, dtype=np.int32)[:, None]
            zero = np.zeros_like(first)
            places = {Group.POSITIVE: (first, zero), Group.NEGATIVE: (first + 1, zero)}
            yield gadget_block(gadget, places, rows.start + 1)

    @cached_property
    def _clause_colors(self) -> Ints:
        """Colors of the literals, shape (m, 3)."""
        import numpy as np

        literals = np.array(self.problem.clauses, dtype=np.int32).reshape(-1, 3)
        return 2 * np.abs(literals) - 2 + (literals < 0)

    @cached_property
    def _offsets(self) -> Ints:
        """The offset of each clause for each of its literals, shape (m, 3)."""
        import numpy as np

        step, shape = self.blueprint.step, self._clause_colors.shape
        if not self.blueprint.local:
            row = np.arange(0, step * shape[0], step, dtype=np.int32)
            return np.broadcast_to(row[:, None], shape)
        variables = (self._clause_colors // 2).ravel()
        order = np.argsort(variables, kind="stable")
        rank = np.arange(len(order))
        ordered = variables[order]
        rank -= np.searchsorted(ordered, ordered)  # the index of the occurrence, from 0
        offsets = np.empty(len(order), dtype=np.int32)
        offsets[order] = step * rank
        return offsets.reshape(shape)

    def _clauses(self) -> Iterator[Block]:
        gadget = self.blueprint.clause
        colors = {Group.REST: self.n_literals - 3, Group.DUMMY: 1}
        width = sum(len(cards.values) * colors.get(cards.group, 3) for cards in gadget)
        has_rest = any(cards.group is Group.REST for cards in gadget)
        for rows in block_ranges(self.problem.n_clauses, width):
            literals = self._clause_colors[rows.start : rows.stop]
            offsets = self._offsets[rows.start : rows.stop]
            places = {
                Group.CLAUSE: (literals, offsets),
                Group.COMPLEMENT: (literals ^ 1, offsets),
                Group.DUMMY: self._dummies(rows),
            }
            if has_rest:
                places[Group.REST] = _others(literals, self.n_literals), offsets[:, :1]
            yield gadget_block(gadget, places, rows.start + 1)

    def _dummies(self, rows: range) -> tuple[Ints, Ints]:
        """Return color and base value of each hand reduction, shape (rows, reductions)."""
        import numpy as np

        plan = self.blueprint
        first, last = rows.start * self._reductions, rows.stop * self._reductions
        number = np.arange(first, last, dtype=np.int32).reshape(-1, self._reductions)
        if not plan.local:
            base = self._before_clauses + plan.dump * number
            return np.full_like(number, self.n_literals), base
        color, place = np.divmod(number, self.n // plan.dump)
        return self.n_literals + 1 + color, plan.dump * place

    def _tail(self, n: int, dummies_to: int) -> Iterator[Block]:
        """Yield the remaining cards of every color."""
        import numpy as np

        plan = self.blueprint
        if plan.local:
            done = np.repeat(np.array(self.problem.occurrences(), dtype=np.int32), 2)
        else:
            done = np.full(self.n_literals, self.problem.n_clauses, dtype=np.int32)
        literals = plan.step * done + plan.tail, n, "last cards"
        dummies = np.array(self.dummy_levels, dtype=np.int32) + 1, dummies_to, "dummy completed"
        color = 0
        for starts, top, role in (literals, dummies):
            colors = np.arange(color, color + len(starts), dtype=np.int32)
            color += len(starts)
            yield from tail_blocks(colors, starts, top, role)


def _others(literals: Ints, n_literals: int) -> Ints:
    """Return all literals' colors except the clause's, ascending; shape (rows, n_literals - 3)."""
    import numpy as np

    others: Ints = np.tile(np.arange(n_literals - 3, dtype=np.int32), (len(literals), 1))
    for column in np.sort(literals, axis=1).T:
        others += others >= column[:, None]
    return others
