"""PySAT solvers in child processes, under budgets of wall-clock time and memory.

CaDiCaL holds the interpreter lock while it works and cannot be interrupted, so a solver that must
keep a deadline runs in a process of its own, which is killed when the deadline comes. Starting one
costs some 50 ms; :func:`hanabi.sat.solve_here` has no such cost and no budget but a number of
conflicts. :func:`decide` combines the two.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hanabi.sat import child
from hanabi.sat.engine import Answer, Engine, Satisfiability, read_answer, solve_here

if TYPE_CHECKING:
    from hanabi.sat.cnf import Cnf

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
) -> Answer:
    """Decide a formula: a small one here if that takes few conflicts, else in a child process.

    Most small formulas are decided in less time than a process needs to start. `seconds` and
    `memory` are as for :func:`race`; the first try takes less than 0.1 s.

    >>> from hanabi.sat import Cnf
    >>> decide(Cnf(n_vars=1)).reason
    'satisfiable by cadical195'
    """
    engine = engine or Engine()
    started = time.perf_counter()
    if cnf.n_literals <= _SMALL and (seconds is None or seconds > 0):
        answer = solve_here(cnf, engine, conflicts=_FEW_CONFLICTS, proof=proof)
        if answer.status is not Satisfiability.UNKNOWN:
            return answer
    left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - started))
    answer = solve(cnf, engine, seconds=left, memory=memory, proof=proof)
    return replace(answer, seconds=time.perf_counter() - started)


def solve(
    cnf: Cnf,
    engine: Engine | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    conflicts: int | None = None,
    proof: bool = False,
) -> Answer:
    """Decide a formula in a child process, within `seconds` and `memory` bytes.

    See :func:`race`, of which this is the case of one engine.

    >>> from hanabi.sat import Cnf
    >>> cnf = Cnf(n_vars=1)
    >>> cnf.add([[1], [-1]])
    >>> print(solve(cnf, seconds=60).status)
    unsatisfiable
    """
    return race(
        cnf,
        [engine or Engine()],
        seconds=seconds,
        memory=memory,
        conflicts=conflicts,
        proof=proof,
    )


def race(
    cnf: Cnf,
    engines: Sequence[Engine],
    *,
    workers: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    conflicts: int | None = None,
    proof: bool = False,
) -> Answer:
    """Run several engines on one formula, each in a process of its own; the first answer wins.

    Parameters
    ----------
    cnf
        The formula.
    engines
        Tried in order; an engine waits for its turn while `workers` others run.
    workers
        Most processes at once; by default one a processor.
    seconds
        Wall-clock budget in all; the processes are killed when it ends.
    memory
        Bytes of address space that each process may take (Linux); some 10**8 at least.
    conflicts
        Conflicts that each engine may meet: a budget that does not depend on the machine.
    proof
        Ask for a DRAT proof.

    Returns
    -------
    Answer
        UNKNOWN when a budget ended, or when every process crashed; the reason says which. No
        process outlives the call, not even when it is interrupted.

    Raises
    ------
    SolverError
        If a solver is unknown or cannot do what is asked.
    """
    started = time.perf_counter()
    failures: list[Answer] = []
    ended = ""
    with TemporaryDirectory(prefix="hanabi-sat-") as name:
        folder = Path(name)
        request = _write_request(cnf, folder, memory=memory, conflicts=conflicts, proof=proof)
        # Children start when they are taken from this iterator.
        children = (
            _Child(engine, request, folder / str(number)) for number, engine in enumerate(engines)
        )
        running: list[_Child] = []
        try:
            while True:
                running.extend(islice(children, (workers or os.cpu_count() or 1) - len(running)))
                if not running:
                    break
                for one in [one for one in running if one.has_ended()]:
                    running.remove(one)
                    answer = one.answer(cnf, time.perf_counter() - started)
                    if answer.status is not Satisfiability.UNKNOWN:
                        return answer
                    failures.append(answer)
                elapsed = time.perf_counter() - started
                if seconds is not None and elapsed >= seconds:
                    ended = f"the time budget of {seconds:.3g} s ended"
                    break
                time.sleep(min(max(elapsed / 20, _PAUSES[0]), _PAUSES[1]))
        finally:
            for one in running:
                one.kill()
    reasons = [answer.reason for answer in failures] + [ended] * bool(ended)
    counts = [answer.conflicts for answer in failures if answer.conflicts is not None]
    return Answer(
        Satisfiability.UNKNOWN,
        "; ".join(reasons) or "no engine was given",
        conflicts=sum(counts) if counts else None,
        seconds=time.perf_counter() - started,
    )


def _write_request(
    cnf: Cnf, folder: Path, *, memory: int | None, conflicts: int | None, proof: bool
) -> dict[str, Any]:
    """Write the formula to a file for all children; return what they are asked."""
    formula = str(folder / "formula")
    cnf.arrays()[0].tofile(formula)
    return {
        "formula": formula,
        "runs": cnf.runs(),
        "path": sys.path,
        "parent": os.getpid(),
        "memory": memory,
        "conflicts": conflicts,
        "proof": proof,
    }


class _Child:
    """A running solver process; `folder/NUMBER.*` are its files."""

    def __init__(self, engine: Engine, request: dict[str, Any], answer: Path) -> None:
        self.engine = engine
        self.memory = request["memory"]
        self.path = answer
        own = {"solver": engine.solver, "options": engine.options, "answer": str(answer)}
        orders = answer.with_suffix(".request")
        orders.write_text(json.dumps(request | own))
        with answer.with_suffix(".errors").open("wb") as errors:
            # -S and -P: the child gets this process's module path in the request, no other.
            self.process = subprocess.Popen(  # noqa: S603 - this interpreter, our own file
                [sys.executable, "-S", "-P", str(child.__file__), str(orders)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def answer(self, cnf: Cnf, seconds: float) -> Answer:
        import numpy as np

        self.kill()
        if self.process.returncode != 0:
            return Answer(Satisfiability.UNKNOWN, self._failure(), seconds=seconds)
        result = json.loads(self.path.with_suffix(".json").read_bytes())
        return read_answer(
            cnf,
            self.engine,
            result,
            model=np.fromfile(self.path.with_suffix(".model"), dtype=np.int32),
            proof=self.path.with_suffix(".proof").read_text() if result.pop("has_proof") else None,
            seconds=seconds,
        )

    def _failure(self) -> str:
        code = self.process.returncode
        lines = self.path.with_suffix(".errors").read_text(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        died = signal.strsignal(-code) if code < 0 else f"exit code {code}"
        # Out of memory shows as a Python error or as one of many ways for C++ to give up.
        if self.memory is not None and ("memory" in last.lower() or "alloc" in last):
            return f"{self.engine}: the memory budget of {self.memory} bytes ended"
        return f"{self.engine}: the process died ({died}) {last}".rstrip()

    def kill(self) -> None:
        """End the process, if it has not ended, and wait for it: nothing is left behind."""
        self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
