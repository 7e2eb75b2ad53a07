"""At most k of m literals, in clauses: the sequential counter LT_SEQ [Sinz2005].

Written with the half of the clauses that an upper bound needs, for a whole batch of constraints of
one shape at a time. Unit propagation finishes the work: once k literals are true the others become
false.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.sat.cnf import Cnf

    Literals = npt.NDArray[np.int32]

__all__ = ["at_most"]


def at_most(cnf: Cnf, literals: npt.ArrayLike, k: int) -> None:
    """Add: at most `k` of the literals are true, in each row of `literals`.

    For 1 <= k < m - 1 that takes (m - 1) k variables and 2 m k + m - 3 k - 1 clauses a row.

    Parameters
    ----------
    cnf
        The formula; gets new variables and clauses.
    literals
        Shape (m,) or (constraints, m).
    k
        The bound, the same for every row; a negative bound makes the formula false.

    >>> from hanabi.sat import Cnf
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
    """Write the counters: `more[:, i, j]` if more than j of the first i + 1 literals are true."""
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
