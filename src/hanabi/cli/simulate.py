"""`hanabi simulate` lets a player play many games."""

from __future__ import annotations

import json as json_module
import math
import secrets
import sys
import time
from typing import Annotated

from cyclopts import Parameter

from hanabi.cli.arguments import Count
from hanabi.cli.rules import DEFAULT_PRESET
from hanabi.cli.terminal import Progress, Screen
from hanabi.errors import InvalidInputError, quote
from hanabi.game import PRESETS, Rules
from hanabi.players import Player, Tally, parse_player, simulate

__all__ = ["simulate_command"]

_SEEDS = 10**9
_BAR = 40
_PART_SECONDS = 0.5


def simulate_command(
    player: str,
    /,
    *,
    games: Annotated[Count, Parameter(name=("-n", "--games"))] = 1_000,
    seats: Count = 3,
    seed: Count | None = None,
    rules: str = DEFAULT_PRESET,
    json: bool = False,
) -> int:
    """Let a player, seated everywhere, play many games.

    Parameters
    ----------
    player
        first-legal, random or rule-based, with parameters as in rule-based:hint=3,play=0.6.
    games
        How many games, by default 1000.
    seats
        Players at the table, by default 3.
    seed
        The same seed gives the same games; by default a random one, printed.
    rules
        official, multicolor, bergh2016, hanab_live (the default) or hle.
    json
        Print one JSON document.
    """
    agent = parse_player(player)
    if rules not in PRESETS:
        raise InvalidInputError(
            f"rules: {quote(rules)} is not a rule set; there are {', '.join(PRESETS)}"
        )
    if not games:
        raise InvalidInputError("-n: at least one game")
    table = PRESETS[rules](seats)
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    with Progress() as progress:
        simulate(agent, table, 1, seed=seed)  # compiles, which is not to be timed
        start = time.perf_counter()
        tally = _play(agent, table, games, seed, progress)
        seconds = time.perf_counter() - start
    if json:
        sys.stdout.write(json_module.dumps(_document(tally, table, seed, seconds)) + "\n")
    else:
        _print(tally, table, f"{player}, {seats} seats, {rules} rules, seed {seed}", seconds)
    return 0


def _play(agent: Player, rules: Rules, games: int, seed: int, progress: Progress) -> Tally:
    """Play in parts of about half a second, so that it can be interrupted and watched."""
    tally = simulate(agent, rules, 0, seed=seed)
    part = 1
    while tally.games < games:
        start = time.perf_counter()
        n = min(part, games - tally.games)
        tally += simulate(agent, rules, n, seed=seed, first=tally.games)
        progress(
            f"{tally.games:,} of {games:,} games, {tally.scored(rules).mean:.2f} points on average"
        )
        if time.perf_counter() - start < _PART_SECONDS:
            part *= 2
    return tally


def _document(tally: Tally, rules: Rules, seed: int, seconds: float) -> dict[str, object]:
    scores = tally.scored(rules)
    error = scores.standard_error
    return {
        "games": tally.games,
        "mean": scores.mean,
        "standard_error": None if math.isnan(error) else error,
        "perfect": scores.perfect,
        "bombed": tally.n_bombed,
        "histogram": list(scores.histogram),
        "games_per_second": round(tally.games / seconds, 1),
        "seed": seed,
    }


def _print(tally: Tally, rules: Rules, title: str, seconds: float) -> None:
    screen = Screen()
    screen.line(title)
    screen.line()
    scores = tally.scored(rules)
    error = "" if math.isnan(scores.standard_error) else f" +- {scores.standard_error:.3f}"
    screen.entry("mean", f"{scores.mean:.3f}{error}")
    for label, count in (("perfect", scores.perfect), ("bombed", tally.n_bombed)):
        screen.entry(label, f"{count:,} of {tally.games:,} games, {count / tally.games:.2%}")
    screen.entry("speed", f"{tally.games / seconds:,.0f} games a second")
    screen.line()
    screen.line("score  games")
    most = max(scores.histogram)
    for score, n in enumerate(scores.histogram):
        if n:
            screen.line(f"{score:5}  {n:<10,} {'#' * math.ceil(_BAR * n / most)}")
