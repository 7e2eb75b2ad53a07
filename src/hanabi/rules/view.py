"""The view of one seat: everything that it may know of a game."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from hanabi.ground import InvalidInputError, Pictured
from hanabi.rules.actions import Action
from hanabi.rules.cards import Card
from hanabi.rules.config import Rules
from hanabi.rules.events import Event, Hint, History
from hanabi.rules.packing import unpack_card
from hanabi.rules.table import Table

if TYPE_CHECKING:
    from hanabi.ground import Words


__all__ = ["View"]


class View(Pictured, Table):
    """Everything that `seat` may know if it sees the table and remembers every action.

    A view never holds a hidden card: games that differ only in cards that `seat` has not seen have
    equal views. Comparison and hashing use everything that a view holds. `Game.view` creates views.

    >>> from hanabi.rules import Game
    >>> rules = Rules.official(2)
    >>> print(Game.start(rules, rules.spec.shuffle(seed=1)).view(0))
    turn 0: seat 0 to act, 8 hints, 3 lives, 40 cards to draw, score 0
    piles     r0 y0 g0 b0 p0
    seat 0    ?? ?? ?? ?? ??
    seat 1    p3 g3 p1 r4 b2
    discards
    """

    _drawn_by = "hanabi.rules.picture"
    _seat: int

    def __init__(
        self,
        rules: Rules,
        words: tuple[Words, Words, Words],
        actions: tuple[Action, ...],
        seat: int,
    ) -> None:
        super().__init__(rules, words, actions)
        vars(self)["_seat"] = seat

    @property
    def seat(self) -> int:
        """The seat whose view this is."""
        return self._seat

    @cached_property
    def deck(self) -> tuple[Card | None, ...]:
        """Every card in draw order; None for a card that the seat has not seen."""
        return tuple(map(unpack_card, self._deck_words.tolist()))

    @property
    def is_to_act(self) -> bool:
        """Whether it is this seat's turn."""
        return self.seat == self.seat_to_act and self.can_act

    @cached_property
    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions of the seat, as in `Game.legal_actions`; empty unless it is to act."""
        return super().legal_actions if self.is_to_act else ()

    @property
    def unseen(self) -> Counter[Card]:
        """The copies of each card that the seat has not seen: in its hand or still to be drawn.

        >>> from hanabi.rules import Game
        >>> rules = Rules.official(2)
        >>> Game.start(rules, rules.spec.shuffle(seed=1)).view(0).unseen.total()
        45
        """
        return self._unseen.copy()

    @cached_property
    def _unseen(self) -> Counter[Card]:
        left = self.rules.spec.counts()
        for card in filter(None, self.deck):
            left[card] -= 1
        return +left

    @cached_property
    def _history(self) -> History:
        history = History(self._rules, self._seat, self.first_seat)
        history.extend(self)
        return history

    @property
    def events(self) -> tuple[Event, ...]:
        """One event for each action, as the seat saw it at that time.

        Costs about ten microseconds an action on first access. Raises InvalidInputError if the
        position was made without its actions.
        """
        return tuple(self._history.events)

    @property
    def past_hints(self) -> tuple[Hint, ...]:
        """The hints so far, with the cards that each touched; see `Hint`."""
        return tuple(self._history.hints)

    def preview(self, hint: Action) -> Hint:
        """Return a hint to another seat as `past_hints` will show it.

        Raises
        ------
        InvalidInputError
            If it is not a hint to another seat.

        >>> from hanabi.rules import Game, hint_rank
        >>> rules = Rules.official(2)
        >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
        >>> print(game.view(0))
        turn 1: seat 1 to act, 7 hints, 3 lives, 40 cards to draw, score 0
        piles     r0 y0 g0 b0 p0
        seat 0    ?? ?? ?? ?? ??
        seat 1    p3 g3 p1 r4 b2
        discards
        >>> hint = game.view(0).preview(hint_rank(1, 1))
        >>> hint.cards, hint.new, hint.chop  # that card, p1, is now the oldest without a hint
        ((7,), (7,), 7)
        >>> game.view(0).past_hints[0][3:]
        ((5, 6), (5, 6), 5)
        """
        if not hint.is_hint or not 0 <= hint.target < self.rules.seats or hint.target == self.seat:
            raise InvalidInputError(f"{hint} is not a hint to another seat")
        hand = self.hand_indices[hint.target]
        seen = [(index, self.deck[index]) for index in hand]
        cards = [index for index, card in seen if card and self.rules.touches(hint, card)]
        return self._history.hint(self.turn, self.seat, hint, hand, cards)

    @cached_property
    def drawn_at(self) -> tuple[tuple[int | None, ...], ...]:
        """By seat and slot, the turn in which each card was drawn; None for a card of the deal."""
        drawn = self._history.drawn
        return tuple(tuple(map(drawn.get, hand)) for hand in self.hand_indices)

    @cached_property
    def hinted_at(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """By seat and slot, the turns in which hints touched each card."""
        hinted = self._history.hinted
        return tuple(
            tuple([tuple(hinted.get(index, ())) for index in hand]) for hand in self.hand_indices
        )

    @cached_property
    def touched(self) -> tuple[tuple[bool, ...], ...]:
        """By seat and slot, whether a hint has touched each card."""
        return tuple(tuple(map(bool, hand)) for hand in self.hinted_at)

    @cached_property
    def chop(self) -> tuple[int | None, ...]:
        """By seat, the slot of the oldest card that no hint has touched; None if there is none.

        hanab.live's players call it the chop, and discard from it.

        >>> from hanabi.rules import Game, hint_rank
        >>> rules = Rules.official(2)
        >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
        >>> game.view(0).touched[1], game.view(0).chop
        ((True, True, False, False, False), (0, 2))
        """
        return tuple(
            min(
                (slot for slot, is_touched in enumerate(hand) if not is_touched),
                key=indices.__getitem__,
                default=None,
            )
            for hand, indices in zip(self.touched, self.hand_indices, strict=True)
        )

    def _key(self) -> tuple[object, ...]:
        words = self._deck_words.tobytes(), self._state.tobytes()
        return self._rules, self._seat, self._actions, *words

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<View of seat {self.seat}, turn {self.turn}, score {self.score}>"
