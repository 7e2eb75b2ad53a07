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
from collections.abc import Iterator
from dataclasses import dataclass

from hanabi.errors import SolverError
from hanabi.game import Game
from hanabi.verdict import Status
from hanabi.winnable.arrays import Board
from hanabi.winnable.greedy import dive
from hanabi.winnable.last_round import comes_late
from hanabi.winnable.line import Line, line_of, replay
from hanabi.winnable.relaxation import labelled_answer, merged_answer
from hanabi.winnable.sat import solve as solve_by_sat
from hanabi.winnable.search import Found, Hunt

__all__ = ["Budget", "Outcome", "decide"]

ROUNDS = 12
SAT_SECONDS = 10.0
"""Wall-clock time of the first formula; a formula that takes longer gets more in later rounds."""
MOVES_A_SECOND = 300_000
"""Moves of a labelled relaxation that a slow or busy core makes; they cannot be interrupted."""
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
class Budget:
    """What the portfolio may use: time until a deadline, bytes, and rows of a table."""

    deadline: float | None
    memory: int
    rows: int

    @property
    def is_spent(self) -> bool:
        """Whether the deadline has come."""
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def moves(self, limit: int) -> int:
        """Return at most `limit` moves of a relaxation, fewer if time would not suffice."""
        if self.deadline is None:
            return limit
        left = max(self.deadline - time.perf_counter(), 0.0)
        return min(limit, int(left * MOVES_A_SECOND) + 1)


def decide(board: Board, game: Game, budget: Budget, trail: list[str]) -> Outcome:
    """Decide whether the goal of a board can be reached, as far as the budget goes."""
    tried = 0
    for outcome in _portfolio(board, game, budget):
        tried += outcome.tried
        trail.append(f"{outcome.method}: {outcome.reason}")
        if outcome.status is not Status.UNKNOWN:
            return Outcome(outcome.status, outcome.method, outcome.reason, tried, outcome.line)
        if budget.is_spent:
            return Outcome(Status.UNKNOWN, outcome.method, "the time is over", tried)
    return Outcome(Status.UNKNOWN, "portfolio", "no part of the portfolio decided", tried)


def _portfolio(board: Board, game: Game, budget: Budget) -> Iterator[Outcome]:
    """Yield the outcomes of ever more expensive attempts."""
    cards = board.position.rules.deck_size
    if board.position.drawn < cards:
        yield _merged(board)
        yield _searched(board, game, "greedy", dive(board))
        for labels in (2, 4, 6, 8):
            yield _labelled(board, labels, cards, budget.moves(20_000))
        yield _hunt(board, game, budget, 6, cards, 8, 2_000)
        yield _hunt(board, game, budget, 9, cards, 72, 1_000)
        for labels in (4, 6, 8):
            yield _labelled(board, labels, cards, budget.moves(300_000))
        most = 8_000_000 // board.position.rules.seats**2
        yield _labelled(board, len(board.bits), cards, budget.moves(most))
        yield _satisfied(board, game, budget, SAT_SECONDS)
    effort = 2_400
    for number in range(ROUNDS):
        if board.position.drawn < cards:
            yield _hunt(board, game, budget, 9, cards, effort, 1_000)
            for labels, turns in ((9, 8), (12, 0), (12, 12)):
                start = max(cards - turns, 0)
                yield _hunt(board, game, budget, labels, start, effort // 48, 1_000)
            for labels in (8, 12, len(board.bits)):
                yield _labelled(board, labels, cards, budget.moves(effort * 300))
            for turns in (6, 10, 16):
                yield _labelled(board, 8, max(cards - turns, 0), budget.moves(effort * 300))
        yield _hunt(board, game, budget, 0, cards, 4, effort * 30)
        if board.position.drawn < cards:
            yield _satisfied(board, game, budget, SAT_SECONDS * 2 ** (number + 1))
        effort *= 2


def _merged(board: Board) -> Outcome:
    from hanabi.winnable.kernels.words import LOST

    if merged_answer(board) == LOST:
        reason = "even one hand of all seats' size, with unlimited hints, cannot reach it"
        return Outcome(Status.UNWINNABLE, "merged hands", reason, 1)
    return Outcome(Status.UNKNOWN, "merged hands", "no refutation", 1)


def _labelled(board: Board, labels: int, turns_from: int, limit: int) -> Outcome:
    from hanabi.winnable.kernels.words import LOST

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
    budget: Budget,
    labels: int,
    turns_from: int,
    attempts: int,
    moves: int,
) -> Outcome:
    """Search a few times, guided by a labelled relaxation if `labels` is not 0."""
    from hanabi.winnable.kernels.words import UNKNOWN

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


def _satisfied(board: Board, game: Game, budget: Budget, seconds: float) -> Outcome:
    if budget.deadline is not None:
        seconds = min(seconds, max(budget.deadline - time.perf_counter(), 0.0))
    verdict = solve_by_sat(game, board.goal, seconds=seconds, memory=budget.memory)
    return Outcome(verdict.status, verdict.method, verdict.reason, line=verdict.witness)


def _searched(board: Board, game: Game, method: str, found: Found) -> Outcome:
    from hanabi.winnable.kernels.words import LOST, WON

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
