"""`hanabi simulate` lets players play many games."""

from __future__ import annotations

import json as json_module
import math
import sys
from typing import Annotated

from cyclopts import Parameter

from hanabi.cli.arguments import Count
from hanabi.cli.laboratory import (
    Executor,
    Games,
    Workers,
    carry_out,
    check_games,
    new_seed,
    open_store,
    parse_rules,
    print_summary,
    reader,
)
from hanabi.cli.terminal import Screen
from hanabi.errors import InvalidInputError
from hanabi.game.rules_json import DEFAULT_PRESET
from hanabi.lab import Job, Simulation
from hanabi.lab import Progress as Fraction
from hanabi.lab.stats import Estimate, Summary, summarize
from hanabi.players.tally import Scores

__all__ = ["simulate_command"]

_SEATS = 3
_BAR = 40


def simulate_command(
    *players: str,
    games: Games = 1_000,
    seats: Count | None = None,
    seed: Count | None = None,
    rules: str = DEFAULT_PRESET,
    repeat: Annotated[Count, Parameter(name="--repeat")] = 1,
    store: str | None = None,
    workers: Workers = None,
    executor: Executor = None,
    json: bool = False,
) -> int:
    """Let players play many games.

    Parameters
    ----------
    players
        One for all seats, or one for each seat, by name with parameters, as in
        rule-based:hint=3,play=0.6.
    games
        How many deals, by default 1000.
    seats
        Players at the table; by default 3, or as many as are named.
    seed
        The same seed gives the same games; by default a random one, printed.
    rules
        official, multicolor, bergh2016, hanab_live (the default), hle, or a JSON object.
    repeat
        Play every deal so many times, each time with other random decisions; by default once.
    store
        A file that keeps finished games; what it has is not played again.
    workers
        Threads or processes, by default one for each core.
    executor
        serial, threads, processes or dask://host:port; by default what suits the players.
    json
        Print one JSON document.
    """
    if not players:
        raise InvalidInputError(
            "name a player, or one for each seat; as in: hanabi simulate random"
        )
    check_games(games, repeat=repeat)
    if seats is None:
        seats = len(players) if len(players) > 1 else _SEATS
    table = parse_rules(rules, seats)
    seed = new_seed(seed)
    works = [Simulation(players, table, seed, number) for number in range(repeat)]
    plan = [Job(work, games) for work in works]
    command = (
        "simulate", *players, "-n", games, "--seats", seats, "--seed", seed,
        "--rules", rules, "--repeat", repeat,
    )  # fmt: skip
    with open_store(store) as kept:
        done = carry_out(
            plan, kept, workers=workers, executor=executor, command=command, is_timed=True
        )
        read = reader(kept, games)
        summary = summarize([read(work) for work in works], table)
    if json:
        about = {"players": list(players), "seats": seats, "rules": rules, "seed": seed}
        sys.stdout.write(json_module.dumps(_document(summary, done) | about) + "\n")
    else:
        title = f"{', '.join(players)}; {seats} seats, {rules} rules, seed {seed}"
        _print(summary, title, done)
    return 0


def _document(summary: Summary, done: Fraction) -> dict[str, object]:
    scores, score = summary.scores, summary.score
    return {
        "games": summary.games,
        "mean": score.value,
        "standard_error": _number(score.standard_error),
        "perfect": scores.perfect,
        "bombed": summary.tally.n_bombed,
        "histogram": list(scores.histogram),
        "games_per_second": round(done.rate, 1) if done.fresh else None,
        "confidence_interval": _interval(score),
        "deals": summary.deals,
        "kept": _scoring(summary.kept, summary.tally.kept),
        "zeroed": _scoring(summary.zeroed, summary.tally.zeroed),
    }


def _scoring(score: Estimate, scores: Scores) -> dict[str, object]:
    return {
        "mean": score.value,
        "standard_error": _number(score.standard_error),
        "confidence_interval": _interval(score),
        "histogram": list(scores.histogram),
    }


def _interval(score: Estimate) -> list[float] | None:
    return None if math.isnan(score.low) else [score.low, score.high]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _print(summary: Summary, title: str, done: Fraction) -> None:
    screen = Screen()
    screen.entry("", title)
    screen.line()
    print_summary(screen, summary)
    if done.fresh:
        screen.entry("speed", f"{done.rate:,.0f} games a second")
    screen.line()
    screen.line("score  games")
    most = max(summary.scores.histogram)
    for score, n in enumerate(summary.scores.histogram):
        if n:
            screen.line(f"{score:5}  {n:<10,} {'#' * math.ceil(_BAR * n / most)}")
