"""`hanabi simulate` lets players play many games."""

from __future__ import annotations

import math
from typing import Annotated

from cyclopts import Parameter

from hanabi.cli.input import options
from hanabi.cli.output.terminal import Screen, print_json
from hanabi.cli.work.games import (
    carry_out,
    check_games,
    estimate_json,
    open_store,
    print_summary,
    reader,
)
from hanabi.errors import InvalidInputError
from hanabi.game.rules_json import DEFAULT_PRESET
from hanabi.lab import Job, Progress, Simulation
from hanabi.lab.stats import Estimate, Summary, summarize
from hanabi.players.tally import Scores
from hanabi.session.tables import default_seats, parse_rules

__all__ = ["simulate_command"]

_BAR = 40


def simulate_command(
    *players: str,
    games: options.Games = 1_000,
    seats: options.Count | None = None,
    seed: options.Seed = None,
    rules: options.RuleSet = DEFAULT_PRESET,
    repeat: Annotated[options.Count, Parameter(name="--repeat")] = 1,
    store: options.StoreFile = None,
    workers: options.Workers = None,
    executor: options.Executor = None,
    json: options.Json = False,
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
    repeat
        Play every deal so many times, each time with other random decisions; by default once.
    """
    if not players:
        raise InvalidInputError(
            "name a player, or one for each seat; as in: hanabi simulate random"
        )
    check_games(games, repeat=repeat)
    seats = default_seats(len(players)) if seats is None else seats
    table = parse_rules(rules, seats)
    seed = options.new_seed(seed)
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
        print_json(_document(summary, done) | about)
    else:
        title = f"{', '.join(players)}; {seats} seats, {rules} rules, seed {seed}"
        _print(summary, title, done)
    return 0


def _document(summary: Summary, done: Progress) -> dict[str, object]:
    scored = _scoring(summary.score, summary.scores)
    return {
        "games": summary.games,
        "mean": scored["mean"],
        "standard_error": scored["standard_error"],
        "perfect": summary.scores.perfect,
        "bombed": summary.tally.n_bombed,
        "histogram": scored["histogram"],
        "games_per_second": round(done.rate, 1) if done.fresh else None,
        "confidence_interval": scored["confidence_interval"],
        "deals": summary.deals,
        "kept": _scoring(summary.kept, summary.tally.kept),
        "zeroed": _scoring(summary.zeroed, summary.tally.zeroed),
    }


def _scoring(score: Estimate, scores: Scores) -> dict[str, object]:
    return estimate_json("mean", score) | {"histogram": list(scores.histogram)}


def _print(summary: Summary, title: str, done: Progress) -> None:
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
