"""What is publicly known of a hand in a game: the cards that each of its cards can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hanabi.cards import COLOR_NAMES, Card
from hanabi.errors import InvalidInputError, quote
from hanabi.game import View
from hanabi.game.understanding import RULES_OF_2026, Understanding
from hanabi.hints.table import PossibilityTable
from hanabi.variants.variant import TABLE_FIELDS

__all__ = ["Possibilities", "Side", "possibilities_of"]

Side = Literal["colors", "ranks", "joint"]
"""Which hints: those for colors, those for ranks, or both (colors first, then ranks)."""

_UNDERSTOOD = Understanding(
    "the partition of hints",
    RULES_OF_2026,
    TABLE_FIELDS | {"throw_it_in_a_hole"},
    needs_plain_clues=True,
)
"""What this package knows of rules: hints are those of the plain game."""


@dataclass(frozen=True, slots=True)
class Possibilities:
    """The table of possibilities of a hand: colors x ranks for each card.

    Attributes
    ----------
    colors, ranks
        Numbers of colors and ranks, thus of hints of either kind.
    cards
        For each card of the hand what it can be, ascending, never empty.
    unseen
        `unseen[color][rank - 1]`: copies that nobody has seen, or that may be in this hand.
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
        """Return the table for these hints, cards as its identities: nothing known is lost.

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
        )

    def projection(self, side: Literal["colors", "ranks"]) -> PossibilityTable:
        """Return the table of colors alone, or of ranks alone, as [ODwyer2018] has it.

        The unseen copies of a color are those of all its cards that the hand can hold. How color
        and rank of a card depend on each other is lost: `table` can allow more parts, never fewer.

        >>> hand = Possibilities(2, 2, ((Card(0, 1), Card(1, 2)),), ((2, 1), (1, 1)))
        >>> hand.projection("ranks").rows, hand.projection("ranks").unseen
        (((0, 1),), (2, 1))
        """
        names = self.names(side)
        rows = [[self._touched(card, side)[0] for card in row] for row in self.cards]
        unseen = [0] * len(names)
        for card in {card for row in self.cards for card in row}:
            unseen[self._touched(card, side)[0]] += self.unseen[card.color][card.rank - 1]
        return PossibilityTable.plain(len(names), rows, unseen=unseen, names=names)

    def _touched(self, card: Card, side: Side) -> tuple[int, ...]:
        if side == "colors":
            return (card.color,)
        if side == "ranks":
            return (card.rank - 1,)
        return (card.color, self.colors + card.rank - 1)


def possibilities_of(view: View, seat: int) -> Possibilities:
    """Return what everyone at the table knows of a hand.

    It follows from hints, from the piles and discards, and from cards in other hands that hints
    alone name fully. It is the same from every seat's view: what the viewer sees in hands is not
    used.

    Parameters
    ----------
    view
        The table as any seat sees it.
    seat
        Whose hand.

    Raises
    ------
    InvalidInputError
        If there is no such seat, or hints are not those of the plain game.

    >>> from hanabi.game import Game, Rules, hint_rank
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
