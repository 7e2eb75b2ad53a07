"""Checks of proofs by programs independent of the solver.

If `drat-trim` is installed, it checks all of DRAT. Otherwise MiniSat's unit propagation checks
every step (RUP), ignoring deletions. CaDiCaL's proofs usually pass. A proof with steps that follow
for other reasons is reported as not checked by propagation, not as wrong.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from hanabi.ground.clock import NO_LIMIT, Clock
from hanabi.ground.errors import BudgetEndedError, InvalidInputError, quote
from hanabi.ground.sat import dimacs
from hanabi.ground.sat.cnf import Cnf

__all__ = ["Checked", "check_proof"]


@dataclass(frozen=True, slots=True)
class Checked:
    """The report of a checker: `broken` is the first problem, or None if the proof holds."""

    checker: str
    steps: int
    broken: str | None


def check_proof(cnf: Cnf, proof: str, clock: Clock = NO_LIMIT) -> Checked:
    """Check a DRAT proof, given as text, that a formula is unsatisfiable.

    Raises InvalidInputError if the text is not a DRAT proof; the message names the line. Raises
    BudgetEndedError when the clock runs out.

    >>> cnf = Cnf(n_vars=1)
    >>> cnf.add_clause([1]), cnf.add_clause([-1])
    (None, None)
    >>> check_proof(cnf, "0").broken is None
    True
    """
    steps = _parsed(proof, cnf.n_vars, clock)
    program = which("drat-trim")
    if program is not None:
        return Checked("drat-trim", len(steps), _broken_by_drat_trim(program, cnf, proof, clock))
    added = [clause for is_deleted, clause in steps if not is_deleted]
    return Checked(
        "unit propagation (MiniSat)", len(steps), _broken_by_propagation(cnf, added, clock)
    )


def _parsed(proof: str, n_vars: int, clock: Clock) -> list[tuple[bool, list[int]]]:
    steps = []
    for number, line in enumerate(clock.watch(proof.splitlines()), start=1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        is_deleted = words[0] == "d"
        try:
            literals = [int(word) for word in words[is_deleted:]]
        except ValueError:
            literals = []
        if not literals or literals[-1] or 0 in literals[:-1]:
            raise InvalidInputError(f"line {number}: {quote(line)} is no step of a DRAT proof")
        if any(abs(literal) > n_vars for literal in literals):
            raise InvalidInputError(f"line {number}: the formula has {n_vars} variables only")
        steps.append((is_deleted, literals[:-1]))
    return steps


def _broken_by_drat_trim(program: str, cnf: Cnf, proof: str, clock: Clock) -> str | None:
    with TemporaryDirectory() as folder:
        formula, steps = Path(folder, "formula.cnf"), Path(folder, "proof.drat")
        with formula.open("w", encoding="utf-8") as file:
            dimacs.write(cnf, file)
        steps.write_text(proof, encoding="utf-8")
        command: list[str | Path] = [program, formula, steps, "-t", "1000000"]
        try:
            done = subprocess.run(  # noqa: S603
                command, capture_output=True, text=True, check=False, timeout=clock.left
            )
        except subprocess.TimeoutExpired:
            raise BudgetEndedError("out of time") from None
    if "s VERIFIED" in done.stdout:
        return None
    told = [line for line in done.stdout.splitlines() if line.startswith("s ")]
    return f"drat-trim does not verify it: {told[0][2:] if told else 'no answer'}"


def _broken_by_propagation(cnf: Cnf, steps: list[list[int]], clock: Clock) -> str | None:
    from pysat.solvers import Solver

    with Solver("minisat22", bootstrap_with=list(cnf)) as solver:
        for number, step in enumerate(clock.watch(steps, every=1), start=1):
            if solver.propagate(assumptions=[-literal for literal in step])[0]:
                clause = " ".join(map(str, [*step, 0]))
                return f"added clause {number} ({clause}) does not follow by unit propagation"
            if not step:
                return None
            solver.add_clause(step)
        if solver.propagate()[0]:
            return "the proof ends without the empty clause"
    return None
