"""Solvers by name, their answers, and the simplest way to run one: in this process."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from hanabi.ground.errors import SolverError
from hanabi.ground.sat import child

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.ground.sat.cnf import Cnf

__all__ = ["Engine", "SatResult", "Satisfiability", "solve_here"]


class Satisfiability(StrEnum):
    """The three answers of a satisfiability solver."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"


_STATUS = {
    True: Satisfiability.SATISFIABLE,
    False: Satisfiability.UNSATISFIABLE,
    None: Satisfiability.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Engine:
    """A PySAT solver by name, with its options.

    `solver` is PySAT's name: `cadical195`, `cadical153`, `glucose4`, `kissat404`, ... `options` are
    settings by name, for the CaDiCaLs (`seed`, `phase`, `stabilizeonly`, ...) and glucose42
    (`rnd-seed`). PySAT ignores names that the solver does not know.

    >>> str(Engine("cadical195", {"seed": 7, "phase": 0}))
    'cadical195(seed=7, phase=0)'
    """

    solver: str = "cadical195"
    options: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.solver}({options})" if options else self.solver


@dataclass(frozen=True, slots=True, eq=False)
class SatResult:
    """The answer of a solver about a formula.

    Attributes
    ----------
    status
        SATISFIABLE, UNSATISFIABLE or UNKNOWN.
    reason
        The solver that decided, or why none did: the budget that ended, or how the process died.
    model
        Shape (n_vars + 1,), bool: the value of each variable, index 0 unused; None unless
        satisfiable.
    proof
        DRAT proof as text, one step a line, if requested and unsatisfiable.
    conflicts
        Number of conflicts, or None if the solver does not report it (or was killed); the sum over
        all engines if none decided.
    seconds
        Wall-clock time, including the start of the process and the transfer of the formula.
    """

    status: Satisfiability
    reason: str
    model: npt.NDArray[np.bool_] | None = None
    proof: str | None = None
    conflicts: int | None = None
    seconds: float = 0.0


def solve_here(
    cnf: Cnf, engine: Engine | None = None, *, conflicts: int | None = None, proof: bool = False
) -> SatResult:
    """Decide a formula in this process: no start-up cost, but only `conflicts` can stop it.

    Raises SolverError if the solver is unknown or does not support the request.

    >>> from hanabi.ground.sat import Cnf
    >>> cnf = Cnf(n_vars=2)
    >>> cnf.add([[1, 2], [-1, 2]])
    >>> answer = solve_here(cnf)
    >>> print(answer.status, answer.model[2])
    satisfiable True
    """
    engine = engine or Engine()
    started = time.perf_counter()
    answer = child.decide(
        engine.solver,
        engine.options,
        cnf.arrays()[0].tolist(),
        cnf.runs(),
        conflicts=conflicts,
        proof=proof,
    )
    return read_answer(cnf, engine, answer, time.perf_counter() - started)


def read_answer(cnf: Cnf, engine: Engine, answer: dict[str, Any], seconds: float) -> SatResult:
    """Return the result in an answer of :func:`child.decide`; raise SolverError if it refused."""
    import numpy as np

    if "refused" in answer:
        raise SolverError(answer["refused"])
    status, model = _STATUS[answer["status"]], None
    if status is Satisfiability.SATISFIABLE:
        # Variables that occur in no clause are free, and missing from the solver's model.
        model = np.zeros(cnf.n_vars + 1, dtype=np.bool_)
        true = np.asarray(answer["model"], dtype=np.int32)
        model[true[true > 0]] = True
    reason = (
        f"{engine}: the budget of conflicts ended"
        if status is Satisfiability.UNKNOWN
        else f"{status} by {engine}"
    )
    return SatResult(status, reason, model, answer["proof"], answer["conflicts"], seconds)
