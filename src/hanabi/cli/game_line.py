"""A line of play as a table to read: one row a round, one column a player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hanabi.cards import COLOR_LETTERS
from hanabi.cli.game_moves import Table, pile_pieces
from hanabi.cli.terminal import Piece, Screen, color_style
from hanabi.game import Action, Game
from hanabi.game.replay import find_action
from hanabi.notation import RecordedAction

__all__ = ["show_line", "steps_of"]

_HEAD = "dim"
_TURN, _HINTS, _DECK = 6, 5, 4
_CELL, _WIDEST_CELL = 8, 14

Step = tuple[Game, Action, Game]


def steps_of(game: Game, line: Sequence[RecordedAction]) -> list[Step]:
    """Return each action of a line between the positions before and after it."""
    steps = []
    for recorded in line:
        action = find_action(game, recorded)
        after = game.apply(action)
        steps.append((game, action, after))
        game = after
    return steps


@dataclass(frozen=True, slots=True)
class _Layout:
    """Widths that fit the screen: with many players or colors everything moves together."""

    seats: int
    colors: int
    cell: int
    is_compact: bool

    @classmethod
    def fitting(cls, game: Game, width: int) -> _Layout:
        seats, colors = game.rules.seats, game.rules.colors
        fixed = _TURN + _HINTS + 1 + _DECK + 2
        for is_compact in (False, True):
            room = width - fixed - (colors if is_compact else 2 * colors - 1)
            cell = min(room // seats, _WIDEST_CELL)
            if cell > _CELL:
                break
        return cls(seats, colors, max(cell, _CELL + 1), is_compact)

    def head(self, table: Table) -> list[Piece]:
        names = [table.name(seat)[: self.cell - 1] for seat in range(self.seats)]
        text = "".join(f"{name:{self.cell}}" for name in names)
        pieces: list[Piece] = [(f"{'turn':>{_TURN - 2}}  {text}hints deck  ", _HEAD)]
        letters = COLOR_LETTERS if self.colors <= len(COLOR_LETTERS) else "." * self.colors
        for color in range(self.colors):
            pieces.append((letters[color], color_style(color)))
            pieces.append(("" if self.is_compact else " ", ""))
        return pieces

    def row(self, table: Table, steps: Sequence[Step]) -> list[Piece]:
        first, last = steps[0][0], steps[-1][2]
        pieces: list[Piece] = [(f"{first.turn + 1:>{_TURN - 2}}  ", _HEAD)]
        pieces.append((" " * (self.cell * first.seat_to_act), ""))
        for before, action, after in steps:
            text, style = table.cell(before, action, after)
            pieces += [(text, style), (" " * (self.cell - len(text)), "")]
        acted = first.seat_to_act + len(steps)
        pieces.append((" " * (self.cell * (self.seats - acted)), ""))
        pieces.append((f"{last.hints:>{_HINTS - 1}}  {last.deck_left:>{_DECK - 1}}   ", ""))
        return pieces + pile_pieces(last, is_compact=self.is_compact)


def show_line(screen: Screen, table: Table, steps: Sequence[Step]) -> None:
    """Write a line of play that has at least one move, within 80 columns up to 6 players."""
    game = steps[0][0]
    layout = _Layout.fitting(game, screen.width)
    screen.line(*layout.head(table))
    row: list[Step] = []
    for step in steps:
        row.append(step)
        if step[0].seat_to_act == game.rules.seats - 1:
            screen.line(*layout.row(table, row))
            row = []
    if row:
        screen.line(*layout.row(table, row))
