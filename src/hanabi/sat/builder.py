"""Clauses written by plain Python loops, and constraints on a set that changes step by step."""

from __future__ import annotations

from array import array
from itertools import combinations
from typing import TYPE_CHECKING

from hanabi.clock import NO_LIMIT, Clock
from hanabi.errors import BudgetEndedError, InvalidInputError

if TYPE_CHECKING:
    from hanabi.sat.cnf import Cnf

__all__ = ["ClauseBuilder", "IncrementalTotalizer"]

_BYTES_A_LITERAL = 16  # here, in the formula, and in the solver's hands


class ClauseBuilder:
    """Short clauses on their way into a formula.

    An encoder that walks over its input in a Python loop writes the literals of its clauses to
    `units`, `pairs` and `triples`, end to end; :meth:`flush` adds them to the formula in bulk.
    One clause costs a tenth of a call to :meth:`Cnf.add_clause`.

    Parameters
    ----------
    cnf
        The formula.
    memory
        Bytes that the formula may take, in Python and in a solver, roughly.
    clock
        The time that writing it may take.

    >>> from hanabi.sat import Cnf
    >>> cnf = Cnf(n_vars=2)
    >>> builder = ClauseBuilder(cnf)
    >>> builder.pairs.extend((1, -2, -1, 2))
    >>> builder.flush()
    >>> list(cnf)
    [[1, -2], [-1, 2]]
    """

    def __init__(self, cnf: Cnf, memory: int | None = None, clock: Clock = NO_LIMIT) -> None:
        self.cnf = cnf
        self.units, self.pairs, self.triples = array("i"), array("i"), array("i")
        self._memory = memory
        self._clock = clock

    def new_var(self) -> int:
        """Return a new variable of the formula."""
        self.cnf.n_vars += 1
        return self.cnf.n_vars

    def new_vars(self, count: int) -> tuple[int, ...]:
        """Return new variables of the formula."""
        first = self.cnf.n_vars + 1
        self.cnf.n_vars += count
        return tuple(range(first, first + count))

    def check(self, more: int = 0) -> None:
        """Refuse to grow beyond the budgets, `more` literals from here.

        Raises
        ------
        BudgetEndedError
            If the formula takes more than the memory or the time allowed.
        """
        self._clock.check()
        if self._memory is not None:
            literals = more + len(self.units) + len(self.pairs) + len(self.triples)
            literals += self.cnf.n_literals
            if literals * _BYTES_A_LITERAL > self._memory:
                raise BudgetEndedError(
                    f"the formula takes more than {self._memory} bytes"
                    f" ({literals} literals and not complete)"
                )

    def flush(self) -> None:
        """Add the clauses written so far to the formula, in order of their lengths."""
        import numpy as np

        for length, column in enumerate((self.units, self.pairs, self.triples), start=1):
            if column:
                self.cnf.add(np.array(column, dtype=np.int32).reshape(-1, length))
                del column[:]


class IncrementalTotalizer:
    """Upper bounds on how many literals of a changing set are true.

    Each of `slots` slots holds a literal or nothing. The true literals are counted in unary, up to
    `most`, the largest bound ever asked for, by a totalizer [Bailleux2003] whose tree stands over
    the slots: after a change only the nodes above the changed slots get new variables and clauses,
    so that constraints on sets that share most of their literals share most of their clauses too.
    Slots near each other share more when they change together.

    >>> from hanabi.sat import Cnf
    >>> cnf = Cnf(n_vars=9)
    >>> totalizer = IncrementalTotalizer(ClauseBuilder(cnf), slots=8, most=2)
    >>> for slot in range(8):
    ...     totalizer.set(slot, slot + 1)
    >>> totalizer.at_most(2)
    >>> cnf.n_vars
    23
    >>> totalizer.set(0, 9)
    >>> totalizer.at_most(2)  # two nodes anew
    >>> cnf.n_vars
    28
    """

    def __init__(self, builder: ClauseBuilder, slots: int, most: int) -> None:
        self._builder = builder
        self._most = most
        self._slots = slots
        self._leaves = 1 << max(slots - 1, 0).bit_length()
        self._nodes: list[tuple[int, ...]] = [()] * (2 * self._leaves)
        self._active: dict[int, int] = {}
        self._stale: set[int] = set()

    def __len__(self) -> int:
        return len(self._active)

    def set(self, slot: int, literal: int | None) -> None:
        """Put a literal into a slot, or nothing.

        Raises
        ------
        InvalidInputError
            If there is no such slot.
        """
        if not 0 <= slot < self._slots:
            raise InvalidInputError(f"slot {slot} is not in 0 .. {self._slots - 1}")
        if literal is None:
            self._active.pop(slot, None)
        else:
            self._active[slot] = literal
        self._stale.add(slot)

    def at_most(self, k: int) -> None:
        """Add: at most `k` of the literals now in the slots are true.

        Raises
        ------
        InvalidInputError
            If `k` is larger than `most`.
        BudgetEndedError
            If the formula outgrows the builder's memory.
        """
        if k > self._most:
            raise InvalidInputError(f"k = {k}: the totalizer counts up to {self._most}")
        m = len(self._active)
        if k < 0:
            self._builder.cnf.add_clause(())
        elif k < m and (k == 0 or k >= m - 2):
            # No more clauses than literals: say it without counting.
            literals = [-literal for literal in self._active.values()]
            self._builder.check(m * (k + 1))
            self._builder.cnf.add(list(combinations(literals, k + 1)))
        elif k < m:
            self._refresh()
            self._forbid(k)

    def _refresh(self) -> None:
        """Rebuild the nodes above the changed slots, level by level."""
        nodes, level = self._nodes, set()
        for slot in self._stale:
            literal = self._active.get(slot)
            count = () if literal is None else (literal,)
            if nodes[self._leaves + slot] != count:
                nodes[self._leaves + slot] = count
                level.add((self._leaves + slot) >> 1)
        self._stale.clear()
        while level:
            above = set()
            for node in level:
                if node > 1:  # the root is never counted, only bounded
                    left, right = nodes[2 * node], nodes[2 * node + 1]
                    nodes[node] = self._sum(left, right) if left and right else left or right
                    above.add(node >> 1)
            level = above

    def _sum(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        """Add two unary counts; only the direction that an upper bound needs."""
        builder = self._builder
        width = min(len(left) + len(right), self._most + 1)
        builder.check(3 * len(left) * min(len(right), width) + 2 * width)
        total = builder.new_vars(width)
        pairs, triples = builder.pairs, builder.triples
        for part in (left, right):
            for i, literal in enumerate(part[:width]):
                pairs.extend((-literal, total[i]))
        for i, literal in enumerate(left[: width - 1]):
            for j, other in enumerate(right[: width - 1 - i], start=i + 1):
                triples.extend((-literal, -other, total[j]))
        return total

    def _forbid(self, k: int) -> None:
        """Add: the counts of the two halves do not add up to more than k."""
        nodes, node = self._nodes, 1
        while not (nodes[2 * node] and nodes[2 * node + 1]):  # the upper nodes have one child
            node = 2 * node if nodes[2 * node] else 2 * node + 1
        left, right = nodes[2 * node], nodes[2 * node + 1]
        builder = self._builder
        builder.units.extend(-half[k] for half in (left, right) if len(half) > k)
        for i, literal in enumerate(left[:k]):
            if k - 1 - i < len(right):
                builder.pairs.extend((-literal, -right[k - 1 - i]))
