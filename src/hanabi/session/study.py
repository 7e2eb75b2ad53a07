"""A game on the analysis board: its positions, and a branch of moves that somebody tries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from hanabi.errors import InvalidInputError, counted
from hanabi.game import Action, Game
from hanabi.game.replay import follow
from hanabi.session.game import GameProblem
from hanabi.winnable.timeline import Prospect

__all__ = ["Judgement", "Standing", "Study", "judge"]

_MOST_TRIED = 200


class Standing(StrEnum):
    """How a position stands, all cards face up."""

    WINNABLE = "winnable"
    LESS = "less"
    UNKNOWN = "unknown"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A position in one word, its best score in short, and a sentence.

    Attributes
    ----------
    standing
        WINNABLE: all points can be had; LESS: they cannot; UNKNOWN: the time was over; WAITING: it
        is not worked out yet.
    best
        As in "25" or "22-24", or "" while waiting.
    words
        The sentence.
    cost
        The points that the last move is known to have lost.
    """

    standing: Standing
    best: str
    words: str
    cost: int = 0


def judge(found: Prospect | None, before: Prospect | None, game: Game) -> Judgement:
    """Say how a position stands, given what can be had there and before the last move.

    >>> from hanabi import deal
    >>> judge(Prospect(24, 24, None), Prospect(25, 25, None), deal(2)).words
    'at most 24 of 25 points: this move lost 1 point'
    """
    top = game.rules.max_score
    if found is None and game.is_over:  # as after the end by the rules, which no review looks at
        found = Prospect(game.score, game.score, ())
    if found is None:
        return Judgement(Standing.WAITING, "", "not worked out yet")
    cost = 0 if before is None else max(0, before.lower - found.upper)
    best = str(found.lower) if found.is_exact else f"{found.lower}-{found.upper}"
    lost = f": this move lost {counted(cost, 'point')}" if cost else ""
    if not game.can_act:
        return Judgement(
            _standing(found, top), best, f"over with {game.score} of {top}{lost}", cost
        )
    if found.lower == top:
        return Judgement(Standing.WINNABLE, best, f"all {top} points can still be scored")
    if found.upper == top:
        words = f"not decided in time: at least {found.lower} of {top} points can be scored"
        return Judgement(Standing.UNKNOWN, best, words)
    how = "at most" if found.is_exact else f"at least {found.lower}, at most"
    return Judgement(Standing.LESS, best, f"{how} {found.upper} of {top} points{lost}", cost)


def _standing(found: Prospect, top: int) -> Standing:
    return Standing.WINNABLE if found.lower == top else Standing.LESS


@dataclass(frozen=True, slots=True)
class Study:
    """A game with all cards, and the branch that is tried from one of its positions.

    Attributes
    ----------
    problem
        The game as it was recorded.
    at
        The position from which the branch goes.
    branch
        The positions after each move that was tried.
    known
        What can be scored from positions of the branch, by number, as far as a line told it.
    notes
        What somebody wrote about positions of the game, by number.
    """

    problem: GameProblem = field(repr=False)
    at: int = 0
    branch: tuple[Game, ...] = ()
    known: Mapping[int, Prospect] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)

    def position(self, at: int, step: int = 0) -> Game:
        """Return position `at` of the game, or the one `step` moves up the branch from there.

        Raises
        ------
        InvalidInputError
            If there is none.
        """
        if not step:
            return self.problem.after(at)
        if at != self.at or step > len(self.branch):
            raise InvalidInputError(f"no move was tried there: {step} from position {at}")
        return self.branch[step - 1]

    def before(self, at: int, step: int = 0) -> Game | None:
        """Return the position before one, None for the deal."""
        if step:
            return self.position(at, step - 1)
        return self.problem.after(at - 1) if at else None

    def course(self, at: int, step: int) -> tuple[Game, ...]:
        """Return the positions from the deal to one, through the branch if `step` is not 0."""
        self.position(at, step)
        return (*self.problem.positions[: at + 1], *(self.branch[:step] if step else ()))

    def tried(self, at: int, step: int, action: Action) -> Study:
        """Return the study with one more move tried; what stood there otherwise is gone.

        Raises
        ------
        IllegalActionError
            If the rules do not allow it.
        InvalidInputError
            If there is no such position, or too much was tried.
        """
        return self._grown(at, step, [action])

    def followed(self, at: int, step: int, found: Prospect) -> Study:
        """Return the study with a line tried, all of whose positions can have what it scores."""
        line = found.line or ()
        study = self._grown(at, step, line)
        told = {
            step + n: replace(found, line=line[n:]) for n in range(1, len(study.branch) - step + 1)
        }
        return replace(study, known={**study.known, **told})

    def noted(self, at: int, text: str) -> Study:
        """Return the study with a note on a position; an empty one takes it away."""
        self.problem.after(at)
        notes = {**self.notes, at: text}
        return replace(self, notes={k: v for k, v in notes.items() if v})

    def _grown(self, at: int, step: int, line: Iterable[Action]) -> Study:
        start = self.position(at, step)
        kept: Sequence[Game] = self.branch[:step] if at == self.at and step else ()
        known = {n: each for n, each in self.known.items() if n <= len(kept)}
        branch = (*kept, *follow(start, line)[1:])
        if len(branch) > _MOST_TRIED:
            raise InvalidInputError(f"{len(branch)} moves tried; at most {_MOST_TRIED}")
        return replace(self, at=at, branch=branch, known=known)
