"""From an input and a question about it to the problem of either game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from hanabi.ground import DEFAULT_SECONDS, InvalidInputError, ParameterError, counted, naming, quote
from hanabi.rules import (
    DeckInput,
    GameRecord,
    PositionInput,
    SolitaireInput,
    parse_bulk,
    parse_input,
)
from hanabi.shell.session.inputs import instance_of
from hanabi.solitaire import Instance

if TYPE_CHECKING:
    from hanabi.rules import GameProblem
    from hanabi.solitaire import Annotation, Formula, Play, Reading

__all__ = [
    "Dealt",
    "Problem",
    "Question",
    "SolitaireProblem",
    "check_has_hand",
    "pose",
    "pose_position",
    "pose_solitaire",
    "read_problem",
]

# Requests, before it is known for which of the two games the input is.


@dataclass(frozen=True, slots=True)
class Question:
    """A request about an input, with its limits.

    Attributes
    ----------
    players, rules, at, best, fewest_turns, lost_at
        For the full game: the number of players, the rule set as for `hanabi.solve`, the number of
        recorded moves before the position; whether to find the best reachable score, the fewest
        turns in which it is reached, and the first move after which no line wins.
    solitaire, hand_size, least_hand, most_cards, fewest_cards, method
        For Solitaire Hanabi: whether real games are solved as a solitaire; a hand size that
        overrides the input's; whether to find the least hand that wins, the most cards that can be
        played, and the shortest beginning of the stream that wins; one of the solver's METHODS.
    proof, certificate
        Whether to prove that nothing wins: in DRAT form, by SAT; or for Solitaire Hanabi with
        weights on moments, by paths.
    seconds, memory
        Time for everything together, None for no limit; bytes, None for the solver's own choice.
    full_game_for, solitaire_for
        Anything else that only one of the games has, in words.

    Raises
    ------
    InvalidInputError
        If parts are for different games, or the time is not a number >= 0.
    """

    players: int | None = None
    rules: object = None
    at: int | None = None
    best: bool = False
    fewest_turns: bool = False
    lost_at: bool = False
    solitaire: bool = False
    hand_size: int | None = None
    least_hand: bool = False
    most_cards: bool = False
    fewest_cards: bool = False
    method: str = "auto"
    proof: bool = False
    certificate: bool = False
    seconds: float | None = DEFAULT_SECONDS
    memory: int | None = None
    full_game_for: str | None = None
    solitaire_for: str | None = None

    def __post_init__(self) -> None:
        solitaire, full_game = self.solitaire_by or self.needed_by, self.full_game_by
        if solitaire and full_game:
            raise ParameterError(
                f"{solitaire} is for Solitaire Hanabi, {full_game} for the full game"
            )
        if self.seconds is not None and not self.seconds >= 0:
            raise InvalidInputError(f"seconds: {quote(self.seconds)} is not a number >= 0")

    @property
    def full_game_by(self) -> str | None:
        """The part that is only for the full game, as `{parameter}` or words; None without one."""
        names = ("players", "rules", "at", "best", "fewest_turns", "lost_at")
        return self._first_given(*names) or self.full_game_for

    @property
    def solitaire_by(self) -> str | None:
        """The part that is only for Solitaire Hanabi, in the same form; None without one."""
        names = ("solitaire", "hand_size", "least_hand", "most_cards", "fewest_cards")
        return self._first_given(*names) or self.solitaire_for

    @property
    def needed_by(self) -> str | None:
        """The part that needs a solitaire but does not turn a game into one; None without one."""
        if self.certificate:
            return "{certificate}"
        return None if self.method == "auto" else "{method}"

    def _first_given(self, *names: str) -> str | None:
        for name in names:
            value: object = getattr(self, name)
            if value is not None and value is not False:  # 0 is given, too
                return f"{{{name}}}"
        return None


Problem: TypeAlias = "GameProblem | SolitaireProblem"
Dealt: TypeAlias = "DeckInput | GameRecord | PositionInput | SolitaireInput"
"""Cards that were read, before it is decided which of the two games they are for."""


@dataclass(frozen=True, slots=True)
class SolitaireProblem:
    """An instance to solve, with remarks on how the input was understood.

    `hand_is_given` is False if the input leaves the hand size open (the instance then has 0);
    `annotation` says what formula the cards were made from, if they were; `formula` is that formula
    if it is what was asked about.
    """

    instance: Instance
    remarks: tuple[str, ...] = ()
    hand_is_given: bool = True
    annotation: Annotation | None = None
    formula: Formula | None = None

    def reading(self, play: Play | None) -> Reading | None:
        """Return what a winning play says of the formula; None without a formula or a play."""
        if self.annotation is None or play is None:
            return None
        from hanabi.solitaire import read_play

        return read_play(self.instance, self.annotation, play)


def check_has_hand(problem: Problem, what: str) -> None:
    """Raise ParameterError if a solitaire leaves the hand open, which `what` needs.

    >>> check_has_hand(SolitaireProblem(Instance(0, []), hand_is_given=False), "{dimacs}")
    Traceback (most recent call last):
    hanabi.ground.errors.ParameterError: dimacs needs a hand size: give hand_size
    """
    if isinstance(problem, SolitaireProblem) and not problem.hand_is_given:
        raise ParameterError(f"{what} needs a hand size: give {{hand_size:H}}")


def read_problem(text: str, question: Question, name: str = "") -> Problem:
    """Return the problem that a text poses, whose errors begin with its `name`.

    >>> read_problem("hand 1 r2 r1", Question()).instance
    Instance(hand_size=1, N=2, n=2, c=1, r=1)
    """
    is_solitaire = question.full_game_by is None
    given = (parse_bulk(text) if is_solitaire else None) or parse_input(text, source=name)
    with naming(name):
        return pose(given, question)


def pose(given: Dealt, question: Question) -> Problem:
    """Return the problem that is asked about what was read.

    Streams are for one player unless there is a number of players; games and dealt decks are the
    full game unless the question asks for Solitaire Hanabi.

    >>> pose(parse_input("players 2 r1 r2 r1 y1"), Question(hand_size=1)).instance.hand_size
    1
    """
    if question.solitaire_by is not None or _is_stream(given, question):
        hand_is_needed = question.fewest_cards or not question.least_hand
        return pose_solitaire(given, question.hand_size, hand_is_needed=hand_is_needed)
    if question.needed_by is not None:
        raise ParameterError(
            f"{question.needed_by} is for Solitaire Hanabi:"
            " give {solitaire} to merge all hands into one"
        )
    problem = pose_position(given, question)
    if question.lost_at and not problem.moves:
        raise ParameterError("{lost_at}: only a recorded game has moves")
    return problem


def _is_stream(given: Dealt, question: Question) -> bool:
    if not isinstance(given, SolitaireInput) or question.players is not None:
        return False
    if question.full_game_by is not None:
        raise ParameterError(f"{question.full_game_by} is for the full game: give {{players:P}}")
    if given.hand_size is None and question.hand_size is None:
        raise ParameterError("no hand size: give {hand_size:H}, or {players:P} for the full game")
    return True


def pose_position(given: Dealt, question: Question, *, may_hide: bool = False) -> GameProblem:
    """Return the position of the full game that is asked for.

    `may_hide` is as in `pose_deck`.

    >>> deck = parse_input("players 2  r1 r2 r3 r1 r2 r1 y1 y2 y3 y1 y2 y1")
    >>> pose_position(deck, Question(rules="official")).preset
    'official'
    """
    from hanabi.rules import is_as_played, pose_deck

    players, rules, at = question.players, question.rules, question.at
    if at and not is_as_played(given, players, rules):
        raise ParameterError("{at}: only a recorded game, as it was played, has moves")
    problem = pose_deck(given, players=players, rules=rules, may_hide=may_hide)
    if at is None:
        return problem
    if at >= len(problem.positions):
        raise ParameterError(
            f"{{at}} {at}: the game has only {counted(len(problem.moves), 'move')}"
        )
    return replace(problem, at=at)


def pose_solitaire(
    given: Dealt, hand_size: int | None = None, *, hand_is_needed: bool = True
) -> SolitaireProblem:
    """Return the instance that was read; `hand_size` wins over what the input says.

    The cards of p players with h each, all face up, can be played as by one player with a hand of
    p*h - 1, if drawing never ends the game (erratum E18: the paper says p*h).

    >>> pose_solitaire(parse_input("players 3 r1 b5")).instance.hand_size
    14
    """
    if isinstance(given, SolitaireInput):
        hand = given.hand_size if hand_size is None else hand_size
        if hand is None and hand_is_needed:
            raise ParameterError("no hand size: give {hand_size:H}, or write it into the input")
        instance = instance_of(given, hand or 0)
        annotation = None
        if given.annotation is not None:
            from hanabi.shell.session.formulas import read_annotation

            annotation = read_annotation(given.annotation, instance)
        is_given = hand is not None
        return SolitaireProblem(instance, hand_is_given=is_given, annotation=annotation)
    if isinstance(given, PositionInput):
        raise InvalidInputError("a position is for the full game, not for Solitaire Hanabi")
    remarks = []
    n: int | None
    c: int | None
    merged = given.players * given.hand_size - 1
    if hand_size is None:
        remarks.append(
            f"{given.players} players with {counted(given.hand_size, 'card')} each: solved as a"
            f" solitaire with a hand of {merged} (all cards face up, no hints, no last round)."
        )
    if isinstance(given, GameRecord):
        variant = given.variant_data
        n, c = variant.ranks, len(variant.suits)
        if any(variant.orders(color) != (tuple(range(1, n + 1)),) for color in range(c)):
            raise InvalidInputError(f"{variant.name}: a solitaire builds every pile upwards")
        mismatch = given.deck_mismatch
        if mismatch is not None:
            remarks.append(f"Note: {mismatch}.")
        if given.options.get("detrimentalCharacters"):
            remarks.append("Note: what the players' characters forbid is not looked at.")
    else:
        n, c = given.n, given.c
        if given.rules is not None:
            raise InvalidInputError(
                "rules: Solitaire Hanabi has none to choose; remove the entry to solve the cards"
            )
    instance = Instance(merged if hand_size is None else hand_size, given.deck, n=n, c=c)
    return SolitaireProblem(instance, tuple(remarks))
