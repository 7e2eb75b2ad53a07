"""`hanabi link` writes a game as a hanab.live replay link."""

from __future__ import annotations

import json
import sys

from hanabi.cli.arguments import Count, Source
from hanabi.cli.game_moves import Table
from hanabi.cli.game_problem import GameProblem, record_of, to_game_problem
from hanabi.cli.game_question import Dealing
from hanabi.cli.load import name_of, read_text
from hanabi.cli.terminal import complain
from hanabi.errors import InvalidInputError, quote
from hanabi.game.replay import record_action
from hanabi.notation import format_link, parse_input, parse_link

__all__ = ["link_command"]


def link_command(
    source: Source, /, *, players: Count | None = None, at: Count | None = None
) -> int:
    """Make a replay link that opens a game in the viewer of hanab.live.

    Parameters
    ----------
    source
        A game, a deck, an answer of "hanabi solve --json", a link, or - for standard input.
    players
        Deal the deck to so many players.
    at
        Cut the game after so many moves.
    """
    text, name = read_text(source), name_of(source)
    try:
        link = _link_of_answer(text)
        if link is None:
            dealing = Dealing(players=players, at=at)
            link = _link_of_game(to_game_problem(parse_input(text), dealing), is_cut=at is not None)
    except InvalidInputError as error:
        raise InvalidInputError(f"{name}: {error}") from None
    sys.stdout.write(link + "\n")
    return 0


def _link_of_answer(text: str) -> str | None:
    """Return the link in an answer, or None if the text is something else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # told by the reader of games
        return None
    if not isinstance(data, dict) or not {"status", "link"} <= data.keys():
        return None
    if not isinstance(data["link"], str):
        raise InvalidInputError(f"this answer has no link (its status is {quote(data['status'])})")
    parse_link(data["link"])
    return data["link"]


def _link_of_game(problem: GameProblem, *, is_cut: bool) -> str:
    at = problem.at if is_cut else len(problem.moves)
    if at:
        return format_link(record_of(problem, problem.moves[problem.at : at]))
    # The site opens no game without an action; a hint leaves every card where it is.
    deal = problem.game
    hint = next(action for action in deal.legal_actions() if action.is_hint)
    link = format_link(record_of(problem, (record_action(deal, hint),)))
    words = Table(problem.names).sentence(deal, hint, deal.apply(hint))
    said = "".join(text for text, _ in words)
    complain(f"note: the site wants a move, so {problem.names[0]} {said}")
    return link
