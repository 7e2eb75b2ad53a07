"""What the command line's options make of a game: see `hanabi.session.problem`."""

from __future__ import annotations

from dataclasses import replace

from hanabi.cli.game_question import Dealing
from hanabi.errors import InvalidInputError, counted
from hanabi.notation import DeckInput, GameRecord, SolitaireInput, cards_per_player
from hanabi.session.problem import GameProblem, is_as_played, pose_deck

__all__ = ["only_so_many", "to_game_problem"]


def to_game_problem(
    given: DeckInput | GameRecord | SolitaireInput, dealing: Dealing
) -> GameProblem:
    """Return the position that is asked for, as `pose_deck` makes it.

    >>> from hanabi.notation import parse_input
    >>> deck = parse_input("players 2  r1 r2 r3 r1 r2 r1 y1 y2 y3 y1 y2 y1")
    >>> to_game_problem(deck, Dealing(rules="official")).preset
    'official'
    """
    if dealing.players is not None:
        cards_per_player(dealing.players)
    if isinstance(given, SolitaireInput):
        if given.hand_size is not None:
            raise InvalidInputError("give a hand size or --players, not both")
        if dealing.players is None:
            raise InvalidInputError("no number of players: give --players P")
    if dealing.at and not is_as_played(given, dealing.players, dealing.rules):
        raise InvalidInputError("--at: only a recorded game, as it was played, has moves")
    problem = pose_deck(given, players=dealing.players, rules=dealing.rules)
    if dealing.at is None:
        return problem
    if dealing.at >= len(problem.positions):
        raise InvalidInputError(f"--at {dealing.at}: {only_so_many(len(problem.moves))}")
    return replace(problem, at=dealing.at)


def only_so_many(moves: int) -> str:
    """Return what to say of a game to whoever asks for later moves.

    >>> only_so_many(1)
    'the game has only 1 move'
    """
    return f"the game has only {counted(moves, 'move')}"
