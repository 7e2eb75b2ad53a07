"""Questions about the full game: whether it can be won, and the best score that can be had.

Goals are decided one by one by `hanabi.winnable.portfolio`; lines with fewer points than there are
go on to the end of the game (`finish`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from math import inf

from hanabi.errors import SolverError
from hanabi.game import Game, Rules
from hanabi.verdict import Status, Verdict
from hanabi.winnable.arrays import Board
from hanabi.winnable.bounds import OutOfTimeError
from hanabi.winnable.finish import finish, is_safe
from hanabi.winnable.line import Line, replay
from hanabi.winnable.portfolio import Budget, Outcome, decide
from hanabi.winnable.position import Position, check_supported

__all__ = ["best", "solve", "solve_game"]

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY = 1 << 30
_FEW_ENDS = 2_000
"""Positions looked at to end a line that has its points: more than the longest line has."""


def solve(
    deck: Iterable[tuple[int, int]],
    rules: Rules,
    *,
    points: int | None = None,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
) -> Verdict[Line]:
    """Decide whether a deck can be won with all cards face up.

    Parameters
    ----------
    deck
        Pairs (color, rank) in draw order.
    rules
        The rule set.
    points
        The score that the game shall end with, or more; by default the most there is.
    seconds
        Wall-clock time after which the answer is UNKNOWN, checked a few times a second; None: no
        limit.
    memory
        Bytes for tables, about.
    seed
        Of the restarts. Answers do not depend on it, lines and times do.

    Returns
    -------
    Verdict
        WINNABLE with a replayed line (hanab.live's actions), UNWINNABLE with the reason's name and
        a sentence, or UNKNOWN; with bounds on the best score.

    Raises
    ------
    InvalidInputError
        If the deck's cards are not those of the rules.
    SolverError
        If the rules are out of the solver's reach.

    >>> rules = Rules.hanab_live(seats=3)
    >>> verdict = solve(rules.spec.shuffle(seed=1), rules)
    >>> print(verdict.status, verdict.method, verdict.upper)
    winnable greedy 25
    >>> verdict.witness[0]
    RecordedAction(type=0, target=3, value=None)
    """
    return solve_game(
        Game.start(rules, deck), points=points, seconds=seconds, memory=memory, seed=seed
    )


def solve_game(
    game: Game,
    *,
    points: int | None = None,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
) -> Verdict[Line]:
    """Decide whether a game can still be won from where it stands; see `solve`.

    The witness is what is to be done from there on.
    """
    began = time.perf_counter()
    deadline = None if seconds is None else began + seconds
    return _solve(game, points, deadline, memory, seed, began)


def best(
    game: Game,
    *,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
) -> Verdict[Line]:
    """Find the best score with which the game can end: solve for ever fewer points.

    The status answers whether the game can be won; `lower` and `upper` bound the best score, and
    the witness, a line to the end of the game, scores `lower`. What an error takes does not count:
    see `hanabi.winnable.finish`.

    >>> from hanabi import DeckSpec
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1)
    >>> verdict = best(Game.start(rules, [(0, 3), (0, 1), (0, 2)]))
    >>> print(verdict.status, verdict.lower, verdict.upper)
    unwinnable 2 2
    """
    began = time.perf_counter()
    deadline = None if seconds is None else began + seconds
    top = game.rules.max_score
    first = verdict = _solve(game, top, deadline, memory, seed, began)
    upper, states = first.upper, first.states
    trail = list(first.trail)
    for points in range(top - 1, -1, -1):
        is_late = deadline is not None and time.perf_counter() >= deadline
        if verdict.status is Status.WINNABLE or is_late:
            break
        verdict = _solve(game, points, deadline, memory, seed, began)
        if verdict.status is Status.UNWINNABLE and upper == points:
            upper = points - 1
        states += verdict.states
        trail.extend(verdict.trail)
    lower = verdict.lower
    return Verdict(
        first.status, first.method, first.reason, verdict.witness, lower, upper, states,
        time.perf_counter() - began, tuple(trail),
    )  # fmt: skip


def _solve(
    game: Game,
    points: int | None,
    deadline: float | None,
    memory: int,
    seed: int,
    began: float,
) -> Verdict[Line]:
    rules = game.rules
    check_supported(rules)
    points = rules.max_score if points is None else points
    if not 0 <= points <= rules.max_score:
        raise SolverError(f"{points} points: the rules allow 0 to {rules.max_score}")
    trail: list[str] = []
    if game.is_over:
        is_won = game.score >= points
        status = Status.WINNABLE if is_won else Status.UNWINNABLE
        outcome = Outcome(status, "score", "the game is over", line=() if is_won else None)
        lower = upper = game.score
    else:
        # Both large tables have rows of about 8 (seats + 4) bytes.
        rows = max(memory // (16 * (rules.seats + 4)), 1 << 12)
        budget = Budget(deadline, memory, rows)
        outcome = _decide_game(game, points, budget, seed, trail)
        lower, upper = sum(game.piles) if is_safe(rules) else 0, rules.max_score
        if outcome.status is Status.WINNABLE:
            lower = max(lower, points)
        elif outcome.status is Status.UNWINNABLE:
            upper = points - 1
    return Verdict(
        status=outcome.status,
        method=outcome.method,
        reason=outcome.reason,
        witness=outcome.line,
        lower=lower,
        upper=upper,
        states=outcome.tried,
        seconds=time.perf_counter() - began,
        trail=tuple(trail),
    )


def _decide_game(game: Game, points: int, budget: Budget, seed: int, trail: list[str]) -> Outcome:
    """Decide whether a game that goes on can end with `points`."""
    score = sum(game.piles)
    if score >= points:
        outcome = Outcome(Status.WINNABLE, "score", f"{score} points are on the piles", 0, ())
    else:
        outcome = _any_goal(Position.of_game(game), game, points, budget, seed, trail)
    if outcome.line is None or points == game.rules.max_score:
        return outcome
    return _finished(outcome, outcome.line, game, points, budget)


def _finished(outcome: Outcome, line: Line, game: Game, points: int, budget: Budget) -> Outcome:
    """Take a line that has its points to the end of the game, or find another that can be."""
    deadline = inf if budget.deadline is None else budget.deadline
    try:
        rest = finish(replay(game, line), points, deadline=inf, most=_FEW_ENDS)
        if rest is not None:
            return replace(outcome, line=line + rest)
        other = finish(game, points, deadline=deadline)
    except OutOfTimeError:
        reason = f"{points} points can be had, but perhaps not kept: the time is over"
        return Outcome(Status.UNKNOWN, "end of the game", reason, outcome.tried)
    if other is None:
        reason = f"no line with {points} points can avoid the error that takes them"
        return Outcome(Status.UNWINNABLE, "end of the game", reason, outcome.tried)
    return Outcome(Status.WINNABLE, "end of the game", "a line that keeps its points",
                   outcome.tried, other)  # fmt: skip


def _any_goal(
    position: Position, game: Game, points: int, budget: Budget, seed: int, trail: list[str]
) -> Outcome:
    """Decide whether one of the goals worth `points` can be reached."""
    tried, outcomes = 0, list[Outcome]()
    for goal in position.goals(points):
        if outcomes and budget.is_spent:
            outcomes.append(Outcome(Status.UNKNOWN, "portfolio", "the time is over"))
            break
        outcome = decide(Board(position, goal, seed), game, budget, trail)
        tried += outcome.tried
        if outcome.status is Status.WINNABLE:
            return Outcome(outcome.status, outcome.method, outcome.reason, tried, outcome.line)
        outcomes.append(outcome)
    open_goals = [outcome for outcome in outcomes if outcome.status is Status.UNKNOWN]
    last = (open_goals or outcomes)[0]
    return Outcome(last.status, last.method, last.reason, tried)
