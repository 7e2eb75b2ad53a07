"""At most k of m literals, in clauses.

Two encodings, each built for a whole batch of constraints of one shape at a time: the sequential
counter [Sinz2005] and the totalizer [Bailleux2003]. Both are written with the half of the clauses
that an upper bound needs, and both let unit propagation finish the work: once k literals are true
the others become false.

[Sinz2005] C. Sinz: Towards an Optimal CNF Encoding of Boolean Cardinality Constraints (CP 2005),
the encoding LT_SEQ. [Bailleux2003] O. Bailleux, Y. Boufkhad: Efficient CNF Encoding of Boolean
Cardinality Constraints (CP 2003), cut off above the bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.sat.cnf import Cnf

    Literals = npt.NDArray[np.int32]

__all__ = ["at_most", "merge_counts", "sequential_counter", "totalizer"]


def at_most(cnf: Cnf, literals: npt.ArrayLike, k: int) -> None:
    """Add: at most `k` of the literals are true, in each row of `literals`.

    Parameters
    ----------
    cnf
        The formula; gets new variables and clauses.
    literals
        Shape (m,) or (constraints, m).
    k
        The bound, the same for every row; a negative bound makes the formula false.

    >>> from hanabi.sat import Cnf
    >>> cnf = Cnf(n_vars=3)
    >>> at_most(cnf, [1, 2, 3], 2)
    >>> list(cnf)
    [[-1, -2, -3]]
    """
    rows = _rows(literals)
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
        sequential_counter(cnf, rows, k)


def _rows(literals: npt.ArrayLike) -> Literals:
    import numpy as np

    rows = np.asarray(literals, dtype=np.int32)
    if rows.ndim not in (1, 2):
        raise InvalidInputError(f"literals of {rows.ndim} dimensions: expected 1 or 2")
    return np.atleast_2d(rows)


def sequential_counter(cnf: Cnf, literals: npt.ArrayLike, k: int) -> None:
    """Add: at most `k` true in each row, 1 <= k < m, by a sequential counter [Sinz2005].

    Variables: (m - 1) k a row; clauses: 2 m k + m - 3 k - 1 a row. The variable (i, j) is true if
    more than j of the first i + 1 literals are.

    >>> from hanabi.sat import Cnf
    >>> cnf = Cnf(n_vars=4)
    >>> sequential_counter(cnf, [1, 2, 3, 4], 1)
    >>> cnf
    Cnf(n_vars=7, n_clauses=8, n_literals=16)
    """
    import numpy as np

    rows = _rows(literals)
    count, m = rows.shape
    if not 1 <= k < m:
        raise InvalidInputError(f"k = {k}: expected 1 <= k < {m}")
    more = cnf.new_vars((count, m - 1, k))
    _implies(cnf, rows[:, :-1], more[:, :, 0])
    cnf.add(-more[:, 0, 1:].reshape(-1, 1))
    _implies(cnf, more[:, :-1], more[:, 1:])
    if k > 1:
        x = np.broadcast_to(rows[:, 1:-1, None], (count, m - 2, k - 1))
        _implies(cnf, x, more[:, :-1, :-1], more[:, 1:, 1:])
    _forbid(cnf, rows[:, 1:], more[:, :, -1])


def totalizer(cnf: Cnf, literals: npt.ArrayLike, most: int) -> Literals:
    """Count the true literals of each row in unary, up to `most`, by a tree [Bailleux2003].

    Returns
    -------
    numpy.ndarray
        Shape (constraints, min(m, most)): output j is forced true when more than j literals are.

    >>> from hanabi.sat import Cnf
    >>> cnf = Cnf(n_vars=4)
    >>> totalizer(cnf, [1, 2, 3, 4], most=2)
    array([[ 9, 10]], dtype=int32)
    """
    rows = _rows(literals)
    m = rows.shape[1]
    if m <= 1:
        return rows[:, :most]
    left = totalizer(cnf, rows[:, : m // 2], most)
    right = totalizer(cnf, rows[:, m // 2 :], most)
    return merge_counts(cnf, left, right, most)


def merge_counts(cnf: Cnf, left: npt.ArrayLike, right: npt.ArrayLike, most: int) -> Literals:
    """Add two unary counts, row by row, up to `most`: one node of a totalizer.

    Parameters
    ----------
    cnf
        The formula; gets min(p + q, most) new variables a row.
    left, right
        Shapes (constraints, p) and (constraints, q): literal j is true if the count exceeds j.
    most
        Counts above this are cut off.

    Returns
    -------
    numpy.ndarray
        Shape (constraints, min(p + q, most)): the sums in unary.
    """
    import numpy as np

    a, b = _rows(left), _rows(right)
    p, q = a.shape[1], b.shape[1]
    total = cnf.new_vars((len(a), min(p + q, most)))
    width = total.shape[1]
    _implies(cnf, a[:, :width], total[:, : min(p, width)])
    _implies(cnf, b[:, :width], total[:, : min(q, width)])
    for i in range(min(p, width - 1)):  # a exceeds i and b exceeds j: the sum exceeds i + j + 1
        reach = min(q, width - 1 - i)
        x = np.broadcast_to(a[:, i, None], (len(a), reach))
        _implies(cnf, x, b[:, :reach], total[:, i + 1 : i + 1 + reach])
    return total


def _implies(cnf: Cnf, *parts: Literals) -> None:
    """Add, entry by entry: if all parts but the last hold, so does the last."""
    _add(cnf, [*(-part for part in parts[:-1]), parts[-1]])


def _forbid(cnf: Cnf, *parts: Literals) -> None:
    """Add, entry by entry: not all parts hold."""
    _add(cnf, [-part for part in parts])


def _add(cnf: Cnf, parts: list[Literals]) -> None:
    import numpy as np

    if parts[0].size:
        cnf.add(np.stack([part.ravel() for part in parts], axis=1))
