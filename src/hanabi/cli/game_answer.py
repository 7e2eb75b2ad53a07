"""What `hanabi solve` asks of the full game, within one time budget, and the answers in JSON."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.cli.game_moves import Table
from hanabi.cli.game_question import GameQuestion
from hanabi.errors import InvalidInputError
from hanabi.notation import RecordedAction
from hanabi.session.problem import GameProblem, link_of
from hanabi.verdict import Status, Verdict
from hanabi.winnable.lost import Lost, find_lost
from hanabi.winnable.reasons import reasons_of, why_lost
from hanabi.winnable.solver import decide_game, warm_up

if TYPE_CHECKING:
    from hanabi.game import Game
    from hanabi.winnable import Line, Refutation
    from hanabi.winnable.sat import GameCertificate

__all__ = ["GameAnswer", "ask_game"]


@dataclass(frozen=True, slots=True)
class GameAnswer:
    """The verdict, and what was asked for beside it.

    `refutation` is the proof for people, if there is one, and `lost_because` that of the position
    after the losing move; `no_link` and `no_proof` say why there is none.
    """

    problem: GameProblem
    verdict: Verdict[Line]
    seconds: float
    refutation: Refutation | None = None
    lost: Lost | None = None
    lost_because: Refutation | None = None
    link: str | None = None
    no_link: str | None = None
    certificate: GameCertificate | None = None
    no_proof: str | None = None

    @property
    def status(self) -> Status:
        """Whether the position can be won."""
        return self.verdict.status

    @property
    def reason(self) -> str:
        """One sentence: why the answer holds; that of a loss starts with its name."""
        if self.refutation is None:
            return self.verdict.reason
        return f"{self.refutation.name}: {self.refutation.summary}"

    @property
    def proof(self) -> str | None:
        """The DRAT proof that no line wins, if it was asked for and found."""
        return None if self.certificate is None else self.certificate.proof

    @property
    def actions(self) -> tuple[RecordedAction, ...] | None:
        """The whole game with the line that was found: what was recorded before comes first."""
        if self.verdict.witness is None:
            return None
        return (*self.problem.moves[: self.problem.at], *self.verdict.witness)

    def to_json(self) -> dict[str, object]:
        """Return the documented JSON document."""
        verdict = self.verdict
        data: dict[str, object] = {
            "status": str(verdict.status),
            "best": {"lower": verdict.lower, "upper": verdict.upper},
            "reason": self.reason,
            "method": verdict.method,
            "actions": None
            if self.actions is None
            else [_action_json(action) for action in self.actions],
            "link": self.link,
            "seconds": round(self.seconds, 6),
        }
        if self.refutation is not None:
            data["because"] = _refutation_json(self.refutation)
        if self.certificate is not None and self.proof is not None:
            cnf, steps = self.certificate.encoding.cnf, len(self.proof.splitlines())
            data["proof"] = {"variables": cnf.n_vars, "clauses": cnf.n_clauses, "steps": steps}
        elif self.no_proof is not None:
            data["proof"] = None
        if self.lost is not None:
            data["lost_at"] = self.lost.move
            if not self.lost.is_exact:
                data["lost_at_bounds"] = {"lower": self.lost.lower, "upper": self.lost.lost_from}
            elif self.lost.move:
                data["lost_by"] = self._lost_by(self.lost.move)
        return data

    def _lost_by(self, move: int) -> dict[str, object]:
        """Return who lost the game, by what, and why."""
        before, after = self.problem.positions[move - 1 : move + 1]
        words = Table(self.problem.names).sentence(before, after.actions[-1], after)
        why = self.lost_because
        return {
            "move": move,
            "seat": before.seat_to_act,
            "player": self.problem.names[before.seat_to_act],
            "action": _action_json(self.problem.moves[move - 1]),
            "words": "".join(text for text, _ in words),
            "because": None if why is None else _refutation_json(why),
        }


def _action_json(action: RecordedAction) -> dict[str, object]:
    return {"type": action.type, "target": action.target, "value": action.value or 0}


def _refutation_json(refutation: Refutation) -> dict[str, object]:
    """Return the name, the sentence, and the size of the proof."""
    return {
        "name": refutation.name,
        "sentence": refutation.summary,
        "choices": refutation.choices,
        "steps": len(refutation.steps),
    }


def ask_game(
    problem: GameProblem, question: GameQuestion, progress: Callable[[str], None]
) -> GameAnswer:
    """Put the question to the solvers: the verdict first, then where the game was lost.

    >>> from hanabi.cli.game_problem import to_game_problem
    >>> from hanabi.cli.game_question import Dealing
    >>> from hanabi.notation import parse_input
    >>> deck = parse_input('{"players": 2, "deck": "r1 r2 r3", "rules": {"hand_size": 1}}')
    >>> answer = ask_game(to_game_problem(deck, Dealing()), GameQuestion(), print)
    >>> answer.to_json()["actions"]
    [{'type': 0, 'target': 0, 'value': 0}, {'type': 0, 'target': 1, 'value': 0},
     {'type': 0, 'target': 2, 'value': 0}]
    """
    warm_up()
    start = time.perf_counter()

    def left() -> float | None:
        if question.seconds == 0:
            return None
        return max(0.0, question.seconds - (time.perf_counter() - start))

    def is_won(game: Game, seconds: float | None) -> Verdict[Line]:
        return decide_game(game, seconds=seconds, memory=question.memory)

    verdict = decide_game(problem.game, best=question.best, seconds=left(), memory=question.memory)
    lost = None
    if question.lost_at:
        lost = find_lost(problem.positions, is_won, seconds=left(), progress=progress)
    reasons = reasons_of(problem.game, verdict, proof=question.proof, left=left)
    because = None
    if lost is not None and lost.move:
        because = why_lost(problem.positions[lost.move], left())
    link, no_link = None, None
    if verdict.witness is not None:
        try:
            link = link_of(problem, verdict.witness)
        except InvalidInputError as error:
            no_link = str(error)
    return GameAnswer(
        problem, verdict, time.perf_counter() - start, reasons.refutation, lost, because, link,
        no_link, reasons.certificate, reasons.no_proof,
    )  # fmt: skip
