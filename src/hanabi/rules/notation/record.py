"""Frozen records of instances, decks and games, as the readers return them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from types import MappingProxyType

from hanabi.ground import InvalidInputError, counted, quote
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck, DeckSpec
from hanabi.rules.variants import Variant, find_variant

__all__ = [
    "MOST",
    "PLAYER_COUNTS",
    "DeckInput",
    "GameRecord",
    "Hands",
    "PositionInput",
    "RecordedAction",
    "SolitaireInput",
    "cards_per_player",
]

MOST = 2**31 - 1
"""The largest number that any form may contain: columns of cards are 32-bit."""

_CARDS_PER_PLAYER = {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}

PLAYER_COUNTS = tuple(_CARDS_PER_PLAYER)
"""The possible numbers of players: 2 to 6."""


def cards_per_player(players: int) -> int:
    """Return the size of each hand: 5, 5, 4, 4, 3 cards for 2, 3, 4, 5, 6 players.

    Raises
    ------
    InvalidInputError
        If there are fewer than 2 or more than 6 players.

    >>> [cards_per_player(players) for players in PLAYER_COUNTS]
    [5, 5, 4, 4, 3]
    """
    if players not in _CARDS_PER_PLAYER:
        raise InvalidInputError(f"players: {quote(players)} is not in 2 .. 6")
    return _CARDS_PER_PLAYER[players]


@dataclass(frozen=True, slots=True)
class SolitaireInput:
    """A stream of cards for Solitaire Hanabi, as the input gives it.

    Attributes
    ----------
    cards
        In drawing order; a card's rank is its value.
    hand_size
        The most cards in hand, or None if the input leaves it open.
    n, c
        The declared numbers of values and colors, or None if not declared.
    annotation
        The input's `annotation`, not interpreted: the formula that the cards were made from.
    """

    cards: Deck
    hand_size: int | None = None
    n: int | None = None
    c: int | None = None
    annotation: object = field(default=None, repr=False, hash=False)


@dataclass(frozen=True, slots=True)
class DeckInput:
    """A deck dealt to a number of players.

    Attributes
    ----------
    players
        2 to 6.
    deck
        The draw order.
    n, c
        The declared numbers of ranks and colors, or None if not declared.
    rules
        The input's `rules`, not interpreted: a rule set of the full game.
    """

    players: int
    deck: Deck
    n: int | None = None
    c: int | None = None
    rules: object = None

    def __post_init__(self) -> None:
        cards_per_player(self.players)

    @property
    def hand_size(self) -> int:
        """Cards that each player holds."""
        return cards_per_player(self.players)


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One action of a recorded game, in hanab.live's encoding.

    Attributes
    ----------
    type
        0 play, 1 discard, 2 color hint, 3 rank hint; 4, 5 and 10 end the game.
    target
        Index in the deck of the card played or discarded, or the seat that gets the hint.
    value
        The hinted rank, or the hinted color as an index into the variant's clue colors; None if
        nothing was recorded.
    """

    type: int
    target: int
    value: int | None = None

    @property
    def is_end(self) -> bool:
        """Whether the action ends the game by vote, time or decision."""
        return self.type > 3


@dataclass(frozen=True)
class GameRecord:
    """A recorded game: everything that hanab.live's JSON holds.

    Attributes
    ----------
    players
        Number of players, 2 to 6.
    deck
        The draw order; player 0's whole hand is dealt first. A START card, which the site calls
        rank 7, has the rank after the last one.
    actions
        In the order they were taken.
    variant
        hanab.live's name of the variant.
    names
        One name a player.
    options
        Every other option of the table, verbatim; read-only.
    notes
        One row of notes a player, one note a card of the deck.
    id, seed
        hanab.live's number of the game and seed of the deck, if known.
    extra
        Every other entry of the JSON object, verbatim; read-only.
    rules
        The input's `rules`, not interpreted: the rule set, if not the site's; or None.
    remarks
        Sentences that explain how ambiguous input was read.
    """

    players: int
    deck: Deck
    actions: tuple[RecordedAction, ...] = ()
    variant: str = "No Variant"
    names: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict, hash=False)
    notes: tuple[tuple[str, ...], ...] = ()
    id: int | None = None
    seed: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)
    rules: object = field(default=None, hash=False)
    remarks: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        cards_per_player(self.players)
        for name in ("options", "extra"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __reduce__(self) -> tuple[type[GameRecord], tuple[object, ...]]:
        # A mapping proxy cannot be pickled; the constructor makes it again.
        values = (getattr(self, each.name) for each in fields(self))
        return GameRecord, tuple(dict(v) if isinstance(v, MappingProxyType) else v for v in values)

    def __repr__(self) -> str:
        actions = counted(len(self.actions), "action")
        return f"<GameRecord of {self.players} players, {actions}: {self.deck!r}>"

    @property
    def variant_data(self) -> Variant:
        """The variant itself.

        Raises
        ------
        InvalidInputError
            If the site has no variant of this name.
        """
        return find_variant(self.variant)

    @property
    def hand_size(self) -> int:
        """Cards that each player holds, counting `oneExtraCard` and `oneLessCard`."""
        extra = bool(self.options.get("oneExtraCard")) - bool(self.options.get("oneLessCard"))
        return cards_per_player(self.players) + extra

    @property
    def deck_mismatch(self) -> str | None:
        """The difference between this deck and the variant's, in words, or None if they agree.

        A deck that differs can still be solved as a stream of cards, but the site cannot replay it.
        """
        variant = self.variant_data
        left = variant.spec.counts()
        if len(self.deck) != left.total():
            cards = counted(len(self.deck), "card")
            return f"the deck has {cards}; {self.variant} has {left.total()}"
        for index, card in enumerate(self.deck):
            if not left[card]:
                name = variant.format_card(*card) if variant.has_card(*card) else card
                return f"deck[{index}]: {name} is one too many for {self.variant}"
            left[card] -= 1
        return None


@dataclass(frozen=True, slots=True)
class PositionInput:
    """A position of the full game without the moves that led to it.

    Every card of `spec` is on a pile, discarded, in a hand or still to be drawn.

    Attributes
    ----------
    spec
        The multiset of all cards.
    piles
        For each color, the ranks on its pile in the order in which they were played.
    discards
        The discarded cards, errors included.
    hands
        Every seat's cards, oldest first; None for each card of a hidden hand.
    known
        For each card in hand, the cards that hints leave possible; None if no hint says anything.
    deck
        The cards to draw, in order; None for each card whose place is not known.
    hints
        Hint tokens left; halves where the rules have them.
    lives
        Errors left, including the one that ends the game; None for all that the rules give.
    seat
        The seat to act.
    turns_left
        Turns left in the last round, or None if it has not begun.
    turn
        Number of turns taken, or None for the least that the position allows.
    barred
        The kind of hint that may not be given now, "color" or "rank"; or None.
    variant
        hanab.live's name of the variant, or None for plain suits.
    rules
        The input's `rules`, not interpreted: the rule set, if not the site's; or None.
    names
        One name a player, or none.
    """

    spec: DeckSpec
    piles: tuple[tuple[int, ...], ...]
    discards: tuple[Card, ...]
    hands: tuple[tuple[Card | None, ...], ...]
    known: tuple[tuple[frozenset[Card] | None, ...], ...]
    deck: tuple[Card | None, ...]
    hints: Fraction
    lives: int | None = None
    seat: int = 0
    turns_left: int | None = None
    turn: int | None = None
    barred: str | None = None
    variant: str | None = None
    rules: object = field(default=None, hash=False)
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        cards_per_player(self.players)

    @property
    def players(self) -> int:
        """Number of players, 2 to 6."""
        return len(self.hands)

    @property
    def hidden_seat(self) -> int | None:
        """The seat whose hand is hidden, or None."""
        hidden = (seat for seat, hand in enumerate(self.hands) if hand and hand[0] is None)
        return next(hidden, None)


# The place of each card in a recorded game, for forms that name slots of hands.


class Hands:
    """The numbers of the cards in each hand, oldest first.

    Parameters
    ----------
    players, hand_size, cards
        Number of players, cards in each hand, and cards in the deck. Player 0's whole hand is dealt
        first.
    keep_slots
        Whether a new card takes the slot of the card that left, not the last one.

    >>> hands = Hands(2, 2, 6)
    >>> hands.take(0, 0), hands.take(0, 1), hands.take(1, 0)
    (0, 4, 2)
    """

    def __init__(
        self, players: int, hand_size: int, cards: int, *, keep_slots: bool = False
    ) -> None:
        dealt = min(cards, players * hand_size)
        self._keep_slots, self._size = keep_slots, hand_size
        self._hands: list[list[int]] = [
            [*range(seat * hand_size, min(dealt, (seat + 1) * hand_size))]
            for seat in range(players)
        ]
        self._next, self._cards = dealt, cards

    def held(self, seat: int) -> tuple[int, ...]:
        """Return the numbers of the cards in a hand, oldest first.

        >>> Hands(2, 2, 6).held(1)
        (2, 3)
        """
        return tuple(self._hands[seat])

    def take(self, seat: int, slot: int) -> int:
        """Remove a card that is played or discarded, draw the next one; return its number.

        Raises InvalidInputError if there is no such hand or slot.
        """
        if not 0 <= seat < len(self._hands) or not 0 <= slot < len(self._hands[seat]):
            raise InvalidInputError(f"player {quote(seat)} has no card in slot {quote(slot)}")
        card = self._hands[seat].pop(slot)
        if self._next < self._cards:
            self._hands[seat].insert(slot if self._keep_slots else self._size, self._next)
            self._next += 1
        return card
