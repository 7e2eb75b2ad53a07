"""What `hanabi solve` asks of the full game, within one time budget, and the answers in JSON."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hanabi.cli.game_moves import Table
from hanabi.cli.game_problem import GameProblem, record_of
from hanabi.cli.game_question import GameQuestion
from hanabi.errors import InvalidInputError
from hanabi.notation import RecordedAction, format_link
from hanabi.verdict import Status, Verdict
from hanabi.winnable.lost import Lost, find_lost

if TYPE_CHECKING:
    from hanabi.game import Game
    from hanabi.winnable import Line, Refutation
    from hanabi.winnable.sat import Certificate

__all__ = ["GameAnswer", "ask_game", "why_lost"]

_MOST_SECONDS = 60.0
"""For a reason to read, if time has no limit."""
_SHARE = 0.7
"""Of the time that is left when a deck is found lost, what a reason to read may take."""


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
    certificate: Certificate | None = None
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
    reasons = _reasons(problem.game, verdict, question, left)
    because = None
    if lost is not None and lost.move:
        because = why_lost(problem.positions[lost.move], left())
    link, no_link = None, None
    if verdict.witness is not None:
        try:
            link = format_link(record_of(problem, verdict.witness))
        except InvalidInputError as error:
            no_link = str(error)
    return GameAnswer(
        problem, verdict, time.perf_counter() - start, reasons.refutation, lost, because, link,
        no_link, reasons.certificate, reasons.no_proof,
    )  # fmt: skip


def _warm_up() -> None:
    """Solve the smallest game: compiling or loading the solvers is no part of a time limit."""
    from hanabi.deck import DeckSpec
    from hanabi.game import Rules
    from hanabi.winnable import solve

    rules = Rules(spec=DeckSpec.uniform(1, 3, 1), seats=2, hand_size=1)
    solve([(0, 1), (0, 2), (0, 3)], rules)


@dataclass(frozen=True, slots=True)
class _Reasons:
    """Why a position is lost: for people, and the proof if it was asked for."""

    refutation: Refutation | None
    certificate: Certificate | None = None
    no_proof: str | None = None


def _reasons(
    game: Game, verdict: Verdict[Line], question: GameQuestion, left: Callable[[], float | None]
) -> _Reasons:
    """Return the best reason to read that is found in time, and the proof if it was asked for.

    If no argument for people is found, the formula of the position is the reason, or at last the
    search that decided.
    """
    from hanabi.winnable import Refutation

    if verdict.status is not Status.UNWINNABLE:
        return _Reasons(None, None, f"the answer is {verdict.status}" if question.proof else None)
    if game.is_over:
        refutation = Refutation("game over", f"it ended with {game.score} points", (), 0)
        return _Reasons(refutation, None, "the game is over" if question.proof else None)
    found, certificate, decided = why_lost(game, left()), None, verdict
    if question.proof or (found is None and verdict.method != "sat"):
        from hanabi.winnable.sat import certify

        certificate = certify(_without_deck_plays(game), seconds=left())
        if certificate.proof is not None:
            decided = certificate.verdict
    if found is None:
        name = "formula" if decided.method == "sat" else decided.method
        found = Refutation(name, decided.reason, (), 0)
    if not question.proof or certificate is None:
        return _Reasons(found)
    if certificate.proof is None:
        return _Reasons(found, None, certificate.verdict.reason)
    return _Reasons(found, certificate)


def why_lost(game: Game, seconds: float | None) -> Refutation | None:
    """Return the proof for people that a position cannot be won, if one is found in time."""
    from hanabi.winnable import Position, explain

    if game.is_over:
        return None
    share = _MOST_SECONDS if seconds is None else seconds * _SHARE
    return explain(Position.of_game(game), _tops(game), seconds=share)


def _tops(game: Game) -> tuple[int, ...]:
    return tuple(map(len, game.rules.spec.copies))


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
