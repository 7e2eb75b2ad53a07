"""From an input and a question about it to the problem of either game, and to its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from hanabi.clock import Clock
from hanabi.errors import InvalidInputError, naming
from hanabi.notation import DeckInput, GameRecord, SolitaireInput, cards_per_player, parse_input
from hanabi.notation.bulk import parse_bulk
from hanabi.session.question import Question
from hanabi.session.solitaire import (
    SolitaireAnswer,
    SolitaireProblem,
    answer_solitaire,
    pose_solitaire,
)

if TYPE_CHECKING:
    from hanabi.sat import Cnf
    from hanabi.session.game import GameProblem
    from hanabi.session.game_answer import GameAnswer

__all__ = ["AnyAnswer", "AnyProblem", "answer_of", "formula_of", "pose_position", "read_problem"]

AnyProblem: TypeAlias = "SolitaireProblem | GameProblem"
AnyAnswer: TypeAlias = "SolitaireAnswer | GameAnswer"


def read_problem(text: str, question: Question, name: str = "") -> AnyProblem:
    """Return the problem that a text poses, whose errors begin with its `name`.

    Streams are for one player unless there is a number of players; games and dealt decks are the
    full game unless the question asks for Solitaire Hanabi.

    >>> read_problem("hand 1 r2 r1", Question()).instance
    Instance(hand_size=1, N=2, n=2, c=1, r=1)
    """
    is_solitaire = question.full_game_by is None
    given = (parse_bulk(text) if is_solitaire else None) or parse_input(text, source=name)
    with naming(name):
        if question.solitaire_by is not None or _is_stream(given, question):
            return pose_solitaire(given, question.hand_size, hand_is_needed=not question.least_hand)
        if question.needed_by is not None:
            raise InvalidInputError(
                f"{question.needed_by} is for Solitaire Hanabi:"
                " give --solitaire to merge all hands into one"
            )
        problem = pose_position(given, question)
        if question.lost_at and not problem.moves:
            raise InvalidInputError("--lost-at: only a recorded game has moves")
        return problem


def _is_stream(given: object, question: Question) -> bool:
    if not isinstance(given, SolitaireInput) or question.players is not None:
        return False
    if question.full_game_by is not None:
        raise InvalidInputError(f"{question.full_game_by} is for the full game: give --players P")
    if given.hand_size is None and question.hand_size is None:
        raise InvalidInputError(
            "no hand size: give --hand-size H, or --players P for the full game"
        )
    return True


def pose_position(
    given: DeckInput | GameRecord | SolitaireInput, question: Question
) -> GameProblem:
    """Return the position of the full game that is asked for.

    >>> deck = parse_input("players 2  r1 r2 r3 r1 r2 r1 y1 y2 y3 y1 y2 y1")
    >>> pose_position(deck, Question(rules="official")).preset
    'official'
    """
    from hanabi.session.game import is_as_played, pose_deck

    players, rules, at = question.players, question.rules, question.at
    if players is not None:
        cards_per_player(players)
    if isinstance(given, SolitaireInput):
        if given.hand_size is not None:
            raise InvalidInputError("give a hand size or --players, not both")
        if players is None:
            raise InvalidInputError("no number of players: give --players P")
    if at and not is_as_played(given, players, rules):
        raise InvalidInputError("--at: only a recorded game, as it was played, has moves")
    problem = pose_deck(given, players=players, rules=rules)
    if at is None:
        return problem
    with naming(f"--at {at}"):
        problem.after(at)
    return replace(problem, at=at)


def answer_of(
    problem: AnyProblem,
    question: Question,
    progress: Callable[[str], None] = lambda _: None,
    clock: Clock | None = None,
) -> AnyAnswer:
    """Answer what is asked; the clock may have run since before the problem was read."""
    if isinstance(problem, SolitaireProblem):
        return answer_solitaire(problem, question, progress, clock)
    from hanabi.session.game_answer import answer_game

    return answer_game(problem, question, progress)


def formula_of(problem: AnyProblem) -> Cnf:
    """Return the formula that a proof refutes that `answer_of` gives."""
    if isinstance(problem, SolitaireProblem):
        from hanabi.solitaire.sat import encode as encode_solitaire

        return encode_solitaire(problem.instance, cut=False).cnf
    from hanabi.winnable import Position
    from hanabi.winnable.images import only_image
    from hanabi.winnable.sat import encode

    plain = only_image(problem.game).game
    return encode(Position.of_game(plain), tuple(map(len, plain.rules.spec.copies))).cnf
