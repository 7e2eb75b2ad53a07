"""`hanabi show` prints a game move by move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token

from hanabi.ground import InvalidInputError, counted, draw_board, naming, printable, quote
from hanabi.rules import GameProblem, GameRecord, board_of
from hanabi.shell import (
    PICTURES,
    Count,
    DealTo,
    Pictures,
    Question,
    Screen,
    Source,
    check_outputs,
    name_of,
    pose_position,
    read_input,
    show_positions,
    write_each,
)

__all__ = ["show_command"]

_END = 10**9
_MOST_OPTIONS, _OPTION_LENGTH = 12, 30


def _turns(_: Any, tokens: Sequence[Token]) -> tuple[int, int]:
    text = tokens[0].value
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9})?)?", text)
    if match is None or (match[2] and int(match[2]) < int(match[1])):
        raise ValueError(f"{quote(text)} is not a range of turns such as 10-20.")
    first = int(match[1])
    last = int(match[2]) if match[2] else first if "-" not in text else _END
    return first, last


Turns = Annotated[tuple[int, int], Parameter(converter=_turns, n_tokens=1, accepts_keys=False)]


def show_command(
    game: Source,
    /,
    *,
    at: Count | None = None,
    turns: Turns | None = None,
    players: DealTo = None,
    pictures: Pictures = Pictures(),
) -> int:
    """Print a game move by move.

    Shows hands, hints, piles and tokens after every move. Hands begin with the newest card, card 1.
    Cards that the last hint touched are in brackets.

    Parameters
    ----------
    game
        A game, a deck or a position in a file, a hanab.live replay link, or - for standard input.
    at
        Print only the position after this many moves; 0 is the deal.
    turns
        Print only these turns, as in 10-20 or 30-.
    pictures.svg
        Draw the last position that is printed to this file, as SVG.
    """
    files = pictures.files()
    check_outputs([game], files, forms=PICTURES)
    if at is not None and turns is not None:
        raise InvalidInputError("give --at or --turns, not both")
    given = read_input(game)
    first, last = turns if turns is not None else (at or 0, at if at is not None else _END)
    with naming(name_of(game)):
        problem = pose_position(given, Question(players=players, at=at), may_hide=True)
        problem.after(first)
    if files:
        shown = problem.positions[: last + 1][-1]
        table = shown if problem.hidden is None else shown.view(problem.hidden)
        board = board_of(table, names=problem.names)
        write_each(pictures.writes(draw_board(board, standalone=True)))
    screen = Screen()
    screen.entry("", _described(problem, given))
    for remark in problem.remarks:
        screen.entry("", remark)
    show_positions(screen, problem, first, last)
    if problem.moves and last >= len(problem.moves):
        screen.line()
        screen.entry("the end", problem.ending, "bold")
    return 0


def _described(problem: GameProblem, given: object) -> str:
    rules = problem.game.rules
    title, options = ("A deck" if problem.has_history else "A position"), ""
    if isinstance(given, GameRecord):
        title = "A game" if given.id is None else f"Game {given.id}"
        options = _options(given)
        title += f" of {counted(len(problem.moves), 'move')}, {given.variant}"
    cards = counted(rules.hand_size, "card")
    return f"{title}: {rules.seats} players with {cards} each{options}."


def _options(given: GameRecord) -> str:
    named = [printable(name, _OPTION_LENGTH) for name, on in given.options.items() if on is True]
    shown = named[:_MOST_OPTIONS]
    if len(named) > len(shown):
        shown.append(f"{len(named) - len(shown):,} more")
    return f"; options: {', '.join(shown)}" if shown else ""
