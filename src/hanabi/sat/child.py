"""One PySAT solver at work on one formula: the part that runs in a child process.

The parent starts this file as a script, so that the child imports the standard library and PySAT
alone: no NumPy, not even the rest of this package. The request, one line of JSON, and the formula
come through standard input, which the parent leaves open; the answer goes to standard output.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["decide"]


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
    from pysat.solvers import NoSuchSolverError, Solver

    try:
        # Arguments only when wanted: some of the solvers do not take them.
        engine = Solver(name=solver, **({"with_proof": True} if proof else {}))
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


def _add_clauses(engine: Any, literals: Iterable[int], runs: Sequence[Sequence[int]]) -> None:
    flat = iter(literals)
    for count, length in runs:
        # zip over one iterator cuts it into tuples of `length` without a Python loop.
        clauses = zip(*[flat] * length, strict=False) if length else ((),) * count
        for _, clause in zip(range(count), clauses, strict=False):
            engine.add_clause(clause)


def _die_with_parent(parent: int) -> None:
    """Let the system end this process when the parent's end of standard input closes.

    The solver holds the interpreter lock for minutes, so nothing written in Python could notice.
    Call it when all has been read: more input would end the process as well.
    The default action of the signal ends the process (on Linux; elsewhere the parent's own care
    has to do).
    """
    try:
        import fcntl

        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    except (ImportError, AttributeError, OSError):
        return
    if os.getppid() != parent:
        sys.exit("the parent has gone")


def _limit_memory(memory: int | None) -> None:
    if memory is not None:
        try:
            import resource
        except ImportError:  # not on this system; the time budget still holds
            return
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        most = sys.maxsize if most == resource.RLIM_INFINITY else most
        # More than the system can give or tell is no limit.
        limit = min(memory, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main() -> None:
    """Read the request and the formula, decide, and write the answer."""
    # Whatever a solver prints goes to standard error.
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        request = json.loads(sys.stdin.buffer.readline())
        sys.path[:] = request["path"]
        _limit_memory(request["memory"])
        literals = array("i")
        literals.fromfile(
            sys.stdin.buffer, sum(count * length for count, length in request["runs"])
        )
        _die_with_parent(request["parent"])
        what = {name: request[name] for name in ("conflicts", "proof")}
        answer = decide(request["solver"], request["options"], literals, request["runs"], **what)
        model = array("i", answer.pop("model", None) or ()).tobytes()
        proof = answer.pop("proof", None)
        answer |= {"model_size": len(model), "has_proof": proof is not None}
        output.write(json.dumps(answer).encode() + b"\n" + model + (proof or "").encode())


if __name__ == "__main__":
    main()
