"""`hanabi link` prints a hanab.live replay link to a game."""

from __future__ import annotations

from hanabi.ground import IllegalActionError, InvalidInputError, naming
from hanabi.rules import GameProblem, link_of, parse_input, told
from hanabi.shell import (
    Count,
    Question,
    Source,
    complain,
    game_of_answer,
    name_of,
    pose_position,
    print_link,
    read_text,
)

__all__ = ["link_command"]


def link_command(
    source: Source, /, *, players: Count | None = None, at: Count | None = None
) -> int:
    """Print a hanab.live replay link to a game, a deck or an answer.

    Parameters
    ----------
    source
        A game, a deck, an answer of "hanabi solve --json", a link, or - for standard input.
    players
        Deal the deck to this many players. An answer keeps its number of players.
    at
        Cut the game after this many moves.
    """
    text, name = read_text(source), name_of(source)
    try:
        with naming(name):
            given = game_of_answer(text, players) or parse_input(text)
            problem = pose_position(given, Question(players=players, at=at))
            link = _link_of_game(problem, problem.at if at is not None else len(problem.moves))
    except IllegalActionError as error:
        raise IllegalActionError(f"{name}: {error}") from None
    print_link(link, problem.positions[0].rules)
    return 0


def _link_of_game(problem: GameProblem, end: int) -> str:
    if end:
        return link_of(problem.positions[: end + 1], problem.names)
    # The site opens no game without an action; a hint leaves every card where it is.
    deal = problem.game
    hint = next((action for action in deal.legal_actions if action.is_hint), None)
    if hint is None:
        raise InvalidInputError("the site needs a move, and nobody can give a hint")
    after = deal.apply(hint)
    link = link_of((deal, after), problem.names)
    said = told(problem.names, deal, after)
    complain(f"note: the site needs a move, so {problem.names[0]} {said}")
    return link
