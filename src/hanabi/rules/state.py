"""The full game as immutable positions: a Python interface to the rules kernel.

NumPy and Numba are imported when the first game is dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from hanabi.ground import IllegalActionError, InvalidInputError, Pictured, counted, quote
from hanabi.rules import layout as k
from hanabi.rules.actions import Action, Kind
from hanabi.rules.cards import Card
from hanabi.rules.config import Rules
from hanabi.rules.deck import Deck
from hanabi.rules.packing import pack_deck, pack_rules, unpack_deck
from hanabi.rules.table import Table
from hanabi.rules.view import View
from hanabi.rules.words import Seat, say, slot_of

__all__ = ["Game", "explain", "perft"]

# Messages for the kernel's numbers of broken rules.


def explain(table: Table, broken: int, action: Action) -> str:
    """Describe the rule that `action` breaks, given the number that `find_broken_rule` returned.

    >>> from hanabi.rules import Game, Rules, discard
    >>> rules = Rules.official(2)
    >>> explain(Game.start(rules, rules.spec.shuffle(seed=1)), 4, discard(0))
    'no discards while all 8 hint tokens are there'
    """
    from hanabi.rules.kernels import legal as kernel

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
        kernel.NO_SUCH_ACTION: f"{quote(tuple(action))} is not an action",
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

    Games are equal if their rules, decks and positions are equal; the actions are not compared.
    Games can be hashed and pickled. An action costs a few microseconds; for millions of games use
    the kernel itself (`packed`). Create games with `start` and `apply`: the constructor only
    restores pickled ones.

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

    _drawn_by = "hanabi.rules.picture"
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
        """Deal `deck` and return the game. Seat 0 gets its whole hand first.

        Parameters
        ----------
        rules
            The rule set.
        deck
            The cards in draw order, as pairs (color, rank).
        first_seat
            The seat that acts first. It is not always 0 in hanab.live's games before April 2020.
        is_partial
            Whether the last cards of the deck may be missing, as in a record that lists only the
            cards that were drawn. Nobody can draw missing cards, and solvers do not look for a best
            score.

        Raises
        ------
        InvalidInputError
            If the cards are not those of the rules, or there is no such seat.

        >>> Game.start(Rules.official(2), [(0, 1)])
        Traceback (most recent call last):
        hanabi.ground.errors.InvalidInputError: a deck of 1 card; the rules have 50
        """
        from hanabi.rules.kernels.packed import Packed
        from hanabi.rules.kernels.rules import deal_from

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
        """All cards in draw order, hands first; only the listed cards of a partial deck."""
        return self._deck

    @property
    def missing(self) -> int:
        """Number of unknown cards at the end of the deck: 0, unless a record is partial."""
        return self._rules.deck_size - len(self._deck)

    @property
    def deal(self) -> Game:
        """The position after the deal.

        Raises InvalidInputError if the position was made without its history: its deck may not be
        in the order of the deal.
        """
        if not self.has_history:
            raise InvalidInputError(f"turn {self.turn + 1}: the deal of this position is not known")
        first, is_partial = self.first_seat, self.missing > 0
        return Game.start(self._rules, self._deck, first_seat=first, is_partial=is_partial)

    def filled(self) -> Game:
        """Return the game with the missing cards filled in, sorted by color and rank.

        Use it only where the order of these cards does not matter, for example to name actions.

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
            The action of the seat to act.
        after_end
            Whether a game that is over may go on, as some records do. It stays over, for its first
            reason.

        Raises
        ------
        IllegalActionError
            If the action breaks a rule; the message names the rule.
        InvalidInputError
            If the action draws a card that a partial deck does not list.

        >>> from hanabi.rules import discard
        >>> rules = Rules.official(seats=2)
        >>> Game.start(rules, rules.spec.shuffle(seed=1)).apply(discard(0))
        Traceback (most recent call last):
        hanabi.ground.errors.IllegalActionError: turn 1, seat 0 cannot discard slot 0: no discards
        while all 8 hint tokens are there
        """
        import numpy as np

        from hanabi.rules.kernels.doors import apply

        rules, deck, state = self._rules_words, self._deck_words, self._state
        goes_on = after_end and self.is_over
        if goes_on:
            state = state.copy()
            state[k.END] = k.IN_PROGRESS
        successor = np.empty_like(state)
        broken = int(apply(rules, deck, state, _code(action), successor))
        if broken:
            seat, what, why = self.seat_to_act, say("{}", action), explain(self, broken, action)
            if action.kind <= Kind.DISCARD and 0 <= action.target < self._rules.hand_size:
                what = say("{} {}", action.kind, slot_of(seat, action.target))
            raise IllegalActionError(
                say("turn {}, {} cannot {}: {}", self.turn + 1, Seat(seat), what, why)
            )
        if successor[k.DRAWN] > len(self._deck):
            raise InvalidInputError(
                f"turn {self.turn + 1}: card {len(self._deck)} of the deck is drawn, and not listed"
            )
        if goes_on:
            successor[k.END] = self._state[k.END]
        game = object.__new__(Game)
        Table.__init__(game, self._rules, (rules, deck, successor), (*self._actions, action))
        vars(game)["_deck"] = self._deck
        return game

    def is_legal(self, action: Action) -> bool:
        """Whether the action is legal now."""
        from hanabi.rules.kernels.legal import find_broken_rule

        return not find_broken_rule(self.packed, _code(action))

    def touched(self, action: Action) -> tuple[int, ...]:
        """Return the slots that a hint touches in its target's hand as it is now.

        Raises
        ------
        InvalidInputError
            If `action` is not a hint, or its target is not a seat.

        >>> from hanabi.rules import hint_rank
        >>> rules = Rules.official(seats=2)
        >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
        >>> [str(card) for card in game.hands[1]], game.touched(hint_rank(1, 3))
        (['p3', 'g3', 'p1', 'r4', 'b2'], (0, 1))
        """
        from hanabi.rules.kernels.facts import touched_slots

        if not action.is_hint or not 0 <= action.target < self._rules.seats:
            raise InvalidInputError(f"{quote(str(action))} is not a hint to a seat")
        slots = touched_slots(self.packed, action.code)
        return tuple(slot for slot in range(self._rules.hand_size) if slots >> slot & 1)

    def view(self, seat: int) -> View:
        """Return the view of `seat`: everything that it may know.

        Raises
        ------
        InvalidInputError
            If there is no such seat.
        """
        rules = self._rules
        if not 0 <= seat < rules.seats:
            raise InvalidInputError(f"seat {quote(seat)} is not in 0 .. {rules.seats - 1}")
        words, state = self._deck_words.copy(), self._state
        words[state[k.DRAWN] :] = 0
        if not rules.open_hands:
            first = self._rules_words[k.CARDS] + seat * rules.hand_size
            words[state[first : first + state[self._rules_words[k.SIZES] + seat]]] = 0
        view = View(rules, (self._rules_words, words, state), self._actions, seat)
        if "hand_indices" in vars(self):
            vars(view)["hand_indices"] = self.hand_indices  # the same for every viewer
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
        return -1  # the kernel's word for an invalid action


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


# Exact counts of action sequences, for comparing the rules of two programs.


def perft(game: Game, depth: int) -> int:
    """Return the number of sequences of `depth` legal actions from `game`. O(result / branching).

    Sequences that end the game earlier do not count; depth 0 gives 1. Counts must stay below 2**63.
    The name comes from chess: if two programs give equal numbers, their rules are likely the same.

    Raises
    ------
    InvalidInputError
        If `depth` is negative, or cards of the deck are missing.

    >>> from hanabi.rules import Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> [perft(game, depth) for depth in range(4)]
    [1, 15, 275, 5125]
    """
    from hanabi.rules.kernels.perft import perft as count

    if depth < 0:
        raise InvalidInputError(f"depth {quote(depth)} is negative")
    if game.missing:
        raise InvalidInputError(f"{counted(game.missing, 'card')} of the deck are missing")
    return int(count(game.packed, depth)) if depth else 1
