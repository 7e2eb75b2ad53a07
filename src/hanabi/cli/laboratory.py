"""What commands that play many games share: options, the run itself, what an interrupt says."""

from __future__ import annotations

import math
import secrets
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hanabi.cli.arguments import Count
from hanabi.cli.terminal import Progress, Screen, complain
from hanabi.errors import InvalidInputError, counted, quote
from hanabi.game import Rules
from hanabi.game.rules_json import choose_rules
from hanabi.lab import (
    Job,
    Simulation,
    Store,
    default_executor,
    key_of,
    open_executor,
    run,
    unfinished,
)
from hanabi.lab import Progress as Fraction
from hanabi.lab.database import MEMORY
from hanabi.lab.stats import Summary, wilson
from hanabi.notation.strict_json import load

if TYPE_CHECKING:
    from hanabi.lab.stats import Outcomes

__all__ = [
    "Executor",
    "Games",
    "Workers",
    "carry_out",
    "check_games",
    "new_seed",
    "open_store",
    "parse_rules",
    "print_summary",
    "reader",
]

_SEEDS = 10**9
_MOST_NOTES = 5
_MOST_GAMES = 100_000_000
_MOST_RUNS = 100_000

Games = Annotated[Count, Parameter(name=("-n", "--games"))]
"""The number of games, or of deals."""

Workers = Annotated[Count | None, Parameter(name=("--workers", "-j"))]
"""How many threads or processes."""

Executor = Annotated[str | None, Parameter(name="--executor")]
"""Who works, as `hanabi.lab.open_executor` reads it."""


def new_seed(seed: int | None) -> int:
    """Return the seed that was asked for, or a random one, short enough to be typed.

    >>> new_seed(7)
    7
    """
    return secrets.randbelow(_SEEDS) if seed is None else seed


def parse_rules(text: str, seats: int) -> Rules:
    """Return the rule set that is named, or described by a JSON object as in inputs of decks.

    >>> parse_rules('{"preset": "hle", "hints": 3}', 2).hints
    3
    """
    return choose_rules(load(text) if text.lstrip().startswith("{") else text, seats)


def carry_out(
    plan: Sequence[Job],
    store: Store,
    *,
    workers: int | None,
    executor: str | None,
    command: Sequence[object],
    is_timed: bool = False,
) -> Fraction:
    """Do what the store has not yet, showing how far it is, and return how far that is.

    Parameters
    ----------
    plan
        What is to be done.
    store
        Where the results go.
    workers, executor
        As `open_executor` takes them; by default what suits the plan.
    command
        The words of the command that does the same again.
    is_timed
        Whether to compile first, so that the time it takes is that of the games.

    Raises
    ------
    KeyboardInterrupt
        When interrupted, after saying what is kept and how to go on.
    """
    state = [Fraction(0, 0, 0, 0.0)]
    with Progress() as progress:

        def tell(fraction: Fraction) -> None:
            state[0] = fraction
            progress(str(fraction))

        try:
            with open_executor(executor or default_executor(plan), workers) as pool:
                # A wrong address is told before the compiler starts.
                if is_timed and unfinished(plan, store):
                    plan[0].work.run(0, 1)
                run(plan, store, executor=pool, progress=tell)
        except KeyboardInterrupt:
            _say_what_is_kept(plan, store, command)
            raise
    return state[0]


def _say_what_is_kept(plan: Sequence[Job], store: Store, command: Sequence[object]) -> None:
    if store.path is None:
        complain(f"nothing is kept; with --store FILE finished {plan[0].work.noun} are")
        return
    total = sum(job.items for job in plan)
    with suppress(Exception):
        done = total - unfinished(plan, store)
        noun = plan[0].work.noun
        complain(f"{done:,} of {total:,} {noun} are kept in {store.path}; to go on:")
    words = ["hanabi", *map(str, command), "--store", str(store.path)]
    complain(shlex.join(words))


def open_store(path: str | None, *, must_exist: bool = False) -> Store:
    """Return the store in a file, or one in memory; what is damaged in it is told.

    >>> open_store(None).works()
    []
    """
    if path is None:
        return Store.memory()
    if path == MEMORY:
        raise InvalidInputError(f"--store {quote(path)}: nothing would be kept; name a file")
    told: list[str] = []

    def note(message: str) -> None:
        told.append(message)
        if len(told) <= _MOST_NOTES:
            complain(f"note: {message}")
        elif len(told) == _MOST_NOTES + 1:
            complain("note: more of the store is damaged and left out")

    return Store(path, must_exist=must_exist, warn=note)


def reader(store: Store, items: int) -> Callable[[Simulation], Outcomes]:
    """Return what reads the outcomes of the first `items` games of a finished work.

    >>> reader(Store.memory(), 0)(Simulation(("random",), Rules.official(2), seed=1)).tolist()
    []
    """

    def read(work: Simulation) -> Outcomes:
        import numpy as np

        return np.frombuffer(store.payload(key_of(work), items), "<u2")

    return read


def check_games(deals: int, *, repeat: int = 1, teams: int = 1) -> None:
    """Refuse to play nothing, or more than this process can list and sum up.

    The outcomes of a run are two bytes a game in memory, and what is to be done is some hundred
    bytes for each repeat of each team.

    >>> check_games(10**18)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: 1,000,000,000,000,000,000 games in all; at most 100,000,000
    """
    if not deals:
        raise InvalidInputError("-n: at least one game")
    if not repeat:
        raise InvalidInputError("--repeat: at least once")
    runs = repeat * teams
    if runs > _MOST_RUNS:
        repeats = f"{counted(repeat, 'repeat')} of {counted(teams, 'team')}"
        raise InvalidInputError(f"{repeats}; at most {_MOST_RUNS:,} in all")
    if deals * runs > _MOST_GAMES:
        raise InvalidInputError(f"{deals * runs:,} games in all; at most {_MOST_GAMES:,}")


def print_summary(screen: Screen, summary: Summary) -> None:
    """Write how well a player scores, and how sure that is."""
    score, games = summary.score, summary.games
    error = "" if math.isnan(score.standard_error) else f" +- {score.standard_error:.3f}"
    interval = f" (95 %: {score.low:.3f} to {score.high:.3f})" if error else ""
    screen.entry("mean", f"{score.value:.3f}{error}{interval}")
    if summary.tally.n_bombed:
        kept, zeroed = f"{summary.kept.value:.3f}", f"{summary.zeroed.value:.3f}"
        screen.entry("both ways", f"{kept} if a bombed game keeps its points, {zeroed} if not")
    counts = (("perfect", summary.scores.perfect), ("bombed", summary.tally.n_bombed))
    for label, count in counts:
        text = f"{count:,} of {games:,} games, {count / games:.2%}"
        if summary.repeats == 1:  # games of one deal are not independent
            low, high = wilson(count, games)
            text += f" (95 %: {low:.2%} to {high:.2%})"
        screen.entry(label, text)
