"""What `hanabi solve` asks the solvers, within one time budget, and the answers in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.solitaire.play import Action, Play
from hanabi.verdict import Status, Verdict

if TYPE_CHECKING:
    from hanabi.cli.load import Problem
    from hanabi.solitaire.solver import LeastHand, MostCards

__all__ = ["Answer", "Question", "ask"]

# A short stream that is lost gets the most cards that can be played, unasked, if it takes no time.
_FREE_CARDS = 100
_FREE = 0.1  # seconds

_LONG_PLAY = 20_000  # moves


@dataclass(frozen=True, slots=True)
class Question:
    """How to solve, and what else is wanted.

    Attributes
    ----------
    method
        One of the solver's METHODS.
    least_hand
        Whether the least hand size with which the stream can be won is wanted.
    most_cards
        Whether the most cards that can be played are wanted; else only what the verdict tells.
    seconds
        Time for everything together; 0 for no limit.
    memory
        Bytes that a solver may use, or None for its own choice.
    proof
        Whether a proof is wanted that there is no winning play; then SAT decides.
    """

    method: str = "auto"
    least_hand: bool = False
    most_cards: bool = False
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

    @property
    def _won(self) -> Play | None:
        return self.verdict.witness if self.verdict.status is Status.WINNABLE else None

    def to_json(self) -> dict[str, object]:
        """Return the documented JSON document."""
        head, tail = self._json_parts()
        return {**head, "play": None if self._won is None else self._won.to_json(), **tail}

    def json_pieces(self) -> Iterator[str]:
        """Yield the text of the JSON document; a long play is written in bulk."""
        if self._won is None or len(self._won) < _LONG_PLAY:
            yield json.dumps(self.to_json())
            return
        from hanabi.notation.bulk import move_pieces

        head, tail = (json.dumps(part) for part in self._json_parts())
        yield head[:-1] + ', "play": '
        names = tuple(str(action) for action in sorted(Action))
        yield from move_pieces(self._won.positions, self._won.actions, names)
        yield ", " + tail[1:]

    def _json_parts(self) -> tuple[dict[str, object], dict[str, object]]:
        """Return what stands before the play and after it."""
        verdict = self.verdict
        head: dict[str, object] = {
            "status": str(verdict.status),
            "method": verdict.method,
            "reason": verdict.reason,
        }
        if self.least is not None:
            head["least_hand"] = self.least.upper if self.least.is_exact else None
        tail: dict[str, object] = {
            "most_cards": self.most_cards,
            "seconds": round(self.seconds, 6),
            "states": verdict.states,
        }
        lower, upper = self.bounds
        if self.problem.hand_is_given and lower != upper:
            tail["bounds"] = {"lower": lower, "upper": upper}
        if self.least is not None and not self.least.is_exact:
            tail["least_hand_bounds"] = {"lower": self.least.lower, "upper": self.least.upper}
        return head, tail


def ask(
    problem: Problem,
    question: Question,
    progress: Callable[[str], None],
    clock: Clock | None = None,
) -> Answer:
    """Put the question to the solvers.

    The verdict comes first, then the least hand and the most cards of a stream that cannot be won,
    if asked for; each gets what time is left on the clock, by default that of the question.

    >>> from hanabi.cli.load import to_problem
    >>> problem = to_problem("hand 1 r2 r1", source="", hand_size=None)
    >>> ask(problem, Question(), print).to_json()["play"]
    [[1, 'store'], [2, 'play'], [1, 'play']]
    """
    from hanabi.solitaire import solver

    clock = clock or Clock(question.seconds or None)
    instance, method, memory = problem.instance, question.method, question.memory

    def least_hand() -> LeastHand:
        return solver.least_hand(
            instance, method=method, seconds=clock.left, memory=memory, progress=progress
        )

    if not problem.hand_is_given:
        least = least_hand()
        return Answer(problem, least.verdict, clock.elapsed, least)
    proof = None
    if question.proof:
        from hanabi.solitaire import sat

        certificate = sat.certify(instance, seconds=clock.left, memory=memory)
        verdict, proof = certificate.verdict, certificate.proof
    else:
        verdict = solver.solve(
            instance, method=method, seconds=clock.left, memory=memory, progress=progress
        )
    asked = least_hand() if question.least_hand else None
    most = None
    is_free = instance.N <= _FREE_CARDS and verdict.status is Status.UNWINNABLE
    if (question.most_cards or is_free) and verdict.lower < verdict.upper and not clock.is_over:
        seconds = clock.left if question.most_cards else min(clock.left or _FREE, _FREE)
        most = solver.most_cards(instance, seconds=seconds, memory=memory, progress=progress)
    return Answer(problem, verdict, clock.elapsed, asked, most, proof)
