"""A line of the full game as a table to read: one row a round, one column a player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hanabi.cards import COLOR_LETTERS
from hanabi.cli.output.moves import cell, pile_pieces, signed_name
from hanabi.cli.output.terminal import Piece, Screen, color_style
from hanabi.game import Game, Rules

__all__ = ["show_line"]

_HEAD = "dim"
_TURN, _HINTS, _DECK = 6, 5, 4
_CELL, _WIDEST_CELL = 8, 14


def show_line(screen: Screen, names: Sequence[str], games: Sequence[Game]) -> None:
    """Write the moves between successive positions, within 80 columns up to 6 players."""
    seats = games[0].rules.seats
    width, is_compact = _fit(games[0], screen.width)
    screen.line(*_head(names, games[0].rules, width, is_compact=is_compact))
    row: list[tuple[Game, Game]] = []
    for before, after in pairwise(games):
        row.append((before, after))
        if before.seat_to_act == seats - 1 or after is games[-1]:
            screen.line(*_row(row, width, is_compact=is_compact))
            row = []


def _fit(game: Game, width: int) -> tuple[int, bool]:
    """Return the width of a cell, and whether piles stand without blanks between them."""
    seats, colors = game.rules.seats, game.rules.colors
    left = width - (_TURN + _HINTS + 1 + _DECK + 2)
    for is_compact in (False, True):
        piles = colors if is_compact else 2 * colors - 1
        cell_width = min((left - piles) // seats, _WIDEST_CELL)
        if cell_width > _CELL:
            break
    return max(cell_width, _CELL + 1), is_compact


def _head(names: Sequence[str], rules: Rules, width: int, *, is_compact: bool) -> list[Piece]:
    signed = (signed_name(names, seat)[: width - 1] for seat in range(len(names)))
    text = "".join(f"{name:{width}}" for name in signed)
    pieces: list[Piece] = [(f"{'turn':>{_TURN - 2}}  {text}hints deck  ", _HEAD)]
    letters = COLOR_LETTERS if rules.colors <= len(COLOR_LETTERS) else "." * rules.colors
    if rules.variant is not None:
        letters = rules.variant.letters
    for color in range(rules.colors):
        pieces += [(letters[color], color_style(color)), ("" if is_compact else " ", "")]
    return pieces


def _row(steps: Sequence[tuple[Game, Game]], width: int, *, is_compact: bool) -> list[Piece]:
    first, last = steps[0][0], steps[-1][1]
    pieces: list[Piece] = [(f"{first.turn + 1:>{_TURN - 2}}  ", _HEAD)]
    pieces.append((" " * (width * first.seat_to_act), ""))
    for before, after in steps:
        text, style = cell(before, after)
        pieces += [(text, style), (" " * (width - len(text)), "")]
    seats_left = first.rules.seats - first.seat_to_act - len(steps)
    pieces.append((" " * (width * seats_left), ""))
    pieces.append((f"{last.hints:>{_HINTS - 1}}  {last.deck_left:>{_DECK - 1}}   ", ""))
    return pieces + pile_pieces(last, is_compact=is_compact)
