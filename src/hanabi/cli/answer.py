"""What `hanabi solve` asks the solvers, within one time budget, and the answers in JSON."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.solitaire.play import Play
from hanabi.verdict import Status, Verdict

if TYPE_CHECKING:
    from hanabi.cli.load import Problem
    from hanabi.solitaire.solver import LeastHand, MostCards

__all__ = ["Answer", "Question", "ask"]


@dataclass(frozen=True, slots=True)
class Question:
    """How to solve, and what else is wanted.

    Attributes
    ----------
    method
        One of the solver's METHODS.
    least_hand
        Whether the least hand size with which the stream can be won is wanted.
    seconds
        Time for everything together; 0 for no limit.
    memory
        Bytes that a solver may use, or None for its own choice.
    proof
        Whether a proof is wanted that there is no winning play; then SAT decides.
    """

    method: str = "auto"
    least_hand: bool = False
    seconds: float = 60.0
    memory: int | None = None
    proof: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict, and what was asked for beside it."""

    problem: Problem
    verdict: Verdict[Play]
    seconds: float
    least: LeastHand | None = None
    most: MostCards | None = None
    proof: str | None = None

    @property
    def status(self) -> Status:
        """Whether the stream can be won."""
        return self.verdict.status

    @property
    def most_cards(self) -> int | None:
        """The most cards that can be played with this hand, if known."""
        lower, upper = self.bounds
        is_about_a_hand = self.problem.hand_is_given or self.verdict.status is Status.WINNABLE
        return lower if lower == upper and is_about_a_hand else None

    @property
    def bounds(self) -> tuple[int, int]:
        """Bounds on the most cards that can be played."""
        if self.verdict.status is Status.WINNABLE:
            return (self.problem.instance.goal,) * 2
        lower, upper = self.verdict.lower, self.verdict.upper
        if self.most is not None:
            lower, upper = max(lower, self.most.lower), min(upper, self.most.upper)
        return lower, upper

    @property
    def best_play(self) -> Play | None:
        """A play that reaches as many cards as any known."""
        if self.verdict.witness is not None or self.most is None:
            return self.verdict.witness
        return self.most.play

    def to_json(self) -> dict[str, object]:
        """Return the documented JSON document."""
        verdict = self.verdict
        data: dict[str, object] = {
            "status": str(verdict.status),
            "method": verdict.method,
            "reason": verdict.reason,
        }
        if self.least is not None:
            data["least_hand"] = self.least.upper if self.least.is_exact else None
        won = verdict.witness if verdict.status is Status.WINNABLE else None
        data["play"] = None if won is None else won.to_json()
        data["most_cards"] = self.most_cards
        data["seconds"] = round(self.seconds, 6)
        data["states"] = verdict.states
        lower, upper = self.bounds
        if self.problem.hand_is_given and lower != upper:
            data["bounds"] = {"lower": lower, "upper": upper}
        if self.least is not None and not self.least.is_exact:
            data["least_hand_bounds"] = {"lower": self.least.lower, "upper": self.least.upper}
        return data


def ask(problem: Problem, question: Question, progress: Callable[[str], None]) -> Answer:
    """Put the question to the solvers.

    The verdict comes first, then the least hand, then the most cards of a stream that cannot be
    won; each gets what time is left.

    >>> from hanabi.cli.load import to_problem
    >>> problem = to_problem("hand 1 r2 r1", source="", hand_size=None)
    >>> ask(problem, Question(), print).to_json()["play"]
    [[1, 'store'], [2, 'play'], [1, 'play']]
    """
    from hanabi.solitaire import solver

    start = time.perf_counter()

    def left() -> float | None:
        if question.seconds == 0:
            return None
        return max(0.0, question.seconds - (time.perf_counter() - start))

    instance, method, memory = problem.instance, question.method, question.memory

    def least_hand() -> LeastHand:
        return solver.least_hand(
            instance, method=method, seconds=left(), memory=memory, progress=progress
        )

    if not problem.hand_is_given:
        least = least_hand()
        return Answer(problem, least.verdict, time.perf_counter() - start, least)
    proof = None
    if question.proof:
        from hanabi.solitaire import sat

        certificate = sat.certify(instance, seconds=left(), memory=memory)
        verdict, proof = certificate.verdict, certificate.proof
    else:
        verdict = solver.solve(
            instance, method=method, seconds=left(), memory=memory, progress=progress
        )
    asked = least_hand() if question.least_hand else None
    most = None
    if verdict.status is Status.UNWINNABLE and verdict.lower != verdict.upper and left() != 0:
        most = solver.most_cards(instance, seconds=left(), memory=memory, progress=progress)
    return Answer(problem, verdict, time.perf_counter() - start, asked, most, proof)
