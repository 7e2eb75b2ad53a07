"""Shared code of commands that play many games: the run, interrupts, scores."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from cyclopts import Parameter, Token

from hanabi import lab
from hanabi.ground import (
    IllegalActionError,
    InvalidInputError,
    PlayerError,
    counted,
    naming,
    open_executor,
    quote,
)
from hanabi.lab import MEMORY, Estimate, Gain, Goal, Recorded, Summary, deals_needed, wilson
from hanabi.lab import recorded_of as recorded
from hanabi.rules import Game
from hanabi.shell.command import options
from hanabi.shell.command.files import STDOUT, Form, form_of, written
from hanabi.shell.command.terminal import ProgressLine, Screen, complain, decimals, print_json
from hanabi.shell.session.tables import default_seats, parse_rules

if TYPE_CHECKING:
    from hanabi.lab import Outcomes
    from hanabi.players import Player
    from hanabi.rules import Rules

__all__ = [
    "Measurement",
    "carry_out",
    "check_games",
    "check_games_out",
    "count_forfeited",
    "estimate_json",
    "gain_json",
    "open_store",
    "play_part",
    "play_until",
    "print_forfeited",
    "print_gain",
    "print_summary",
    "reader",
    "seat_players",
    "with_terms",
    "write_games",
]

Found = TypeVar("Found")

_MOST_DEALS = 100_000  # of a run that stops by itself
_MOST_NOTES = 5
_MOST_GAMES = 100_000_000
_MOST_RUNS = 100_000


def _part(_: Any, tokens: Sequence[Token]) -> options.Part:
    text = tokens[0].value
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    number, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= of:
        raise ValueError(f"{quote(text)} is not a part, such as 2/8.")
    return options.Part(number, of)


_PART = Parameter(converter=_part, n_tokens=1, accepts_keys=False)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Measurement:
    """How players are measured by many games.

    Parameters
    ----------
    gain_over
        Also estimate the gain over this player at all seats, with most of the luck of the deck
        removed: it plays positions on, so it must be a compiled player, such as rule-based or
        convention.
    orders
        With --gain-over: orders of the deck, for each decision in which the players differ.
        Default: 100.
    until_error
        Play until the standard error of each mean is at most this.
    power
        Also print how many deals show a difference of this size (95 %, with power 80 %).
    part
        Only play this part of the deals, such as 2/8, into --store: a task of a cluster's job
        array. "hanabi results merge" joins the stores.
    games_out
        Write the games to this file (.jsonl), one a line, as hanab.live's JSON, which solve, review
        and other commands read.
    on_error
        What a failure of a program (process:...) does: stop the run, or forfeit the game, which
        then scores 0. Default: stop.
    """

    games: options.Games | None = None
    gain_over: str | None = None
    orders: options.Count | None = None
    until_clear: bool = False
    until_error: float | None = None
    power: float | None = None
    part: Annotated[options.Part | None, _PART] = None
    games_out: options.File | None = None
    on_error: Literal["stop", "forfeit"] = "stop"

    def goal(self, games: int) -> Goal:
        """Return when the run stops; one that does not stop by itself plays this many games."""
        if self.games is not None:
            games = self.games
        elif self.until_clear or self.until_error is not None:
            games = _MOST_DEALS
        return Goal(games, self.until_error, self.until_clear)

    @property
    def forfeits(self) -> bool:
        """Whether games are forfeited."""
        return self.on_error == "forfeit"

    def check(self) -> None:
        """Refuse options that do not go together."""
        if self.gain_over is None:
            options.refuse("goes with --gain-over", orders=self.orders)
        elif self.forfeits:
            raise InvalidInputError("--gain-over: a forfeited game has no gain; leave one out")
        if self.power is not None:
            deals_needed(1.0, self.power)

    def check_part(self, table: options.Table, run: options.Run, **others: object) -> None:
        """Refuse a part without a store or a seed, or with options that need all games.

        >>> part = Measurement(part=options.Part(1, 2))
        >>> part.check_part(options.Table(), options.Run(store="a.store"))
        Traceback (most recent call last):
        hanabi.ground.errors.InvalidInputError: --part: give --seed, the same for all parts
        """
        if self.part is None:
            return
        if run.store is None:
            raise InvalidInputError("--part: give --store FILE, one for each part")
        if table.seed is None:
            raise InvalidInputError("--part: give --seed, the same for all parts")
        why = "needs all parts: merge their stores, and run again without --part"
        others |= {"until_error": self.until_error, "until_clear": self.until_clear}
        options.refuse(why, **others)


def seat_players(players: Sequence[str], seats: int | None, rules: str) -> Rules:
    """Return the rules of a table, by default for as many seats as players are named, or 3."""
    if not players:
        raise InvalidInputError(
            'name a player, or one for each seat, as in "random"; "hanabi players" lists them'
        )
    return parse_rules(rules, default_seats(len(players)) if seats is None else seats)


def with_terms(
    players: Sequence[str], on_error: str, turn_time: float | None
) -> tuple[str | Player, ...]:
    """Return players with the terms for those that are programs.

    >>> with_terms(["random"], "forfeit", None)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: --on-error and --turn-time are for programs
        (process:...)
    """
    if on_error == "stop" and turn_time is None:
        return tuple(players)
    from hanabi.players import PREFIX, SECONDS, parse_player, with_terms

    if not any(PREFIX in each for each in players):
        raise InvalidInputError("--on-error and --turn-time are for programs (process:...)")
    seconds = SECONDS if turn_time is None else turn_time or None
    return tuple(
        with_terms(parse_player(each), seconds=seconds, forfeits=on_error == "forfeit")
        if PREFIX in each
        else each
        for each in players
    )


def carry_out(
    plan: Sequence[lab.Job],
    store: lab.Store,
    run: options.Run,
    command: str,
    *,
    is_timed: bool = False,
) -> lab.Progress:
    """Do the work that the store lacks, show the progress, and return it.

    `command` repeats the run; an interrupt prints it, with the number of stored games. With
    `is_timed` everything is compiled before the time is taken.
    """
    reached = lab.Progress(0, 0, 0, 0.0)

    def tell(done: lab.Progress) -> None:
        nonlocal reached
        reached = done
        progress(str(done), done.done, done.total)

    try:
        with (
            ProgressLine() as progress,
            open_executor(run.executor or lab.default_executor(plan), run.workers) as pool,
        ):
            # A wrong address is reported before the compiler starts. Players in Python play no
            # game twice, as they may print something.
            if is_timed and lab.unfinished(plan, store) and plan[0].work.is_compiled:
                plan[0].work.run(0, 1)
            lab.run(plan, store, executor=pool, progress=tell)
    except (PlayerError, IllegalActionError):
        if store.path is not None:
            _say_what_is_kept(plan, store)
        raise
    except KeyboardInterrupt:
        if store.path is None:
            complain(f"nothing is stored; with --store FILE finished {plan[0].work.noun} are")
        else:
            _say_what_is_kept(plan, store, "; to go on:")
            complain(command)
        raise
    return reached


def _say_what_is_kept(plan: Sequence[lab.Job], store: lab.Store, end: str = "") -> None:
    total = sum(job.items - job.first for job in plan)
    with suppress(Exception):
        done = total - lab.unfinished(plan, store)
        complain(f"{done:,} of {total:,} {plan[0].work.noun} are stored in {store.path}{end}")


def open_store(path: str | None, *, must_exist: bool = False) -> lab.Store:
    """Return the store in a file, or one in memory; damage in it is reported.

    >>> open_store(None).works()
    []
    """
    if path is None:
        return lab.Store.memory()
    if path == MEMORY:
        raise InvalidInputError(f"--store {quote(path)}: nothing would be kept; name a file")
    told: list[str] = []

    def note(message: str) -> None:
        told.append(message)
        if len(told) <= _MOST_NOTES:
            complain(f"note: {message}")
        elif len(told) == _MOST_NOTES + 1:
            complain("note: more of the store is damaged, and left out")

    return lab.Store(path, must_exist=must_exist, warn=note)


def reader(store: lab.Store, items: int) -> Callable[[lab.Simulation], Outcomes]:
    """Return a function that reads the outcomes of the first `items` games of finished work."""

    def read(work: lab.Simulation) -> Outcomes:
        import numpy as np

        records = np.frombuffer(store.payload(lab.key_of(work), items, width=work.width), "<u2")
        return records[:: work.width // 2]

    return read


def count_forfeited(works: Iterable[lab.Simulation], store: lab.Store, deals: int) -> int:
    """Return how many games of finished work were forfeited; the work must be recorded."""
    return sum(
        work.forfeited(store.payload(lab.key_of(work), deals, width=work.width))
        for work in works
        if isinstance(work, Recorded)
    )


def print_forfeited(screen: Screen, forfeited: int, games: int) -> None:
    """Write how many games were forfeited, if any were."""
    if forfeited:
        screen.entry(
            "forfeited", f"{forfeited:,} of {games:,} games; each scores 0, none is bombed"
        )


def check_games(deals: int, *, repeat: int = 1, teams: int = 1) -> None:
    """Refuse to play no game, or more games than this process can list and sum up.

    The outcomes of a run take two bytes of memory a game, and the plan takes about a hundred bytes
    for each repeat of each team.

    >>> check_games(10**18)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: 1,000,000,000,000,000,000 games in all; at most
        100,000,000
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


def check_games_out(path: str | None, table: Rules) -> None:
    """Refuse a file of games that has another form, or rules whose games have no recorded form."""
    if path is None:
        return
    form_of("--games-out", path, Form.LINES)
    if path == STDOUT:
        raise InvalidInputError("--games-out -: standard output has the scores; name a file")
    with naming("--games-out"):
        recorded(Game.start(table, table.spec.shuffle(seed=0)))


def write_games(path: str, store: lab.Store, plan: Iterable[lab.Job]) -> None:
    """Write the games of finished jobs, whose work is recorded, to a file of JSON lines."""
    with written(path) as file:
        for job in plan:
            if isinstance(job.work, Recorded):
                records = store.payload(
                    lab.key_of(job.work), job.items, width=job.work.width, first=job.first
                )
                for document in job.work.documents(records, job.first):
                    file.write(json.dumps(document) + "\n")


# Runs that stop by themselves, and parts of runs.


def play_until(
    goal: Goal,
    play: Callable[[list[lab.Job]], lab.Progress],
    works: Sequence[lab.Simulation],
    look: Callable[[int, int], tuple[Found, Iterable[float], bool]],
) -> tuple[int, lab.Progress, Found]:
    """Carry out plans until the goal is reached; return the number of deals, and what is known.

    `look` takes the number of deals and of the look, from 1. It returns what is known, its standard
    errors, and whether all signs are clear.
    """
    deals, number = goal.first, 1
    while True:
        done = play([lab.Job(work, deals) for work in works])
        found, errors, is_clear = look(deals, number)
        following = goal.after(deals, errors, is_clear=is_clear)
        if following is None:
            return deals, done, found
        deals, number = following, number + 1


def play_part(
    measure: Measurement,
    part: options.Part,
    play: Callable[[list[lab.Job]], lab.Progress],
    whole: Sequence[lab.Job],
    store: lab.Store,
    *,
    is_json: bool,
) -> None:
    """Play a part of a plan into the store, and write which deals these are."""
    plan = [job.part(part.number, part.of) for job in whole]
    play(plan)
    if measure.games_out is not None:
        write_games(measure.games_out, store, plan)
    first, end = plan[0].first, plan[0].items
    if is_json:
        print_json({"part": part.number, "parts": part.of, "first": first, "deals": end - first})
        return
    deals = f"deals {first:,} to {end - 1:,}" if end > first else "no deals"
    Screen().line(f"part {part.number} of {part.of}: {deals}, stored in {store.path}")


def estimate_json(name: str, estimate: Estimate) -> dict[str, object]:
    """Return a named estimate as entries of a JSON object, without nan, which JSON lacks."""
    error, interval = estimate.standard_error, [estimate.low, estimate.high]
    is_sure = not math.isnan(error)
    return {
        name: estimate.value,
        "standard_error": error if is_sure else None,
        "confidence_interval": interval if is_sure else None,
    }


def print_summary(screen: Screen, summary: Summary) -> None:
    """Write a player's scores and their uncertainty."""
    score, games = summary.score, summary.games
    error = "" if math.isnan(score.standard_error) else f" +- {score.standard_error:.3f}"
    interval = f" (95 %: {score.low:.3f} to {score.high:.3f})" if error else ""
    screen.entry("mean", f"{score.value:.3f}{error}{interval}")
    if summary.tally.n_bombed:
        kept, zeroed = f"{summary.kept.value:.3f}", f"{summary.zeroed.value:.3f}"
        screen.entry("both ways", f"{kept} if a bombed game keeps its points, {zeroed} if not")
    counts = (("perfect", summary.scores.perfect), ("bombed", summary.tally.n_bombed))
    for label, count in counts:
        low, high = wilson(count, games)
        digits = decimals(100 * low, 100 * high)
        text = f"{count:,} of {games:,} games, {count / games:.{digits}%}"
        if summary.repeats == 1:  # games of one deal are not independent
            text += f" (95 %: {low:.{digits}%} to {high:.{digits}%})"
        screen.entry(label, text)


def gain_json(baseline: str, gain: Gain) -> dict[str, object]:
    """Return a gain over a player as a JSON object."""
    plain = gain.plain
    counts = {"better": plain.better, "equal": plain.equal, "worse": plain.worse}
    return {
        "over": baseline,
        **estimate_json("points", gain.points),
        "perfect": estimate_json("share", gain.perfect),
        "plain": estimate_json("difference", plain.difference) | counts,
        "differing": gain.differing,
        "saved": None if math.isnan(gain.saved) else gain.saved,
    }


def print_gain(screen: Screen, baseline: str, gain: Gain) -> None:
    """Write a gain over a player, and what the scores alone would show."""
    points, plain, share = gain.points, gain.plain.difference, gain.perfect
    error, interval = "", ""
    if not math.isnan(points.standard_error):
        error = f" +- {points.standard_error:.3f}"
        interval = f" (95 %: {points.low:+.3f} to {points.high:+.3f})"
    screen.entry("gain", f"{points.value:+.3f}{error} over {baseline}{interval}")
    error = "" if math.isnan(share.standard_error) else f" +- {share.standard_error:.2%}"
    differ = f"{gain.differing:.1f} decisions a game differ"
    screen.entry("of perfect", f"{share.value:+.2%}{error} of the games; {differ}")
    error = "" if math.isnan(plain.standard_error) else f" +- {plain.standard_error:.3f}"
    saved = "" if math.isnan(gain.saved) else f", {gain.saved:.1f} times the deals for that error"
    screen.entry("by scores", f"{plain.value:+.3f}{error} on the same deals{saved}")
