"""`hanabi tournament` runs self-play, and cross-play in each other's teams."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

from cyclopts import Parameter

from hanabi._version import __version__
from hanabi.cli import options
from hanabi.cli.files import (
    STDOUT,
    Form,
    check_figure,
    check_outputs,
    form_of,
    replaced,
    write_each,
    write_result,
    write_table,
)
from hanabi.cli.games import (
    MOST_DEALS,
    carry_out,
    check_games,
    check_games_out,
    check_part,
    count_forfeited,
    estimate_json,
    open_store,
    reader,
    report_part,
    with_terms,
    write_games,
)
from hanabi.cli.terminal import Screen, print_json
from hanabi.errors import InvalidInputError, counted, naming
from hanabi.game.config import DEFAULT_PRESET
from hanabi.lab import Job, Store, key_of
from hanabi.lab.recorded import ORDERS, Gains
from hanabi.lab.stats import Comparison, Estimate, deals_needed
from hanabi.lab.tournament import Goal, Results, TeamGains, Tournament, clear_at
from hanabi.report.papers import TEAMS, plot_tournament, team_rows, teams_of
from hanabi.session.tables import parse_rules

__all__ = ["tournament_command"]

_SEATS = 2
_DEALS = 100
_MOST_COLUMNS = 6


def tournament_command(
    *players: str,
    games: Annotated[options.Count | None, Parameter(name=("-n", "--games"))] = None,
    seats: options.Players = None,
    seed: options.Seed = None,
    rules: options.RuleSet = DEFAULT_PRESET,
    variant: options.TableVariant = None,
    gauntlet: bool = False,
    gain_over: str | None = None,
    orders: options.Count | None = None,
    until_clear: bool = False,
    until_error: options.UntilError = None,
    power: options.Difference = None,
    part: options.Part = None,
    games_out: options.GamesOut = None,
    on_error: options.OnError = "stop",
    turn_time: options.TurnTime = None,
    store: options.StoreFile = None,
    workers: options.Workers = None,
    executor: options.Executor = None,
    plot: options.File | None = None,
    csv: options.File | None = None,
    output: options.Output = None,
    json: options.Json = False,
) -> int:
    """Run self-play for every player, and cross-play: one stranger in every other player's team.

    The stranger takes each seat in turn. All teams play the same deals.

    Parameters
    ----------
    players
        Two or more players, such as rule-based:hint=3, endgame/information or ./my_bot.py:MyPlayer.
        "hanabi players" lists them.
    games
        Number of deals. Default: 100. With --until-clear or --until-error, the most deals. Default:
        100,000.
    gauntlet
        Let only the first player meet the others.
    gain_over
        Also estimate each team's gain over this player at all seats, with most of the luck of the
        deck removed: it plays positions on, so it must be a compiled player, such as rule-based or
        convention.
    orders
        With --gain-over: orders of the deck, for each decision in which a team and the player
        differ. Default: 100.
    until_clear
        Play 100, 200, 400, ... deals, and stop once every self-play comparison of players that meet
        is decided (95 % overall, repeated looks included); with --gain-over, by the gains.
    seats
        Players at the table. Default: 2.
    plot
        Draw the table into this file (.svg, .png or .pdf).
    csv
        Write one line for each team into this file.
    output
        Write the result to this file: .json as --json prints it; .csv, .md or .parquet with a line
        for each team.
    """
    seats = _SEATS if seats is None else seats
    if games is None:
        games = _DEALS if until_error is None and not until_clear else MOST_DEALS
    goal = Goal(games, until_error, until_clear)
    if gain_over is None:
        options.refuse("goes with --gain-over", orders=orders)
    elif on_error == "forfeit":
        raise InvalidInputError("--gain-over: a forfeited game has no gain; leave one out")
    if power is not None:
        deals_needed(1.0, power)
    rules = options.rules_with(rules, variant)
    table = parse_rules(rules, seats)
    check_games(games, teams=_count_teams(len(players), seats, is_gauntlet=gauntlet))
    outputs = {"--plot": plot, "--csv": csv, "--output": output, "--games-out": games_out}
    check_outputs([], outputs, store=store, forms={"--csv": Form.CSV})
    form = form_of("--output", output, Form.JSON, Form.CSV, Form.MARKDOWN, Form.PARQUET)
    if csv == STDOUT:
        raise InvalidInputError("--csv -: standard output has the table; name a file")
    check_games_out(games_out, table)
    check_part(
        part, store=store, seed=seed, until_clear=until_clear, until_error=until_error, plot=plot,
        csv=csv, output=output,
    )  # fmt: skip
    seed = options.new_seed(seed)
    tournament = Tournament(
        with_terms(players, on_error, turn_time),
        table,
        seed,
        is_gauntlet=gauntlet,
        is_recorded=games_out is not None or on_error == "forfeit",
    )
    if gain_over is not None:
        orders = ORDERS if orders is None else orders
        with naming("--gain-over"):
            tournament = replace(tournament, baseline=gain_over, orders=orders)
            tournament.works(0, 0)
    check_figure(plot)
    command: list[object] = [
        "tournament", *players, "-n", games, "--players", seats, "--seed", seed, "--rules", rules,
    ]  # fmt: skip
    for option, is_given in (("--gauntlet", gauntlet), ("--until-clear", until_clear)):
        command += [option] if is_given else []
    command += [] if gain_over is None else ["--gain-over", gain_over, "--orders", orders]
    command += [] if until_error is None else ["--until-error", until_error]
    command += [] if power is None else ["--power", power]
    command += [] if part is None else ["--part", "{}/{}".format(*part)]
    command += ["--on-error", on_error] if on_error != "stop" else []
    command += [] if turn_time is None else ["--turn-time", turn_time]
    for option, path in outputs.items():
        command += [option, path] if path is not None else []
    with open_store(store) as kept:
        deals, look = goal.first, 1
        while True:
            plan = [Job(work, deals) for work in tournament.all_works()]
            if part is not None:
                plan = [job.part(*part) for job in plan]
            carry_out(plan, kept, workers=workers, executor=executor, command=command)
            if part is not None:
                if games_out is not None:
                    write_games(games_out, kept, plan)
                report_part(plan, part, store, is_json=json)
                return 0
            results = tournament.results(reader(kept, deals))
            gains = tournament.gains(partial(_records, kept, deals))
            alone = results.alone if gains is None else gains.alone
            clear = dict(zip(alone, clear_at(look, alone.values()), strict=True))
            errors = [each.standard_error for each in _known(results, gains)]
            following = goal.after(deals, errors, is_clear=all(clear.values()))
            if following is None:
                break
            deals, look = following, look + 1
        about: dict[str, object] = {"version": __version__, "seats": seats, "rules": rules}
        about |= {"seed": seed, "deals": deals}
        works = [tournament.works(number, number)[0] for number in range(len(players))]
        about["full_names"] = [work.team()[0] for work in works]  # parameters and hashes of sources
        if until_clear:
            about["clear"] = [[a, b] for (a, b), is_clear in clear.items() if is_clear]
        if power is not None:
            wanted = _power(power, deals, alone)
            needed = [{"a": a, "b": b, "deals": n} for (a, b), n in wanted.items()]
            about["power"] = {"difference": power, "needed": needed}
        if gain_over is not None:
            about["gain_over"] = {"player": gain_over, "orders": orders}
        forfeited = {
            (a, b): count_forfeited(tournament.works(a, b), kept, deals)
            for a, b, _, _ in teams_of(results)
            if on_error == "forfeit"
        }
        document = about | _document(players, results, gains, forfeited)
        try:
            rows = [*team_rows(players, results, gains)]
            write_each(
                [
                    (games_out, lambda path: write_games(path, kept, plan)),
                    (csv, lambda path: write_table(path, Form.CSV, TEAMS, rows)),
                    (output, lambda path: write_result(path, form, document, TEAMS, rows)),
                    (plot, lambda path: _plot(path, players, results)),
                ]
            )
        finally:  # a full disk must not lose hours of games
            if json:
                print_json(document)
            else:
                where = f"{counted(seats, 'player')}, {rules} rules"
                _print(players, results, f"{where}, {deals:,} deals, seed {seed}", forfeited)
                if gains is not None:
                    _print_gains(str(gain_over), results, gains)
                if until_clear:
                    _print_clear(clear)
                if power is not None:
                    _print_power(power, wanted)
    return 0


def _plot(path: str, players: Sequence[str], results: Results) -> None:
    with replaced(path) as beside:
        plot_tournament(players, results, beside)


def _count_teams(players: int, seats: int, *, is_gauntlet: bool) -> int:
    """Return the largest number of teams that play."""
    pairs = 2 * (players - 1) if is_gauntlet else players * (players - 1)
    return players + pairs * (seats if seats > _SEATS else 1)


def _records(store: Store, deals: int, work: Gains) -> bytes:
    """Return the records of a finished work."""
    return store.payload(key_of(work), deals, width=work.width)


def _known(results: Results, gains: TeamGains | None) -> Iterator[Estimate]:
    """Yield what is known of each team: its mean score, or its gain if that is asked for."""
    for a, b, cell, _ in teams_of(results):
        gain = None if gains is None else gains.cells[a][b]
        yield cell.score if gain is None else gain.points


def _document(
    players: Sequence[str],
    results: Results,
    gains: TeamGains | None,
    forfeited: Mapping[tuple[int, int], int],
) -> dict[str, object]:
    teams = []
    for a, b, cell, welcome in teams_of(results):
        team: dict[str, object] = {"stranger": a, "team": b, "games": cell.games}
        team |= estimate_json("mean", cell.score)
        team |= {"perfect": cell.scores.perfect, "bombed": cell.tally.n_bombed}
        team |= {"forfeited": forfeited[a, b]} if (a, b) in forfeited else {}
        for way, score in (("kept", cell.kept), ("zeroed", cell.zeroed)):
            error = score.standard_error
            team |= {way: score.value, f"{way}_error": None if math.isnan(error) else error}
        by_gain = None
        if gains is not None:
            gain, by_gain = gains.cells[a][b], gains.welcome[a][b]
            if gain is not None:
                team["gain"] = estimate_json("points", gain.points) | {"differing": gain.differing}
        teams.append(team if welcome is None else team | {"change": _compared(welcome, by_gain)})
    alone = [
        {"a": a, "b": b} | _compared(each, None if gains is None else gains.alone[a, b])
        for (a, b), each in results.alone.items()
    ]
    return {"players": list(players), "teams": teams, "differences": alone}


def _compared(comparison: Comparison, by_gain: Estimate | None) -> dict[str, object]:
    counts = {"better": comparison.better, "equal": comparison.equal, "worse": comparison.worse}
    data = estimate_json("difference", comparison.difference) | counts
    return data if by_gain is None else data | {"by_gain": estimate_json("difference", by_gain)}


def _print(
    players: Sequence[str],
    results: Results,
    title: str,
    forfeited: Mapping[tuple[int, int], int],
) -> None:
    screen = Screen()
    screen.entry("", title)
    screen.line()
    for number, name in enumerate(players, start=1):
        screen.entry("", f"{number:>3}  {name}")
    screen.line()
    screen.line("mean score: one stranger (rows) in a team (columns); then its standard error")
    _print_cells(
        screen,
        [[None if cell is None else cell.score for cell in row] for row in results.cells],
        ".2f",
    )
    screen.line()
    if any(cell.tally.n_bombed for _, _, cell, _ in teams_of(results)):
        _print_other_way(screen, results)
    if any(forfeited.values()):
        told = ", ".join(f"{a + 1} in {b + 1}: {n:,}" for (a, b), n in forfeited.items() if n)
        screen.entry("", f"forfeited games, which score 0 and are not bombed: {told}")
        screen.line()
    _print_differences(screen, results)


def _print_other_way(screen: Screen, results: Results) -> None:
    """Write the mean scores by the scoring of bombed games that the rules do not use."""
    is_zeroed = next(cell.bombed_scores_zero for _, _, cell, _ in teams_of(results))
    way = "keeps its points" if is_zeroed else "scores 0"
    screen.line(f"mean score if a bombed game {way}; then its standard error")
    cells = [
        [None if cell is None else cell.kept if is_zeroed else cell.zeroed for cell in row]
        for row in results.cells
    ]
    _print_cells(screen, cells, ".2f")
    screen.line()


def _print_gains(baseline: str, results: Results, gains: TeamGains) -> None:
    """Write each team's gain over the baseline, and the comparisons by these gains."""
    screen = Screen()
    screen.line()
    screen.line(f"gain over {baseline} at all seats, with luck removed; then its standard error")
    _print_cells(
        screen,
        [[None if cell is None else cell.points for cell in row] for row in gains.cells],
        "+.2f",
    )
    screen.line()
    screen.line("by these gains: difference, 95 % interval")
    rows = [[f"{a + 1} - {b + 1} alone", *_told(each)] for (a, b), each in gains.alone.items()]
    rows += [
        [f"{a + 1} joins {b + 1}", *_told(welcome)]
        for a, b, _, _ in teams_of(results)
        if (welcome := gains.welcome[a][b]) is not None
    ]
    screen.rows(rows, left=(0,))


def _print_cells(screen: Screen, cells: Sequence[Sequence[Estimate | None]], digits: str) -> None:
    """Write a table of strangers and teams, some columns at a time."""
    for start in range(0, len(cells), _MOST_COLUMNS):
        columns = range(start, min(start + _MOST_COLUMNS, len(cells)))
        rows = [
            [f"{a + 1:>3}", *(_mean(line[b], digits) for b in columns)]
            for a, line in enumerate(cells)
        ]
        screen.table(["", *(str(b + 1) for b in columns)], rows)


def _mean(estimate: Estimate | None, digits: str) -> str:
    if estimate is None:
        return ""
    error = estimate.standard_error
    return f"{estimate.value:{digits}}" + ("" if math.isnan(error) else f" {error:.2f}")


def _print_clear(clear: Mapping[tuple[int, int], bool]) -> None:
    """Write which self-play comparisons are decided, after all looks."""
    screen = Screen()
    screen.line()
    open_ones = [f"{a + 1} - {b + 1}" for (a, b), is_clear in clear.items() if not is_clear]
    told = "not clear: " + ", ".join(open_ones) if open_ones else "all clear"
    screen.entry("", f"who is better alone, 95 % for all of them together: {told}")


def _power(
    difference: float, deals: int, alone: Mapping[tuple[int, int], Comparison | Estimate]
) -> dict[tuple[int, int], int]:
    """Return how many deals show that self-play of two players differs by so much."""
    errors = {
        pair: (each if isinstance(each, Estimate) else each.difference).standard_error
        for pair, each in alone.items()
    }
    return {
        pair: deals_needed(error * math.sqrt(deals), difference)
        for pair, error in errors.items()
        if not math.isnan(error)
    }


def _print_power(difference: float, needed: Mapping[tuple[int, int], int]) -> None:
    screen = Screen()
    screen.line()
    told = ", ".join(f"{a + 1} - {b + 1}: {deals:,}" for (a, b), deals in needed.items())
    screen.entry("", f"deals that show a difference of {difference:g} alone: {told or 'unknown'}")


def _print_differences(screen: Screen, results: Results) -> None:
    """Write the self-play comparisons, and the effect of each stranger on each team."""
    screen.line("on the same deals: difference, 95 % interval, deals better / equal / worse")
    rows = [
        [f"{a + 1} - {b + 1} alone", *_told(each.difference), _counts(each)]
        for (a, b), each in results.alone.items()
    ]
    rows += [
        [f"{a + 1} joins {b + 1}", *_told(welcome.difference), _counts(welcome)]
        for a, b, _, welcome in teams_of(results)
        if welcome is not None
    ]
    screen.rows(rows, left=(0,))


def _told(difference: Estimate) -> list[str]:
    known = not math.isnan(difference.low)
    interval = f"{difference.low:+.2f} to {difference.high:+.2f}" if known else ""
    return [f"{difference.value:+.2f}", interval]


def _counts(comparison: Comparison) -> str:
    return f"{comparison.better:,} / {comparison.equal:,} / {comparison.worse:,}"
