"""What `hanabi solve` asks of the full game, within one time budget, and the answers in JSON."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hanabi.cli.game_problem import GameProblem, record_of
from hanabi.cli.game_question import GameQuestion
from hanabi.errors import InvalidInputError
from hanabi.notation import RecordedAction, format_link
from hanabi.verdict import Status, Verdict
from hanabi.winnable.lost import Lost, find_lost

if TYPE_CHECKING:
    from hanabi.game import Game
    from hanabi.winnable import Line, Refutation

__all__ = ["GameAnswer", "ask_game", "why_lost"]


@dataclass(frozen=True, slots=True)
class GameAnswer:
    """The verdict, and what was asked for beside it.

    `refutation` is the proof for people, if there is one; `no_link` says why there is no link.
    """

    problem: GameProblem
    verdict: Verdict[Line]
    seconds: float
    refutation: Refutation | None = None
    lost: Lost | None = None
    link: str | None = None
    no_link: str | None = None

    @property
    def status(self) -> Status:
        """Whether the position can be won."""
        return self.verdict.status

    @property
    def reason(self) -> str:
        """One sentence: why the answer holds, by name if the reason has one."""
        if self.refutation is None:
            return self.verdict.reason
        return f"{self.refutation.name}: {self.refutation.summary}"

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
            else [
                {"type": action.type, "target": action.target, "value": action.value or 0}
                for action in self.actions
            ],
            "link": self.link,
            "seconds": round(self.seconds, 6),
        }
        if self.lost is not None:
            data["lost_at"] = self.lost.move
            if not self.lost.is_exact:
                data["lost_at_bounds"] = {"lower": self.lost.lower, "upper": self.lost.lost_from}
        return data


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
    _warm_up()
    start = time.perf_counter()

    def left() -> float | None:
        if question.seconds == 0:
            return None
        return max(0.0, question.seconds - (time.perf_counter() - start))

    def decide(game: Game, seconds: float | None) -> Verdict[Line]:
        return _decide(game, question, seconds, best=False)

    verdict = _decide(problem.game, question, left(), best=question.best)
    lost = None
    if question.lost_at:
        lost = find_lost(problem.positions, decide, seconds=left(), progress=progress)
    refutation = None
    if verdict.status is Status.UNWINNABLE:
        refutation = why_lost(problem.game)
    link, no_link = None, None
    if verdict.witness is not None:
        try:
            link = format_link(record_of(problem, verdict.witness))
        except InvalidInputError as error:
            no_link = str(error)
    return GameAnswer(
        problem, verdict, time.perf_counter() - start, refutation, lost, link, no_link
    )


def _warm_up() -> None:
    """Solve the smallest game: compiling or loading the solvers is no part of a time limit."""
    from hanabi.deck import DeckSpec
    from hanabi.game import Rules
    from hanabi.winnable import solve

    rules = Rules(spec=DeckSpec.uniform(1, 3, 1), seats=2, hand_size=1)
    solve([(0, 1), (0, 2), (0, 3)], rules)


def why_lost(game: Game) -> Refutation | None:
    """Return the proof for people that a position cannot be won, if there is one."""
    from hanabi.winnable import Position, explain

    if game.is_over:
        return None
    return explain(Position.of_game(game), tuple(map(len, game.rules.spec.copies)))


def _decide(
    game: Game, question: GameQuestion, seconds: float | None, *, best: bool
) -> Verdict[Line]:
    from hanabi.winnable import best as best_of
    from hanabi.winnable import solve_game

    limits = {} if question.memory is None else {"memory": question.memory}
    verdict = (best_of if best else solve_game)(
        _without_deck_plays(game), seconds=seconds, **limits
    )
    if not game.rules.deck_plays or game.deck_left == 0 or game.is_over:
        return verdict
    # Every line found is one of this table's too, but here there are more.
    if verdict.status is Status.UNWINNABLE:
        reason = f"no line wins without the option deckPlays ({verdict.reason}); with it unknown"
        verdict = replace(verdict, status=Status.UNKNOWN, reason=reason)
    return replace(verdict, upper=game.rules.max_score)


def _without_deck_plays(game: Game) -> Game:
    """Return the same position where the deck's last card cannot be played from there."""
    from hanabi.game import Game

    if not game.rules.deck_plays:
        return game
    state = game.packed[2].tobytes()
    return Game(replace(game.rules, deck_plays=False), game.deck, game.actions, state)
