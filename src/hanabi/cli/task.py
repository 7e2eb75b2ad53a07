"""What one run of `hanabi solve` does with each of its inputs: read it, answer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hanabi.cli.answer import Answer, Question, ask
from hanabi.cli.game_question import Dealing, GameQuestion
from hanabi.cli.load import Problem, name_of, solitaire_problem
from hanabi.clock import Clock
from hanabi.errors import InvalidInputError
from hanabi.notation import DeckInput, GameRecord, SolitaireInput, parse_input
from hanabi.notation.bulk import parse_bulk

if TYPE_CHECKING:
    from hanabi.cli.game_answer import GameAnswer
    from hanabi.session.problem import GameProblem

__all__ = [
    "AnyAnswer",
    "AnyProblem",
    "FullGame",
    "Solitaire",
    "Task",
]

AnyProblem: TypeAlias = "Problem | GameProblem"
AnyAnswer: TypeAlias = "Answer | GameAnswer"


@dataclass(frozen=True, slots=True)
class Solitaire:
    """What is asked of Solitaire Hanabi.

    `hand_size` wins over what the input says. `wanted_by` is the option that asks for Solitaire
    Hanabi, if one is given: then real games are solved as one, too. `needed_by` is one that the
    full game does not have.
    """

    question: Question
    hand_size: int | None = None
    wanted_by: str | None = None
    needed_by: str | None = None


@dataclass(frozen=True, slots=True)
class FullGame:
    """What is asked of the full game; `wanted_by` is an option that only it has, if given."""

    question: GameQuestion
    dealing: Dealing
    wanted_by: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done with an input, whichever of the two games it turns out to be for."""

    solitaire: Solitaire
    full: FullGame

    def __post_init__(self) -> None:
        wanted_by = self.solitaire.wanted_by or self.solitaire.needed_by
        if wanted_by and self.full.wanted_by:
            raise InvalidInputError(
                f"{wanted_by} is for Solitaire Hanabi, {self.full.wanted_by} for the full game"
            )

    def read(self, text: str, source: str) -> AnyProblem:
        """Return the problem that a text poses.

        Streams are for one player unless there is a number of players; games and dealt decks are
        the full game unless an option asks for Solitaire Hanabi.
        """
        name = name_of(source)
        is_solitaire = self.full.wanted_by is None and self.full.dealing.players is None
        given = (parse_bulk(text) if is_solitaire else None) or parse_input(text, source=name)
        try:
            return self._pose(given)
        except InvalidInputError as error:
            raise InvalidInputError(f"{name}: {error}" if name else str(error)) from None

    def _pose(self, given: SolitaireInput | DeckInput | GameRecord) -> AnyProblem:
        if self.solitaire.wanted_by is not None or self._is_stream(given):
            return solitaire_problem(
                given,
                self.solitaire.hand_size,
                hand_is_needed=not self.solitaire.question.least_hand,
            )
        if self.solitaire.needed_by is not None:
            raise InvalidInputError(
                f"{self.solitaire.needed_by} is for Solitaire Hanabi:"
                " give --solitaire to merge all hands into one"
            )
        from hanabi.cli.game_problem import to_game_problem

        problem = to_game_problem(given, self.full.dealing)
        if self.full.question.lost_at and not problem.moves:
            raise InvalidInputError("--lost-at: only a recorded game has moves")
        return problem

    def _is_stream(self, given: object) -> bool:
        if not isinstance(given, SolitaireInput) or self.full.dealing.players is not None:
            return False
        if self.full.wanted_by is not None:
            raise InvalidInputError(f"{self.full.wanted_by} is for the full game: give --players P")
        if given.hand_size is None and self.solitaire.hand_size is None:
            raise InvalidInputError(
                "no hand size: give --hand-size H, or --players P for the full game"
            )
        return True

    def answer(
        self, problem: AnyProblem, progress: Callable[[str], None], clock: Clock | None = None
    ) -> AnyAnswer:
        """Answer what is asked of a problem; the clock may have run since before it was read."""
        if isinstance(problem, Problem):
            return ask(problem, self.solitaire.question, progress, clock)
        from hanabi.cli.game_answer import ask_game

        return ask_game(problem, self.full.question, progress)
