"""One question for everything that was read: whether it can be won."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

from hanabi.clock import Clock
from hanabi.deck import Deck
from hanabi.errors import InvalidInputError, quote
from hanabi.game import Game, Rules
from hanabi.notation import DeckInput, GameRecord, SolitaireInput
from hanabi.session.answer import Answer
from hanabi.session.inputs import Input, Source, instance_of, read
from hanabi.session.problem import GameProblem, pose_deck, pose_game
from hanabi.solitaire.instance import Instance

if TYPE_CHECKING:
    from hanabi.hardness import Formula

__all__ = ["Solvable", "solve"]

Solvable: TypeAlias = "Input | Source | Game | Deck | Instance"

DEFAULT_SECONDS = 60.0


def solve(
    given: Solvable,
    *,
    players: int | None = None,
    rules: object = None,
    hand_size: int | None = None,
    seconds: float | None = DEFAULT_SECONDS,
) -> Answer:
    r"""Decide whether a game, a deck or a stream of cards can be won, or a formula be satisfied.

    Parameters
    ----------
    given
        What `read` returns, or what it reads: a recorded game is solved from its deal. A `Game` is
        solved from where it stands; a `Deck` needs a number of players. An `Instance` or a stream
        is Solitaire Hanabi. A formula is made into cards, these are won, and the play is read.
    players
        How many the deck or stream is dealt to, all cards face up, 2 to 6.
    rules
        `Rules`, a preset's name, or a mapping as in inputs of decks; by default the input's, or
        hanab.live's.
    hand_size
        The most cards in hand of Solitaire Hanabi, if the input does not say it or shall not.
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
    if seconds is not None and not seconds >= 0:
        raise InvalidInputError(f"seconds: {quote(seconds)} is not a number >= 0")
    if isinstance(given, str | os.PathLike):
        given = read(given)
    if isinstance(rules, Rules) and players is None and not isinstance(given, Game | Instance):
        players = rules.seats
    if isinstance(given, SolitaireInput) and players is None:
        if rules is not None:
            raise InvalidInputError("rules are for the full game: give players")
        return _solve_instance(_posed(given, hand_size), seconds)
    if isinstance(given, Instance):
        _refuse("an instance of Solitaire Hanabi", players=players, rules=rules)
        return _solve_instance(_with_hand(given, hand_size), seconds)
    if isinstance(given, Deck):
        if players is None:
            raise InvalidInputError("no number of players: give players")
        given = DeckInput(players, given)
    if isinstance(given, GameRecord | DeckInput | SolitaireInput):
        _refuse("the full game", hand_size=hand_size)
        return _solve_game(pose_deck(given, players=players, rules=rules), seconds)
    if isinstance(given, Game):
        _refuse("a game that is dealt", players=players, rules=rules, hand_size=hand_size)
        return _solve_game(pose_game(given), seconds)
    return _solve_formula(given, players, rules, hand_size, seconds)


def _refuse(what: str, **options: object) -> None:
    for name, value in options.items():
        if value is not None:
            raise InvalidInputError(f"{name}: {quote(value)} is not for {what}")


def _posed(given: SolitaireInput, hand_size: int | None) -> Instance:
    hand = given.hand_size if hand_size is None else hand_size
    if hand is None:
        raise InvalidInputError("no hand size: give hand_size, or players for the full game")
    return instance_of(given, hand)


def _with_hand(instance: Instance, hand_size: int | None) -> Instance:
    return instance if hand_size is None else instance.with_hand_size(hand_size)


def _solve_game(problem: GameProblem, seconds: float | None) -> Answer:
    from hanabi.winnable.reasons import reasons_of
    from hanabi.winnable.solver import decide_game, warm_up

    warm_up()
    clock = Clock(seconds)
    verdict = decide_game(problem.game, seconds=clock.left)
    why = reasons_of(problem.game, verdict, proof=False, left=lambda: clock.left).refutation
    reason = verdict.reason if why is None else f"{why.name}: {why.summary}"
    return Answer(problem, verdict, reason, clock.elapsed)


def _solve_instance(instance: Instance, seconds: float | None) -> Answer:
    from hanabi.solitaire import solver

    clock = Clock(seconds)
    verdict = solver.solve(instance, seconds=clock.left)
    return Answer(instance, verdict, verdict.reason, clock.elapsed, instance)


def _solve_formula(
    given: Formula,
    players: int | None,
    rules: object,
    hand_size: int | None,
    seconds: float | None,
) -> Answer:
    from hanabi.hardness import Formula, decide_by_cards

    if not isinstance(given, Formula):
        raise InvalidInputError(f"{quote(given)} is nothing that can be solved")
    _refuse("a formula", players=players, rules=rules)
    decision = decide_by_cards(given, hand_size=hand_size, seconds=seconds)
    verdict = decision.verdict
    return Answer(
        given, verdict, verdict.reason, decision.seconds, decision.reduction, decision.assignment
    )
