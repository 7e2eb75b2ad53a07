"""What is asked of the full game, answered within one time budget."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.errors import InvalidInputError
from hanabi.game.replay import record_actions
from hanabi.session.game import GameProblem, link_of
from hanabi.session.question import Question
from hanabi.verdict import Status, Verdict
from hanabi.winnable.reasons import reasons_of, why_lost
from hanabi.winnable.solver import decide_game, warm_up
from hanabi.winnable.timeline import Lost, find_lost

if TYPE_CHECKING:
    from hanabi.game import Game
    from hanabi.notation import RecordedAction
    from hanabi.winnable import Line, Refutation
    from hanabi.winnable.sat import GameCertificate

__all__ = ["GameAnswer", "answer_game"]


@dataclass(frozen=True, slots=True)
class GameAnswer:
    """The verdict, and what was asked for beside it.

    `refutation` is the proof for people, if there is one, and `lost_because` that of the position
    after the losing move; `games` are the positions from the deal to the end of the line; `no_link`
    and `no_proof` say why there is none. `lost_link` opens the game as it was played where the
    losing move is to be made.
    """

    problem: GameProblem
    question: Question
    verdict: Verdict[Line]
    seconds: float
    refutation: Refutation | None = None
    lost: Lost | None = None
    lost_because: Refutation | None = None
    games: tuple[Game, ...] | None = field(default=None, repr=False)
    link: str | None = None
    lost_link: str | None = None
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
        return None if self.games is None else record_actions(self.games)


def answer_game(
    problem: GameProblem, question: Question, progress: Callable[[str], None] = lambda _: None
) -> GameAnswer:
    """Put the question to the solvers: the verdict first, then where the game was lost.

    >>> from hanabi.notation import parse_input
    >>> from hanabi.session.game import pose_deck
    >>> deck = parse_input('{"players": 2, "deck": "r1 r2 r3", "rules": {"hand_size": 1}}')
    >>> answer_game(pose_deck(deck), Question()).actions[-1]
    RecordedAction(type=0, target=2, value=None)
    """
    warm_up()
    clock, memory = Clock(question.seconds), question.memory

    def is_won(game: Game, seconds: float | None) -> Verdict[Line]:
        return decide_game(game, seconds=seconds, memory=memory)

    verdict = decide_game(problem.game, best=question.best, seconds=clock.left, memory=memory)
    lost = None
    if question.lost_at:
        lost = find_lost(problem.by_rules, is_won, seconds=clock.left, progress=progress)
    reasons = reasons_of(problem.game, verdict, proof=question.proof, left=lambda: clock.left)
    because, lost_link = None, None
    if lost is not None and lost.move:
        because = why_lost(problem.positions[lost.move], clock.left)
        with suppress(InvalidInputError):  # the site has no table for it
            lost_link = f"{link_of(problem.positions, problem.names)}#{lost.move}"
    games, link, no_link = None, None, None
    if verdict.witness is not None:
        games = problem.course(verdict.witness)
        try:
            link = link_of(games, problem.names)
        except InvalidInputError as error:
            no_link = str(error)
    return GameAnswer(
        problem, question, verdict, clock.elapsed, reasons.refutation, lost, because, games, link,
        lost_link, no_link, reasons.certificate, reasons.no_proof,
    )  # fmt: skip
