"""`hanabi link` writes a game as a hanab.live replay link."""

from __future__ import annotations

import sys
from dataclasses import replace

from hanabi.cli.arguments import Count, Source
from hanabi.cli.game_moves import Table
from hanabi.cli.game_problem import to_game_problem
from hanabi.cli.game_question import Dealing
from hanabi.cli.load import name_of, read_text
from hanabi.cli.terminal import complain
from hanabi.errors import IllegalActionError, InvalidInputError
from hanabi.game.replay import record_action
from hanabi.notation import GameRecord, parse_input, parse_link
from hanabi.notation.hanab_live import HINTS, actions_from_json
from hanabi.notation.strict_json import as_text, load, show
from hanabi.session.problem import GameProblem, link_of

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
        Deal the deck to so many players; an answer is for those it was found for.
    at
        Cut the game after so many moves.
    """
    text, name = read_text(source), name_of(source)
    try:
        given = _game_of_answer(text, players) or parse_input(text)
        problem = to_game_problem(given, Dealing(players=players, at=at))
        link = _link_of_game(problem, is_cut=at is not None)
    except (InvalidInputError, IllegalActionError) as error:
        raise type(error)(f"{name}: {error}") from None
    sys.stdout.write(link + "\n")
    return 0


def _game_of_answer(text: str, players: int | None) -> GameRecord | None:
    """Return the game in an answer, or None if the text is something else.

    The answer's link tells the table and the deck; what was played is in its actions.
    """
    if not text.lstrip().startswith("{") or '"link"' not in text:
        return None
    data = load(text)
    if not isinstance(data, dict) or not {"status", "link"} <= data.keys():
        return None
    if data["link"] is None:
        raise InvalidInputError(f"this answer has no link (its status is {show(data['status'])})")
    try:
        table = parse_link(as_text(data["link"], "link"))
    except InvalidInputError as error:
        raise InvalidInputError(f"link: {error}") from None
    if players not in (None, table.players):
        raise InvalidInputError(f"--players {players}: the answer is for {table.players} players")
    if "actions" not in data:
        raise InvalidInputError("actions: missing")
    actions = actions_from_json(data["actions"], table.players, len(table.deck), table.colors)
    # Answers write 0 for what plays and discards have not.
    return replace(
        table,
        actions=tuple(
            each if each.type in HINTS else replace(each, value=None) for each in actions
        ),
    )


def _link_of_game(problem: GameProblem, *, is_cut: bool) -> str:
    at = problem.at if is_cut else len(problem.moves)
    if at:
        return link_of(problem, problem.moves[problem.at : at])
    # The site opens no game without an action; a hint leaves every card where it is.
    deal = problem.game
    hint = next((action for action in deal.legal_actions() if action.is_hint), None)
    if hint is None:
        raise InvalidInputError("the site wants a move, and nobody can give a hint")
    link = link_of(problem, (record_action(deal, hint),))
    words = Table(problem.names).sentence(deal, hint, deal.apply(hint))
    said = "".join(text for text, _ in words)
    complain(f"note: the site wants a move, so {problem.names[0]} {said}")
    return link
