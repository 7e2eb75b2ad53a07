"""The full game with all cards face up, decided by SAT solvers in child processes.

The position becomes a formula (:mod:`hanabi.winnable.encoding`), and CaDiCaL and Glucose race for
an answer. A model is decoded to a line, which is replayed by the rules. For a goal that cannot be
reached, :func:`certify` returns the formula with a proof for any DRAT checker.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TextIO

from hanabi.clock import NO_LIMIT, Clock
from hanabi.errors import BudgetEndedError, SolverError
from hanabi.game import Action, Game
from hanabi.game.replay import find_action
from hanabi.notation import RecordedAction
from hanabi.sat import Cnf, Engine, Satisfiability, dimacs, race
from hanabi.verdict import Status, Verdict
from hanabi.winnable.encoding import Act, GameEncoding, encode
from hanabi.winnable.images import only_image
from hanabi.winnable.position import Goal, Line, Position, highest_goal, replay

__all__ = ["GameCertificate", "certify", "encode", "line_of_acts", "solve", "write_dimacs"]

ENGINES = (
    Engine("glucose42"),
    Engine("cadical195"),
    Engine("cadical195", {"seed": 1, "phase": 0}),
    Engine("glucose4"),
)
"""The racing solvers, in starting order; as many run at once as there are workers."""

_MEANING = {
    Satisfiability.SATISFIABLE: (Status.WINNABLE, "a line, replayed: "),
    Satisfiability.UNSATISFIABLE: (Status.UNWINNABLE, "no line exists: "),
    Satisfiability.UNKNOWN: (Status.UNKNOWN, ""),
}


@dataclass(frozen=True, slots=True, eq=False)
class GameCertificate:
    """A verdict on one goal with its formula and, if unwinnable, a proof."""

    verdict: Verdict[Line]
    encoding: GameEncoding
    proof: str | None = field(default=None, repr=False)
    """A DRAT proof that the formula is unsatisfiable, one step per line."""

    @property
    def cnf(self) -> Cnf:
        """The formula."""
        return self.encoding.cnf


def solve(
    game: Game,
    goal: Goal | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    workers: int = 2,
) -> Verdict[Line]:
    """Decide whether a goal can be reached from a game's present position.

    Parameters
    ----------
    game, goal
        As for `hanabi.winnable.encoding.encode`; the default goal is complete piles.
    seconds
        Wall-clock budget, encoding included.
    memory
        Limit on each solver's address space, in bytes.
    workers
        Number of solvers running at once.

    Returns
    -------
    Verdict
        WINNABLE with a replayed line, UNWINNABLE, or UNKNOWN if a budget runs out.

    Raises
    ------
    InvalidInputError
        If the game is over and not won, or the goal is not valid.
    SolverError
        If the rules are not supported.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((2, 1, 1),)), seats=2, hand_size=1)
    >>> print(solve(Game.start(rules, [(0, 2), (0, 1), (0, 1), (0, 3)])).status)
    winnable
    """
    clock = Clock(seconds)
    try:
        return _solve(game, goal, ENGINES, clock, memory, workers, proof=False).verdict
    except BudgetEndedError:
        reason = "the time budget ended while the formula was written"
        most, spent = game.rules.max_score, clock.elapsed
        return Verdict(Status.UNKNOWN, "sat", reason, lower=0, upper=most, seconds=spent)


def certify(
    game: Game,
    goal: Goal | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    solver: str = "cadical195",
) -> GameCertificate:
    """Decide as :func:`solve` does, with one solver; if the goal is out of reach, prove it.

    The proof is about the formula, whose two reductions :mod:`hanabi.winnable.encoding` proves. The
    solver must be able to write proofs (`cadical195`, `glucose4`, `lingeling`, ...). Raises
    BudgetEndedError if the time is over before the formula is written.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1)
    >>> certificate = certify(Game.start(rules, [(0, 3), (0, 1), (0, 2)]))
    >>> print(certificate.verdict.status, certificate.proof[-2:])
    unwinnable
    0
    """
    return _solve(game, goal, [Engine(solver)], Clock(seconds), memory, 1, proof=True)


def write_dimacs(game: Game, file: TextIO, goal: Goal | None = None) -> None:
    """Write the formula of a goal in DIMACS format, with comments on its variables.

    The comments explain only the variables for which card leaves its hand at which act.

    >>> import io
    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules, file = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1), io.StringIO()
    >>> write_dimacs(Game.start(rules, [(0, 1), (0, 2)]), file)
    >>> for line in file.getvalue().splitlines()[:2]:
    ...     print(line)
    c satisfiable exactly if the piles (2,) can be reached
    c 11: act 1 takes card 0, r1
    """
    image = only_image(game)
    encoding = _encode(image.game, goal)
    dimacs.write(encoding.cnf, file, encoding.comments())


def line_of_acts(game: Game, acts: Iterable[Act]) -> Line:
    """Return the actions for some acts; each hint is the first legal one."""
    line: list[Action] = []
    for act in acts:
        for _ in range(act.hints):
            hint = next((action for action in game.legal_actions if action.is_hint), None)
            if hint is None:
                raise SolverError(f"turn {game.turn}: no hint can be given")
            line.append(hint)
            game = game.apply(hint)
        action = find_action(game, RecordedAction(int(act.is_discard), act.card))
        line.append(action)
        game = game.apply(action)
    return tuple(line)


def _encode(game: Game, goal: Goal | None, clock: Clock = NO_LIMIT) -> GameEncoding:
    goal = highest_goal(game.rules) if goal is None else goal
    return encode(Position.of_game(game), goal, clock)


def _solve(
    game: Game,
    goal: Goal | None,
    engines: Iterable[Engine],
    clock: Clock,
    memory: int | None,
    workers: int,
    *,
    proof: bool,
) -> GameCertificate:
    image = only_image(game)
    encoding = _encode(image.game, goal, clock)
    answer = race(
        encoding.cnf, list(engines), workers=workers, seconds=clock.left, memory=memory, proof=proof
    )
    line = None
    if answer.model is not None:
        line_there = line_of_acts(image.game, encoding.decode(answer.model))
        if replay(image.game, line_there).piles != encoding.goal:
            raise SolverError(f"a model's line does not reach {encoding.goal}")
        line = image.lift(line_there, sum(encoding.goal))
        if line is None:
            raise SolverError("a model's line gives hints that the variant does not allow")
    status, meaning = _MEANING[answer.status]
    effort = "" if answer.conflicts is None else f", {answer.conflicts} conflicts"
    size = f"{encoding.cnf.n_vars} variables, {encoding.cnf.n_clauses} clauses"
    points, most = sum(encoding.goal), game.rules.max_score
    verdict = Verdict(
        status,
        "sat",
        f"{meaning}{answer.reason} ({size}{effort})",
        witness=line,
        lower=points if status is Status.WINNABLE else encoding.position.score,
        upper=most - 1 if status is Status.UNWINNABLE and points == most else most,
        seconds=clock.elapsed,
    )
    return GameCertificate(verdict, encoding, answer.proof)
