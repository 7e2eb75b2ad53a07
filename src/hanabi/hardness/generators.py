"""Random formulas, each determined by a seed."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.errors import InvalidInputError
from hanabi.hardness.formula import Assignment, Formula
from hanabi.rng import Stream

__all__ = ["planted_formula", "random_formula", "sparse_formula"]


def random_formula(n_vars: int, *, ratio: float = 4.26, size: int = 3, seed: int = 0) -> Formula:
    """Return a uniformly random formula: round(ratio * n_vars) clauses of `size` variables each.

    Clauses are independent (one may occur twice); the variables within a clause differ. At the
    default ratio about half of all large 3-SAT formulas are satisfiable. O(clauses * size).

    Raises
    ------
    InvalidInputError
        If there are fewer variables than a clause needs.

    >>> random_formula(4, ratio=0.5, seed=1)
    Formula(n_vars=4, clauses=((2, 1, 3), (-2, 3, -1)))
    """
    rng = Stream(seed)
    n_clauses = _n_clauses(n_vars, ratio, size)
    return Formula(n_vars, tuple(_clause(rng, n_vars, size) for _ in range(n_clauses)))


def planted_formula(
    n_vars: int, *, ratio: float = 4.26, size: int = 3, seed: int = 0
) -> tuple[Formula, Assignment]:
    """Return a random formula that is satisfiable, and the assignment that it was built around.

    Clauses as in :func:`random_formula`; those that the hidden assignment makes false are redrawn.

    >>> formula, hidden = planted_formula(10, seed=3)
    >>> formula.n_clauses, formula.satisfied_by(hidden)
    (43, True)
    """
    rng = Stream(seed)
    hidden = tuple(rng.below(2) == 1 for _ in range(n_vars))
    clauses: list[tuple[int, ...]] = []
    n_clauses = _n_clauses(n_vars, ratio, size)
    while len(clauses) < n_clauses:
        clause = _clause(rng, n_vars, size)
        if any(hidden[abs(literal) - 1] == (literal > 0) for literal in clause):
            clauses.append(clause)
    return Formula(n_vars, tuple(clauses)), hidden


def sparse_formula(n_vars: int, n_clauses: int, *, most: int = 5, seed: int = 0) -> Formula:
    """Return a random 3-SAT formula in which no variable occurs in more than `most` clauses.

    The places of the clauses are filled from a shuffled list that holds every variable `most`
    times; a clause that would repeat a variable swaps it for a later one, or starts over.

    Raises
    ------
    InvalidInputError
        If 3 * n_clauses > most * n_vars, or n_vars < 3.

    >>> max(sparse_formula(9, 15, seed=2).occurrences())
    5
    """
    if n_clauses and (3 * n_clauses > most * n_vars or n_vars < 3):
        raise InvalidInputError(
            f"{n_clauses} clauses do not fit {n_vars} variables at most {most} times each"
        )
    rng = Stream(seed)
    while True:
        slots = rng.shuffled(list(range(1, n_vars + 1)) * most)
        if _separate(slots, n_clauses):
            break
    signed = _signed(rng, slots[: 3 * n_clauses])
    triples = zip(signed[::3], signed[1::3], signed[2::3], strict=True)
    return Formula(n_vars, tuple(triples))


def _separate(slots: list[int], n_clauses: int) -> bool:
    """Reorder slots so that each of the first triples has three variables; False if it fails."""
    for place in range(3 * n_clauses):
        before = slots[place - place % 3 : place]
        free = next((i for i in range(place, len(slots)) if slots[i] not in before), None)
        if free is None:
            return False
        slots[place], slots[free] = slots[free], slots[place]
    return True


def _clause(rng: Stream, n_vars: int, size: int) -> tuple[int, ...]:
    variables: list[int] = []
    while len(variables) < size:
        variable = rng.below(n_vars) + 1
        if variable not in variables:
            variables.append(variable)
    return tuple(_signed(rng, variables))


def _signed(rng: Stream, variables: Sequence[int]) -> list[int]:
    return [variable if rng.below(2) else -variable for variable in variables]


def _n_clauses(n_vars: int, ratio: float, size: int) -> int:
    if n_vars < size or size < 1 or not 0 <= ratio < 2**31:
        raise InvalidInputError(
            f"clauses of {size} different variables cannot be drawn from {n_vars}"
            f" at {ratio} clauses a variable"
        )
    return round(ratio * n_vars)
