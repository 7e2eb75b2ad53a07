"""Public knowledge of a hand: the possible identities of each of its cards [ODwyer2018].

An identity is a color, a rank, or both: a card. A `PossibilityTable` lists the hints that touch
each identity. So one kind of table serves for color hints (identities are colors, each touched by
its own hint), for rank hints, and for both together. `possibilities_of` takes the public knowledge
of a hand from a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from hanabi.ground import InvalidInputError, Pictured, counted, quote
from hanabi.rules import (
    COLOR_NAMES,
    RULES_OF_2026,
    TABLE_FIELDS,
    Card,
    Understanding,
    View,
    as_integer,
    as_items,
    as_object,
    lines_of,
    refuse_typos,
)

__all__ = [
    "MOST_HINTS",
    "Possibilities",
    "PossibilityTable",
    "Side",
    "parse_table",
    "possibilities_of",
    "table_from_json",
]

MOST_HINTS = 10_000
"""Most hints of a table from a file or text."""

_NO = (".", "0")
_YES = ("1", "x", "X")
_CORNERS = ("card", "cards", "slot", "slots")
_UNSEEN = "unseen"
_MOST_COPIES = 10**9


@dataclass(frozen=True, slots=True)
class PossibilityTable(Pictured):
    """Public knowledge of a hand, and the possible hints to it.

    Attributes
    ----------
    hints
        Number of hints, at least 1.
    rows
        For each card its possible identities, ascending indices into `touched`; at least one.
    touched
        For each identity the hints that touch it; at least one.
    unseen
        For each identity the number of copies that the whole hand can hold, or None for any number.
    names
        A readable name for each hint.
    oldest_first
        Whether the rows are the slots of a hand, the oldest card first, which people count from the
        newest; else card 1 is the first row.

    Raises
    ------
    InvalidInputError
        If a number is out of range, or a card has no identity.

    >>> PossibilityTable.plain(3, [[0, 2], [1]], unseen=[1, 1, 1]).rows
    ((0, 2), (1,))
    """

    _drawn_by: ClassVar[str] = "hanabi.solvers.hints.picture"

    hints: int
    rows: tuple[tuple[int, ...], ...]
    touched: tuple[tuple[int, ...], ...]
    unseen: tuple[int, ...] | None
    names: tuple[str, ...]
    oldest_first: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.hints < 1:
            raise InvalidInputError(f"hints = {quote(self.hints)} is not 1 or more")
        if len(self.names) != self.hints:
            raise InvalidInputError(
                f"{counted(len(self.names), 'name')} for {counted(self.hints, 'hint')}"
            )
        _check_sets("touched", self.touched, self.hints)
        _check_sets("rows", self.rows, len(self.touched))
        if self.unseen is None:
            return
        if len(self.unseen) != len(self.touched):
            raise InvalidInputError(
                f"unseen: {counted(len(self.unseen), 'number')}"
                f" for {counted(len(self.touched), 'column')}"
            )
        for index, count in enumerate(self.unseen):
            if count < 0:
                raise InvalidInputError(f"unseen[{index}]: {quote(count)} copies")

    @classmethod
    def plain(
        cls,
        hints: int,
        rows: Sequence[Sequence[int]],
        *,
        unseen: Sequence[int] | None = None,
        names: Sequence[str] | None = None,
    ) -> PossibilityTable:
        """Return a table whose identities are the hints themselves, as for colors alone.

        >>> PossibilityTable.plain(2, [[0, 1]]).touched
        ((0,), (1,))
        """
        return cls(
            hints,
            tuple(tuple(sorted(set(row))) for row in rows),
            tuple((hint,) for hint in range(hints)),
            None if unseen is None else tuple(unseen),
            tuple(map(str, range(hints)) if names is None else names),
        )

    def number(self, card: int) -> int:
        """Return the number, from 1, by which people call the card of a row.

        >>> PossibilityTable.plain(2, [[0], [1]]).number(1)
        2
        """
        return len(self.rows) - card if self.oldest_first else card + 1

    @property
    def touched_masks(self) -> list[int]:
        """For each identity the hints that touch it, as bits."""
        return [sum(1 << hint for hint in hints) for hints in self.touched]

    def row_hints(self, card: int) -> tuple[int, ...]:
        """Return the hints that may touch a card, in ascending order.

        >>> PossibilityTable.plain(3, [[0, 2], [1]]).row_hints(0)
        (0, 2)
        """
        return tuple(sorted({hint for each in self.rows[card] for hint in self.touched[each]}))


def _check_sets(name: str, sets: Sequence[Sequence[int]], size: int) -> None:
    for index, each in enumerate(sets):
        if not each:
            raise InvalidInputError(f"{name}[{index}]: it is empty")
        for value in each:
            if not 0 <= value < size:
                raise InvalidInputError(
                    f"{name}[{index}]: {quote(value)} is not in 0 .. {size - 1}"
                )
        if list(each) != sorted(set(each)):
            raise InvalidInputError(f"{name}[{index}]: {quote(each)} is not ascending")


def parse_table(text: str) -> PossibilityTable:
    r"""Read a table in the form printed in [ODwyer2018].

    The first line names the columns, optionally after the word `card` above the labels. Every other
    line is a card, with one mark for each column: `1` or `x` if the card can be this, `.` or `0` if
    not. A label may come first; if it could be a mark, the word `card` is required. A line labelled
    `Unseen` gives the unseen copies of each column. Blank lines are skipped.

    Raises
    ------
    InvalidInputError
        If the table is invalid; the message gives the line, and the wrong mark.

    >>> table = parse_table("       Red Blue\nNewest 1   1\nOldest .   1")
    >>> table.rows, table.names
    (((0, 1), (1,)), ('Red', 'Blue'))
    """
    numbered = enumerate(lines_of(text), start=1)
    lines = [(number, words) for number, line in numbered if (words := line.split())]
    if not lines:
        raise InvalidInputError("it is empty: expected a line with the names of the columns")
    (_, names), *rest = lines
    has_corner = len(names) > 1 and names[0].lower() in _CORNERS
    names = names[1:] if has_corner else names
    if len(set(names)) < len(names):
        raise InvalidInputError("line 1 of the table names a column twice")
    rows: list[list[int]] = []
    unseen: list[int] | None = None
    for number, words in rest:
        label, marks = _label_and_marks(words, len(names), number, has_corner=has_corner)
        if [word.lower() for word in label] == [_UNSEEN]:
            if unseen is not None:
                raise InvalidInputError(f"line {number}: the unseen copies are given twice")
            unseen = [_copies(word, number) for word in marks]
            continue
        rows.append([column for column, word in enumerate(marks) if _is_marked(word, number)])
        if not rows[-1]:
            raise InvalidInputError(f"line {number}: the card can be nothing")
    if not rows:
        raise InvalidInputError("there are no cards: expected a line of marks for each")
    return PossibilityTable.plain(len(names), rows, unseen=unseen, names=names)


def _label_and_marks(
    words: list[str], columns: int, number: int, *, has_corner: bool
) -> tuple[list[str], list[str]]:
    label, marks = words[:-columns], words[-columns:]
    # An extra mark must not be read as a label, nor a label's number as a mark.
    is_too_long = bool(label) and not has_corner and set(label) <= {*_YES, *_NO}
    if len(marks) < columns or is_too_long:
        raise InvalidInputError(
            f"line {number}: {counted(len(words), 'mark')} for {counted(columns, 'column')} in"
            f" {quote(' '.join(words))}"
        )
    if label and label[-1].lower() in _CORNERS and marks[0].isdigit():
        raise InvalidInputError(
            f"line {number}: {quote(marks[0])} after {quote(label[-1])} may be its number or a"
            " mark: write x and . for marks"
        )
    return label, marks


def _is_marked(word: str, number: int) -> bool:
    if word not in _YES + _NO:
        raise InvalidInputError(f"line {number}: {quote(word)} is not a mark: 1 or .")
    return word in _YES


def _copies(word: str, number: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 9):
        raise InvalidInputError(f"line {number}: {quote(word)} is not a number of copies")
    return int(word)


def table_from_json(data: object) -> PossibilityTable:
    """Return the table of `{"colors": k, "rows": [[color, ...], ...], "unseen": [...]}`.

    Colors count from 0; `unseen`, the unseen copies of each color, may be absent or null.

    Raises
    ------
    InvalidInputError
        If an entry is wrong; the message names it.

    >>> table_from_json({"colors": 2, "rows": [[0, 1], [1]]}).rows
    ((0, 1), (1,))
    """
    entries = as_object(data, "table")
    refuse_typos(entries, ("colors", "rows", "unseen"))
    for key in ("colors", "rows"):
        if key not in entries:
            raise InvalidInputError(f'there is no "{key}": expected {{"colors": k, "rows": [...]}}')
    colors = as_integer(entries["colors"], "colors", 1, MOST_HINTS)
    rows = [
        [as_integer(value, at, 0, colors - 1) for value, at in as_items(row, path)]
        for row, path in as_items(entries["rows"], "rows")
    ]
    unseen = None
    if entries.get("unseen") is not None:
        given = as_items(entries["unseen"], "unseen")
        unseen = [as_integer(value, path, 0, _MOST_COPIES) for value, path in given]
    return PossibilityTable.plain(colors, rows, unseen=unseen)


# Possibilities taken from a game.

Side = Literal["colors", "ranks", "joint"]
"""The hints to consider: color hints, rank hints, or both (colors first, then ranks)."""

_UNDERSTOOD = Understanding(
    "the partition of hints",
    RULES_OF_2026,
    TABLE_FIELDS | {"throw_it_in_a_hole"},
    needs_plain_clues=True,
)
"""The rules that this package supports: hints must be those of the plain game."""


@dataclass(frozen=True, slots=True)
class Possibilities:
    """The table of possibilities of a hand: colors x ranks for each card.

    Attributes
    ----------
    colors, ranks
        Numbers of colors and ranks, and so of color hints and rank hints.
    cards
        For each card of the hand its possible identities, ascending; at least one.
    unseen
        `unseen[color][rank - 1]`: the number of unseen copies, which may be in this hand.
    """

    colors: int
    ranks: int
    cards: tuple[tuple[Card, ...], ...]
    unseen: tuple[tuple[int, ...], ...]

    def names(self, side: Side) -> tuple[str, ...]:
        """Return the names of the hints, in order.

        >>> Possibilities(2, 2, (), ((1, 1), (1, 1))).names("joint")
        ('red', 'yellow', '1', '2')
        """
        colors = tuple(
            COLOR_NAMES[color] if color < len(COLOR_NAMES) else f"color {color}"
            for color in range(self.colors)
        )
        ranks = tuple(str(rank) for rank in range(1, self.ranks + 1))
        return {"colors": colors, "ranks": ranks, "joint": colors + ranks}[side]

    def table(self, side: Side) -> PossibilityTable:
        """Return the table for these hints with cards as identities, which loses no knowledge.

        >>> hand = Possibilities(2, 1, ((Card(0, 1), Card(1, 1)),), ((2,), (1,)))
        >>> hand.table("joint").touched, hand.table("joint").unseen
        (((0, 2), (1, 2)), (2, 1))
        """
        identities = sorted({card for row in self.cards for card in row})
        index = {card: number for number, card in enumerate(identities)}
        names = self.names(side)
        return PossibilityTable(
            len(names),
            tuple(tuple(index[card] for card in row) for row in self.cards),
            tuple(self._touched(card, side) for card in identities),
            tuple(self.unseen[card.color][card.rank - 1] for card in identities),
            names,
            oldest_first=True,
        )

    def projection(self, side: Literal["colors", "ranks"]) -> PossibilityTable:
        """Return the table of colors alone, or of ranks alone, as in [ODwyer2018].

        The unseen copies of a color are those of all its cards that the hand can hold. The
        dependence between a card's color and rank is lost, so `table` can allow more parts, but
        never fewer.

        >>> hand = Possibilities(2, 2, ((Card(0, 1), Card(1, 2)),), ((2, 1), (1, 1)))
        >>> hand.projection("ranks").rows, hand.projection("ranks").unseen
        (((0, 1),), (2, 1))
        """
        names = self.names(side)
        rows = [[self._touched(card, side)[0] for card in row] for row in self.cards]
        unseen = [0] * len(names)
        for card in {card for row in self.cards for card in row}:
            unseen[self._touched(card, side)[0]] += self.unseen[card.color][card.rank - 1]
        table = PossibilityTable.plain(len(names), rows, unseen=unseen, names=names)
        return replace(table, oldest_first=True)

    def _touched(self, card: Card, side: Side) -> tuple[int, ...]:
        if side == "colors":
            return (card.color,)
        if side == "ranks":
            return (card.rank - 1,)
        return (card.color, self.colors + card.rank - 1)


def possibilities_of(view: View, seat: int) -> Possibilities:
    """Return the common knowledge of a hand.

    It follows from hints, from the piles and discards, and from cards in other hands that hints
    have fully identified. It is the same from every seat's view, since the cards that the viewer
    sees in hands are not used.

    Parameters
    ----------
    view
        The view of any seat.
    seat
        The seat that holds the hand.

    Raises
    ------
    InvalidInputError
        If there is no such seat, or hints are not those of the plain game.

    >>> from hanabi.rules import Game, Rules, hint_rank
    >>> rules = Rules.hle(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> hand = possibilities_of(game.view(0), 1)
    >>> len(hand.cards[0]), len(hand.cards[2]), hand.projection("ranks").rows[2]
    (5, 20, (0, 1, 3, 4))
    """
    _UNDERSTOOD.check(view.rules)
    if not 0 <= seat < view.rules.seats:
        raise InvalidInputError(f"seat {quote(seat)} is not in 0 .. {view.rules.seats - 1}")
    unseen = _unseen(view, seat)
    cards = tuple(
        tuple(
            Card(color, rank)
            for color in known.colors
            for rank in known.ranks
            if rank <= len(unseen[color]) and unseen[color][rank - 1]
        )
        for known in view.knowledge[seat]
    )
    return Possibilities(view.rules.colors, view.rules.ranks, cards, tuple(map(tuple, unseen)))


def _unseen(view: View, seat: int) -> list[list[int]]:
    unseen = [list(row) for row in view.rules.spec.copies]
    for color, height in enumerate(view.piles):
        for rank in range(height):
            unseen[color][rank] -= 1
    for card in view.discards:
        unseen[card.color][card.rank - 1] -= 1
    for other, hand in enumerate(view.knowledge):
        for known in hand:
            if other != seat and len(known.colors) == 1 and len(known.ranks) == 1:
                unseen[known.colors[0]][known.ranks[0] - 1] -= 1
    return unseen
