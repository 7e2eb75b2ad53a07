"""Formulas for the reductions: CNF as tuples, and normal forms of three literals a clause.

:mod:`hanabi.ground.sat.dimacs` reads and writes DIMACS files. The reductions of [Baffier2017] take
clauses of three different variables; :func:`to_three_sat` converts any formula to that form, and
maps assignments in both directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from hanabi.ground import Cnf, InvalidInputError, Stream, dimacs, quote

__all__ = [
    "Assignment",
    "Formula",
    "NormalForm",
    "planted_formula",
    "random_formula",
    "read_dimacs",
    "sparse_formula",
    "to_three_sat",
    "write_dimacs",
]

Assignment = tuple[bool, ...]
"""The values of the variables 1, 2, ... in order."""

_MOST_SHOWN = 8  # clauses


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in conjunctive normal form over the variables 1 .. `n_vars`.

    Attributes
    ----------
    n_vars
        Number of variables; some may occur in no clause.
    clauses
        Clauses as tuples of non-zero literals, negative for a negated variable.

    Raises
    ------
    InvalidInputError
        If a literal is 0 or its variable is out of range; the message gives the clause.

    >>> formula = Formula(3, ((1, -2, 3), (1, 2, -3)))
    >>> formula.satisfied_by((True, True, False)), formula.satisfied_by((False, False, True))
    (True, False)
    >>> formula.occurrences()
    [2, 2, 2]
    """

    n_vars: int
    clauses: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        for number, clause in enumerate(self.clauses, start=1):
            for literal in clause:
                if not 0 < abs(literal) <= self.n_vars:
                    raise InvalidInputError(
                        f"clause {number}: literal {quote(literal)} is not in 1 .. {self.n_vars}"
                        " or its negation"
                    )

    def __repr__(self) -> str:
        clauses = repr(self.clauses)
        if self.n_clauses > _MOST_SHOWN:
            clauses = f"<{self.n_clauses:,} clauses>"
        return f"Formula(n_vars={self.n_vars}, clauses={clauses})"

    @property
    def n_clauses(self) -> int:
        """Number of clauses."""
        return len(self.clauses)

    @property
    def is_three_sat(self) -> bool:
        """Whether every clause has exactly three literals of different variables. O(clauses)."""
        return self.broken_clause() is None

    def broken_clause(self, least: int = 3) -> int | None:
        """Return the first clause, by number, without `least` to three different variables."""
        for number, clause in enumerate(self.clauses, start=1):
            n_variables = len({abs(literal) for literal in clause})
            if not least <= len(clause) == n_variables <= 3:
                return number
        return None

    def occurrences(self) -> list[int]:
        """Return for each variable the number of its literals in all clauses. O(literals)."""
        counts = [0] * self.n_vars
        for clause in self.clauses:
            for literal in clause:
                counts[abs(literal) - 1] += 1
        return counts

    def false_clause(self, assignment: Sequence[bool]) -> int | None:
        """Return the number of the first clause that `assignment` makes false, or None.

        Raises
        ------
        InvalidInputError
            If the assignment does not have one value for each variable.
        """
        if len(assignment) != self.n_vars:
            raise InvalidInputError(
                f"an assignment of {len(assignment)} values for {self.n_vars} variables"
            )
        for number, clause in enumerate(self.clauses, start=1):
            if not any(assignment[abs(literal) - 1] == (literal > 0) for literal in clause):
                return number
        return None

    def satisfied_by(self, assignment: Sequence[bool]) -> bool:
        """Return whether `assignment` makes every clause true. O(literals)."""
        return self.false_clause(assignment) is None

    def to_cnf(self) -> Cnf:
        """Return the formula in the solvers' form."""
        cnf = Cnf(self.n_vars)
        for clause in self.clauses:
            cnf.add_clause(clause)
        return cnf


def read_dimacs(lines: Iterable[str]) -> Formula:
    """Read a formula from the lines of a DIMACS file, strictly.

    See :func:`hanabi.ground.sat.dimacs.read`.

    >>> read_dimacs(["c an example", "p cnf 3 1", "1 -2 3 0"])
    Formula(n_vars=3, clauses=((1, -2, 3),))
    """
    cnf = dimacs.read(lines)
    return Formula(cnf.n_vars, tuple(map(tuple, cnf)))


def write_dimacs(formula: Formula, file: TextIO, comments: Iterable[str] = ()) -> None:
    """Write a formula in DIMACS form.

    >>> import sys
    >>> write_dimacs(Formula(3, ((1, -2, 3),)), sys.stdout)
    p cnf 3 1
    1 -2 3 0
    """
    dimacs.write(formula.to_cnf(), file, comments)


@dataclass(frozen=True, slots=True)
class NormalForm:
    """A formula, and an equisatisfiable one with clauses as a reduction takes them.

    Attributes
    ----------
    original
        The original formula.
    formula
        The normal form, with the original variables, then new ones.
    extra
        For each new variable a set of literals, all of variables with smaller numbers: the variable
        is true exactly if none of them is. Empty if the variable is free.
    """

    original: Formula
    formula: Formula
    extra: tuple[tuple[int, ...], ...] = field(repr=False)

    def restore(self, assignment: Sequence[bool]) -> Assignment:
        """Restrict an assignment of `formula` to the variables of `original`."""
        return tuple(assignment[: self.original.n_vars])

    def extend(self, assignment: Sequence[bool]) -> Assignment:
        """Extend an assignment of `original` to `formula`; a satisfying one stays satisfying."""
        values = list(assignment)
        for literals in self.extra:
            values.append(not any(values[abs(x) - 1] == (x > 0) for x in literals))
        return tuple(values)


def to_three_sat(formula: Formula, *, least: int = 3) -> NormalForm:
    """Return an equisatisfiable formula in which every clause has three different variables.

    Repeated literals are merged, and clauses with opposite literals dropped. A shorter clause is
    repeated with all signs of fresh variables; a longer one is split into a chain: (a b c d e)
    becomes (a b s) (-s c t) (-t d e). A formula in normal form is returned unchanged. O(literals).

    Clauses of `least` or more variables are not made longer.

    >>> three = to_three_sat(Formula(4, ((1, 2, 3, -4), (2, -2), (3, 3, 1))))
    >>> three.formula.clauses
    ((1, 2, 5), (-5, 3, -4), (3, 1, 6), (3, 1, -6))
    >>> three.extend((True, False, False, True))
    (True, False, False, True, False, True)
    """
    if formula.broken_clause(least) is None:
        return NormalForm(formula, formula, ())
    clauses: list[tuple[int, ...]] = []
    extra: list[tuple[int, ...]] = []

    def new_variable(*none_of: int) -> int:
        extra.append(none_of)
        return formula.n_vars + len(extra)

    for given in formula.clauses:
        literals = tuple(dict.fromkeys(given))
        if any(-literal in literals for literal in literals):
            continue
        rest, seen = list(literals), list(literals[:2])
        while len(rest) > 3:
            link = new_variable(*seen)
            clauses.append((rest[0], rest[1], link))
            seen.append(rest[2])
            rest[:2] = [-link]
        padded = [tuple(rest)]
        for _ in range(least - len(rest)):
            pad = new_variable()
            padded = [(*clause, sign * pad) for clause in padded for sign in (1, -1)]
        clauses += padded
    return NormalForm(formula, Formula(formula.n_vars + len(extra), tuple(clauses)), tuple(extra))


# Random formulas, each determined by a seed.


def random_formula(n_vars: int, *, ratio: float = 4.26, size: int = 3, seed: int = 0) -> Formula:
    """Return a uniformly random formula: round(ratio * n_vars) clauses of `size` variables each.

    Clauses are independent, so one may occur twice; the variables within a clause differ. At the
    default ratio, about half of all large 3-SAT formulas are satisfiable. O(clauses * size).

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
    """Return a random satisfiable formula, and the hidden assignment that satisfies it.

    Clauses are drawn as in :func:`random_formula`, and redrawn if the hidden assignment makes them
    false.

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

    The clauses are filled from a shuffled list that contains every variable `most` times. A
    variable that a clause would repeat is swapped for a later one; if there is none, all starts
    over.

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
    """Reorder slots so that each of the first triples has three variables; return success."""
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
