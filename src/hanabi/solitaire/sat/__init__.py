"""Solitaire Hanabi by satisfiability: any instance, any n, c, r and h.

The instance becomes a formula (:mod:`hanabi.solitaire.sat.encoding`), CaDiCaL decides it, and a
model is read back as a winning play. Instances of a million cards whose hand is full now and then,
as those that come from 3-SAT, make formulas of a few million clauses. For an instance that cannot
be won, :func:`certify` gives a formula and a proof that any DRAT checker can check.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from hanabi.clock import Clock
from hanabi.sat import BudgetEndedError, Engine, Satisfiability, SatResult, decide, dimacs
from hanabi.solitaire.sat.encoding import StreamEncoding, encode
from hanabi.verdict import Status, Verdict

if TYPE_CHECKING:
    from hanabi.sat import Cnf
    from hanabi.solitaire.instance import Instance
    from hanabi.solitaire.play import Play

__all__ = ["StreamCertificate", "StreamEncoding", "certify", "encode", "solve", "write_dimacs"]

_STATUS = {
    Satisfiability.SATISFIABLE: Status.WINNABLE,
    Satisfiability.UNSATISFIABLE: Status.UNWINNABLE,
    Satisfiability.UNKNOWN: Status.UNKNOWN,
}


@dataclass(frozen=True, slots=True, eq=False)
class StreamCertificate:
    """A verdict with the formula behind it and, if unwinnable, a proof.

    Attributes
    ----------
    verdict
        The answer; with a winning play if there is one.
    cnf
        The rules of the instance as a formula, no reductions applied; None if a budget ended first.
    proof
        A DRAT proof that `cnf` is unsatisfiable, one step a line; None unless unwinnable.
    """

    verdict: Verdict[Play]
    cnf: Cnf | None
    proof: str | None = field(default=None, repr=False)


def solve(
    instance: Instance,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    solver: str = "cadical195",
) -> Verdict[Play]:
    """Decide whether `instance` can be won, and give a winning play.

    The budgets (memory in bytes) are those of encoding and solving; when one ends the status is
    UNKNOWN. Raises SolverError if PySAT has no such `solver`.

    >>> from hanabi.solitaire import Instance
    >>> instance = Instance(1, [(0, 2), (1, 2), (1, 1), (1, 2), (0, 1)])
    >>> verdict = solve(instance)
    >>> print(verdict.status, [move.position for move in verdict.witness])
    winnable [1, 2, 3, 4, 5, 1]
    >>> solve(instance.with_hand_size(0)).reason
    'the hand holds 0, and after card 1 of the stream it must keep 1'
    """
    return _decide(instance, Clock(seconds), memory, solver, is_certified=False).verdict


def certify(
    instance: Instance,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    solver: str = "cadical195",
) -> StreamCertificate:
    """Decide as :func:`solve` does, from the rules alone, and prove it if there is no way to win.

    Slower than :func:`solve`: no copy is struck out beforehand, so that the proof rests on nothing
    but the statement of the rules in the formula. The solver has to write proofs (`cadical195`,
    `glucose4`, `lingeling`, ...).

    >>> from hanabi.solitaire import Instance
    >>> certificate = certify(Instance(0, [(0, 2), (0, 1)]))
    >>> print(certificate.verdict.status, certificate.proof)
    unwinnable 0
    """
    return _decide(instance, Clock(seconds), memory, solver, is_certified=True)


def write_dimacs(
    instance: Instance,
    file: TextIO,
    *,
    cut: bool = True,
    seconds: float | None = None,
    memory: int | None = None,
) -> None:
    """Write the formula of an instance in DIMACS form, with what the variables mean as comments.

    Only the variables that choose a copy are explained: the others follow from them. Raises
    BudgetEndedError if a budget of the encoding ends (memory in bytes).

    >>> import sys
    >>> from hanabi.solitaire import Instance
    >>> write_dimacs(Instance(1, [(0, 2), (0, 1), (0, 1), (0, 2), (0, 3)]), sys.stdout)
    c Instance(hand_size=1, N=5, n=3, c=1, r=2): satisfiable exactly if it can be won
    c 1: r2 is taken at position 1 or before
    p cnf 1 0
    """
    encoding = encode(instance, cut=cut, seconds=seconds, memory=memory)
    dimacs.write(encoding.cnf, file, encoding.comments())


def _decide(
    instance: Instance, clock: Clock, memory: int | None, solver: str, *, is_certified: bool
) -> StreamCertificate:
    cnf = play = proof = None
    status, goal = Status.UNKNOWN, instance.goal
    try:
        encoding = encode(instance, cut=not is_certified, seconds=clock.left, memory=memory)
        cnf = encoding.cnf
        if encoding.lost is not None and not is_certified:
            status, reason = Status.UNWINNABLE, encoding.lost
        else:
            answer = decide(
                cnf, Engine(solver), seconds=clock.left, memory=memory, proof=is_certified
            )
            play = None if answer.model is None else encoding.decode(answer.model, clock)
            status, proof = _STATUS[answer.status], answer.proof
            reason = encoding.lost or _reason(cnf, answer, solver)
    except BudgetEndedError as error:
        reason = str(error)
    verdict = Verdict(
        status,
        "sat",
        reason,
        witness=play,
        lower=goal if status is Status.WINNABLE else 0,
        upper=goal - 1 if status is Status.UNWINNABLE else goal,
        seconds=clock.elapsed,
    )
    return StreamCertificate(verdict, cnf, proof)


def _reason(cnf: Cnf, answer: SatResult, solver: str) -> str:
    if answer.status is Satisfiability.UNKNOWN:
        return answer.reason
    found = "found a" if answer.status is Satisfiability.SATISFIABLE else "proved that there is no"
    size = f"{cnf.n_vars} variables, {cnf.n_clauses} clauses"
    effort = "" if answer.conflicts is None else f", {answer.conflicts} conflicts"
    return f"{solver} {found} choice of copies that fits the hand ({size}{effort})"
