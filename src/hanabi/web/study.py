"""A game on the analysis board: its positions, and a branch of moves to try out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from hanabi.draws import Chances, Range
from hanabi.errors import InvalidInputError, counted
from hanabi.game import Action, Game
from hanabi.game.replay import follow
from hanabi.game.telling import told
from hanabi.session.game import GameProblem
from hanabi.winnable.timeline import Prospect

__all__ = ["ChanceRow", "Judgement", "Standing", "Study", "chance_rows", "judge", "share"]

_MOST_TRIED = 200


class Standing(StrEnum):
    """The status of a position, with all cards face up."""

    WINNABLE = "winnable"
    LESS = "less"
    UNKNOWN = "unknown"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A position's status in one word, its best score in short, and a sentence.

    Attributes
    ----------
    standing
        WINNABLE: the top score is reachable; LESS: it is not; UNKNOWN: time was up; WAITING: not
        computed yet.
    best
        The best score, as in "25" or "22-24"; "" while waiting.
    words
        The status as a sentence.
    cost
        The points that the last move is known to have cost.
    """

    standing: Standing
    best: str
    words: str
    cost: int = 0


def judge(found: Prospect | None, before: Prospect | None, game: Game) -> Judgement:
    """Judge a position by the scores reachable from it and before the last move.

    >>> from hanabi import deal
    >>> judge(Prospect(24, 24, None), Prospect(25, 25, None), deal(2)).words
    'at most 24 of 25 points: this move lost 1 point'
    """
    top = game.rules.max_score
    if found is None and game.is_over:  # as after the end by the rules, where reviews stop
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
    """A game with all cards, and a branch of moves tried from one of its positions.

    Attributes
    ----------
    problem
        The recorded game.
    at
        The position where the branch starts.
    branch
        The positions after each move of the branch.
    known
        Reachable scores of the branch's positions, by number, where a followed line gives them.
    notes
        Notes on positions of the game, by number.
    """

    problem: GameProblem = field(repr=False)
    at: int = 0
    branch: tuple[Game, ...] = ()
    known: Mapping[int, Prospect] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)

    def position(self, at: int, step: int = 0) -> Game:
        """Return position `at` of the game, or the one `step` moves down the branch from it.

        Raises
        ------
        InvalidInputError
            If there is no such position.
        """
        if not step:
            return self.problem.after(at)
        if at != self.at or step > len(self.branch):
            raise InvalidInputError(f"no move was tried there: {step} from position {at}")
        return self.branch[step - 1]

    def before(self, at: int, step: int = 0) -> Game | None:
        """Return the previous position, or None for the deal."""
        if step:
            return self.position(at, step - 1)
        return self.problem.after(at - 1) if at else None

    def course(self, at: int, step: int) -> tuple[Game, ...]:
        """Return the positions from the deal to this one, through the branch if `step` is not 0."""
        self.position(at, step)
        return (*self.problem.positions[: at + 1], *(self.branch[:step] if step else ()))

    def tried(self, at: int, step: int, action: Action) -> Study:
        """Return the study with one more move tried; it replaces the rest of the branch.

        Raises
        ------
        IllegalActionError
            If the move is illegal.
        InvalidInputError
            If there is no such position, or the branch is too long.
        """
        return self._grown(at, step, [action])

    def followed(self, at: int, step: int, found: Prospect) -> Study:
        """Return the study with a line tried, each position of which can still reach its score."""
        line = found.line or ()
        study = self._grown(at, step, line)
        known = {
            step + n: replace(found, line=line[n:]) for n in range(1, len(study.branch) - step + 1)
        }
        return replace(study, known={**study.known, **known})

    def noted(self, at: int, text: str) -> Study:
        """Return the study with a note on a position; an empty text removes the note."""
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


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """An action in a late position, or several hints of equal value, in words.

    Attributes
    ----------
    words
        The action.
    chance
        The chance of a perfect score in per cent, or bounds on it.
    is_best, is_played
        Whether no other action has a better chance; whether it was played.
    """

    words: str
    chance: str
    is_best: bool
    is_played: bool


def chance_rows(
    game: Game, names: Sequence[str], chances: Chances, played: Action | None
) -> list[ChanceRow]:
    """Return the actions of a position, best first; hints of equal value share a row.

    >>> from hanabi import DeckSpec
    >>> from hanabi.draws import open_chances
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1)
    >>> game = Game.start(rules, [(0, 1), (0, 2)])
    >>> [(row.words, row.chance) for row in chance_rows(game, ["Ann"], open_chances(game), None)]
    [('plays r1', '100 %')]
    """
    rows = []
    for alike in chances.ranked(merge_hints=True, points=False):
        actions, chance = [each.action for each in alike], alike[0].perfect
        words = told(names, game, game.filled().apply(actions[0]))
        rows.append(
            ChanceRow(
                words=words if len(actions) == 1 else f"any of {len(actions)} hints",
                chance=_percent(chance),
                is_best=chance.low == chances.perfect.low,
                is_played=played in actions,
            )
        )
    return rows


def share(chance: Fraction) -> str:
    """Return a chance in per cent.

    >>> share(Fraction(1, 3))
    '33.3 %'
    """
    return f"{float(100 * chance):.3g} %"


def _percent(chance: Range) -> str:
    if chance.is_exact:
        return share(chance.low)
    return f"{share(chance.low)} to {share(chance.high)}"
