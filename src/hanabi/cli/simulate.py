"""`hanabi simulate` plays many games and reports the scores."""

from __future__ import annotations

import cProfile
import math
import pstats
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from hanabi.cli import options
from hanabi.cli.files import Form, check_outputs, form_of, write_result, written
from hanabi.cli.games import (
    MOST_DEALS,
    carry_out,
    check_games,
    check_games_out,
    check_part,
    count_forfeited,
    estimate_json,
    gain_json,
    open_store,
    print_forfeited,
    print_gain,
    print_summary,
    reader,
    report_part,
    seat_players,
    with_terms,
    write_games,
)
from hanabi.cli.terminal import Screen, complain, print_json
from hanabi.errors import InvalidInputError, counted, naming, quote
from hanabi.game import Game, Rules
from hanabi.game.config import DEFAULT_PRESET
from hanabi.lab import Job, Progress, Simulation, Store, key_of
from hanabi.lab.recorded import ORDERS, Gain, Gains, Recorded, summarize_gains
from hanabi.lab.stats import Estimate, Summary, deals_needed, find_worst, summarize
from hanabi.lab.tournament import Goal, clear_at
from hanabi.notation.links import link_note
from hanabi.players import Player
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
_GAMES = 1_000


def simulate_command(
    *players: str,
    games: Annotated[options.Count | None, Parameter(name=("-n", "--games"))] = None,
    seats: options.Players = None,
    seed: options.Seed = None,
    rules: options.RuleSet = DEFAULT_PRESET,
    variant: options.TableVariant = None,
    repeat: Annotated[options.Count, Parameter(name="--repeat")] = 1,
    worst: options.Count = 0,
    profile: bool = False,
    gain_over: str | None = None,
    orders: options.Count | None = None,
    until_error: options.UntilError = None,
    until_clear: bool = False,
    power: options.Difference = None,
    part: options.Part = None,
    games_out: options.GamesOut = None,
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
        Number of deals. Default: 1000. With --until-error or --until-clear, the most deals.
        Default: 100,000.
    seats
        Players at the table. Default: 3, or as many as you name.
    repeat
        Play every deal this many times, each with other random decisions. Errors are then over
        deals. Default: 1.
    worst
        Also list this many games with the lowest scores: score, deal, replay link.
    profile
        Also list the functions that took the most time. The games are played in this process.
    gain_over
        Also estimate the gain over this player, with most of the luck of the deck removed: it plays
        positions on, so it must be a compiled player, such as rule-based or convention.
    orders
        With --gain-over: orders of the deck, for each decision in which the players differ.
        Default: 100.
    until_clear
        With --gain-over: play 100, 200, 400, ... deals, and stop once the sign of the gain is
        decided (95 %, repeated looks included).
    output
        Write the result to this file: .json as --json prints it; .csv, .md or .parquet with a line
        for each game; .html with --worst, a page that steps through the worst games.
    """
    check_outputs([], {"--output": output, "--games-out": games_out}, store=store)
    form = form_of("--output", output, Form.JSON, Form.CSV, Form.MARKDOWN, Form.PARQUET, Form.HTML)
    if form is Form.HTML and not 0 < worst <= _MOST_IN_PAGE:
        raise InvalidInputError(
            f"--output {quote(output)}: a page is for --worst 1 to {_MOST_IN_PAGE} games"
        )
    if games is None:
        games = _GAMES if until_error is None and not until_clear else MOST_DEALS
    goal = Goal(games, until_error, until_clear)
    check_games(games, repeat=repeat)
    if worst > _MOST_WORST:
        raise InvalidInputError(f"--worst {worst}: at most {_MOST_WORST:,} games are replayed")
    if profile:
        check_profiled(executor, workers)
        executor, workers = "serial", 1
    if gain_over is None:
        options.refuse("goes with --gain-over", orders=orders, until_clear=until_clear)
    elif on_error == "forfeit":
        raise InvalidInputError("--gain-over: a forfeited game has no gain; leave one out")
    if power is not None:
        deals_needed(1.0, power)
    rules = options.rules_with(rules, variant)
    table = seat_players(players, seats, rules)
    check_games_out(games_out, table)
    check_part(
        part, store=store, seed=seed, worst=worst or None, profile=profile, output=output,
        until_error=until_error, until_clear=until_clear,
    )  # fmt: skip
    seed = options.new_seed(seed)
    if worst and on_error == "forfeit":
        raise InvalidInputError("--worst: a forfeited game has no end to show; leave one out")
    team = with_terms(players, on_error, turn_time)
    is_kept = games_out is not None or on_error == "forfeit"
    works = _works(team, table, seed, repeat, gain_over, orders, is_kept=is_kept)
    command = (
        "simulate", *players, "-n", games, "--players", table.seats, "--seed", seed,
        "--rules", rules, "--repeat", repeat, *(("--worst", worst) if worst else ()),
        *(() if gain_over is None else ("--gain-over", gain_over)),
        *(() if orders is None else ("--orders", orders)),
        *(() if until_error is None else ("--until-error", until_error)),
        *(("--until-clear",) if until_clear else ()),
        *(() if power is None else ("--power", power)),
        *(() if part is None else ("--part", "{}/{}".format(*part))),
        *(("--on-error", on_error) if on_error != "stop" else ()),
        *(() if turn_time is None else ("--turn-time", turn_time)),
        *(() if games_out is None else ("--games-out", games_out)),
        *(() if output is None else ("--output", output)),
    )  # fmt: skip
    with open_store(store) as kept:
        if profile:  # loads and compiles; players in Python play no game twice
            (works[0] if works[0].is_compiled else replace(works[0], players=(_ANY,))).run(0, 1)
        deals, look, is_clear = goal.first, 1, False
        with profiling() if profile else nullcontext() as profiler:
            while True:
                plan = [Job(work, deals) for work in works]
                if part is not None:
                    plan = [job.part(*part) for job in plan]
                done = carry_out(
                    plan, kept, workers=workers, executor=executor, command=command, is_timed=True
                )
                if part is not None:
                    if games_out is not None:
                        write_games(games_out, kept, plan)
                    report_part(plan, part, store, is_json=json)
                    return 0
                read = reader(kept, deals)
                runs = [read(work) for work in works]
                summary, gain = summarize(runs, table), _gain(works, kept, deals)
                (is_clear,) = [False] if gain is None else clear_at(look, [gain.points])
                known = summary.score if gain is None else gain.points
                following = goal.after(deals, [known.standard_error], is_clear=is_clear)
                if following is None:
                    break
                deals, look = following, look + 1
        replays = [
            _replay(works[number], deal, int(runs[number][deal]))
            for deal, number in find_worst(runs, table, worst)
        ]
        measured: dict[str, object] = {}
        forfeited = count_forfeited(works, kept, deals)
        if on_error == "forfeit":
            measured["forfeited"] = forfeited
        if gain is not None:
            measured["gain"] = gain_json(str(gain_over), gain)
        if until_clear:
            measured["clear"] = is_clear
        if power is not None:
            measured["power"] = {"difference": power, **_power(power, summary, gain)}
        about = {"players": list(players), "seats": table.seats, "rules": rules, "seed": seed}
        listed = {"worst": [each.document() for each in replays]} if worst else {}
        document = _document(summary, done) | measured | about | listed
        try:
            if games_out is not None:
                write_games(games_out, kept, plan)
            if output is not None and form is Form.HTML:
                with written(output) as file:
                    file.write(page_of(_show(replays, f"The worst games of {', '.join(players)}")))
            elif output is not None:
                rows = chain.from_iterable(
                    outcome_rows(
                        [key_of(work), describe_team(players), seed, work.repeat], run[:games]
                    )
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
                _print(screen, summary, title, done, forfeited)
                if gain is not None:
                    screen.line()
                    print_gain(screen, str(gain_over), gain)
                if until_clear:
                    screen.entry(
                        "its sign", f"{'' if is_clear else 'not '}clear after {deals:,} deals"
                    )
                if power is not None:
                    _print_power(screen, power, _power(power, summary, gain))
                if profiler is not None:
                    print_profile(screen, profiler)
                if replays:
                    again = ("play", *players, "--players", table.seats, "--seed", seed)
                    again += ("--rules", rules)
                    _print_worst(screen, replays, again, is_repeated=repeat > 1)
    return 0


def _works(
    team: tuple[str | Player, ...],
    table: Rules,
    seed: int,
    repeats: int,
    gain_over: str | None,
    orders: int | None,
    *,
    is_kept: bool,
) -> list[Simulation]:
    """Return the work of each repeat, of the kind that keeps what is asked for."""
    if gain_over is not None:
        orders = ORDERS if orders is None else orders
        with naming("--gain-over"):
            return [
                Gains(team, table, seed, number, baseline=gain_over, orders=orders)
                for number in range(repeats)
            ]
    kind = Recorded if is_kept else Simulation
    return [kind(team, table, seed, number) for number in range(repeats)]


# Gains over another player, and how many deals a difference needs.


def _gain(works: Sequence[Simulation], store: Store, deals: int) -> Gain | None:
    """Return the gain over the baseline, if there is one."""
    runs = [
        (work, store.payload(key_of(work), deals, width=work.width))
        for work in works
        if isinstance(work, Gains)
    ]
    return summarize_gains(runs) if runs else None


def _power(difference: float, summary: Summary, gain: Gain | None) -> dict[str, int]:
    """Return how many deals show a difference of this size, for each way to measure it."""
    root = math.sqrt(summary.deals)
    # Two such players on different deals: the variances add up.
    deviations = {"apart": math.sqrt(2) * summary.score.standard_error * root}
    if gain is not None:
        deviations["paired"] = gain.plain.difference.standard_error * root
        deviations["gain"] = gain.points.standard_error * root
    return {
        name: deals_needed(deviation, difference)
        for name, deviation in deviations.items()
        if not math.isnan(deviation)
    }


def _print_power(screen: Screen, difference: float, needed: Mapping[str, int]) -> None:
    ways = {
        "apart": "deals for each of two players on different deals",
        "paired": "by scores on the same deals",
        "gain": "with luck removed",
    }
    told = ", ".join(f"{deals:,} {ways[way]}" for way, deals in needed.items())
    screen.entry("to show", f"a difference of {difference:g}: {told or 'one deal shows no spread'}")


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


def _print(screen: Screen, summary: Summary, title: str, done: Progress, forfeited: int) -> None:
    screen.entry("", title)
    screen.line()
    print_summary(screen, summary)
    print_forfeited(screen, forfeited, summary.games)
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
