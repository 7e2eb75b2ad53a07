"""`hanabi play` plays one game and shows it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hanabi.ground import InvalidInputError, counted
from hanabi.lab import Simulation
from hanabi.players.protocol import Player, why_of
from hanabi.players.registry import as_player
from hanabi.rules import (
    GameProblem,
    ending,
    find_link,
    game_to_json,
    link_of,
    pose_game,
    record_actions,
    terminal,
    to_record,
)
from hanabi.shell import (
    Screen,
    options,
    print_json,
    print_link,
    seat_players,
    show_line,
    show_positions,
    with_terms,
)

__all__ = ["play_command"]


def play_command(
    *players: str,
    table: options.Table = options.Table(),
    deal: options.Count = 0,
    repeat: options.Count = 0,
    show: bool = False,
    link: bool = False,
    json: options.Json = False,
) -> int:
    """Play one game, and show it.

    It is a game of "hanabi simulate" with the same players, seed and rules.

    Parameters
    ----------
    players
        One player for all seats, or one for each. "hanabi players" lists them.
    deal
        The deal of the seed, from 0. Default: 0.
    repeat
        The repeat of "hanabi simulate --repeat", from 0. Default: 0.
    show
        Print every position: hands, piles and tokens after every move, and why the player made
        it, if the player says so.
    link
        Print only the hanab.live replay link of the game.
    """
    if show + link + json > 1:
        raise InvalidInputError("give one of --show, --link and --json")
    names, rules = table.rule_set, seat_players(players, table.seats, table.rule_set)
    seed = options.new_seed(table.seed)
    team = with_terms(players, "stop", table.turn_time)
    end = Simulation(team, rules, seed, repeat).play(deal)
    problem = pose_game(end)
    if link:
        print_link(link_of(problem.positions, problem.names), rules)
        return 0
    if json:
        about = {"players": list(players), "rules": names, "seed": seed, "deal": deal}
        print_json(_document(problem) | {"simulation": about | {"repeat": repeat}})
        return 0
    again = f", repeat {repeat}" if repeat else ""
    where = f"{counted(rules.seats, 'player')}, {names} rules, seed {seed}, deal {deal}{again}"
    _print(problem, players, team, where, show=show)
    return 0


def _document(problem: GameProblem) -> dict[str, object]:
    """Return the game as hanab.live exports it, if it has such games, with its outcome."""
    end = problem.game
    try:
        data = game_to_json(to_record(end, names=problem.names))
    except InvalidInputError:
        # Not in the site's form: read by its rules, it would be another game.
        moves = [{"type": each.type, "target": each.target, "value": each.value or 0}
                 for each in record_actions(problem.positions)]  # fmt: skip
        data = {"players": list(problem.names), "deck": str(end.deck), "actions": moves}
    ended = end.end_reason.name.lower()
    return data | {"score": end.score, "ended": ended, "link": find_link(problem)[0]}


def _reasons(problem: GameProblem, players: Sequence[str | Player]) -> list[str | None]:
    """Return why each move was made, or None where the player does not say it."""
    team = [as_player(player) for player in players]
    reasons = []
    for before, after in pairwise(problem.positions):
        seat, action = before.seat_to_act, after.actions[-1]
        player = team[seat % len(team)]
        said = why_of(player, before.view(seat), action)
        reasons.append(None if said is None else said.to(terminal(problem.names, before)))
    return reasons


def _print(
    problem: GameProblem,
    players: Sequence[str],
    team: Sequence[str | Player],
    where: str,
    *,
    show: bool,
) -> None:
    screen, end = Screen(), problem.game
    screen.entry("", f"{', '.join(players)}; {where}")
    if show:
        show_positions(screen, problem, 0, len(problem.moves), _reasons(problem, team))
    else:
        screen.line()
        show_line(screen, problem.names, problem.positions)
    screen.line()
    screen.entry("the end", ending(end), "bold")
    link, no_link = find_link(problem)
    if link is None:
        screen.entry("no link", no_link)
    else:
        screen.line()
        screen.link(link)
