"""One PySAT solver at work on one formula: the part that runs in a child process.

A bare child (`hanabi.ground.workers.child`) loads this file alone, so it imports the standard
library and PySAT: no NumPy, and not even the rest of this package.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = ["answer", "decide"]


def answer(request: dict[str, Any], literals: array[int], send: Callable[..., None]) -> None:
    """Send what `decide` answers, with the model and the proof apart as bytes."""
    found = decide(literals=literals, **request)
    model, proof = found.pop("model", None), found.pop("proof", None)
    found["has_proof"] = proof is not None
    send(found, array("i", model or ()).tobytes(), (proof or "").encode())


def decide(
    solver: str,
    options: dict[str, int],
    literals: Iterable[int],
    runs: Sequence[Sequence[int]],
    *,
    conflicts: int | None,
    proof: bool,
) -> dict[str, Any]:
    """Run a PySAT solver on a formula given as flat literals and runs of (count, length).

    The answer has `status`, true, false or None (conflicts ran out); `model`, a list of literals or
    None; `conflicts`, None where the solver does not count them; `proof` in DRAT form, or None. Or
    it has only `refused`: why this solver cannot do what was asked.
    """
    from pysat.solvers import NoSuchSolverError

    try:
        engine = _open(solver, proof)
        if options and not hasattr(engine.solver, "configure"):
            return {"refused": f"{solver} takes no options"}
        if options:
            engine.configure(options)
        if conflicts is not None:
            engine.conf_budget(conflicts)
        _add_clauses(engine, literals, runs)
        status = engine.solve() if conflicts is None else engine.solve_limited()
    except NoSuchSolverError:
        return {"refused": f"PySAT has no solver named {solver!r}"}
    except NotImplementedError as error:
        return {"refused": f"{solver}: {error}"}
    try:
        counted = engine.accum_stats().get("conflicts")
    except NotImplementedError:
        counted = None
    steps = None
    if proof and status is False:
        steps = engine.get_proof()
        if "0" not in steps:  # the empty clause is not written if the formula contains it
            steps = [*steps, "0"]
    return {
        "status": status,
        "model": engine.get_model() if status else None,
        "conflicts": counted,
        "proof": None if steps is None else "\n".join(steps),
    }


def _open(solver: str, proof: bool) -> Any:
    """Return a solver: an object with the methods of PySAT's `Solver` that `decide` calls."""
    from pysat.solvers import Solver

    # Arguments only when wanted: some of the solvers do not take them.
    return Solver(name=solver, **({"with_proof": True} if proof else {}))


def _add_clauses(engine: Any, literals: Iterable[int], runs: Sequence[Sequence[int]]) -> None:
    flat = iter(literals)
    for count, length in runs:
        # zip over one iterator cuts it into tuples of `length` without a Python loop.
        clauses = zip(*[flat] * length, strict=False) if length else ((),) * count
        for _, clause in zip(range(count), clauses, strict=False):
            engine.add_clause(clause)
