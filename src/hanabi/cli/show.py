"""`hanabi show` prints a game move by move."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token

from hanabi.cli.input.load import name_of, read_input
from hanabi.cli.input.options import Count, Source
from hanabi.cli.output.moves import card_piece, ending, pile_pieces, sentence
from hanabi.cli.output.terminal import Piece, Screen, plain_width
from hanabi.errors import InvalidInputError, counted, printable, quote
from hanabi.game import Game
from hanabi.notation import GameRecord
from hanabi.session.game import GameProblem
from hanabi.session.inputs import naming
from hanabi.session.problem import pose_position
from hanabi.session.question import Question

__all__ = ["show_command"]

_HEAD = "dim"
_END = 10**9
_SLOT = 5
_NAME = 12
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
    players: Count | None = None,
) -> int:
    """Print a game move by move: hands, hints, piles and tokens after every move.

    Cards that the last hint touched stand in brackets.

    Parameters
    ----------
    game
        A game or a deck in a file, a hanab.live replay link, or - for standard input.
    at
        Print only the position after so many moves; 0 is the deal.
    turns
        Print only these turns, as in 10-20 or 30-.
    players
        Deal the deck to so many players.
    """
    if at is not None and turns is not None:
        raise InvalidInputError("give --at or --turns, not both")
    given = read_input(game)
    first, last = turns if turns is not None else (at or 0, at if at is not None else _END)
    with naming(name_of(game)):
        problem = pose_position(given, Question(players=players, at=at))
        problem.after(first)
    screen = Screen()
    screen.entry("", _described(problem, given))
    for index in range(first, min(last + 1, len(problem.positions))):
        screen.line()
        screen.line(*_headline(problem, index))
        for line in _rows(problem, index):
            screen.line(*line)
    if problem.moves and last >= len(problem.moves):
        screen.line()
        screen.entry("the end", _ending(given, problem.positions[-1]), "bold")
    return 0


def _described(problem: GameProblem, given: object) -> str:
    rules = problem.game.rules
    title, options = "A deck", ""
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


def _headline(problem: GameProblem, index: int) -> list[Piece]:
    if index == 0:
        return [("the deal", "bold")]
    before, after = problem.positions[index - 1], problem.positions[index]
    seat = before.seat_to_act
    pieces = [(f"turn {index:<3} ", _HEAD), (f"{problem.names[seat]} ", "bold")]
    pieces += sentence(problem.names, before, after)
    top = after.rules.deck_size - before.deck_left
    if top in after.hand_indices[seat]:
        pieces += [(", draws ", _HEAD), card_piece(after.deck[top], after.rules.variant)]
    return pieces


def _rows(problem: GameProblem, index: int) -> Iterator[list[Piece]]:
    """Yield a line for each hand, with the piles and tokens beside the first ones."""
    game = problem.positions[index]
    touched: tuple[int, ...] = ()
    target = -1
    if index and game.actions[-1].is_hint:
        target = game.actions[-1].target
        touched = problem.positions[index - 1].touched(game.actions[-1])
    beside = list(_beside(game))
    for row in range(max(game.rules.seats, len(beside))):
        pieces: list[Piece] = []
        if row < game.rules.seats:
            pieces = _hand(problem.names[row], game, row, touched if row == target else ())
        width = _NAME + _SLOT * game.rules.hand_size + 4
        if row < len(beside):
            pieces = [*pieces, (" " * (width - plain_width(pieces)), ""), *beside[row]]
        yield pieces


def _hand(name: str, game: Game, seat: int, touched: tuple[int, ...]) -> list[Piece]:
    acts = seat == game.seat_to_act and not game.is_over
    head = f"{name[: _NAME - 3]:{_NAME - 2}}"
    pieces: list[Piece] = [("> " if acts else "  ", "bold"), (head, _HEAD)]
    for slot, (card, known) in enumerate(zip(game.hands[seat], game.knowledge[seat], strict=True)):
        text, style = card_piece(card, game.rules.variant)
        is_hinted = len(known.colors) == 1 or len(known.ranks) == 1
        style = f"{style} {'underline' if is_hinted else ''}".strip()
        opened, closed = "[]" if slot in touched else "  "
        pieces += [(opened, "bold"), (text, style), (f"{closed:{_SLOT - 1 - len(text)}}", "bold")]
    return pieces


def _beside(game: Game) -> Iterator[list[Piece]]:
    yield [("piles ", _HEAD), *pile_pieces(game)]
    deck = (f"deck {game.deck_left}", _HEAD)
    if game.turns_left is not None:
        deck = (f"{counted(game.turns_left, 'turn')} left", "bold")
    yield [
        ("hints ", _HEAD),
        (f"{game.hints:<3}", ""),
        ("lives ", _HEAD),
        (f"{game.lives:<3}", "" if game.lives == game.rules.lives else "bold red"),
        deck,
    ]


def _ending(given: object, game: Game) -> str:
    was_ended = isinstance(given, GameRecord) and any(each.is_end for each in given.actions)
    return ending(game) + ("; the players ended the game" if was_ended and not game.is_over else "")
