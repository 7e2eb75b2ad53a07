"""The full game as immutable positions: a face over `hanabi.kernels.game`, which knows the rules.

NumPy and Numba are imported when the first game is dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from hanabi.cards import Card
from hanabi.deck import Deck, DeckSpec
from hanabi.errors import IllegalActionError, InvalidInputError, counted, quote
from hanabi.game.actions import Action
from hanabi.game.broken import explain
from hanabi.game.config import EndReason, Rules
from hanabi.game.packing import pack_deck, pack_rules
from hanabi.game.text import format_table
from hanabi.game.view import Knowledge, View, unpack_knowledge

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Words = npt.NDArray[np.int64]

__all__ = ["Game"]

_decode = lru_cache(maxsize=4096)(Action.from_code)


class Game:
    """A position of the full game, with the actions that led to it.

    Games are equal when rules, deck and position are; how the position was reached is not compared.
    They can be hashed and pickled. An action costs a few microseconds; for millions of games use
    the kernel itself (`packed`). Games come from `start` and `apply`: the constructor only puts a
    pickled one together again.

    >>> rules = Rules.official(seats=2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> for action in game.legal_actions()[:2]:
    ...     print(action)
    play slot 0
    play slot 1
    >>> game = game.apply(game.legal_actions()[-1])
    >>> game.turn, game.seat_to_act, game.hints, game.is_over
    (1, 1, 7, False)
    """

    __slots__ = ("_actions", "_deck", "_deck_words", "_rules", "_rules_words", "_state")

    def __init__(self, rules: Rules, deck: Deck, actions: tuple[Action, ...], state: bytes) -> None:
        import numpy as np

        self._rules, self._deck, self._actions = rules, deck, actions
        self._rules_words, self._deck_words = pack_rules(rules), pack_deck(deck)
        self._state: Words = np.frombuffer(state, np.int64).copy()

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
        from hanabi.kernels import game as kernel

        deck = deck if isinstance(deck, Deck) else Deck(deck)
        _check_deck(rules, deck)
        size = int(pack_rules(rules)[kernel.STATE_SIZE])
        game = cls(rules, deck, (), bytes(8 * size))
        kernel.deal(game._rules_words, game._deck_words, game._state)
        return game

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    @property
    def deck(self) -> Deck:
        """All cards in draw order, those of the hands first."""
        return self._deck

    @property
    def actions(self) -> tuple[Action, ...]:
        """What has been done since the deal."""
        return self._actions

    @property
    def packed(self) -> tuple[Words, Words, Words]:
        """The arrays `rules`, `deck` and `state` of the kernels.

        The first two are shared: never write to them. `state` is a copy.
        """
        return self._rules_words, self._deck_words, self._state.copy()

    def legal_actions(self) -> tuple[Action, ...]:
        """Return what the seat to act can do; empty if and only if the game is over.

        Plays come first, then discards, then hints seat by seat, colors before ranks.
        """
        import numpy as np

        from hanabi.kernels import game as kernel

        codes = np.empty(self._rules_words[kernel.MAX_ACTIONS], np.int64)
        n = kernel.legal_actions(self._rules_words, self._deck_words, self._state, codes)
        return tuple(map(_decode, codes[:n].tolist()))

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

        from hanabi.kernels import game as kernel

        rules, deck = self._rules_words, self._deck_words
        successor = np.empty_like(self._state)
        broken = kernel.apply(rules, deck, self._state, _code(action), successor)
        if broken != kernel.NO_RULE:
            raise IllegalActionError(
                f"turn {self.turn}, seat {self.seat_to_act} cannot {action}:"
                f" {explain(self, int(broken), action)}"
            )
        game = object.__new__(Game)
        game._rules, game._deck, game._actions = self._rules, self._deck, (*self._actions, action)
        game._rules_words, game._deck_words, game._state = rules, deck, successor
        return game

    def is_legal(self, action: Action) -> bool:
        """Whether the seat to act can do this now."""
        from hanabi.kernels import game as kernel

        return not kernel.find_broken_rule(*self.packed, _code(action))

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
        from hanabi.kernels import game as kernel

        if not action.is_hint or not 0 <= action.target < self._rules.seats:
            raise InvalidInputError(f"{quote(str(action))} is no hint to a seat")
        slots = kernel.touched_slots(*self.packed, action.code)
        return tuple(slot for slot in range(self._rules.hand_size) if slots >> slot & 1)

    def view(self, seat: int) -> View:
        """Return what `seat` may know.

        Raises
        ------
        InvalidInputError
            If there is no such seat.
        """
        rules = self._rules
        if not 0 <= seat < rules.seats:
            raise InvalidInputError(f"seat {quote(seat)} is not in 0 .. {rules.seats - 1}")
        drawn = rules.deck_size - self.deck_left
        indices = self.hand_indices
        hidden = set(range(drawn, rules.deck_size))
        if not rules.open_hands:
            hidden.update(indices[seat])
        deck = tuple(None if i in hidden else card for i, card in enumerate(self._deck))
        acts = seat == self.seat_to_act
        return View(
            rules=rules,
            seat=seat,
            seat_to_act=self.seat_to_act,
            turn=self.turn,
            hints=self.hints,
            lives=self.lives,
            score=self.score,
            piles=self.piles,
            discards=self.discards,
            hands=tuple(tuple(deck[i] for i in hand) for hand in indices),
            hand_indices=indices,
            knowledge=self.knowledge,
            deck=deck,
            deck_left=self.deck_left,
            turns_left=self.turns_left,
            end_reason=self.end_reason,
            actions=self._actions,
            legal_actions=self.legal_actions() if acts else (),
        )

    @property
    def turn(self) -> int:
        """Number of turns taken."""
        from hanabi.kernels.game import TURN

        return int(self._state[TURN])

    @property
    def seat_to_act(self) -> int:
        """The seat whose turn it is (whose turn it would be, once the game is over)."""
        from hanabi.kernels.game import SEAT

        return int(self._state[SEAT])

    @property
    def hints(self) -> int:
        """Hint tokens left."""
        from hanabi.kernels.game import HINTS

        return int(self._state[HINTS])

    @property
    def lives(self) -> int:
        """Errors left, counting the one that ends the game."""
        from hanabi.kernels.game import LIVES

        return int(self._state[LIVES])

    @property
    def deck_left(self) -> int:
        """Cards left to draw."""
        from hanabi.kernels.game import DRAWN

        return self._rules.deck_size - int(self._state[DRAWN])

    @property
    def turns_left(self) -> int | None:
        """Turns left in the last round, or None if it has not begun."""
        from hanabi.kernels.game import TURNS_LEFT

        left = int(self._state[TURNS_LEFT])
        return None if left < 0 else left

    @property
    def score(self) -> int:
        """Points so far; at the end, the game's."""
        from hanabi.kernels import game as kernel

        return int(kernel.score(self._rules_words, self._state))

    @property
    def end_reason(self) -> EndReason:
        """Why the game is over, or IN_PROGRESS."""
        from hanabi.kernels.game import END

        return EndReason(int(self._state[END]))

    @property
    def is_over(self) -> bool:
        """Whether nobody can act any more."""
        return self.end_reason is not EndReason.IN_PROGRESS

    @property
    def piles(self) -> tuple[int, ...]:
        """The height of each color's pile."""
        from hanabi.kernels.game import PILES

        return tuple(self._state[PILES : PILES + self._rules.colors].tolist())

    @property
    def discards(self) -> tuple[Card, ...]:
        """The discarded cards (errors included) by color and rank."""
        from hanabi.kernels.game import DISCARDS

        start, ranks = self._rules_words[DISCARDS], self._rules.ranks
        counts = self._state[start : start + self._rules.colors * ranks].tolist()
        return tuple(
            Card(index // ranks, index % ranks + 1)
            for index, count in enumerate(counts)
            for _ in range(count)
        )

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Every seat's cards in slot order, oldest first."""
        return tuple(tuple(self._deck[index] for index in hand) for hand in self.hand_indices)

    @property
    def hand_indices(self) -> tuple[tuple[int, ...], ...]:
        """The deck indices of the cards in hand: a card keeps its index as it changes slots."""
        from hanabi.kernels.game import CARDS

        return self._hand_words(CARDS)

    @property
    def knowledge(self) -> tuple[tuple[Knowledge, ...], ...]:
        """What hints say of the cards in hand, which everyone has heard."""
        from hanabi.kernels.game import KNOWN, RANK_BITS

        return tuple(
            tuple(unpack_knowledge(bits, RANK_BITS) for bits in hand)
            for hand in self._hand_words(KNOWN)
        )

    def _hand_words(self, section: int) -> tuple[tuple[int, ...], ...]:
        from hanabi.kernels.game import SIZES

        size = self._rules.hand_size
        at, sizes_at = int(self._rules_words[section]), int(self._rules_words[SIZES])
        words = self._state.tolist()
        return tuple(
            tuple(words[at + seat * size : at + seat * size + words[sizes_at + seat]])
            for seat in range(self._rules.seats)
        )

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

    def __str__(self) -> str:
        return format_table(self)

    def __repr__(self) -> str:
        return f"<Game of {self._rules.seats} seats, turn {self.turn}, score {self.score}>"


def _code(action: Action) -> int:
    try:
        return action.code
    except InvalidInputError:
        return -1  # the kernel's word for what is no action at all


@lru_cache(maxsize=64)
def _count(spec: DeckSpec) -> Counter[Card]:
    return Counter(spec.cards())


def _check_deck(rules: Rules, deck: Deck) -> None:
    if len(deck) != rules.deck_size:
        raise InvalidInputError(
            f"a deck of {counted(len(deck), 'card')}; the rules have {rules.deck_size}"
        )
    if Counter(deck) != _count(rules.spec):
        left = _count(rules.spec).copy()
        for index, card in enumerate(deck):
            if not left[card]:
                raise InvalidInputError(f"deck[{index}]: {card} is one too many for the rules")
            left[card] -= 1
