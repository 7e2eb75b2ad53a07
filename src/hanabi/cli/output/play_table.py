"""A play of Solitaire Hanabi as a table to read: moves, cards, and then the hand and the piles."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from hanabi.cards import COLOR_LETTERS
from hanabi.cli.output.terminal import Piece, Screen, color_style, plain_width
from hanabi.errors import counted
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play

__all__ = ["card_name", "show_play"]

_HEAD = "dim"
_HAND_LINES = 2
_PILES_WIDTH = 16
_VERB_WIDTH = len("discard")


def card_name(instance: Instance, color: int, value: int) -> str:
    """Return how a card is written: `r1`, `12:7`, or `7` if there is one color."""
    return str(value) if instance.c == 1 else instance.card_name(color, value)


def _style(instance: Instance, color: int) -> str:
    return "" if instance.c == 1 else color_style(color)


def show_play(screen: Screen, instance: Instance, play: Play) -> None:
    """Write a legal play as a table, one line a run of like moves. O(N (h + c)) at most.

    Cards marked `+` come from the hand. With more than six colors or values above nine the last
    column shows only the piles that grew.

    >>> play = Play([(1, "store"), (2, "play"), (1, "play")])
    >>> show_play(Screen(), Instance(1, [(0, 2), (0, 1)]), play)
    moves           cards                        hand after                     pile
        1  store    2                            2                              .
      2-3  play     1 +2                                                        2
           + from the hand
    """
    table = _Table(screen, instance, len(play))
    drawn, has_hand_moves = 0, False
    for position, action in play:
        table.add(position, action, is_held=position <= drawn)
        has_hand_moves = has_hand_moves or position <= drawn
        drawn = max(drawn, position)
    table.write_row()
    if has_hand_moves:
        screen.line((f"{'':{table.moves}}  + from the hand", _HEAD))


class _Table:
    """The state after the moves so far, of which the last ones of a kind are not yet written."""

    def __init__(self, screen: Screen, instance: Instance, moves: int) -> None:
        self.screen, self.instance = screen, instance
        self.has_all_piles = instance.n <= 9 and instance.c <= len(COLOR_LETTERS)
        self.moves = max(5, 2 * len(str(moves)) + 1)
        piles = max(4, 2 * instance.c) if self.has_all_piles else _PILES_WIDTH
        left = screen.width - self.moves - piles - _VERB_WIDTH - 8
        self.cards_width = left // 2 - 1
        self.hand_width = left - self.cards_width
        self.hand: dict[int, tuple[int, int]] = {}
        self.piles: dict[int, int] = {}
        self.n_written = 0
        self.action = DrawAction.PLAY
        self.cards: list[Piece] = []
        self.grown: dict[int, int] = {}
        self.write_head()

    def write_head(self) -> None:
        c = self.instance.c
        text = f"{'moves':>{self.moves}}  {'':{_VERB_WIDTH}}  {'cards':{self.cards_width}}"
        text += f"  {'hand after':{self.hand_width}}  "
        piles: list[Piece] = []
        if self.has_all_piles and c > 1:
            piles = [(f"{COLOR_LETTERS[color]} ", color_style(color)) for color in range(c)]
        else:
            text += "pile" if c == 1 else "piles grown"
        self.screen.line((text, _HEAD), *piles)

    def add(self, position: int, action: DrawAction, *, is_held: bool) -> None:
        """Make a move; what does not fit into the row is the first of the next."""
        value, color = self.instance.values[position - 1], self.instance.colors[position - 1]
        card = ("+" if is_held else "") + card_name(self.instance, color, value)
        width = plain_width(self.cards) + len(self.cards) + len(card)
        if action is not self.action or width > self.cards_width:
            self.write_row()
        self.action = action
        self.cards.append((card, _style(self.instance, color)))
        if action is DrawAction.STORE:
            self.hand[position] = color, value
            return
        self.hand.pop(position, None)
        if action is DrawAction.PLAY:
            self.piles[color] = self.grown[color] = value

    def write_row(self) -> None:
        """Write the moves of one kind; only the hand may need more than one line."""
        if not self.cards:
            return
        first, last = self.n_written + 1, self.n_written + len(self.cards)
        numbers = str(first) if last == first else f"{first}-{last}"
        cards = [piece for card in self.cards for piece in (card, (" ", ""))]
        hands = _spaced(_hand_pieces(self.instance, self.hand.values()), self.hand_width)
        if len(hands) > _HAND_LINES:
            hands = [[(counted(len(self.hand), "card"), "")]]
        self.screen.line(
            (f"{numbers:>{self.moves}}  ", _HEAD),
            (f"{self.action!s:{_VERB_WIDTH}}  ", "bold" if self.action is DrawAction.PLAY else ""),
            *cards,
            (" " * (self.cards_width + 2 - plain_width(cards)), ""),
            *hands[0],
            (" " * (self.hand_width + 2 - plain_width(hands[0])), ""),
            *(self.all_piles() if self.has_all_piles else self.grown_piles()),
        )
        for hand in hands[1:]:
            self.screen.line(" " * (self.moves + _VERB_WIDTH + self.cards_width + 6), *hand)
        self.n_written, self.cards, self.grown = last, [], {}

    def all_piles(self) -> list[Piece]:
        pieces: list[Piece] = []
        for color in range(self.instance.c):
            value = self.piles.get(color, 0)
            is_complete = value == self.instance.n
            style = f"{_style(self.instance, color)} {'bold' if is_complete else ''}".strip()
            pieces += [(str(value) if value else ".", style if value else _HEAD), (" ", "")]
        return pieces

    def grown_piles(self) -> list[Piece]:
        grown = [
            (card_name(self.instance, color, value), _style(self.instance, color))
            for color, value in sorted(self.grown.items())
        ]
        lines = _spaced(grown, _PILES_WIDTH)
        return lines[0] if len(lines) == 1 else [(counted(len(grown), "pile"), "")]


def _hand_pieces(instance: Instance, cards: Iterable[tuple[int, int]]) -> list[Piece]:
    """Return the hand, sorted and grouped by color as in `r124`, one piece a group."""
    if instance.c == 1:
        return [(str(value), "") for _, value in sorted(cards)]
    separator = "" if instance.n <= 9 else ","
    pieces = []
    for color, group in groupby(sorted(cards), itemgetter(0)):
        first, *rest = (value for _, value in group)
        name = separator.join((instance.card_name(color, first), *map(str, rest)))
        pieces.append((name, color_style(color)))
    return pieces


def _spaced(pieces: list[Piece], width: int) -> list[list[Piece]]:
    """Lay pieces out, with blanks between them, in lines of at most `width` where possible."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if lines[-1] and plain_width(lines[-1]) + len(piece[0]) > width:
            lines.append([])
        lines[-1] += [piece, (" ", "")]
    return lines
