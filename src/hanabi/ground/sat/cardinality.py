"""At most k of m literals, in clauses.

The sequential counter LT_SEQ [Sinz2005] for a whole batch of constraints of one shape, and the
totalizer [Bailleux2003] for a set that changes, both with the half of the clauses that an upper
bound needs. Unit propagation enforces the bound: once k literals are true the others become false.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hanabi.ground.errors import InvalidInputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.ground.sat.cnf import ClauseBuilder, Cnf

    Literals = npt.NDArray[np.int32]

__all__ = ["IncrementalTotalizer", "at_most"]


def at_most(cnf: Cnf, literals: npt.ArrayLike, k: int) -> None:
    """Add: at most `k` of the literals are true, in each row of `literals`.

    For 1 <= k < m - 1 this takes (m - 1) k variables and 2 m k + m - 3 k - 1 clauses per row.

    Parameters
    ----------
    cnf
        The formula, to which new variables and clauses are added.
    literals
        Shape (m,) or (constraints, m).
    k
        The bound, the same for every row; a negative bound makes the formula unsatisfiable.

    >>> from hanabi.ground.sat import Cnf
    >>> cnf = Cnf(n_vars=4)
    >>> at_most(cnf, [1, 2, 3], 2)
    >>> list(cnf)
    [[-1, -2, -3]]
    >>> at_most(cnf, [1, 2, 3, 4], 1)
    >>> cnf
    Cnf(n_vars=7, n_clauses=9, n_literals=19)
    """
    import numpy as np

    rows = np.asarray(literals, dtype=np.int32)
    if rows.ndim not in (1, 2):
        raise InvalidInputError(f"literals of {rows.ndim} dimensions: expected 1 or 2")
    rows = np.atleast_2d(rows)
    count, m = rows.shape
    if count == 0 or k >= m:
        return
    if k < 0:
        cnf.add_clause(())
    elif k == 0:
        cnf.add(-rows.reshape(-1, 1))
    elif k == m - 1:
        cnf.add(-rows)
    else:
        _count(cnf, rows, k)


def _count(cnf: Cnf, rows: Literals, k: int) -> None:
    """Add the counters: `more[:, i, j]` if more than j of the first i + 1 literals are true."""
    import numpy as np

    count, m = rows.shape
    more = cnf.new_vars((count, m - 1, k))
    _forbid(cnf, rows[:, :-1], -more[:, :, 0])
    cnf.add(-more[:, 0, 1:].reshape(-1, 1))
    _forbid(cnf, more[:, :-1], -more[:, 1:])
    if k > 1:
        x = np.broadcast_to(rows[:, 1:-1, None], (count, m - 2, k - 1))
        _forbid(cnf, x, more[:, :-1, :-1], -more[:, 1:, 1:])
    _forbid(cnf, rows[:, 1:], more[:, :, -1])


def _forbid(cnf: Cnf, *parts: Literals) -> None:
    """Add, entry by entry: not all parts hold."""
    import numpy as np

    if parts[0].size:
        cnf.add(np.stack([-part.ravel() for part in parts], axis=1))


class IncrementalTotalizer:
    """Upper bounds on how many literals of a changing set are true.

    Each of `slots` slots holds a literal or nothing. The true literals are counted in unary, up to
    `most`, the largest bound ever needed, by a totalizer [Bailleux2003] whose tree stands over
    the slots: after a change only the nodes above the changed slots get new variables and clauses,
    so that constraints on sets that share most of their literals share most of their clauses too.
    Slots near each other share more when they change together.

    >>> from hanabi.ground.sat import ClauseBuilder, Cnf
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
        """Put a literal into a slot, or empty it; InvalidInputError if there is no such slot."""
        if not 0 <= slot < self._slots:
            raise InvalidInputError(f"slot {slot} is not in 0 .. {self._slots - 1}")
        if literal is None:
            self._active.pop(slot, None)
        else:
            self._active[slot] = literal
        self._stale.add(slot)

    def at_most(self, k: int) -> None:
        """Add: at most `k` of the literals now in the slots are true.

        Raises InvalidInputError if `k` is larger than `most`, BudgetEndedError if a budget ends.
        """
        if k > self._most:
            raise InvalidInputError(f"k = {k}: the totalizer counts up to {self._most}")
        m = len(self._active)
        if k < 0:
            self._builder.cnf.add_clause(())
        elif k < m and (k == 0 or k >= m - 2):
            # No more clauses than literals: no counter is needed.
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
