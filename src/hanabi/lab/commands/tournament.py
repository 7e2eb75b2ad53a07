"""`hanabi tournament` runs self-play, and cross-play in each other's teams."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from cyclopts import Parameter

from hanabi._version import __version__
from hanabi.ground import InvalidInputError, naming
from hanabi.lab.recorded import ORDERS, Gains
from hanabi.lab.report.papers import OPEN, TEAMS, open_rows, plot_tournament, team_rows, teams_of
from hanabi.lab.stats import Comparison, Estimate, deals_needed
from hanabi.lab.store import Store
from hanabi.lab.tournament import OpenTeam, Results, TeamGains, Tournament, clear_at
from hanabi.lab.work import Job, key_of
from hanabi.rules import Rules
from hanabi.shell import (
    STDOUT,
    Form,
    Measurement,
    Screen,
    carry_out,
    check_figure,
    check_games,
    check_games_out,
    check_outputs,
    count_forfeited,
    estimate_json,
    form_of,
    open_store,
    options,
    parse_rules,
    play_part,
    play_until,
    print_json,
    reader,
    replaced,
    with_terms,
    write_each,
    write_games,
    write_result,
    write_table,
)

__all__ = ["TournamentOptions", "tournament_command"]

_SEATS = 2
_DEALS = 100
_MOST_COLUMNS = 6


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TournamentOptions:
    """Who meets whom in `hanabi tournament`, and what it writes.

    Parameters
    ----------
    gauntlet
        Let only the first player meet the others.
    beside
        Instead, let each player play beside one and, from three seats on, beside two of this
        player, such as people. Give it again for several.
    plot
        Draw the table into this file (.svg, .png or .pdf).
    csv
        Write one line for each team into this file.
    output
        Write the result to this file: .json as --json prints it; .csv, .md or .parquet with a line
        for each team.
    """

    gauntlet: bool = False
    beside: Annotated[tuple[str, ...], Parameter(negative=())] = ()
    plot: options.File | None = None
    csv: options.File | None = None
    output: options.Output = None
    json: options.Json = False


def tournament_command(
    *players: str,
    measure: Measurement = Measurement(),
    asked: TournamentOptions = TournamentOptions(),
    table: options.Table = options.Table(),
    run: options.Run = options.Run(),
) -> int:
    """Run self-play for each player, and cross-play in each other's teams.

    In cross-play, one stranger takes each seat of a team in turn. All teams play the same deals.

    Parameters
    ----------
    players
        Two or more players, such as rule-based:hint=3, endgame/information or ./my_bot.py:MyPlayer.
        "hanabi players" lists them. With --beside, one or more.
    measure.games
        Number of deals. Default: 100. With --until-clear or --until-error, the most deals. Default:
        100,000.
    measure.until_clear
        Play 100, 200, 400, ... deals, and stop once every self-play comparison of players that meet
        is decided (95 % overall, repeated looks included); with --gain-over, by the gains.
    table.seats
        Players at the table. Default: 2.
    """
    goal = measure.goal(_DEALS)
    measure.check()
    rules = parse_rules(table.rule_set, _SEATS if table.seats is None else table.seats)
    if asked.beside:
        refused = {"gauntlet": asked.gauntlet, "plot": asked.plot, "power": measure.power}
        refused |= {"until_clear": measure.until_clear, "gain_over": measure.gain_over}
        options.refuse("does not go with --beside", **refused, on_error=measure.forfeits)
    check_games(goal.most, teams=_count_teams(len(players), rules.seats, asked))
    outputs = {"--plot": asked.plot, "--csv": asked.csv, "--output": asked.output}
    games_out = {"--games-out": measure.games_out}
    check_outputs([], outputs | games_out, store=run.store, forms={"--csv": Form.CSV})
    form = form_of("--output", asked.output, Form.JSON, Form.CSV, Form.MARKDOWN, Form.PARQUET)
    if asked.csv == STDOUT:
        raise InvalidInputError("--csv -: standard output has the table; name a file")
    check_games_out(measure.games_out, rules)
    measure.check_part(table, run, plot=asked.plot, csv=asked.csv, output=asked.output)
    table = table.drawn()
    tournament = _tournament(players, rules, table, measure, asked)
    check_figure(asked.plot)
    again = options.typed("tournament", *players, groups=[measure, asked, table, run])
    with open_store(run.store) as kept:
        play = partial(carry_out, store=kept, run=run, command=again)
        works = [*tournament.all_works()]
        if measure.part is not None:
            jobs = [Job(work, goal.first) for work in works]
            play_part(measure, measure.part, play, jobs, kept, is_json=asked.json)
            return 0
        if asked.beside:
            deals, _, teams = play_until(goal, play, works, partial(_look_open, tournament, kept))
            plan, names = [Job(work, deals) for work in works], [*players, *asked.beside]
            cells = [*open_rows(names, teams)]
            document = _about(tournament, table, deals)
            document["teams"] = [dict(zip(OPEN, row, strict=True)) for row in cells]
            try:
                write_each(
                    [
                        (measure.games_out, lambda path: write_games(path, kept, plan)),
                        (asked.csv, lambda path: write_table(path, Form.CSV, OPEN, cells)),
                        (
                            asked.output,
                            lambda path: write_result(path, form, document, OPEN, cells),
                        ),
                    ]
                )
            finally:
                if asked.json:
                    print_json(document)
                else:
                    _print_open(
                        names, teams, f"{_title(document)} with each seating, seed {table.seed}"
                    )
            return 0
        deals, _, found = play_until(goal, play, works, partial(_look, tournament, kept))
        results, gains = found.results, found.gains
        about = _about(tournament, table, deals)
        if measure.until_clear:
            about["clear"] = [[a, b] for (a, b), is_clear in found.clear.items() if is_clear]
        wanted = {} if measure.power is None else _power(measure.power, deals, found.alone)
        if measure.power is not None:
            needed = [{"a": a, "b": b, "deals": n} for (a, b), n in wanted.items()]
            about["power"] = {"difference": measure.power, "needed": needed}
        if measure.gain_over is not None:
            about["gain_over"] = {"player": measure.gain_over, "orders": tournament.orders}
        forfeited = {
            (a, b): count_forfeited(tournament.works(a, b), kept, deals)
            for a, b, _, _ in teams_of(results)
            if measure.forfeits
        }
        document = about | _document(players, results, gains, forfeited)
        plan = [Job(work, deals) for work in works]
        try:
            rows = [*team_rows(players, results, gains)]
            write_each(
                [
                    (measure.games_out, lambda path: write_games(path, kept, plan)),
                    (asked.csv, lambda path: write_table(path, Form.CSV, TEAMS, rows)),
                    (asked.output, lambda path: write_result(path, form, document, TEAMS, rows)),
                    (asked.plot, lambda path: _plot(path, players, results)),
                ]
            )
        finally:  # a full disk must not lose hours of games
            if asked.json:
                print_json(document)
            else:
                _print(players, results, f"{_title(about)}, seed {table.seed}", forfeited)
                if gains is not None:
                    _print_gains(str(measure.gain_over), results, gains)
                if measure.until_clear:
                    _print_clear(found.clear)
                if measure.power is not None:
                    _print_power(measure.power, wanted)
    return 0


def _about(tournament: Tournament, table: options.Table, deals: int) -> dict[str, object]:
    works_alone = [tournament.works(n, n)[0] for n in range(len(tournament.players))]
    return {
        "version": __version__,
        "seats": tournament.rules.seats,
        "rules": table.rule_set,
        "seed": table.seed,
        "deals": deals,
        # With parameters and hashes of sources.
        "full_names": [work.team()[0] for work in works_alone],
    }


def _title(about: Mapping[str, object]) -> str:
    return "{seats} players, {rules} rules, {deals:,} deals".format_map(about)


def _tournament(
    players: Sequence[str],
    rules: Rules,
    table: options.Table,
    measure: Measurement,
    asked: TournamentOptions,
) -> Tournament:
    tournament = Tournament(
        with_terms([*players, *asked.beside], measure.on_error, table.turn_time),
        rules,
        options.new_seed(table.seed),
        is_gauntlet=asked.gauntlet,
        partners=len(asked.beside),
        is_recorded=measure.games_out is not None or measure.forfeits,
    )
    if measure.gain_over is None:
        return tournament
    orders = ORDERS if measure.orders is None else measure.orders
    with naming("--gain-over"):
        tournament = replace(tournament, baseline=measure.gain_over, orders=orders)
        tournament.works(0, 0)
    return tournament


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known after some deals; self-play is compared by gains if these are asked for."""

    results: Results
    gains: TeamGains | None
    alone: Mapping[tuple[int, int], Comparison | Estimate]
    clear: Mapping[tuple[int, int], bool]


def _look(
    tournament: Tournament, store: Store, deals: int, number: int
) -> tuple[_Found, list[float], bool]:
    results = tournament.results(reader(store, deals))
    gains = tournament.gains(partial(_records, store, deals))
    alone = results.alone if gains is None else gains.alone
    clear = dict(zip(alone, clear_at(number, alone.values()), strict=True))
    errors = [each.standard_error for each in _known(results, gains)]
    return _Found(results, gains, alone, clear), errors, all(clear.values())


def _plot(path: str, players: Sequence[str], results: Results) -> None:
    with replaced(path) as beside:
        plot_tournament(players, results, beside)


def _count_teams(players: int, seats: int, asked: TournamentOptions) -> int:
    """Return the largest number of teams that play."""
    if asked.beside:
        return players + len(asked.beside) * (1 + players * min(2, seats - 1) * seats)
    pairs = 2 * (players - 1) if asked.gauntlet else players * (players - 1)
    return players + pairs * (seats if seats > _SEATS else 1)


def _look_open(
    tournament: Tournament, store: Store, deals: int, _: int
) -> tuple[list[OpenTeam], list[float], bool]:
    teams = [*tournament.open_teams(reader(store, deals))]
    return teams, [each.summary.score.standard_error for each in teams], False


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
    players: Sequence[str], results: Results, title: str, forfeited: Mapping[tuple[int, int], int]
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


def _print_open(names: Sequence[str], teams: Sequence[OpenTeam], title: str) -> None:
    """Write a row for each player alone, and beside one and two of each partner."""
    screen = Screen()
    screen.entry("", title)
    screen.line()
    rows = [
        [
            names[each.player],
            f"{each.partners} {names[each.partner]}" if each.partners else "-",
            _mean(each.summary.score, ".2f"),
            f"{each.summary.scores.median:g}",
            f"{each.summary.bombed:.0%}",
        ]
        for each in teams
    ]
    screen.table(("player", "beside", "mean score", "median", "bombed"), rows, left=(0, 1))


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
