"""The full game as immutable positions: a face over the kernel `rules`, which knows the rules.

NumPy and Numba are imported when the first game is dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from hanabi.cards import Card
from hanabi.deck import Deck
from hanabi.errors import IllegalActionError, InvalidInputError, counted, quote
from hanabi.game.actions import Action
from hanabi.game.broken import explain
from hanabi.game.config import Rules
from hanabi.game.packing import pack_deck, pack_rules
from hanabi.game.table import Table
from hanabi.game.view import View
from hanabi.svg.notebook import Pictured

__all__ = ["Game"]


class Game(Pictured, Table):
    """A position of the full game, with the actions that led to it.

    Games are equal when rules, deck and position are; how the position was reached is not compared.
    They can be hashed and pickled. An action costs a few microseconds; for millions of games use
    the kernel itself (`packed`). Games come from `start` and `apply`: the constructor only puts a
    pickled one together again.

    >>> rules = Rules.official(seats=2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> for action in game.legal_actions[:2]:
    ...     print(action)
    play slot 0
    play slot 1
    >>> game = game.apply(game.legal_actions[-1])
    >>> game.turn, game.seat_to_act, game.hints, game.is_over
    (1, 1, 7, False)
    """

    _drawn_by = "hanabi.game.picture"
    _deck: Deck

    def __init__(self, rules: Rules, deck: Deck, actions: tuple[Action, ...], state: bytes) -> None:
        import numpy as np

        words = pack_rules(rules), pack_deck(deck), np.frombuffer(state, np.int64).copy()
        super().__init__(rules, words, actions)
        vars(self)["_deck"] = deck

    @classmethod
    def start(cls, rules: Rules, deck: Iterable[tuple[int, int]]) -> Game:
        """Deal `deck`, pairs (color, rank) in draw order: seat 0 gets its whole hand first.

        Raises
        ------
        InvalidInputError
            If the deck's cards are not those of the rules.

        >>> Game.start(Rules.official(2), [(0, 1)])
        Traceback (most recent call last):
        hanabi.errors.InvalidInputError: a deck of 1 card; the rules have 50
        """
        from hanabi.game.kernels.rules import deal
        from hanabi.game.kernels.words import STATE_SIZE, Packed

        deck = deck if isinstance(deck, Deck) else Deck(deck)
        _check_deck(rules, deck)
        size = int(pack_rules(rules)[STATE_SIZE])
        game = cls(rules, deck, (), bytes(8 * size))
        deal(Packed(game._rules_words, game._deck_words, game._state))
        return game

    @property
    def deck(self) -> Deck:
        """All cards in draw order, those of the hands first."""
        return self._deck

    def apply(self, action: Action) -> Game:
        """Return the position after `action`.

        Raises
        ------
        IllegalActionError
            Naming the rule that the action breaks.

        >>> from hanabi.game import discard
        >>> rules = Rules.official(seats=2)
        >>> Game.start(rules, rules.spec.shuffle(seed=1)).apply(discard(0))
        Traceback (most recent call last):
        hanabi.errors.IllegalActionError: turn 0, seat 0 cannot discard slot 0: no discards
        while all 8 hint tokens are there
        """
        import numpy as np

        from hanabi.game.kernels import doors

        rules, deck = self._rules_words, self._deck_words
        successor = np.empty_like(self._state)
        broken = doors.apply(rules, deck, self._state, _code(action), successor)
        if broken:
            raise IllegalActionError(
                f"turn {self.turn}, seat {self.seat_to_act} cannot {action}:"
                f" {explain(self, int(broken), action)}"
            )
        game = object.__new__(Game)
        Table.__init__(game, self._rules, (rules, deck, successor), (*self._actions, action))
        vars(game)["_deck"] = self._deck
        return game

    def is_legal(self, action: Action) -> bool:
        """Whether the seat to act can do this now."""
        from hanabi.game.kernels.legal import find_broken_rule

        return not find_broken_rule(self.packed, _code(action))

    def touched(self, action: Action) -> tuple[int, ...]:
        """Return the slots of the target's hand that a hint touches, as the hands are now.

        Raises
        ------
        InvalidInputError
            If `action` is no hint, or its target no seat.

        >>> from hanabi.game import hint_rank
        >>> rules = Rules.official(seats=2)
        >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
        >>> [str(card) for card in game.hands[1]], game.touched(hint_rank(1, 3))
        (['p3', 'g3', 'p1', 'r4', 'b2'], (0, 1))
        """
        from hanabi.game.kernels.facts import touched_slots

        if not action.is_hint or not 0 <= action.target < self._rules.seats:
            raise InvalidInputError(f"{quote(str(action))} is no hint to a seat")
        slots = touched_slots(self.packed, action.code)
        return tuple(slot for slot in range(self._rules.hand_size) if slots >> slot & 1)

    def view(self, seat: int) -> View:
        """Return what `seat` may know.

        Raises
        ------
        InvalidInputError
            If there is no such seat.
        """
        from hanabi.game.kernels.words import DRAWN

        rules = self._rules
        if not 0 <= seat < rules.seats:
            raise InvalidInputError(f"seat {quote(seat)} is not in 0 .. {rules.seats - 1}")
        words = self._deck_words.copy()
        words[self._state[DRAWN] :] = 0
        if not rules.open_hands:
            for index in self.hand_indices[seat]:
                words[index] = 0
        view = View(rules, (self._rules_words, words, self._state), self._actions, seat)
        vars(view)["hand_indices"] = self.hand_indices  # the same for all who look
        return view

    @cached_property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Every seat's cards in slot order, oldest first."""
        return tuple(tuple(self._deck[index] for index in hand) for hand in self.hand_indices)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Game)
            and self._rules == other._rules
            and self._deck == other._deck
            and self._state.tobytes() == other._state.tobytes()
        )

    def __hash__(self) -> int:
        return hash((self._rules, self._deck, self._state.tobytes()))

    def __reduce__(self) -> tuple[type[Game], tuple[Rules, Deck, tuple[Action, ...], bytes]]:
        return Game, (self._rules, self._deck, self._actions, self._state.tobytes())

    def __repr__(self) -> str:
        return f"<Game of {self._rules.seats} seats, turn {self.turn}, score {self.score}>"


def _code(action: Action) -> int:
    try:
        return action.code
    except InvalidInputError:
        return -1  # the kernel's word for what is no action at all


def _check_deck(rules: Rules, deck: Deck) -> None:
    if len(deck) != rules.deck_size:
        raise InvalidInputError(
            f"a deck of {counted(len(deck), 'card')}; the rules have {rules.deck_size}"
        )
    if Counter(deck) != rules.spec.counts():
        left = rules.spec.counts()
        for index, card in enumerate(deck):
            if not left[card]:
                raise InvalidInputError(f"deck[{index}]: {card} is one too many for the rules")
            left[card] -= 1
