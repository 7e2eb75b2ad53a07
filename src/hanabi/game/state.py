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
from hanabi.game.config import Rules
from hanabi.game.packing import pack_deck, pack_rules, unpack_deck
from hanabi.game.table import Table
from hanabi.game.view import View
from hanabi.svg.markup import Pictured

__all__ = ["Game", "explain", "perft"]

# What the kernel's numbers for broken rules mean, in words.


def explain(table: Table, broken: int, action: Action) -> str:
    """Return in words the rule that `action` breaks, as `find_broken_rule` found it.

    >>> from hanabi.game import Game, Rules, discard
    >>> rules = Rules.official(2)
    >>> explain(Game.start(rules, rules.spec.shuffle(seed=1)), 4, discard(0))
    'no discards while all 8 hint tokens are there'
    """
    from hanabi.game.kernels import legal as kernel

    rules, seat = table.rules, table.seat_to_act
    variant = rules.variant
    clue_colors = rules.colors if variant is None else len(variant.clue_colors)
    clue_ranks = f"1 .. {rules.ranks}"
    if variant is not None:
        clue_ranks = ", ".join(map(str, variant.clue_ranks)) or "not to be named"
    cards = counted(len(table.hand_indices[seat]), "card")
    left = counted(table.deck_left, "card")
    messages = {
        kernel.GAME_IS_OVER: f"the game is over ({table.end_reason})",
        kernel.NO_SUCH_ACTION: f"{quote(tuple(action))} is no action",
        kernel.NO_SUCH_SLOT: f"the seat holds {cards}, from slot 0",
        kernel.FULL_HINTS: f"no discards while all {rules.hints} hint tokens are there",
        kernel.NO_DECK_PLAYS: "these rules do not let a card be played from the deck",
        kernel.NO_DECK_DISCARDS: "no suit is inverted: the deck's last card can only be played",
        kernel.DECK_IS_NOT_ONE_CARD: f"the deck has {left}, not the last one alone",
        kernel.NO_SUCH_SEAT: f"the seats are 0 .. {rules.seats - 1}",
        kernel.OWN_SEAT: "a hint goes to another seat",
        kernel.NO_SUCH_COLOR: f"the colors are 0 .. {clue_colors - 1}",
        kernel.NO_SUCH_RANK: f"the ranks are {clue_ranks}",
        kernel.NO_HINTS: "no hint token is left",
        kernel.EMPTY_HINT: "these rules forbid a hint that touches no card",
        kernel.SAME_KIND_OF_HINT: "color and rank hints take turns in these rules",
    }
    return messages[broken]


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

        cards = (*deck, *_others(rules, deck)) if len(deck) < rules.deck_size else deck
        words = pack_rules(rules), pack_deck(cards), np.frombuffer(state, np.int64).copy()
        super().__init__(rules, words, actions)
        vars(self)["_deck"] = deck

    @classmethod
    def start(
        cls,
        rules: Rules,
        deck: Iterable[tuple[int, int]],
        *,
        first_seat: int = 0,
        is_partial: bool = False,
    ) -> Game:
        """Deal `deck`, pairs (color, rank) in draw order: seat 0 gets its whole hand first.

        Parameters
        ----------
        rules
            The rule set.
        deck
            The cards.
        first_seat
            The seat that acts first: hanab.live's games before April 2020 could begin elsewhere.
        is_partial
            Whether the last cards may be left out, as where a record lists only those that were
            drawn. Nobody can draw them then, and solvers do not look for a best score.

        Raises
        ------
        InvalidInputError
            If the deck's cards are not those of the rules.

        >>> Game.start(Rules.official(2), [(0, 1)])
        Traceback (most recent call last):
        hanabi.errors.InvalidInputError: a deck of 1 card; the rules have 50
        """
        from hanabi.game import layout as k
        from hanabi.game.kernels.packed import Packed
        from hanabi.game.kernels.rules import deal_from

        deck = deck if isinstance(deck, Deck) else Deck(deck)
        _check_deck(rules, deck, is_partial=is_partial)
        if not 0 <= first_seat < rules.seats:
            raise InvalidInputError(f"seat {quote(first_seat)} is not in 0 .. {rules.seats - 1}")
        size = int(pack_rules(rules)[k.STATE_SIZE])
        game = cls(rules, deck, (), bytes(8 * size))
        deal_from(Packed(game._rules_words, game._deck_words, game._state), first_seat)
        return game

    @property
    def deck(self) -> Deck:
        """All cards in draw order, those of the hands first; of a partial deck those known."""
        return self._deck

    @property
    def missing(self) -> int:
        """How many of the last cards of the deck are not known: 0, unless a record is partial."""
        return self._rules.deck_size - len(self._deck)

    @property
    def deal(self) -> Game:
        """The position after the deal."""
        first, is_partial = self.first_seat, self.missing > 0
        return Game.start(self._rules, self._deck, first_seat=first, is_partial=is_partial)

    def filled(self) -> Game:
        """Return the game with the missing cards put in by color and rank, whatever their order.

        For what does not depend on that order, such as what an action is called.

        >>> rules = Rules.official(2)
        >>> deck = rules.spec.shuffle(seed=1)
        >>> game = Game.start(rules, deck[:12], is_partial=True)
        >>> game.missing, game.filled().missing, game.filled().hands == game.hands
        (38, 0, True)
        """
        if not self.missing:
            return self
        deck = unpack_deck(self._deck_words)
        return Game(self._rules, deck, self._actions, self._state.tobytes())

    def apply(self, action: Action, *, after_end: bool = False) -> Game:
        """Return the position after `action`.

        Parameters
        ----------
        action
            What the seat to act does.
        after_end
            Whether a game that is over goes on as if it were not, as some records do; it stays
            over, for its first reason.

        Raises
        ------
        IllegalActionError
            Naming the rule that the action breaks.
        InvalidInputError
            If the next card of a partial deck would have to be known.

        >>> from hanabi.game import discard
        >>> rules = Rules.official(seats=2)
        >>> Game.start(rules, rules.spec.shuffle(seed=1)).apply(discard(0))
        Traceback (most recent call last):
        hanabi.errors.IllegalActionError: turn 0, seat 0 cannot discard slot 0: no discards
        while all 8 hint tokens are there
        """
        import numpy as np

        from hanabi.game import layout as k
        from hanabi.game.kernels import doors

        rules, deck, state = self._rules_words, self._deck_words, self._state
        goes_on = after_end and self.is_over
        if goes_on:
            state = state.copy()
            state[k.END] = k.IN_PROGRESS
        successor = np.empty_like(state)
        broken = doors.apply(rules, deck, state, _code(action), successor)
        if broken:
            raise IllegalActionError(
                f"turn {self.turn}, seat {self.seat_to_act} cannot {action}:"
                f" {explain(self, int(broken), action)}"
            )
        if successor[k.DRAWN] > len(self._deck):
            raise InvalidInputError(
                f"turn {self.turn}: card {len(self._deck)} of the deck is drawn, and not listed"
            )
        if goes_on:
            successor[k.END] = self._state[k.END]
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
        from hanabi.game import layout as k

        rules = self._rules
        if not 0 <= seat < rules.seats:
            raise InvalidInputError(f"seat {quote(seat)} is not in 0 .. {rules.seats - 1}")
        words = self._deck_words.copy()
        words[self._state[k.DRAWN] :] = 0
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


def _others(rules: Rules, deck: Deck) -> list[Card]:
    """Return the cards of the rules that a partial deck leaves out, by color and rank."""
    return sorted((rules.spec.counts() - Counter(deck)).elements())


def _check_deck(rules: Rules, deck: Deck, *, is_partial: bool) -> None:
    dealt = rules.seats * rules.hand_size
    if len(deck) != rules.deck_size and not (is_partial and dealt <= len(deck) < rules.deck_size):
        raise InvalidInputError(
            f"a deck of {counted(len(deck), 'card')}; the rules have {rules.deck_size}"
        )
    left = rules.spec.counts()
    if Counter(deck) == left:
        return
    for index, card in enumerate(deck):
        if not left[card]:
            raise InvalidInputError(f"deck[{index}]: {card} is one too many for the rules")
        left[card] -= 1


# Exact counts of action sequences, the way to compare two programs' rules.


def perft(game: Game, depth: int) -> int:
    """Return the number of sequences of `depth` legal actions from `game`. O(result / branching).

    Games that end earlier do not count; depth 0 gives 1. Counts stay below 2**63. As for chess,
    where the name comes from, equal numbers make it likely that two programs have the same rules.

    Raises
    ------
    InvalidInputError
        If `depth` is negative, or cards of the deck are missing.

    >>> from hanabi.game import Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> [perft(game, depth) for depth in range(4)]
    [1, 15, 275, 5125]
    """
    from hanabi.game.kernels.perft import perft as count

    if depth < 0:
        raise InvalidInputError(f"depth {quote(depth)} is negative")
    if game.missing:
        raise InvalidInputError(f"{counted(game.missing, 'card')} of the deck are missing")
    return int(count(game.packed, depth)) if depth else 1
