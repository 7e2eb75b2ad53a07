"""Formulas in conjunctive normal form, held as flat arrays.

A literal is a non-zero integer, negative for a negated variable; variables count from 1, as in
DIMACS. Clauses are added in bulk, and stored as 32-bit literals with the length of each clause, so
that a formula of ten million literals takes 40 MB and goes to a solver process without a copy in
Python objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from hanabi.ground.clock import NO_LIMIT, Clock
from hanabi.ground.errors import BudgetEndedError, InvalidInputError, SolverError, quote

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Literals = npt.NDArray[np.int32]

__all__ = ["ClauseBuilder", "Cnf"]

_MOST = 2**31 - 1
_BYTES_A_LITERAL = 16  # in the formula here, and in the solver


class Cnf:
    """A conjunction of `n_clauses` clauses over the variables 1 .. `n_vars`.

    `n_literals` counts the literals of all clauses.

    >>> cnf = Cnf()
    >>> x, y, z = cnf.new_vars(3).tolist()
    >>> cnf.add([[x, y], [-x, z]])  # two clauses of two literals
    >>> cnf.add_clause([-y, -z, x])
    >>> cnf
    Cnf(n_vars=3, n_clauses=3, n_literals=7)
    >>> list(cnf)
    [[1, 2], [-1, 3], [-2, -3, 1]]
    """

    def __init__(self, n_vars: int = 0) -> None:
        self.n_vars = n_vars
        self.n_clauses = 0
        self.n_literals = 0
        self._chunks: list[tuple[Literals, Literals]] = []  # (literals, lengths)
        self._loose_literals, self._loose_lengths = array("i"), array("i")

    def new_vars(self, shape: int | tuple[int, ...]) -> Literals:
        """Return an int32 array of new variables, numbered in order.

        >>> Cnf(n_vars=10).new_vars((2, 3))
        array([[11, 12, 13],
               [14, 15, 16]], dtype=int32)
        """
        import numpy as np

        count = int(np.prod(shape, dtype=np.int64))
        first = self.n_vars + 1
        if self.n_vars + count > _MOST:
            raise SolverError(f"a formula of {self.n_vars + count} variables: more than 2**31 - 1")
        self.n_vars += count
        return np.arange(first, first + count, dtype=np.int32).reshape(shape)

    def add_clause(self, clause: Iterable[int]) -> None:
        """Add one clause; the empty clause makes the formula unsatisfiable.

        Raises InvalidInputError if a literal is 0 or its variable is unknown.
        """
        literals = list(clause)
        for literal in literals:
            if not 0 < abs(literal) <= self.n_vars:
                raise InvalidInputError(self._bad_literal(literal))
        self._loose_literals.extend(literals)
        self._loose_lengths.append(len(literals))
        self.n_clauses += 1
        self.n_literals += len(literals)

    def add(self, clauses: npt.ArrayLike) -> None:
        """Add a block of clauses of equal length: an integer array of shape (clauses, length).

        Raises InvalidInputError as `add_clause`, and if the block is not two-dimensional.
        """
        import numpy as np

        block = np.asarray(clauses, dtype=np.int32)
        if block.ndim != 2:
            raise InvalidInputError(f"a block of clauses has two dimensions, not {block.ndim}")
        self._add(block.ravel(), np.full(len(block), block.shape[1], dtype=np.int32))

    def add_ragged(self, literals: npt.ArrayLike, lengths: npt.ArrayLike) -> None:
        """Add clauses of any lengths: their literals end to end, and the length of each.

        >>> cnf = Cnf(n_vars=3)
        >>> cnf.add_ragged([1, -2, 3, -3], [2, 0, 2])
        >>> list(cnf)
        [[1, -2], [], [3, -3]]

        Raises InvalidInputError as `add_clause`, and if the lengths do not add up.
        """
        import numpy as np

        flat, counts = np.asarray(literals, dtype=np.int32), np.asarray(lengths, dtype=np.int32)
        if counts.sum() != flat.size or (counts < 0).any():
            raise InvalidInputError(
                f"clauses of {counts.sum()} literals in all cannot be cut from {flat.size}"
            )
        self._add(flat.ravel(), counts.ravel())

    def _add(self, literals: Literals, lengths: Literals) -> None:
        import numpy as np

        if literals.size:
            variables = np.abs(literals)
            if variables.min() == 0 or variables.max() > self.n_vars:
                bad = int(literals[(variables == 0) | (variables > self.n_vars)][0])
                raise InvalidInputError(self._bad_literal(bad))
        self._gather()
        self._chunks.append((literals, lengths))
        self.n_clauses += len(lengths)
        self.n_literals += len(literals)

    def _bad_literal(self, literal: int) -> str:
        return f"literal {quote(literal)}: its variable is not in 1 .. {self.n_vars}"

    def _gather(self) -> None:
        """Move the clauses added one by one into a chunk, to keep the order."""
        if self._loose_lengths:
            import numpy as np

            loose = self._loose_literals, self._loose_lengths
            literals, lengths = (np.frombuffer(column, dtype=np.int32) for column in loose)
            self._chunks.append((literals, lengths))
            self._loose_literals, self._loose_lengths = array("i"), array("i")

    def arrays(self) -> tuple[Literals, Literals]:
        """Return the literals of all clauses end to end, and the length of each clause; int32.

        O(literals) once. The arrays belong to the formula: do not write to them.
        """
        import numpy as np

        self._gather()
        if len(self._chunks) != 1:
            empty = np.zeros(0, dtype=np.int32)
            columns = list(zip(*self._chunks, strict=True)) or [(empty,), (empty,)]
            self._chunks = [(np.concatenate(columns[0]), np.concatenate(columns[1]))]
        return self._chunks[0]

    def runs(self) -> list[tuple[int, int]]:
        """Return the maximal runs of clauses of equal length, in order: pairs (count, length).

        >>> cnf = Cnf(n_vars=2)
        >>> cnf.add([[1, 2], [1, -2]])
        >>> cnf.add_clause([2])
        >>> cnf.runs()
        [(2, 2), (1, 1)]
        """
        import numpy as np

        lengths = self.arrays()[1]
        starts = np.flatnonzero(np.diff(lengths, prepend=-1))
        counts = np.diff(starts, append=len(lengths))
        return list(zip(counts.tolist(), lengths[starts].tolist(), strict=True))

    def __len__(self) -> int:
        return self.n_clauses

    def __iter__(self) -> Iterator[list[int]]:
        literals, lengths = self.arrays()
        flat = iter(literals.tolist())
        for length in lengths.tolist():
            yield list(islice(flat, length))

    def __repr__(self) -> str:
        return (
            f"Cnf(n_vars={self.n_vars}, n_clauses={self.n_clauses}, n_literals={self.n_literals})"
        )


class ClauseBuilder:
    """A buffer of short clauses for a formula.

    An encoder that walks over its input in a Python loop writes the literals of its clauses to
    `units`, `pairs` and `triples`, end to end; :meth:`flush` adds them to the formula in bulk.
    One clause costs a tenth of a call to :meth:`Cnf.add_clause`.

    The budgets are, roughly, the bytes that the formula may take, in Python and in a solver, and
    the time that writing it may take.

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
        """Raise BudgetEndedError if a budget does not allow `more` literals."""
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
