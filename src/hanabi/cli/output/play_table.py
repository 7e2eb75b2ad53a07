"""A play of Solitaire Hanabi as a table to read: moves, cards, and then the hand and the piles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from hanabi.cards import COLOR_LETTERS, format_card
from hanabi.cli.output.terminal import Piece, Screen, color_style, plain_width
from hanabi.errors import counted
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Action, Play

__all__ = ["card_name", "show_play"]

_HEAD = "dim"
_HAND_LINES = 2
_PILES_WIDTH = 16


def card_name(instance: Instance, value: int, color: int) -> str:
    """Return how a card is written: `r1`, `12:7`, or `7` if there is one color."""
    return str(value) if instance.c == 1 else format_card(color, value)


def _style(instance: Instance, color: int) -> str:
    return "" if instance.c == 1 else color_style(color)


@dataclass(slots=True)
class _Row:
    """A run of like moves, and what the table looks like after it."""

    first: int
    action: Action
    cards: list[Piece] = field(default_factory=list)
    moved: dict[int, int] = field(default_factory=dict)
    hand: list[tuple[int, int]] = field(default_factory=list)
    piles: dict[int, int] = field(default_factory=dict)


def _rows(instance: Instance, play: Play, width: int) -> Iterator[_Row]:
    """Cut the play into runs of the same action whose cards fit into `width` characters. O(N)."""
    hand: dict[int, tuple[int, int]] = {}
    piles: dict[int, int] = {}
    row: _Row | None = None
    drawn = 0
    for number, (position, action) in enumerate(play, start=1):
        value, color = instance.values[position - 1], instance.colors[position - 1]
        from_hand = position <= drawn
        drawn = max(drawn, position)
        card = ("+" if from_hand else "") + card_name(instance, value, color)
        if (
            row is None
            or row.action is not action
            or plain_width(row.cards) + len(row.cards) + len(card) > width
        ):
            if row is not None:
                row.hand, row.piles = list(hand.values()), dict(piles)
                yield row
            row = _Row(number, action)
        row.cards.append((card, _style(instance, color)))
        if action is Action.STORE:
            hand[position] = value, color
            continue
        hand.pop(position, None)
        if action is Action.PLAY:
            piles[color] = row.moved[color] = value
    if row is not None:
        row.hand, row.piles = list(hand.values()), piles
        yield row


def _spaced(pieces: list[Piece], width: int) -> list[list[Piece]]:
    """Lay pieces out, with blanks between them, in lines of at most `width` where possible."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if lines[-1] and plain_width(lines[-1]) + len(piece[0]) > width:
            lines.append([])
        lines[-1] += [piece, (" ", "")]
    return lines


@dataclass(frozen=True, slots=True)
class _Columns:
    """The widths of the table's columns, and how they are written."""

    instance: Instance
    moves: int
    cards: int
    hand: int

    @classmethod
    def fitting(cls, instance: Instance, play: Play, width: int) -> _Columns:
        moves = max(5, 2 * len(str(len(play))) + 1)
        piles = max(4, 2 * instance.c) if _has_all_piles(instance) else _PILES_WIDTH
        left = width - moves - piles - len("discard") - 8
        cards = left // 2 - 1
        return cls(instance, moves, cards, left - cards)

    def head(self) -> list[Piece]:
        """Return the line above the table."""
        text = (
            f"{'moves':>{self.moves}}  {'':7}  {'cards':{self.cards}}  {'hand after':{self.hand}}  "
        )
        if self.instance.c == 1:
            return [(f"{text}pile", _HEAD)]
        if not _has_all_piles(self.instance):
            return [(f"{text}piles grown", _HEAD)]
        letters = COLOR_LETTERS[: self.instance.c]
        piles = [(f"{letter} ", color_style(color)) for color, letter in enumerate(letters)]
        return [(text, _HEAD), *piles]

    def lines(self, row: _Row) -> Iterator[list[Piece]]:
        """Yield the lines of one row; only its hand may need more than one."""
        last = row.first + len(row.cards) - 1
        numbers = str(row.first) if last == row.first else f"{row.first}-{last}"
        cards = [piece for card in row.cards for piece in (card, (" ", ""))]
        hands = _spaced(_hand_pieces(self.instance, row.hand), self.hand)
        if len(hands) > _HAND_LINES:
            hands = [[(counted(len(row.hand), "card"), "")]]
        yield [
            (f"{numbers:>{self.moves}}  ", _HEAD),
            (f"{row.action!s:7}  ", "bold" if row.action is Action.PLAY else ""),
            *cards,
            (" " * (self.cards + 2 - plain_width(cards)), ""),
            *hands[0],
            (" " * (self.hand + 2 - plain_width(hands[0])), ""),
            *_pile_pieces(self.instance, row),
        ]
        for hand in hands[1:]:
            yield [(" " * (self.moves + 7 + self.cards + 6), ""), *hand]


def _has_all_piles(instance: Instance) -> bool:
    return instance.n <= 9 and instance.c <= len(COLOR_LETTERS)


def _hand_pieces(instance: Instance, cards: list[tuple[int, int]]) -> list[Piece]:
    """Return the hand, sorted and grouped by color as in `r124`, one piece a group."""
    if instance.c == 1:
        return [(str(value), "") for value, _ in sorted(cards)]
    separator = "" if instance.n <= 9 else ","
    pieces = []
    for color, group in groupby(sorted(cards, key=lambda card: card[::-1]), itemgetter(1)):
        first, *rest = (value for value, _ in group)
        name = separator.join((format_card(color, first), *map(str, rest)))
        pieces.append((name, color_style(color)))
    return pieces


def _pile_pieces(instance: Instance, row: _Row) -> list[Piece]:
    """Return the piles after a row: all of them, or those that grew if there are many."""
    if _has_all_piles(instance):
        pieces: list[Piece] = []
        for color in range(instance.c):
            value = row.piles.get(color, 0)
            style = f"{_style(instance, color)} {'bold' if value == instance.n else ''}".strip()
            pieces += [(str(value) if value else ".", style if value else _HEAD), (" ", "")]
        return pieces
    grown = [
        (card_name(instance, value, color), _style(instance, color))
        for color, value in sorted(row.moved.items())
    ]
    lines = _spaced(grown, _PILES_WIDTH)
    return lines[0] if len(lines) == 1 else [(counted(len(grown), "pile"), "")]


def show_play(screen: Screen, instance: Instance, play: Play) -> None:
    """Write a legal play as a table, one line a run of like moves. O(N (h + c)) at most.

    Cards marked `+` come from the hand. With more than six colors or values above nine the last
    column shows only the piles that grew.

    >>> play = Play([(1, "store"), (2, "play"), (1, "play")])
    >>> show_play(Screen(), Instance(1, [(2, 0), (1, 0)]), play)
    moves           cards                        hand after                     pile
        1  store    2                            2                              .
      2-3  play     1 +2                                                        2
           + from the hand
    """
    columns = _Columns.fitting(instance, play, screen.width)
    screen.line(*columns.head())
    for row in _rows(instance, play, columns.cards):
        for line in columns.lines(row):
            screen.line(*line)
    drawn, has_hand_moves = 0, False
    for position in play.positions:
        has_hand_moves = has_hand_moves or position <= drawn
        drawn = max(drawn, position)
    if has_hand_moves:
        screen.line((f"{'':{columns.moves}}  + from the hand", _HEAD))
