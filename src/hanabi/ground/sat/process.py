"""PySAT solvers in child processes, under budgets of wall-clock time and memory.

CaDiCaL holds the interpreter lock while it works and cannot be interrupted, so a solver that must
keep a deadline runs in a process of its own, which is killed when the deadline comes. Starting one
costs some 50 ms; :func:`hanabi.ground.sat.solve_here` has no such cost and no budget but a number
of conflicts. :func:`decide` combines the two.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from hanabi.ground.clock import Clock
from hanabi.ground.sat import child
from hanabi.ground.sat.engine import Engine, Satisfiability, SatResult, read_answer, solve_here
from hanabi.ground.workers.child import BareProcess, cores

if TYPE_CHECKING:
    from hanabi.ground.sat.cnf import Cnf

__all__ = ["decide", "race", "solve"]

_SMALL = 100_000  # literals of a formula that is tried in this process first
_FEW_CONFLICTS = 1000
_PAUSES = 0.0005, 0.02  # seconds between two looks at the children: least and most


def decide(
    cnf: Cnf,
    engine: Engine | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    proof: bool = False,
    clock: Clock | None = None,
) -> SatResult:
    """Decide a formula: a small one here if that takes few conflicts, else in a child process.

    Most small formulas are decided in less time than a process needs to start. `seconds`, `memory`
    and `clock` are as for :func:`race`; the first try takes less than 0.1 s.

    >>> from hanabi.ground.sat import Cnf
    >>> decide(Cnf(n_vars=1)).reason
    'satisfiable by cadical195'
    """
    engine, clock = engine or Engine(), clock or Clock(seconds)
    started = time.perf_counter()
    if cnf.n_literals <= _SMALL and not clock.is_over:
        answer = solve_here(cnf, engine, conflicts=_FEW_CONFLICTS, proof=proof)
        if answer.status is not Satisfiability.UNKNOWN:
            return answer
    answer = race(cnf, [engine], seconds=seconds, memory=memory, proof=proof, clock=clock)
    return replace(answer, seconds=time.perf_counter() - started)


def solve(
    cnf: Cnf,
    engine: Engine | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    conflicts: int | None = None,
    proof: bool = False,
) -> SatResult:
    """Decide a formula in a child process, within `seconds` and `memory` bytes.

    See :func:`race`, of which this is the case of one engine.

    >>> from hanabi.ground.sat import Cnf
    >>> cnf = Cnf(n_vars=1)
    >>> cnf.add([[1], [-1]])
    >>> print(solve(cnf, seconds=60).status)
    unsatisfiable
    """
    engines = [engine or Engine()]
    return race(cnf, engines, seconds=seconds, memory=memory, conflicts=conflicts, proof=proof)


def race(
    cnf: Cnf,
    engines: Sequence[Engine],
    *,
    workers: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    conflicts: int | None = None,
    proof: bool = False,
    clock: Clock | None = None,
) -> SatResult:
    """Run several engines on one formula, each in a process of its own; the first answer wins.

    Parameters
    ----------
    cnf
        The formula.
    engines
        Tried in order; an engine waits for its turn while `workers` others run.
    workers
        Most processes at once; by default one for each processor that this process may use.
    seconds, memory, conflicts
        Budgets: wall-clock time in all, at whose end the processes are killed; bytes of address
        space that each process may take (Linux), some 10**8 at least; conflicts that each engine
        may meet, which do not depend on the machine.
    proof
        Ask for a DRAT proof.
    clock
        A running clock, in place of `seconds`.

    Returns
    -------
    SatResult
        UNKNOWN when a budget ended, or when every process crashed; the reason says which. No
        process outlives the call, not even when it is interrupted.

    Raises
    ------
    SolverError
        If a solver is unknown or cannot do what is asked.
    """
    started, clock = time.perf_counter(), clock or Clock(seconds)
    failures: list[SatResult] = []
    ended = ""
    request = {"conflicts": conflicts, "proof": proof}
    # Processes start when they are taken from this iterator.
    processes = ((engine, _start(engine, request, cnf, memory)) for engine in engines)
    running: list[tuple[Engine, BareProcess]] = []
    try:
        while True:
            running.extend(islice(processes, (workers or cores()) - len(running)))
            if not running:
                break
            for engine, process in [one for one in running if one[1].is_over]:
                running.remove((engine, process))
                answer = _answer(engine, process, cnf, time.perf_counter() - started)
                if answer.status is not Satisfiability.UNKNOWN:
                    return answer
                failures.append(answer)
            if clock.is_over:
                ended = (
                    "out of time"
                    if seconds is None
                    else f"the time budget of {seconds:.3g} s ended"
                )
                break
            elapsed = time.perf_counter() - started
            time.sleep(min(max(elapsed / 20, _PAUSES[0]), _PAUSES[1]))
    finally:
        for _, process in running:
            process.end()
    reasons = [answer.reason for answer in failures] + [ended] * bool(ended)
    counts = [answer.conflicts for answer in failures if answer.conflicts is not None]
    return SatResult(
        Satisfiability.UNKNOWN,
        "; ".join(reasons) or "no engine was given",
        conflicts=sum(counts) if counts else None,
        seconds=time.perf_counter() - started,
    )


def _start(engine: Engine, request: dict[str, Any], cnf: Cnf, memory: int | None) -> BareProcess:
    """Start a solver on a formula."""
    orders = {"solver": engine.solver, "options": engine.options, "runs": cnf.runs(), **request}
    return BareProcess(child.__file__, orders, cnf.arrays()[0].data, memory)


def _answer(engine: Engine, process: BareProcess, cnf: Cnf, seconds: float) -> SatResult:
    """Wait for a solver's process to end, and read its answer."""
    import numpy as np

    try:
        problem = process.problem()
        if problem is not None:
            return SatResult(Satisfiability.UNKNOWN, f"{engine}: {problem}", seconds=seconds)
        found, model, proof = process.answer()
    finally:
        process.end()
    found["model"] = np.frombuffer(model, dtype=np.int32)
    found["proof"] = proof.decode() if found["has_proof"] else None
    return read_answer(cnf, engine, found, seconds)
