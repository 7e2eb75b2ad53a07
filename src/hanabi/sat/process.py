"""PySAT solvers in child processes, under budgets of wall-clock time and memory.

CaDiCaL holds the interpreter lock while it works and cannot be interrupted, so a solver that must
keep a deadline runs in a process of its own, which is killed when the deadline comes. Starting one
costs some 50 ms; :func:`hanabi.sat.solve_here` has no such cost and no budget but a number of
conflicts. :func:`decide` combines the two.

The formula goes through a pipe, the answer into a file without a name, so that nothing is left
behind when this process is killed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from hanabi.sat import child
from hanabi.sat.engine import Engine, Satisfiability, SatResult, read_answer, solve_here

if TYPE_CHECKING:
    from hanabi.sat.cnf import Cnf

__all__ = ["decide", "race", "solve"]

_SMALL = 100_000  # literals of a formula that is tried in this process first
_FEW_CONFLICTS = 1000
_SIGNS_OF_NO_MEMORY = "memory", "alloc", "failed to map", "lost sys.stderr"  # as Python ends then
_PAUSES = 0.0005, 0.02  # seconds between two looks at the children: least and most


def decide(
    cnf: Cnf,
    engine: Engine | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    proof: bool = False,
) -> SatResult:
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
) -> SatResult:
    """Decide a formula in a child process, within `seconds` and `memory` bytes.

    See :func:`race`, of which this is the case of one engine.

    >>> from hanabi.sat import Cnf
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
) -> SatResult:
    """Run several engines on one formula, each in a process of its own; the first answer wins.

    Parameters
    ----------
    cnf
        The formula.
    engines
        Tried in order; an engine waits for its turn while `workers` others run.
    workers
        Most processes at once; by default one a processor.
    seconds, memory, conflicts
        Budgets: wall-clock time in all, at whose end the processes are killed; bytes of address
        space that each process may take (Linux), some 10**8 at least; conflicts that each engine
        may meet, which do not depend on the machine.
    proof
        Ask for a DRAT proof.

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
    started = time.perf_counter()
    failures: list[SatResult] = []
    ended = ""
    request = {
        "runs": cnf.runs(),
        "path": [folder for folder in sys.path if folder],  # "" is the current folder
        "parent": os.getpid(),
        "memory": memory,
        "conflicts": conflicts,
        "proof": proof,
    }
    # Children start when they are taken from this iterator.
    children = (_Child(engine, request, cnf) for engine in engines)
    running: list[_Child] = []
    try:
        while True:
            running.extend(islice(children, (workers or os.cpu_count() or 1) - len(running)))
            if not running:
                break
            for one in [one for one in running if one.process.poll() is not None]:
                running.remove(one)
                answer = one.answer(time.perf_counter() - started)
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
    return SatResult(
        Satisfiability.UNKNOWN,
        "; ".join(reasons) or "no engine was given",
        conflicts=sum(counts) if counts else None,
        seconds=time.perf_counter() - started,
    )


class _Child:
    """A running solver process."""

    def __init__(self, engine: Engine, request: dict[str, Any], cnf: Cnf) -> None:
        self.engine = engine
        self.cnf = cnf
        self.memory = request["memory"]
        self._answer, self._errors = TemporaryFile(), TemporaryFile()  # noqa: SIM115 - see kill
        # -S and -P: the child gets this process's module path in the request, no other.
        self.process = subprocess.Popen(  # noqa: S603 - this interpreter, our own file
            [sys.executable, "-S", "-P", str(child.__file__)],
            stdin=subprocess.PIPE,
            stdout=self._answer,
            stderr=self._errors,
        )
        own = {"solver": engine.solver, "options": engine.options}
        orders = json.dumps(request | own).encode() + b"\n"
        # A pipe takes some 64 kB at once; nobody waits until the child has read the rest.
        self._pipe: Any = self.process.stdin
        self._feeder = threading.Thread(target=self._feed, args=(orders,), daemon=True)
        self._feeder.start()

    def _feed(self, orders: bytes) -> None:
        """Write the request and the formula; the pipe stays open, to tell that we are there."""
        with suppress(OSError):  # the child has ended
            self._pipe.write(orders)
            self._pipe.write(self.cnf.arrays()[0].data)
            self._pipe.flush()

    def answer(self, seconds: float) -> SatResult:
        import numpy as np

        self.process.wait()
        try:
            if self.process.returncode != 0:
                return SatResult(Satisfiability.UNKNOWN, self._failure(), seconds=seconds)
            self._answer.seek(0)
            answer = json.loads(self._answer.readline())
            model = self._answer.read(answer["model_size"])
            answer["model"] = np.frombuffer(model, dtype=np.int32)
            answer["proof"] = self._answer.read().decode() if answer["has_proof"] else None
        finally:
            self.kill()
        return read_answer(self.cnf, self.engine, answer, seconds)

    def _failure(self) -> str:
        code = self.process.returncode
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        died = signal.strsignal(-code) if code < 0 else f"exit code {code}"
        # Out of memory shows as a Python error or as one of many ways for C++ to give up.
        if self.memory is not None and any(sign in last.lower() for sign in _SIGNS_OF_NO_MEMORY):
            return f"{self.engine}: the memory budget of {self.memory} bytes ended"
        return f"{self.engine}: the process died ({died}) {last}".rstrip()

    def kill(self) -> None:
        """End the process, if it has not ended, and wait for it: nothing is left behind."""
        self.process.kill()
        self.process.wait()
        self._feeder.join()
        for file in (self._pipe, self._answer, self._errors):
            with suppress(OSError):  # what the child did not read is flushed in vain
                file.close()
