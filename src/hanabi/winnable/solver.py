"""A portfolio of solvers, cheapest first; every winning line is replayed by the rules.

1. the merged hand (`bounds`, `relaxation`): a pass over the deck, decides 95 % of the lost decks;
2. `greedy`: wins 99.8 % of the rest;
3. the labelled relaxation with a few labels: the lost decks whose last round cannot be ordered;
4. `search`, guided by that relaxation: the other winnable decks;
5. `sat`: nearly all of what is left;
6. all again and again, with more labels, turns, moves and seconds, until one decides or a budget
   ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf

from hanabi.errors import SolverError
from hanabi.game import Game, Rules
from hanabi.verdict import Status, Verdict
from hanabi.winnable.arrays import Board
from hanabi.winnable.bounds import OutOfTimeError
from hanabi.winnable.finish import finish, is_safe
from hanabi.winnable.greedy import dive
from hanabi.winnable.last_round import comes_late
from hanabi.winnable.line import Line, line_of, replay
from hanabi.winnable.position import Position, check_supported
from hanabi.winnable.relaxation import labelled_answer, merged_answer
from hanabi.winnable.sat import solve as solve_by_sat
from hanabi.winnable.search import Found, Hunt

__all__ = ["best", "solve", "solve_game"]

DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY = 1 << 30
ROUNDS = 12
SAT_SECONDS = 10.0
"""Wall-clock time of the first formula; a formula that takes longer gets more in later rounds."""
_FEW_ENDS = 2_000
"""Positions looked at to end a line that has its points: more than the longest line has."""
THRIFT = (0, 150, 300, 450)
"""How much less a hint is worth in successive attempts: some endings need many tokens."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one part of the portfolio says of one goal."""

    status: Status
    method: str
    reason: str
    tried: int = 0
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class _Budget:
    deadline: float | None
    memory: int
    rows: int

    @property
    def is_spent(self) -> bool:
        return self.deadline is not None and time.perf_counter() >= self.deadline


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
        budget = _Budget(deadline, memory, rows)
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


def _decide_game(game: Game, points: int, budget: _Budget, seed: int, trail: list[str]) -> Outcome:
    """Decide whether a game that goes on can end with `points`."""
    score = sum(game.piles)
    if score >= points:
        outcome = Outcome(Status.WINNABLE, "score", f"{score} points are on the piles", 0, ())
    else:
        outcome = _any_goal(Position.of_game(game), game, points, budget, seed, trail)
    if outcome.line is None or points == game.rules.max_score:
        return outcome
    return _finished(outcome, outcome.line, game, points, budget)


def _finished(outcome: Outcome, line: Line, game: Game, points: int, budget: _Budget) -> Outcome:
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
    position: Position, game: Game, points: int, budget: _Budget, seed: int, trail: list[str]
) -> Outcome:
    """Decide whether one of the goals worth `points` can be reached."""
    tried, outcomes = 0, list[Outcome]()
    for goal in position.goals(points):
        if outcomes and budget.is_spent:
            outcomes.append(Outcome(Status.UNKNOWN, "portfolio", "the time is over"))
            break
        outcome = _decide(Board(position, goal, seed), game, budget, trail)
        tried += outcome.tried
        if outcome.status is Status.WINNABLE:
            return Outcome(outcome.status, outcome.method, outcome.reason, tried, outcome.line)
        outcomes.append(outcome)
    open_goals = [outcome for outcome in outcomes if outcome.status is Status.UNKNOWN]
    last = (open_goals or outcomes)[0]
    return Outcome(last.status, last.method, last.reason, tried)


def _decide(board: Board, game: Game, budget: _Budget, trail: list[str]) -> Outcome:
    tried = 0
    for outcome in _portfolio(board, game, budget):
        tried += outcome.tried
        trail.append(f"{outcome.method}: {outcome.reason}")
        if outcome.status is not Status.UNKNOWN:
            return Outcome(outcome.status, outcome.method, outcome.reason, tried, outcome.line)
        if budget.is_spent:
            return Outcome(Status.UNKNOWN, outcome.method, "the time is over", tried)
    return Outcome(Status.UNKNOWN, "portfolio", "no part of the portfolio decided", tried)


def _portfolio(board: Board, game: Game, budget: _Budget) -> Iterator[Outcome]:
    """Yield the outcomes of ever more expensive attempts."""
    cards = board.position.rules.deck_size
    if board.position.drawn < cards:
        yield _merged(board)
        yield _searched(board, game, "greedy", dive(board))
        for labels in (2, 4, 6, 8):
            yield _labelled(board, labels, cards, 20_000)
        yield _hunt(board, game, budget, 6, cards, 8, 2_000)
        yield _hunt(board, game, budget, 9, cards, 72, 1_000)
        for labels in (4, 6, 8):
            yield _labelled(board, labels, cards, 300_000)
        yield _labelled(board, len(board.bits), cards, 8_000_000 // board.position.rules.seats**2)
        yield _satisfied(board, game, budget, SAT_SECONDS)
    effort = 2_400
    for number in range(ROUNDS):
        if board.position.drawn < cards:
            yield _hunt(board, game, budget, 9, cards, effort, 1_000)
            for labels, turns in ((9, 8), (12, 0), (12, 12)):
                start = max(cards - turns, 0)
                yield _hunt(board, game, budget, labels, start, effort // 48, 1_000)
            for labels in (8, 12, len(board.bits)):
                yield _labelled(board, labels, cards, effort * 300)
            for turns in (6, 10, 16):
                yield _labelled(board, 8, max(cards - turns, 0), effort * 300)
        yield _hunt(board, game, budget, 0, cards, 4, effort * 30)
        if board.position.drawn < cards:
            yield _satisfied(board, game, budget, SAT_SECONDS * 2 ** (number + 1))
        effort *= 2


def _merged(board: Board) -> Outcome:
    from hanabi.kernels.winnable_words import LOST

    if merged_answer(board) == LOST:
        reason = "even one hand of all seats' size, with unlimited hints, cannot reach it"
        return Outcome(Status.UNWINNABLE, "merged hands", reason, 1)
    return Outcome(Status.UNKNOWN, "merged hands", "no refutation", 1)


def _labelled(board: Board, labels: int, turns_from: int, limit: int) -> Outcome:
    from hanabi.kernels.winnable_words import LOST

    answer, tried = labelled_answer(board, labels, turns_from, limit)
    what = f"{labels} labelled cards"
    if turns_from < board.position.rules.deck_size:
        what += f", turns from card {turns_from}"
    if answer == LOST:
        # What comes late is a hint for the reader; `explain` finds and proves the cause.
        late = comes_late(board.position, board.goal)
        reason = f"the last cards cannot be played in turn ({what}, {tried} moves)"
        reason += f"; {late}" if late else ""
        return Outcome(Status.UNWINNABLE, "last round", reason, tried)
    return Outcome(Status.UNKNOWN, "last round", f"no refutation ({what})", tried)


def _hunt(
    board: Board,
    game: Game,
    budget: _Budget,
    labels: int,
    turns_from: int,
    attempts: int,
    moves: int,
) -> Outcome:
    """Search a few times, guided by a labelled relaxation if `labels` is not 0."""
    from hanabi.kernels.winnable_words import UNKNOWN

    rows = min(max(moves * 4, 1 << 16), budget.rows)
    guide_rows = min(1 << 20, budget.rows)
    hunt = Hunt(board, rows=rows, labels=labels, turns_from=turns_from, guide_rows=guide_rows)
    tried = 0
    for attempt in range(attempts):
        found = hunt.run(moves, attempt % 6, THRIFT[attempt // 6 % len(THRIFT)])
        tried += found.tried
        if found.answer != UNKNOWN or budget.is_spent:
            break
    method = "guided search" if labels else "search"
    return _searched(board, game, method, Found(found.answer, tried, found.moves))


def _satisfied(board: Board, game: Game, budget: _Budget, seconds: float) -> Outcome:
    if budget.deadline is not None:
        seconds = min(seconds, max(budget.deadline - time.perf_counter(), 0.0))
    verdict = solve_by_sat(game, board.goal, seconds=seconds, memory=budget.memory)
    return Outcome(verdict.status, verdict.method, verdict.reason, line=verdict.witness)


def _searched(board: Board, game: Game, method: str, found: Found) -> Outcome:
    from hanabi.kernels.winnable_words import LOST, WON

    if found.answer == LOST:
        return Outcome(Status.UNWINNABLE, method, "all lines lose", found.tried)
    if found.answer != WON:
        return Outcome(Status.UNKNOWN, method, f"no line in {found.tried} moves", found.tried)
    line = line_of(board, found.moves)
    end = replay(game, line)
    if sum(end.piles) < sum(board.goal):
        raise SolverError(f"a line of {method} scores only {sum(end.piles)}")
    return Outcome(
        Status.WINNABLE, method, f"a line of {len(line)} actions, replayed", found.tried, line
    )
