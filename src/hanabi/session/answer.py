"""What `hanabi.solve` answers, whatever it was asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from hanabi.errors import InvalidInputError, counted
from hanabi.session.game import GameProblem, link_of
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Play, verify_play
from hanabi.svg.markup import Pictured
from hanabi.verdict import Status, Verdict

if TYPE_CHECKING:
    from hanabi.game import Game
    from hanabi.hardness import Assignment, Formula
    from hanabi.winnable import Line

__all__ = ["Answer", "Subject"]

Subject: TypeAlias = "GameProblem | Instance | Formula"
"""What can be decided."""


@dataclass(frozen=True, slots=True)
class Answer(Pictured):
    """The verdict on a game, an instance or a formula; `str` gives it in one line.

    Attributes
    ----------
    subject
        What was decided: a position of the full game, with the moves before it; an instance of
        Solitaire Hanabi; or a formula.
    verdict
        The solver's own answer, with its witness, bounds and statistics.
    reason
        One sentence: why the answer holds; that of a lost game starts with its name.
    seconds
        Wall-clock time.
    instance
        The cards that `play` is about: the instance itself, or those that a formula was made into.
    assignment
        What satisfies the formula, one value a variable.
    """

    _drawn_by = "hanabi.session.pictures"

    subject: Subject
    verdict: Verdict[Any]
    reason: str
    seconds: float
    instance: Instance | None = None
    assignment: Assignment | None = None

    @property
    def status(self) -> Status:
        """Whether it can be won; a formula is won by satisfying it."""
        return self.verdict.status

    @property
    def is_winnable(self) -> bool | None:
        """True, False, or None when unknown."""
        return self.verdict.is_winnable

    @property
    def method(self) -> str:
        """Name of the solver that decided."""
        return self.verdict.method

    @property
    def line(self) -> Line | None:
        """What to do in the full game, as `Game.apply` takes it; None if no line is known."""
        line: Line | None = self.verdict.witness if self.instance is None else None
        return line

    @property
    def play(self) -> Play | None:
        """The winning play of Solitaire Hanabi; None if none is known."""
        play: Play | None = None if self.instance is None else self.verdict.witness
        return play

    @property
    def games(self) -> tuple[Game, ...]:
        """The positions of the full game from the deal to the end of the line; O(moves) each time.

        Empty if there is no line, or it is not about the full game.
        """
        if not isinstance(self.subject, GameProblem) or self.line is None:
            return ()
        return self.subject.course(self.line)

    @property
    def link(self) -> str:
        """The hanab.live link that shows the game with the line in the site's viewer.

        Raises
        ------
        InvalidInputError
            If there is no line, or the site has no table for it.
        """
        if not isinstance(self.subject, GameProblem):
            raise InvalidInputError("hanab.live shows games for 2 to 6 players only: no link")
        if self.line is None:
            raise InvalidInputError(f"no line to link to: the answer is {self.status}")
        return link_of(self.games, self.subject.names)

    def replay(self) -> int:
        """Follow the line, or the play, by the rules, and return the points it ends with.

        Those of Solitaire Hanabi are the cards on the piles.

        Raises
        ------
        InvalidInputError
            If there is nothing to replay.
        IllegalActionError
            If a rule is broken, which no answer of a solver does.
        """
        if self.verdict.witness is None:
            raise InvalidInputError(f"nothing to replay: the answer is {self.status}")
        if self.instance is None or self.play is None:
            return self.games[-1].score
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
