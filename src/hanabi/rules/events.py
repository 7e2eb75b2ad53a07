"""The past of a view: one event for each action, as its seat saw it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from hanabi.ground import InvalidInputError
from hanabi.rules.actions import Action, Kind
from hanabi.rules.cards import Card
from hanabi.rules.table import Knowledge, Table, orders_on

if TYPE_CHECKING:
    from hanabi.rules.config import Rules

__all__ = ["Event", "Hint", "History", "Outcome", "is_touched"]

Outcome: TypeAlias = Literal["play", "discard", "misplay"]


class Event(NamedTuple):
    """One action, and what a seat saw of it.

    Attributes
    ----------
    turn
        The number of the turn, from 0.
    seat
        The seat that acted.
    action
        Its action.
    touched
        For a hint: the slots that it touched, in the target's hand at that time.
    card_index, card
        For a play or a discard: the deck number of the card, and the card itself.
    outcome
        For a play or a discard: `play` if the card went onto its pile, `misplay` if a life was
        lost, `discard` otherwise. An inverted card does the opposite of the action.
    drawn_index, drawn_card
        The deck number of the card drawn afterwards, None if no card was drawn; and the card, None
        if the seat did not see it.

    >>> from hanabi.rules import Game, Rules, hint_rank, play
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> game = game.apply(hint_rank(1, 3)).apply(play(2))
    >>> hint, played = game.view(0).events
    >>> hint.touched, str(played.card), played.outcome, str(played.drawn_card)
    ((0, 1), 'p1', 'play', 'b1')
    >>> print(game.view(1).events[1].drawn_card)  # its own new card
    None
    """

    turn: int
    seat: int
    action: Action
    touched: tuple[int, ...] = ()
    card_index: int | None = None
    card: Card | None = None
    outcome: Outcome | None = None
    drawn_index: int | None = None
    drawn_card: Card | None = None

    def seen_by(self, seat: int, rules: Rules) -> Event:
        """Return the event as a seat sees it, which does not see the card that it draws.

        >>> from hanabi.rules import Rules, play
        >>> event = Event(0, 1, play(0), (), 5, Card(0, 1), "play", 10, Card(2, 4))
        >>> event.seen_by(0, Rules.official(2)) == event
        True
        >>> print(event.seen_by(1, Rules.official(2)).drawn_card)
        None
        """
        if seat != self.seat or self.drawn_card is None or rules.open_hands:
            return self
        return self._replace(drawn_card=None)


class Hint(NamedTuple):
    """A hint and the cards that it touched, by their numbers in the deck.

    Attributes
    ----------
    turn, seat
        The number of the turn, and the seat that gave it.
    action
        The hint; `action.target` is the seat that got it.
    cards
        The cards that it touched, oldest first.
    new
        Those of them that no hint had touched before.
    chop
        The oldest card in that hand that no hint had touched before; None if there was none.
    """

    turn: int
    seat: int
    action: Action
    cards: tuple[int, ...]
    new: tuple[int, ...]
    chop: int | None


def is_touched(rules: Rules, hint: Action, known: Knowledge) -> bool:
    """Whether a hint that was given touched a card, by what hints have since shown of the card.

    After a hint, either all possible identities of a card are touched by it, or none is.

    >>> from hanabi.rules import Rules, hint_rank
    >>> is_touched(Rules.official(2), hint_rank(1, 3), Knowledge((0, 1), (3,)))
    True
    """
    some = Card(known.colors[0], known.ranks[0]) if known.cards is None else next(iter(known.cards))
    return rules.touches(hint, some)


class History:
    """The events of a game as one seat sees them, extended as the game goes on.

    O(1) for each play and discard, and O(hand size) for each hint.

    Parameters
    ----------
    rules
        The rules.
    seat
        The seat whose events these are, or None for those of a game, with all cards.
    first_seat
        The seat that acted first.

    Attributes
    ----------
    events
        The events so far.
    hints
        The hints among them, with the cards that they touched.
    drawn
        For each card drawn after the deal, by its deck number: the turn of the draw.
    hinted
        For each card that hints touched, by its deck number: the turns of the hints.
    """

    def __init__(self, rules: Rules, seat: int | None, first_seat: int = 0) -> None:
        size = rules.hand_size
        self.events: list[Event] = []
        self.hints: list[Hint] = []
        self.drawn: dict[int, int] = {}
        self.hinted: dict[int, list[int]] = {}
        self._rules, self._seat, self._first = rules, seat, first_seat
        self._hands = [[*range(each * size, (each + 1) * size)] for each in range(rules.seats)]
        self._piles: list[tuple[int, ...]] = [()] * rules.colors
        self._starts = 0  # the ranks with which no other pile may begin, as bits
        self._next = rules.seats * size  # the deck number of the next card
        self._deck_size = rules.deck_size
        self._is_sudoku = rules.variant is not None and rules.variant.sudoku

    def extend(self, view: Table) -> list[Event]:
        """Append the events that a later view of the same seat and game adds, and return them.

        Raises
        ------
        InvalidInputError
            If the view does not hold its actions.
        """
        old, deck, known = len(self.events), view.deck, None
        for action in view.actions[old:]:
            if known is None and action.is_hint and action.target == self._seat:
                # What hints show of the seat's own cards, by their deck numbers.
                own = view.hand_indices[self._seat], view.knowledge[self._seat]
                known = dict(zip(*own, strict=True))
            self.events.append(self._event(deck, known or {}, action))
        return self.events[old:]

    def _event(
        self, deck: Sequence[Card | None], known: dict[int, Knowledge], action: Action
    ) -> Event:
        turn = len(self.events)
        seat = (self._first + turn) % self._rules.seats
        if action.is_hint:
            hand = self._hands[action.target]
            touches, slots = self._rules.touches, []
            for slot, index in enumerate(hand):
                card = deck[index]
                if card is None:
                    is_in = index in known and is_touched(self._rules, action, known[index])
                else:
                    is_in = touches(action, card)
                if is_in:
                    slots.append(slot)
            cards = [hand[slot] for slot in slots]
            self.hints.append(self.hint(turn, seat, action, hand, cards))
            for index in cards:
                self.hinted.setdefault(index, []).append(turn)
            return Event(turn, seat, action, tuple(slots))
        draws = self._next < self._deck_size
        if action.is_from_deck:
            index, drawn = self._next, None
            self._next += 1
        else:
            index = self._take(seat, action.target, draws=draws)
            drawn = self._next if draws else None
            if drawn is not None:
                self.drawn[drawn] = turn
                self._next += 1
        card = deck[index]
        if card is None:
            raise InvalidInputError(f"turn {turn}: the view does not hold the card of {action}")
        outcome = self._use(card, is_play=action.kind in (Kind.PLAY, Kind.PLAY_DECK))
        seen = None if drawn is None else deck[drawn]
        event = Event(turn, seat, action, (), index, card, outcome, drawn, seen)
        # The view may be a later one, in which the seat has seen the card that it drew.
        return event if self._seat is None else event.seen_by(self._seat, self._rules)

    def hint(
        self, turn: int, seat: int, action: Action, hand: Sequence[int], cards: Sequence[int]
    ) -> Hint:
        """Return a hint that touches cards of a hand, after the hints so far."""
        fresh = [index for index in hand if index not in self.hinted]
        new = tuple(sorted([index for index in cards if index in fresh]))
        return Hint(turn, seat, action, tuple(sorted(cards)), new, min(fresh, default=None))

    def _take(self, seat: int, slot: int, *, draws: bool) -> int:
        """Take a card out of a hand, put the next one of the deck there, and return its number."""
        hand = self._hands[seat]
        index: int = hand[slot]
        if draws and self._rules.keep_slots:
            hand[slot] = self._next
        else:
            del hand[slot]
            hand += [self._next] if draws else []
        return index

    def _use(self, card: Card, *, is_play: bool) -> Outcome:
        if is_play == self._rules.is_inverted(card):
            return "discard"
        to_come = orders_on(self._rules, card.color, self._piles[card.color], self._starts)
        if all(ranks[0] != card.rank for ranks in to_come):
            return "misplay"
        if self._is_sudoku and not self._piles[card.color]:
            self._starts |= 1 << card.rank
        self._piles[card.color] += (card.rank,)
        return "play"
