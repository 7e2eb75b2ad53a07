"""The answers of `hanabi.solve`, for every kind of question."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from hanabi.ground import InvalidInputError, Pictured, Status, Verdict, counted
from hanabi.rules import GameProblem, link_of, record_actions
from hanabi.shell.session.problem import Problem, Question
from hanabi.solitaire import Instance, Play, verify_play

if TYPE_CHECKING:
    from hanabi.rules import Game, RecordedAction
    from hanabi.solitaire import (
        Assignment,
        Certificate,
        FewestCards,
        Formula,
        LeastHand,
        MostCards,
        Reading,
        StreamCertificate,
    )
    from hanabi.solvers import FewestTurns, GameCertificate, Line, Lost, Refutation

__all__ = ["Answer", "Subject"]

Subject: TypeAlias = "GameProblem | Instance | Formula"
"""The subjects of answers."""


@dataclass(frozen=True, slots=True)
class Answer(Pictured):
    """The verdict on a game, an instance or a formula; `str` gives it in one line.

    Attributes
    ----------
    problem
        The game, instance or formula that was decided, with remarks on how the input was
        understood.
    question
        The question that was asked.
    verdict
        The solver's own answer, with its witness, bounds and statistics.
    seconds
        Wall-clock time.
    assignment
        Values that satisfy the formula, one for each variable.
    games
        The positions of the full game from the deal to the end of the line. Empty if there is no
        line, or if the question is not about the full game.
    refutation
        The human-readable proof that a game is lost, if there is one.
    fewest_turns
        The fewest turns, if requested and a line with so many points is known; the line is then
        this shortest one.
    lost, lost_because
        Where a recorded game was lost, if requested, and the proof for the position after that
        move.
    certificate, no_proof
        The formula, with its DRAT proof if nothing wins, if requested; or why there is none.
    weights
        The certificate by weights on moments that nothing wins in Solitaire Hanabi, if requested
        and found.
    least, most, fewest_cards
        The smallest hand that wins Solitaire Hanabi, the most cards that can be played, and the
        shortest beginning of the stream that wins, if requested.
    """

    _drawn_by = "hanabi.shell.session.pictures"

    problem: Problem
    question: Question
    verdict: Verdict[Any]
    seconds: float
    assignment: Assignment | None = None
    games: tuple[Game, ...] = field(default=(), repr=False)
    refutation: Refutation | None = None
    fewest_turns: FewestTurns | None = None
    lost: Lost | None = None
    lost_because: Refutation | None = None
    certificate: GameCertificate | StreamCertificate | None = field(default=None, repr=False)
    no_proof: str | None = None
    weights: Certificate | None = field(default=None, repr=False)
    least: LeastHand | None = None
    most: MostCards | None = None
    fewest_cards: FewestCards | None = None

    @property
    def subject(self) -> Subject:
        """The subject that was decided: a position of the full game, an instance or a formula."""
        problem = self.problem
        if isinstance(problem, GameProblem):
            return problem
        return problem.instance if problem.formula is None else problem.formula

    @property
    def instance(self) -> Instance | None:
        """The cards that `play` uses: the given ones, or those that the formula was reduced to."""
        return None if isinstance(self.problem, GameProblem) else self.problem.instance

    @property
    def reason(self) -> str:
        """One sentence on why the answer holds; for a lost game it starts with the proof's name."""
        if self.refutation is None:
            return self.verdict.reason
        return f"{self.refutation.name}: {self.refutation.summary}"

    @property
    def status(self) -> Status:
        """The status: whether it can be won. A formula is won by satisfying it."""
        return self.verdict.status

    @property
    def is_winnable(self) -> bool | None:
        """True, False, or None when unknown."""
        return self.verdict.is_winnable

    @property
    def method(self) -> str:
        """The name of the solver that decided."""
        return self.verdict.method

    @property
    def line(self) -> Line | None:
        """The line found in the full game, as `Game.apply` takes it; None if no line is known."""
        line: Line | None = self.verdict.witness if self.instance is None else None
        return line

    @property
    def play(self) -> Play | None:
        """The winning play of Solitaire Hanabi; None if none is known."""
        is_won = self.instance is not None and self.status is Status.WINNABLE
        play: Play | None = self.verdict.witness if is_won else None
        return play

    @property
    def best_play(self) -> Play | None:
        """A play of Solitaire Hanabi that plays as many cards as any known play."""
        if self.verdict.witness is not None or self.most is None:
            return None if self.instance is None else self.verdict.witness
        return self.most.play

    @property
    def bounds(self) -> tuple[int, int]:
        """Bounds on the best score, or on the most cards that Solitaire Hanabi can play."""
        if self.instance is not None and self.status is Status.WINNABLE:
            return (self.instance.goal,) * 2
        lower, upper = self.verdict.lower, self.verdict.upper
        if self.most is not None:
            lower, upper = max(lower, self.most.lower), min(upper, self.most.upper)
        return lower, upper

    @property
    def most_cards(self) -> int | None:
        """The most cards of Solitaire Hanabi that can be played with this hand; None if unknown."""
        problem, (lower, upper) = self.problem, self.bounds
        if isinstance(problem, GameProblem) or lower != upper:
            return None
        return lower if problem.hand_is_given or self.status is Status.WINNABLE else None

    @property
    def reading(self) -> Reading | None:
        """The play read as a solution of the formula or graph behind the cards, if any.

        Only a winning play is, unless the cards ask for an independent set.
        """
        problem = self.problem
        if isinstance(problem, GameProblem):
            return None
        asks_for_set = problem.annotation is not None and problem.annotation.asks_for_set
        return problem.reading(self.best_play if asks_for_set else self.play)

    @property
    def proof(self) -> str | None:
        """The DRAT proof that nothing wins, if it was requested and found."""
        return None if self.certificate is None else self.certificate.proof

    @property
    def actions(self) -> tuple[RecordedAction, ...] | None:
        """The whole game as recorded actions: those before the position, then the line."""
        return record_actions(self.games) if self.games else None

    @property
    def link(self) -> str:
        """The hanab.live link that shows the game with the line in the site's viewer. O(moves).

        Raises
        ------
        InvalidInputError
            If there is no line, or hanab.live has no table for the game.
        """
        if not isinstance(self.problem, GameProblem):
            raise InvalidInputError("hanab.live shows games for 2 to 6 players only: no link")
        if self.line is None:
            raise InvalidInputError(f"no line to link to: the answer is {self.status}")
        return link_of(self.games, self.problem.names)

    @property
    def lost_link(self) -> str | None:
        """The link that opens the game as played, before the move that lost it.

        None if no such move is known, or if hanab.live has no table for the game.
        """
        if self.lost is None or not self.lost.move or not isinstance(self.problem, GameProblem):
            return None
        with suppress(InvalidInputError):
            return f"{link_of(self.problem.positions, self.problem.names)}#{self.lost.move}"
        return None

    def replay(self) -> int:
        """Replay the line or play by the rules, and return the points at its end.

        In Solitaire Hanabi the points are the cards on the piles.

        Raises
        ------
        InvalidInputError
            If there is nothing to replay.
        IllegalActionError
            If a move breaks a rule, which no answer of a solver does.
        """
        if self.games:
            return self.games[-1].score
        if self.instance is None or self.play is None:
            raise InvalidInputError(f"nothing to replay: the answer is {self.status}")
        verify_play(self.instance, self.play)
        return self.instance.goal

    def __str__(self) -> str:
        words = ("winnable", "unwinnable")
        if not isinstance(self.subject, GameProblem | Instance):
            words = ("satisfiable", "unsatisfiable")
        word = {True: words[0], False: words[1], None: "unknown"}[self.is_winnable]
        return f"{word}: {self._told()}"

    def __repr__(self) -> str:
        return f"<Answer {self}>"

    def _told(self) -> str:
        if not self.is_winnable:
            return self.reason
        if self.assignment is not None:
            numbered = enumerate(self.assignment, start=1)
            values = " ".join(str(number if value else -number) for number, value in numbered)
            return f"{values} (read off a play of {counted(self.replay(), 'card')})"
        if self.play is not None:
            cards, moves = counted(self.replay(), "card"), counted(len(self.play), "move")
            return f"all {cards} in {moves} ({self.method})"
        if not self.line:
            return self.reason
        points, moves = counted(self.replay(), "point"), counted(len(self.line), "move")
        return f"{points} in {moves} ({self.method})"
