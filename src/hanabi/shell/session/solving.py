"""One question for everything that was read: whether it can be won."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from hanabi.ground import (
    DEFAULT_SECONDS,
    Clock,
    InvalidInputError,
    ParameterError,
    Status,
    Verdict,
    quote,
)
from hanabi.rules import (
    Deck,
    DeckInput,
    Game,
    GameProblem,
    GameRecord,
    PositionInput,
    Rules,
    SolitaireInput,
    pose_game,
)
from hanabi.shell.session.answer import Answer
from hanabi.shell.session.inputs import Input, Source, read
from hanabi.shell.session.problem import Problem, Question, SolitaireProblem, pose
from hanabi.solitaire import Instance
from hanabi.solvers import (
    decide_game,
    find_lost,
    reasons_of,
    warm_up,
    why_lost,
)
from hanabi.solvers import (
    fewest_turns as fewest_turns_of,
)

if TYPE_CHECKING:
    from hanabi.solitaire import Formula, LeastHand
    from hanabi.solvers import FewestTurns, Line

__all__ = ["Solvable", "answer_of", "solve"]

Solvable: TypeAlias = "Input | Source | Game | Deck | Instance"


def solve(
    given: Solvable,
    *,
    players: int | None = None,
    rules: object = None,
    hand_size: int | None = None,
    fewest_turns: bool = False,
    seconds: float | None = DEFAULT_SECONDS,
) -> Answer:
    r"""Decide whether a game, a deck or a stream of cards can be won, or a formula be satisfied.

    Parameters
    ----------
    given
        What `read` returns, or what it reads: a recorded game is solved from its deal, a position
        or a `Game` from where it stands; a `Deck` needs a number of players. An `Instance` or a
        stream is Solitaire Hanabi. A formula is made into cards, these are won, and the play is
        read.
    players
        How many the deck or stream is dealt to, all cards face up, 2 to 6.
    rules
        `Rules`, a preset's name, or a mapping as in inputs of decks; by default the input's, or
        hanab.live's.
    hand_size
        The most cards in hand of Solitaire Hanabi, if the input does not say it or shall not.
    fewest_turns
        Whether to find the fewest turns in which all points, or the most that can be had, are
        reached in the full game; the line is then a shortest one.
    seconds
        Wall-clock time for everything, by default 60; None for no limit.

    Returns
    -------
    Answer
        Of which the witness is replayed; UNKNOWN if the time ended first.

    Raises
    ------
    InvalidInputError
        If the input cannot be read, or the options do not fit it.
    SolverError
        If the rules are out of the solver's reach.

    >>> answer = solve("hand 1  r2 r1 y1 y2", seconds=10)
    >>> print(answer)
    winnable: all 4 cards in 5 moves (unique)
    >>> print(solve("p cnf 2 3\n1 2 0 -1 2 0 1 -2 0").assignment)
    (True, True)
    >>> deal = Game.start(rules := Rules.hanab_live(3), rules.spec.shuffle(seed=1))
    >>> solve(deal).games[-1].score
    25
    """
    if isinstance(given, str | os.PathLike):
        given = read(given)
    if isinstance(rules, Rules) and players is None and not isinstance(given, Game | Instance):
        players = rules.seats
    question = Question(
        players=players,
        rules=rules,
        hand_size=hand_size,
        fewest_turns=fewest_turns,
        seconds=seconds,
    )
    return answer_of(_posed(given, question), question)


def _posed(given: Input | Game | Deck | Instance, question: Question) -> Problem | Formula:
    players, rules, hand_size = question.players, question.rules, question.hand_size
    fewest = question.fewest_turns or None
    if isinstance(given, Instance):
        _refuse(
            "an instance of Solitaire Hanabi", players=players, rules=rules, fewest_turns=fewest
        )
        return SolitaireProblem(given if hand_size is None else given.with_hand_size(hand_size))
    if isinstance(given, Game):
        _refuse("a game that is dealt", players=players, rules=rules, hand_size=hand_size)
        return pose_game(given)
    if isinstance(given, Deck):
        if players is None:
            raise ParameterError("no number of players: give {players:P}")
        given = DeckInput(players, given)
    if isinstance(given, GameRecord | DeckInput | PositionInput):
        _refuse("the full game", hand_size=hand_size)
        return pose(given, question)
    if isinstance(given, SolitaireInput):
        return pose(given, question)
    from hanabi.solitaire import Formula

    if not isinstance(given, Formula):
        raise InvalidInputError(f"{quote(given)} cannot be solved")
    _refuse("a formula", players=players, rules=rules, fewest_turns=fewest)
    return given


def _refuse(what: str, **parameters: object) -> None:
    for name, value in parameters.items():
        if value is not None:
            raise InvalidInputError(f"{name}: {quote(value)} is not for {what}")


def answer_of(
    problem: Problem | Formula,
    question: Question,
    progress: Callable[[str], None] = lambda _: None,
    clock: Clock | None = None,
) -> Answer:
    """Put a question to the solvers, whichever of the games it is about.

    The verdict comes first, then what was asked for beside it; each gets what time is left.

    Parameters
    ----------
    problem
        What `hanabi.shell.session.problem.pose` returns, or a formula.
    question
        What is asked.
    progress
        Gets a few words about what is being done.
    clock
        For Solitaire Hanabi, if the time began to count before the problem was read; by default
        the one of the question starts now.

    >>> from hanabi.shell.session.problem import read_problem
    >>> answer_of(read_problem("hand 1 r2 r1", Question()), Question()).play.to_json()
    [[1, 'store'], [2, 'play'], [1, 'play']]
    >>> deck = '{"players": 2, "deck": "r1 r2 r3", "rules": {"hand_size": 1}}'
    >>> answer_of(read_problem(deck, Question()), Question()).actions[-1]
    RecordedAction(type=0, target=2, value=None)
    """
    if isinstance(problem, GameProblem):
        return _answer_game(problem, question, progress)
    if isinstance(problem, SolitaireProblem):
        return _answer_solitaire(problem, question, progress, clock or Clock(question.seconds))
    from hanabi.solitaire import decide_by_cards

    found = decide_by_cards(problem, hand_size=question.hand_size, seconds=question.seconds)
    cards = SolitaireProblem(
        found.reduction, annotation=found.reduction.annotation, formula=problem
    )
    return Answer(cards, question, found.verdict, found.seconds, assignment=found.assignment)


def _answer_game(
    problem: GameProblem, question: Question, progress: Callable[[str], None]
) -> Answer:
    warm_up()
    clock, memory = Clock(question.seconds), question.memory

    def is_won(game: Game, seconds: float | None) -> Verdict[Line]:
        return decide_game(game, seconds=seconds, memory=memory)

    asks_best = question.best or question.fewest_turns
    verdict = decide_game(problem.game, best=asks_best, seconds=clock.left, memory=memory)
    fewest = lost = None
    if question.fewest_turns and verdict.witness is not None:
        fewest = _fewest_turns(problem, verdict, clock, memory, progress)
    if question.lost_at:
        lost = find_lost(problem.by_rules, is_won, seconds=clock.left, progress=progress)
    reasons = reasons_of(problem.game, verdict, proof=question.proof, left=lambda: clock.left)
    because = None
    if lost is not None and lost.move:
        because = why_lost(problem.positions[lost.move], clock.left)
    if fewest is not None:
        if verdict.status is Status.WINNABLE and fewest.line != verdict.witness:
            reason = f"a line of {len(fewest.line)} actions, replayed"
            verdict = replace(verdict, method="sat", reason=reason)
        verdict = replace(verdict, witness=fewest.line)
    games = () if verdict.witness is None else problem.course(verdict.witness)
    return Answer(
        problem,
        question,
        verdict,
        clock.elapsed,
        games=games,
        refutation=reasons.refutation,
        fewest_turns=fewest,
        lost=lost,
        lost_because=because,
        certificate=reasons.certificate,
        no_proof=reasons.no_proof,
    )


def _fewest_turns(
    problem: GameProblem,
    verdict: Verdict[Line],
    clock: Clock,
    memory: int | None,
    progress: Callable[[str], None],
) -> FewestTurns | None:
    """Return the fewest turns for the most points that can be had, or None if these are unknown."""
    if verdict.status is not Status.WINNABLE and verdict.lower < verdict.upper:
        return None
    return fewest_turns_of(
        problem.game,
        points=verdict.lower,
        line=verdict.witness,
        seconds=clock.left,
        memory=memory,
        progress=progress,
    )


def _answer_solitaire(
    problem: SolitaireProblem, question: Question, progress: Callable[[str], None], clock: Clock
) -> Answer:
    from hanabi.solitaire import optima, solver

    instance, memory = problem.instance, question.memory
    method = "sat" if question.proof else "paths" if question.certificate else question.method

    def least_hand() -> LeastHand:
        return optima.least_hand(
            instance, method=method, seconds=clock.left, memory=memory, progress=progress
        )

    if not problem.hand_is_given:
        least = least_hand()
        return Answer(problem, question, least.verdict, clock.elapsed, least=least)
    certificate = weights = most = fewest = None
    if question.certificate:
        from hanabi.solitaire import paths

        certified = paths.certify(instance, seconds=clock.left, memory=memory)
        verdict, weights = certified.verdict, certified.certificate
    elif question.proof:
        from hanabi.solitaire import sat

        certificate = sat.certify(instance, seconds=clock.left, memory=memory)
        verdict = certificate.verdict
    else:
        verdict = solver.solve(
            instance, method=method, seconds=clock.left, memory=memory, progress=progress
        )
    asked = least_hand() if question.least_hand else None
    if question.most_cards and verdict.lower < verdict.upper and not clock.is_over:
        most = optima.most_cards(instance, seconds=clock.left, memory=memory, progress=progress)
    if question.fewest_cards:
        fewest = optima.fewest_cards(
            instance,
            verdict,
            method=method,
            seconds=clock.left,
            memory=memory,
            progress=progress,
        )
    return Answer(
        problem,
        question,
        verdict,
        clock.elapsed,
        certificate=certificate,
        weights=weights,
        least=asked,
        most=most,
        fewest_cards=fewest,
    )
