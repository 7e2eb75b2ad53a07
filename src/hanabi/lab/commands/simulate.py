"""`hanabi simulate` plays many games and reports the scores."""

from __future__ import annotations

import cProfile
import math
import pstats
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from hanabi.ground import InvalidInputError, counted, naming, quote
from hanabi.lab.recorded import ORDERS, Gain, Gains, Recorded, summarize_gains
from hanabi.lab.report.results import GAMES, describe_team, outcome_rows
from hanabi.lab.runner import Progress
from hanabi.lab.stats import Estimate, Summary, deals_needed, find_worst, summarize
from hanabi.lab.store import Store
from hanabi.lab.tournament import clear_at
from hanabi.lab.work import Job, Simulation, key_of
from hanabi.players import Player, Scores, outcome_of
from hanabi.reviews import review_game
from hanabi.rules import Game, Rules, find_link, link_note, pose_game
from hanabi.shell import (
    MOST_OPENED,
    Form,
    GameList,
    Measurement,
    ProgressLine,
    Screen,
    carry_out,
    check_games,
    check_games_out,
    check_outputs,
    complain,
    count_forfeited,
    estimate_json,
    form_of,
    gain_json,
    open_store,
    opened_review,
    options,
    play_part,
    play_until,
    print_forfeited,
    print_gain,
    print_json,
    print_summary,
    reader,
    seat_players,
    with_terms,
    write_games,
    write_result,
    written,
)

if TYPE_CHECKING:
    from hanabi.ground import Cell
    from hanabi.lab.stats import Outcomes

__all__ = ["SimulateOptions", "check_profiled", "print_profile", "profiling", "simulate_command"]

# A profile of players in Python.

_SHOWN = 15
_LONGEST_PLACE = 44


def check_profiled(executor: str | None, workers: int | None) -> None:
    """Refuse to profile games that other processes or threads play.

    >>> check_profiled("processes", None)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: --profile measures this process, not 'processes'
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
_SECONDS = 10.0  # for a review, as of many games in "hanabi review"
_ANY = "first-legal"
_GAMES = 1_000


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SimulateOptions:
    """What `hanabi simulate` plays and prints beside the rest.

    Parameters
    ----------
    repeat
        Play every deal this many times, each with other random decisions. Errors are then over
        deals. Default: 1.
    worst
        Also list this many games with the lowest scores: score, deal, replay link.
    profile
        Also list the functions that took the most time. The games are played in this process.
    output
        Write the result to this file: .json as --json prints it; .csv, .md or .parquet with a line
        for each game; .html with --worst, a page of these games, reviewed: what each deck allowed,
        which moves lost points, and the games to step through.
    time
        With a page: seconds for the review of each game. Default: 10; 0 for no limit. If they do
        not suffice, the page says what is not decided.
    """

    repeat: options.Count = 1
    worst: options.Count = 0
    profile: bool = False
    output: options.Output = None
    time: options.Seconds | None = None
    json: options.Json = False


def simulate_command(
    *players: str,
    measure: Measurement = Measurement(),
    asked: SimulateOptions = SimulateOptions(),
    table: options.Table = options.Table(),
    run: options.Run = options.Run(),
) -> int:
    """Play many games, and report the scores.

    Parameters
    ----------
    players
        One player for all seats, or one for each, such as rule-based:hint=3,play=0.6,
        endgame/information or ./my_bot.py:MyPlayer. "hanabi players" lists them.
    measure.games
        Number of deals. Default: 1000. With --until-error or --until-clear, the most deals.
        Default: 100,000.
    measure.until_clear
        With --gain-over: play 100, 200, 400, ... deals, and stop once the sign of the gain is
        decided (95 %, repeated looks included).
    """
    form = _check(measure, asked, run)
    if asked.profile:
        run = replace(run, executor="serial", workers=1)
    rules = seat_players(players, table.seats, table.rule_set)
    check_games_out(measure.games_out, rules)
    others = {"worst": asked.worst or None, "profile": asked.profile, "output": asked.output}
    measure.check_part(table, run, **others)
    table = table.drawn()
    works = _works(
        with_terms(players, measure.on_error, table.turn_time), rules, table, measure, asked.repeat
    )
    again = options.typed("simulate", *players, groups=[measure, asked, table, run])
    goal = measure.goal(_GAMES)
    with open_store(run.store) as kept:
        play = partial(carry_out, store=kept, run=run, command=again, is_timed=True)
        if measure.part is not None:
            jobs = [Job(work, goal.first) for work in works]
            play_part(measure, measure.part, play, jobs, kept, is_json=asked.json)
            return 0
        if asked.profile:  # loads and compiles; players in Python play no game twice
            (works[0] if works[0].is_compiled else replace(works[0], players=(_ANY,))).run(0, 1)
        with profiling() if asked.profile else nullcontext() as profiler:
            look = partial(_look, works, kept, rules)
            deals, done, found = play_until(goal, play, works, look)
        replays = [
            _replay(works[number], deal, int(found.runs[number][deal]))
            for deal, number in find_worst(found.runs, rules, asked.worst)
        ]
        forfeited = count_forfeited(works, kept, deals)
        document = _document(measure, found, done, forfeited)
        document |= {"players": list(players), "seats": rules.seats, "rules": table.rule_set}
        document |= {"seed": table.seed}
        if asked.worst:
            document["worst"] = [each.document() for each in replays]
        try:
            if measure.games_out is not None:
                write_games(measure.games_out, kept, [Job(work, deals) for work in works])
            if asked.output is not None and form is Form.HTML:
                page = _page_of(replays, players, asked.time)
                with written(asked.output) as file:
                    file.write(page)
            elif asked.output is not None:
                write_result(asked.output, form, document, GAMES, _rows(players, works, found.runs))
        finally:  # a full disk must not lose hours of games
            if asked.json:
                print_json(document)
            else:
                where = f"{counted(rules.seats, 'player')}, {table.rule_set} rules"
                screen = Screen()
                screen.entry("", f"{', '.join(players)}; {where}, seed {table.seed}")
                _print(screen, measure, found, done, forfeited)
                if profiler is not None:
                    print_profile(screen, profiler)
                if replays:
                    again = options.typed("play", *players, groups=[table])
                    _print_worst(screen, replays, again, is_repeated=asked.repeat > 1)
    return 0


def _check(measure: Measurement, asked: SimulateOptions, run: options.Run) -> Form:
    """Refuse options that do not go together, and return the form of the output."""
    outputs = {"--output": asked.output, "--games-out": measure.games_out}
    check_outputs([], outputs, store=run.store)
    forms = Form.JSON, Form.CSV, Form.MARKDOWN, Form.PARQUET, Form.HTML
    form = form_of("--output", asked.output, *forms)
    if form is not Form.HTML:
        options.refuse(
            "is for the reviews of a page: give --worst and -o FILE.html", time=asked.time
        )
    elif not 0 < asked.worst <= MOST_OPENED:
        raise InvalidInputError(
            f"--output {quote(asked.output)}: a page is for --worst 1 to {MOST_OPENED} games"
        )
    check_games(measure.goal(_GAMES).most, repeat=asked.repeat)
    if asked.worst > _MOST_WORST:
        raise InvalidInputError(
            f"--worst {asked.worst}: at most {_MOST_WORST:,} games are replayed"
        )
    if asked.worst and measure.forfeits:
        raise InvalidInputError("--worst: a forfeited game has no end to show; leave one out")
    if asked.profile:
        check_profiled(run.executor, run.workers)
    if measure.gain_over is None:
        options.refuse("goes with --gain-over", until_clear=measure.until_clear)
    measure.check()
    return form


def _works(
    team: tuple[str | Player, ...],
    rules: Rules,
    table: options.Table,
    measure: Measurement,
    repeats: int,
) -> list[Simulation]:
    """Return the work of each repeat, of the kind that keeps what is asked for."""
    seed = options.new_seed(table.seed)
    if measure.gain_over is not None:
        orders = ORDERS if measure.orders is None else measure.orders
        with naming("--gain-over"):
            return [
                Gains(team, rules, seed, number, baseline=measure.gain_over, orders=orders)
                for number in range(repeats)
            ]
    kind = Recorded if measure.games_out is not None or measure.forfeits else Simulation
    return [kind(team, rules, seed, number) for number in range(repeats)]


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known after some deals: the outcomes of each repeat, and what follows from them."""

    runs: list[Outcomes]
    summary: Summary
    gain: Gain | None
    is_clear: bool


def _look(
    works: Sequence[Simulation], store: Store, rules: Rules, deals: int, number: int
) -> tuple[_Found, list[float], bool]:
    runs, gain = [*map(reader(store, deals), works)], _gain(works, store, deals)
    summary = summarize(runs, rules)
    known = summary.score if gain is None else gain.points
    is_clear = gain is not None and all(clear_at(number, [known]))
    return _Found(runs, summary, gain, is_clear), [known.standard_error], is_clear


def _rows(
    players: Sequence[str], works: Sequence[Simulation], runs: Sequence[Outcomes]
) -> Iterator[Sequence[Cell]]:
    """Return a row for each game."""
    return chain.from_iterable(
        outcome_rows([key_of(work), describe_team(players), work.seed, work.repeat], run)
        for work, run in zip(works, runs, strict=True)
    )


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


def _page_of(replays: Sequence[_Replay], players: Sequence[str], time: float | None) -> str:
    """Return the page of these games with their reviews; `time` is the limit for each."""
    games = GameList(f"The worst games of {', '.join(players)}")
    seconds = _SECONDS if time is None else time or None
    with ProgressLine() as progress:
        for done, each in enumerate(replays):
            progress(f"{done} of {counted(len(replays), 'game')} reviewed", done, len(replays))
            found = review_game(pose_game(each.end), seconds=seconds, with_reasons=True)
            team = tuple(players) * (each.end.rules.seats // len(players))
            repeat = f", repeat {each.repeat}" if each.repeat else ""
            games.add(
                f"Deal {each.deal}{repeat}",
                replace(found.document(), team=team),
                *opened_review(found),
            )
    for note in games.notes:
        complain(f"note: {note}")
    return games.page()


def _replay(work: Simulation, deal: int, outcome: int) -> _Replay:
    end = work.play(deal)
    if outcome_of(end) != outcome:
        complain(
            f"note: deal {deal} ended otherwise when it was played again: some player's decisions"
            " depend on more than what it sees and draws from rng"
        )
    return _Replay(deal, work.repeat, end, *find_link(pose_game(end)))


def _document(
    measure: Measurement, found: _Found, done: Progress, forfeited: int
) -> dict[str, object]:
    summary, gain = found.summary, found.gain
    scored = _scoring(summary.score, summary.scores)
    document = {
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
    if measure.forfeits:
        document["forfeited"] = forfeited
    if gain is not None:
        document["gain"] = gain_json(str(measure.gain_over), gain)
    if measure.until_clear:
        document["clear"] = found.is_clear
    if measure.power is not None:
        document["power"] = {"difference": measure.power, **_power(measure.power, summary, gain)}
    return document


def _scoring(score: Estimate, scores: Scores) -> dict[str, object]:
    return estimate_json("mean", score) | {"histogram": list(scores.histogram)}


def _print(
    screen: Screen, measure: Measurement, found: _Found, done: Progress, forfeited: int
) -> None:
    summary, gain = found.summary, found.gain
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
    if gain is not None:
        screen.line()
        print_gain(screen, str(measure.gain_over), gain)
    if measure.until_clear:
        told = "clear" if found.is_clear else "not clear"
        screen.entry("its sign", f"{told} after {summary.deals:,} deals")
    if measure.power is not None:
        _print_power(screen, measure.power, _power(measure.power, summary, gain))


def _print_worst(
    screen: Screen, replays: Sequence[_Replay], command: str, *, is_repeated: bool
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
    which = f"--deal {first.deal}{f' --repeat {first.repeat}' if is_repeated else ''} --show"
    screen.line()
    screen.line(f"to see the first: {command} {which}")
