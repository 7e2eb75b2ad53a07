"""The positions of a game, one after the other: hands, piles and tokens after every move."""

from __future__ import annotations

from collections.abc import Iterator

from hanabi.cli.output.moves import card_piece, pile_pieces, sentence
from hanabi.cli.output.terminal import Piece, Screen, plain_width
from hanabi.errors import counted
from hanabi.game import Game
from hanabi.session.game import GameProblem

__all__ = ["show_positions"]

_HEAD = "dim"
_SLOT = 5
_NAME = 12


def show_positions(screen: Screen, problem: GameProblem, first: int, last: int) -> None:
    """Write the positions from `first` to `last`, as far as there are; 0 is the deal.

    Cards that the last hint touched stand in brackets.
    """
    for index in range(first, min(last + 1, len(problem.positions))):
        screen.line()
        screen.line(*_headline(problem, index))
        for line in _rows(problem, index):
            screen.line(*line)
        if index == problem.recorded.over_at:
            end = problem.positions[index].end_reason
            screen.line((f"  here the rules of today end the game: {end}", "bold"))


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
    if game.discards:
        yield [(f"  {'discards':{_NAME - 2}}", _HEAD), *_discards(game)]


def _discards(game: Game) -> Iterator[Piece]:
    """Yield the discards suit by suit, as in r113: there may be too many for a line of cards."""
    before = -1
    for card in sorted(game.discards):
        text, style = card_piece(card, game.rules.variant)
        if card.color == before:
            text = text.removeprefix(text.rstrip("0123456789S"))
        elif before >= 0:
            yield " ", ""
        yield text, style
        before = card.color


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
        (f"{max(game.lives, 0):<3}", "" if game.lives == game.rules.lives else "bold red"),
        deck,
    ]
