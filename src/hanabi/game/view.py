"""What one seat may know of a game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from hanabi.cards import Card
from hanabi.game.actions import Action
from hanabi.game.config import EndReason, Rules
from hanabi.game.text import format_table

__all__ = ["Knowledge", "View", "unpack_knowledge"]


class Knowledge(NamedTuple):
    """What hints say of a card, positive and negative: the colors and ranks that it can have.

    It is public: hints are heard by everyone. What follows from the cards that a seat sees is not
    in it.

    >>> Knowledge(colors=(0,), ranks=(1, 2)).is_possible(Card(0, 2))
    True
    """

    colors: tuple[int, ...]
    ranks: tuple[int, ...]

    def is_possible(self, card: Card) -> bool:
        """Whether the card can be `card` as far as hints say."""
        return card.color in self.colors and card.rank in self.ranks


@lru_cache(maxsize=4096)
def unpack_knowledge(bits: int, rank_bits: int) -> Knowledge:
    """Return the meaning of a word as `hanabi.kernels.game.card_bits` lays it out."""
    return Knowledge(
        tuple(color for color in range(rank_bits) if bits >> color & 1),
        tuple(rank for rank in range(1, 32) if bits >> (rank_bits - 1 + rank) & 1),
    )


@dataclass(frozen=True, slots=True)
class View:
    """All that `seat` may know when it sees the table and remembers every action.

    It never holds a hidden card: games that differ only in cards that `seat` has not seen give
    equal views. Views are compared and hashed by all their fields.

    Attributes
    ----------
    rules
        The rule set.
    seat
        Who looks.
    seat_to_act, turn
        Whose turn it is, and how many turns have been taken.
    hints, lives, score
        Tokens and lives left; points so far.
    piles
        The height of each color's pile.
    discards
        The discarded cards (errors included) by color and rank.
    hands
        The hands in slot order, oldest first; a hidden card is None.
    hand_indices
        The deck indices of these cards: a card's identity as it moves through the slots.
    knowledge
        What hints say of these cards.
    deck
        Every card in draw order, None where `seat` has not seen it.
    deck_left
        Cards left to draw.
    turns_left
        Turns left in the last round, or None if it has not begun.
    end_reason
        Why the game is over, or IN_PROGRESS.
    actions
        Everything done so far. With `deck`, whose cards it names by slot, it is the whole history.
    legal_actions
        What `seat` can do now; empty unless it is to act.
    """

    rules: Rules
    seat: int
    seat_to_act: int
    turn: int
    hints: int
    lives: int
    score: int
    piles: tuple[int, ...]
    discards: tuple[Card, ...]
    hands: tuple[tuple[Card | None, ...], ...]
    hand_indices: tuple[tuple[int, ...], ...]
    knowledge: tuple[tuple[Knowledge, ...], ...]
    deck: tuple[Card | None, ...]
    deck_left: int
    turns_left: int | None
    end_reason: EndReason
    actions: tuple[Action, ...]
    legal_actions: tuple[Action, ...]

    @property
    def is_to_act(self) -> bool:
        """Whether it is the viewer's turn."""
        return self.seat == self.seat_to_act and self.end_reason is EndReason.IN_PROGRESS

    def __str__(self) -> str:
        return format_table(self)

    def __repr__(self) -> str:
        return f"<View of seat {self.seat}, turn {self.turn}, score {self.score}>"
