"""`hanabi simulate` plays many games and reports the scores."""

from __future__ import annotations

import cProfile
import math
import pstats
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from hanabi.cli import options
from hanabi.cli.files import Form, check_outputs, form_of, write_result, written
from hanabi.cli.games import (
    carry_out,
    check_games,
    check_part,
    estimate_json,
    open_store,
    print_summary,
    reader,
    report_part,
    seat_players,
    with_terms,
)
from hanabi.cli.terminal import Screen, complain, print_json
from hanabi.errors import InvalidInputError, counted, quote
from hanabi.game import Game
from hanabi.game.config import DEFAULT_PRESET
from hanabi.lab import Job, Progress, Simulation, key_of
from hanabi.lab.stats import Estimate, Summary, find_worst, summarize
from hanabi.notation.links import link_note
from hanabi.players.arena import Scores, outcome_of
from hanabi.report.results import GAMES, describe_team, outcome_rows
from hanabi.session.game import find_link, pose_game
from hanabi.viewer.games import show_of_many
from hanabi.viewer.page import Show, page_of

__all__ = ["check_profiled", "print_profile", "profiling", "simulate_command"]

# A profile of players in Python.

_SHOWN = 15
_LONGEST_PLACE = 44


def check_profiled(executor: str | None, workers: int | None) -> None:
    """Refuse to profile games that other processes or threads play.

    >>> check_profiled("processes", None)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: --profile measures this process, not 'processes'
    """
    if executor not in (None, "serial"):
        raise InvalidInputError(f"--profile measures this process, not {quote(executor)}")
    if workers not in (None, 1):
        raise InvalidInputError(f"--profile measures this process, not {workers} workers")


@contextmanager
def profiling() -> Iterator[cProfile.Profile]:
    """Profile the calls in this block."""
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        yield profiler
    finally:
        profiler.disable()


def print_profile(screen: Screen, profiler: cProfile.Profile) -> None:
    """Write the functions that took the most time; compiled code counts as its caller's.

    Profiling slows every call, so that short functions seem longer than they are.
    """
    # The class fills this dictionary; its type is not declared.
    timed: dict[tuple[str, int, str], tuple[int, int, float, float, object]]
    timed = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    total = sum(own for _, _, own, _, _ in timed.values()) or 1.0
    first = sorted(timed.items(), key=lambda each: -each[1][2])[:_SHOWN]
    rows = [
        [_place(*where), f"{own / total:.0%}", f"{own:.2f}", f"{whole:.2f}", f"{calls:,}"]
        for where, (_, calls, own, whole, _) in first
    ]
    screen.line()
    screen.table(["where the time goes", "own", "s", "with calls", "calls"], rows)


def _place(file: str, line: int, name: str) -> str:
    """Return a function with the end of its path.

    >>> _place("bots/my_bot.py", 16, "act"), _place("~", 0, "<built-in method len>")
    ('my_bot.py:16 act', '<built-in method len>')
    """
    place = name if file == "~" else f"{Path(file).name}:{line} {name}"
    return place if len(place) <= _LONGEST_PLACE else f"{place[: _LONGEST_PLACE - 1]}…"


_BAR = 40
_MOST_WORST = 1_000
_MOST_IN_PAGE = 50
_ANY = "first-legal"


def simulate_command(
    *players: str,
    games: options.Games = 1_000,
    seats: options.Players = None,
    seed: options.Seed = None,
    rules: options.RuleSet = DEFAULT_PRESET,
    variant: options.TableVariant = None,
    repeat: Annotated[options.Count, Parameter(name="--repeat")] = 1,
    worst: options.Count = 0,
    profile: bool = False,
    part: options.Part = None,
    on_error: options.OnError = "stop",
    turn_time: options.TurnTime = None,
    store: options.StoreFile = None,
    workers: options.Workers = None,
    executor: options.Executor = None,
    output: options.Output = None,
    json: options.Json = False,
) -> int:
    """Play many games, and report the scores.

    Parameters
    ----------
    players
        One player for all seats, or one for each, such as rule-based:hint=3,play=0.6,
        endgame/information or ./my_bot.py:MyPlayer. "hanabi players" lists them.
    games
        Number of deals. Default: 1000.
    seats
        Players at the table. Default: 3, or as many as you name.
    repeat
        Play every deal this many times, each with other random decisions. Errors are then over
        deals. Default: 1.
    worst
        Also list this many games with the lowest scores: score, deal, replay link.
    profile
        Also list the functions that took the most time. The games are played in this process.
    output
        Write the result to this file: .json as --json prints it; .csv, .md or .parquet with a line
        for each game; .html with --worst, a page that steps through the worst games.
    """
    check_outputs([], {"--output": output}, store=store)
    form = form_of("--output", output, Form.JSON, Form.CSV, Form.MARKDOWN, Form.PARQUET, Form.HTML)
    if form is Form.HTML and not 0 < worst <= _MOST_IN_PAGE:
        raise InvalidInputError(
            f"--output {quote(output)}: a page is for --worst 1 to {_MOST_IN_PAGE} games"
        )
    check_games(games, repeat=repeat)
    if worst > _MOST_WORST:
        raise InvalidInputError(f"--worst {worst}: at most {_MOST_WORST:,} games are replayed")
    if profile:
        check_profiled(executor, workers)
        executor, workers = "serial", 1
    rules = options.rules_with(rules, variant)
    table = seat_players(players, seats, rules)
    check_part(part, store=store, seed=seed, worst=worst or None, profile=profile, output=output)
    seed = options.new_seed(seed)
    if worst and on_error == "forfeit":
        raise InvalidInputError("--worst: a forfeited game has no end to show; leave one out")
    team = with_terms(players, on_error, turn_time)
    works = [Simulation(team, table, seed, number) for number in range(repeat)]
    plan = [Job(work, games) for work in works]
    if part is not None:
        plan = [job.part(*part) for job in plan]
    command = (
        "simulate", *players, "-n", games, "--players", table.seats, "--seed", seed,
        "--rules", rules, "--repeat", repeat, *(("--worst", worst) if worst else ()),
        *(() if part is None else ("--part", "{}/{}".format(*part))),
        *(("--on-error", on_error) if on_error != "stop" else ()),
        *(() if turn_time is None else ("--turn-time", turn_time)),
        *(() if output is None else ("--output", output)),
    )  # fmt: skip
    with open_store(store) as kept:
        if profile:  # loads and compiles; players in Python play no game twice
            (works[0] if works[0].is_compiled else replace(works[0], players=(_ANY,))).run(0, 1)
        with profiling() if profile else nullcontext() as profiler:
            done = carry_out(
                plan, kept, workers=workers, executor=executor, command=command, is_timed=True
            )
        if part is not None:
            report_part(plan, part, store, json=json)
            return 0
        read = reader(kept, games)
        runs = [read(work) for work in works]
        summary = summarize(runs, table)
    replays = [
        _replay(works[number], deal, int(runs[number][deal]))
        for deal, number in find_worst(runs, table, worst)
    ]
    about = {"players": list(players), "seats": table.seats, "rules": rules, "seed": seed}
    listed = {"worst": [each.document() for each in replays]} if worst else {}
    document = _document(summary, done) | about | listed
    try:
        if output is not None and form is Form.HTML:
            with written(output) as file:
                file.write(page_of(_show(replays, f"The worst games of {', '.join(players)}")))
        elif output is not None:
            rows = chain.from_iterable(
                outcome_rows([key_of(work), describe_team(players), seed, work.repeat], run[:games])
                for work, run in zip(works, runs, strict=True)
            )
            write_result(output, form, document, GAMES, rows)
    finally:  # a full disk must not lose hours of games
        if json:
            print_json(document)
        else:
            where = f"{counted(table.seats, 'player')}, {rules} rules, seed {seed}"
            title = f"{', '.join(players)}; {where}"
            screen = Screen()
            _print(screen, summary, title, done)
            if profiler is not None:
                print_profile(screen, profiler)
            if replays:
                again = ("play", *players, "--players", table.seats, "--seed", seed)
                again += ("--rules", rules)
                _print_worst(screen, replays, again, is_repeated=repeat > 1)
    return 0


@dataclass(frozen=True, slots=True)
class _Replay:
    """A game played again for a closer look; `link` is None if the site has no such game."""

    deal: int
    repeat: int
    end: Game
    link: str | None
    no_link: str

    def document(self) -> dict[str, object]:
        data = {"deal": self.deal, "repeat": self.repeat, "score": self.end.score}
        return data | {"ended": self.end.end_reason.name.lower(), "link": self.link}


def _show(replays: Sequence[_Replay], title: str) -> Show:
    """Return the games one after another, the worst first."""
    problems = [pose_game(each.end) for each in replays]
    titles = [
        f"Deal {each.deal}{f', repeat {each.repeat}' if each.repeat else ''}:"
        f" {counted(each.end.score, 'point')}"
        for each in replays
    ]
    return show_of_many([each.positions for each in problems], titles, title=title)


def _replay(work: Simulation, deal: int, outcome: int) -> _Replay:
    end = work.play(deal)
    if outcome_of(end) != outcome:
        complain(
            f"note: deal {deal} ended otherwise when it was played again: some player's decisions"
            " depend on more than what it sees and draws from rng"
        )
    return _Replay(deal, work.repeat, end, *find_link(pose_game(end)))


def _document(summary: Summary, done: Progress) -> dict[str, object]:
    scored = _scoring(summary.score, summary.scores)
    return {
        "games": summary.games,
        "mean": scored["mean"],
        "standard_error": scored["standard_error"],
        "perfect": summary.scores.perfect,
        "bombed": summary.tally.n_bombed,
        "histogram": scored["histogram"],
        "games_per_second": round(done.rate, 3) if done.fresh else None,
        "confidence_interval": scored["confidence_interval"],
        "deals": summary.deals,
        "kept": _scoring(summary.kept, summary.tally.kept),
        "zeroed": _scoring(summary.zeroed, summary.tally.zeroed),
    }


def _scoring(score: Estimate, scores: Scores) -> dict[str, object]:
    return estimate_json("mean", score) | {"histogram": list(scores.histogram)}


def _print(screen: Screen, summary: Summary, title: str, done: Progress) -> None:
    screen.entry("", title)
    screen.line()
    print_summary(screen, summary)
    if done.fresh:
        screen.entry("speed", f"{done.shown_rate} games a second")
    screen.line()
    screen.line("score  games")
    most = max(summary.scores.histogram)
    for score, n in enumerate(summary.scores.histogram):
        if n:
            screen.line(f"{score:5}  {n:<10,} {'#' * math.ceil(_BAR * n / most)}")


def _print_worst(
    screen: Screen, replays: Sequence[_Replay], command: Sequence[object], *, is_repeated: bool
) -> None:
    screen.line()
    screen.line(f"score  {'deal':<10}{'repeat  ' if is_repeated else ''}the lowest scores")
    for each in replays:
        again = f"{each.repeat:<8}" if is_repeated else ""
        link = (each.link, "cyan") if each.link else f"no link: {each.no_link}"
        screen.line(f"{each.end.score:5}  {each.deal:<10}{again}", link)
    if note := link_note(replays[0].link):
        screen.entry("", note)
    first = replays[0]
    which = ["--deal", first.deal, *(["--repeat", first.repeat] if is_repeated else []), "--show"]
    screen.line()
    screen.line("to see the first: " + shlex.join(["hanabi", *map(str, [*command, *which])]))
