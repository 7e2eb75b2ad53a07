"""Clauses about arrays of literals, of which some are constants, and about unary numbers.

A *unary number* is a column of literals: row m says that the number is more than m. Arrays of them
have a number a column.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from hanabi.sat import Cnf

__all__ = ["TRUE", "Clauses", "Literals", "values"]

Literals = npt.NDArray[np.int32]
TRUE = 2**31 - 1
"""Stands for true in arrays of literals, its negation for false; no clause contains either."""


class Clauses:
    """A formula that is being written.

    Attributes
    ----------
    cnf
        The clauses so far.
    """

    def __init__(self) -> None:
        self.cnf = Cnf()

    def fresh(self, *shape: int) -> Literals:
        """Return new variables."""
        return self.cnf.new_vars(shape)

    def constant(self, value: bool, shape: tuple[int, ...]) -> Literals:
        """Return an array of one constant, for variables to be put into."""
        return np.full(shape, TRUE if value else -TRUE, np.int32)

    def add(self, *parts: Literals) -> None:
        """Add one clause for each entry of the parts, broadcast together."""
        rows = np.stack([part.ravel() for part in np.broadcast_arrays(*parts)], axis=1)
        rows = rows[~(rows == TRUE).any(axis=1)]
        kept = rows != -TRUE
        self.cnf.add_ragged(rows[kept], kept.sum(axis=1))

    def one_of(self, rows: Literals, *unless: Literals) -> None:
        """Add: in each row some literal is true."""
        self.add(*rows.T, *unless)

    def exclude(self, rows: Literals) -> None:
        """Add: in each row at most one literal is true; the rows are short."""
        for first in range(rows.shape[1] - 1):
            self.add(-rows[:, first, None], -rows[:, first + 1 :])

    def mark(self, done: Literals, now: Literals) -> None:
        """Add: each row of `done` is true from the column after that one on where `now` is."""
        self.add(-done[:, :-1], done[:, 1:])
        self.add(-now, done[:, 1:])
        self.add(-now, -done[:, :-1])
        self.add(-done[:, 1:], done[:, :-1], now)

    def same(self, ones: Literals, others: Literals, *unless: Literals) -> None:
        """Add, entry by entry: both are equal."""
        self.add(*unless, -ones, others)
        self.add(*unless, ones, -others)

    def order(self, numbers: Literals) -> None:
        """Add: each column is a unary number."""
        self.add(-numbers[1:], numbers[:-1])

    def is_sum(self, total: Literals, parts: Iterable[Literals]) -> None:
        """Add: unary numbers are the sums of others, of the same columns.

        All are ordered already. The shortest are added first, two by two, by what makes both bounds
        of a sum follow from bounds of its parts by unit propagation [Bailleux2003].
        """
        rest = sorted(parts, key=len)
        while len(rest) > 2:
            ones, others, *rest = rest
            partial = self.fresh(len(ones) + len(others), total.shape[1])
            self.order(partial)
            self._add_up(partial, ones, others)
            rest = sorted([*rest, partial], key=len)
        nothing = self.constant(False, (0, total.shape[1]))
        self._add_up(total, *rest, *[nothing] * (2 - len(rest)))

    def _add_up(self, total: Literals, ones: Literals, others: Literals) -> None:
        total, ones, others = (self._framed(numbers) for numbers in (total, ones, others))
        one, other = np.indices((len(ones) - 1, len(others) - 1)).reshape(2, -1)
        self.add(-ones[one], -others[other], total[one + other])
        self.add(ones[one + 1], others[other + 1], -total[one + other + 1])

    def _framed(self, numbers: Literals) -> Literals:
        """Return unary numbers between a row that is true and one that is not."""
        row = self.constant(True, (1, numbers.shape[1]))
        return np.concatenate([row, numbers, -row])


def values(literals: Literals, model: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return what a model makes of literals and constants."""
    is_constant = (variables := np.abs(literals)) == TRUE
    true: npt.NDArray[np.bool_] = model[np.where(is_constant, 0, variables)] | is_constant
    return ~(true ^ (literals > 0))
