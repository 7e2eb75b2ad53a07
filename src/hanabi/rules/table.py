"""The table: rules and a position, independent of the observer and of the hidden cards.

A position's words (:mod:`hanabi.rules.layout`) name cards by their places in the deck, so
they hold no hidden card. A `Game` adds the deck; a `View` adds a deck in which some cards are
hidden. Both share the properties that this module derives from a position. NumPy and Numba are
imported when the first table is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import IntEnum, StrEnum
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from hanabi.ground import InvalidInputError, counted, quote
from hanabi.rules import layout as k
from hanabi.rules.actions import Action, Kind, action_of
from hanabi.rules.cards import Card, format_card, format_cards
from hanabi.rules.config import Rules
from hanabi.rules.packing import played, unpack_card

if TYPE_CHECKING:
    from hanabi.ground import Words
    from hanabi.rules.kernels.packed import Packed

__all__ = [
    "EndReason",
    "Knowledge",
    "Rating",
    "RecordedEnd",
    "Table",
    "grow_apart",
    "orders_left",
    "orders_on",
    "rating",
    "unpack_cards",
    "unpack_product",
]

# Knowledge that hints give about a card.


class Knowledge(NamedTuple):
    """The colors and ranks that a card can still have after all positive and negative hints.

    This knowledge is public, because everyone hears the hints. It ignores the cards that a seat
    sees. In a variant not every one of the colors goes with every one of the ranks: `cards` holds
    the possible pairs. None means that all pairs are possible.

    >>> Knowledge(colors=(0,), ranks=(1, 2)).is_possible(Card(0, 2))
    True
    """

    colors: tuple[int, ...]
    ranks: tuple[int, ...]
    cards: frozenset[Card] | None = None

    def is_possible(self, card: Card) -> bool:
        """Whether the hints leave `card` possible."""
        if self.cards is not None:
            return card in self.cards
        return card.color in self.colors and card.rank in self.ranks


@lru_cache(maxsize=4096)
def unpack_product(bits: int, rank_bits: int) -> Knowledge:
    """Decode a word of possible colors and ranks, laid out as by `packed.identity`."""
    return Knowledge(
        tuple(color for color in range(rank_bits) if bits >> color & 1),
        tuple(rank for rank in range(1, 32) if bits >> (rank_bits - 1 + rank) & 1),
    )


@lru_cache(maxsize=4096)
def unpack_cards(bits: int, ranks: int) -> Knowledge:
    """Decode a set of possible cards, one bit a card."""
    numbers = [number for number in range(bits.bit_length()) if bits >> number & 1]
    cards = frozenset(Card(number // ranks, number % ranks + 1) for number in numbers)
    return Knowledge(
        tuple(sorted({card.color for card in cards})),
        tuple(sorted({card.rank for card in cards})),
        cards,
    )


# The ends of games, and the printed rules' names for scores.


class EndReason(IntEnum):
    """The reason why a game is over; the numbers are those of `hanabi.rules.kernels.rules`.

    OUT_OF_TURNS: the turns after the last drawn card are taken. STUCK: the rules end the game
    because no further point can be scored, or, under `all_or_nothing` and `speedrun`, because a
    perfect score is impossible. NO_ACTION: the seat to act holds no card and cannot hint.

    >>> print(EndReason.OUT_OF_TURNS)
    out of turns
    """

    IN_PROGRESS = 0
    BOMBED = 1
    COMPLETED = 2
    OUT_OF_TURNS = 3
    STUCK = 4
    NO_ACTION = 5

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


class RecordedEnd(IntEnum):
    """The way in which a recorded game was ended other than by the rules: it then scores 0.

    The numbers are hanab.live's. ENDED stands for a record that does not give a reason.

    >>> print(RecordedEnd.TIMED_OUT)
    timed out
    """

    ENDED = 0
    TIMED_OUT = 3
    ENDED_BY_PLAYER = 4
    IDLE = 6
    ENDED_BY_VOTE = 10

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


class Rating(StrEnum):
    """The printed scale for the quality of a show [Baffier2017, appendix A]."""

    BOOED = "booed"
    POOR = "poor"
    OK = "ok"
    GOOD = "good"
    VERY_GOOD = "very good"
    LEGENDARY = "legendary"


_LOWEST_SCORE = (
    (25, Rating.LEGENDARY),
    (21, Rating.VERY_GOOD),
    (16, Rating.GOOD),
    (11, Rating.OK),
    (6, Rating.POOR),
    (0, Rating.BOOED),
)


def rating(score: int) -> Rating:
    """Return the printed scale's word for a final score; 25 points and more get the highest.

    Raises
    ------
    InvalidInputError
        If `score` is negative.

    >>> print(rating(24))
    very good
    """
    for lowest, word in _LOWEST_SCORE:
        if score >= lowest:
            return word
    raise InvalidInputError(f"score {quote(score)} is negative")


# The orders in which piles can still be built, and the best heights where no two piles may begin
# with the same rank.


def orders_left(
    rules: Rules, piles: Sequence[tuple[int, ...]], starts: int
) -> list[list[tuple[int, ...]]]:
    """Return the ranks to come on each color's pile, in each order in which it can be built now.

    Parameters
    ----------
    rules
        The rule set.
    piles
        The ranks on each pile, in the order in which they were played.
    starts
        The ranks, as bits, with which no other pile may begin.

    >>> orders_left(Rules.official(2), [(), (1, 2)] + [(1, 2, 3, 4, 5)] * 3, 0)[:3]
    [[(1, 2, 3, 4, 5)], [(3, 4, 5)], []]
    """
    return [orders_on(rules, color, pile, starts) for color, pile in enumerate(piles)]


def orders_on(
    rules: Rules, color: int, pile: tuple[int, ...], starts: int
) -> list[tuple[int, ...]]:
    """Return the ranks to come on one color's pile, as `orders_left` does for all colors.

    >>> orders_on(Rules.official(2), 0, (1, 2), 0)
    [(3, 4, 5)]
    """
    height, barred = len(pile), 0 if pile else starts
    orders = [each for each in rules.orders(color) if each[:height] == pile]
    left = [order[height:] for order in orders if len(order) > height]
    return [ranks for ranks in left if not barred >> ranks[0] & 1]


def grow_apart(piles: Sequence[int], growth: Sequence[Sequence[Sequence[int]]]) -> tuple[int, ...]:
    """Return the pile heights with the most points if no two empty piles begin with the same rank.

    If several ways give the most points, the heights that are lexicographically smallest once
    sorted are returned, as on hanab.live: they complete the most piles.

    Parameters
    ----------
    piles
        The heights now.
    growth
        For each pile, the ranks that it can still take, in each order in which it can be built.

    >>> grow_apart((0, 0, 3), [[[1, 2, 3, 4], [2, 3, 4]], [[1, 2, 3, 4], [2]], [[2]]])
    (3, 4, 4)
    """
    # The best heights so far, by the set of starting ranks in use (as bits).
    ways: dict[int, tuple[int, ...]] = {0: ()}
    for height, orders in zip(piles, growth, strict=True):
        following: dict[int, tuple[int, ...]] = {}
        for taken, heights in ways.items():
            for ranks in ([], *orders):
                bit = 0 if height or not ranks else 1 << ranks[0]
                if taken & bit:
                    continue
                found = (*heights, height + len(ranks))
                known = following.setdefault(taken | bit, found)
                following[taken | bit] = min(known, found, key=_rating)
        ways = following
    return min(ways.values(), key=_rating)


def _rating(heights: tuple[int, ...]) -> tuple[int, list[int]]:
    return -sum(heights), sorted(heights)


@lru_cache
def _cards_of(colors: int, ranks: int) -> tuple[Card, ...]:
    return tuple(Card(color, rank) for color in range(colors) for rank in range(1, ranks + 1))


class Table(ABC):
    """A readable position; games and views are tables.

    A table is immutable, so it can be shared. A property is computed on first access, in a few
    microseconds, and cached.

    Parameters
    ----------
    rules
        The rule set.
    words
        The arrays `rules`, `deck` and `state` of the kernels. The table keeps them, so do not write
        to them afterwards. A hidden card is 0 in `deck`.
    actions
        The actions since the deal.
    """

    _rules: Rules
    _rules_words: Words
    _deck_words: Words
    _state: Words
    _actions: tuple[Action, ...]

    def __init__(
        self, rules: Rules, words: tuple[Words, Words, Words], actions: tuple[Action, ...]
    ) -> None:
        rules_words, deck_words, state = words
        vars(self).update(
            _rules=rules,
            _rules_words=rules_words,
            _deck_words=deck_words,
            _state=state,
            _actions=actions,
        )

    def __setattr__(self, name: str, _: object) -> NoReturn:
        raise AttributeError(f"{name}: nothing on a table can be changed")

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    @property
    @abstractmethod
    def deck(self) -> Sequence[Card | None]:
        """All cards in draw order, hands first; None for a hidden card."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions since the deal. Together with `deck` they are the whole history.

        Raises InvalidInputError if the position was made without them: see `known_actions`.
        """
        if not self.has_history:
            raise InvalidInputError(
                f"turn {self.turn + 1}: this position was made without the actions that led to it;"
                " play the game from its deal, by Game.start and apply"
            )
        return self._actions

    @property
    def has_history(self) -> bool:
        """Whether the position was made with all actions since the deal."""
        return len(self._actions) == self.turn

    @property
    def known_actions(self) -> tuple[Action, ...]:
        """The actions that the position was made with: the last ones, or all of them in a game."""
        return self._actions

    @property
    def packed(self) -> Packed:
        """The arrays of the kernels; a hidden card is 0 in `deck`.

        `rules` and `deck` are shared: never write to them. `state` is a copy.
        """
        from hanabi.rules.kernels.packed import Packed

        return Packed(self._rules_words, self._deck_words, self._state.copy())

    @property
    def turn(self) -> int:
        """Number of turns taken."""
        return int(self._state[k.TURN])

    @property
    def seat_to_act(self) -> int:
        """The seat whose turn it is, or, once the game is over, whose turn it would be."""
        return int(self._state[k.SEAT])

    @property
    def first_seat(self) -> int:
        """The seat that acted first: 0, unless a record of an old game names another."""
        return (self.seat_to_act - self.turn) % self._rules.seats

    @property
    def hints(self) -> int:
        """Hint tokens left; half a token is not counted."""
        return self.hint_credit // self._rules.hint_cost

    @property
    def hint_credit(self) -> int:
        """The balance that pays for hints: a hint costs `rules.hint_cost`, a discard returns 1."""
        return int(self._state[k.HINTS])

    @property
    def barred_kind(self) -> Kind | None:
        """The kind of hint that may not be given now because the last hint was of it, or None."""
        clues = int(self._state[k.BARRED])
        if not clues:
            return None
        return Kind.HINT_COLOR if clues & k.COLOR_BITS else Kind.HINT_RANK

    @property
    def lives(self) -> int:
        """Errors left, including the one that ends the game."""
        return int(self._state[k.LIVES])

    @property
    def deck_left(self) -> int:
        """Cards left to draw."""
        return int(self._rules_words[k.DECK_SIZE] - self._state[k.DRAWN])

    @property
    def turns_left(self) -> int | None:
        """Turns left in the last round, or None if it has not begun."""
        left = int(self._state[k.TURNS_LEFT])
        return None if left < 0 else left

    @property
    def score(self) -> int:
        """Points so far; the final score once the game is over."""
        from hanabi.rules.kernels import rules as kernel

        if not self.is_over:
            return int(self._state[k.POINTS])
        return int(kernel.score(self._rules_words, self._state))

    @property
    def end_reason(self) -> EndReason:
        """The reason why the game is over, or IN_PROGRESS."""
        return EndReason(int(self._state[k.END]) if self.is_over else 0)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.can_act and int(self._state[k.END]) != k.WAITING

    @property
    def can_act(self) -> bool:
        """Whether any action is legal. If not, the game is over or waits forever; see `Rules`."""
        return bool(self._state[k.END] == k.IN_PROGRESS)

    @cached_property
    def piles(self) -> tuple[int, ...]:
        """The height of each color's pile."""
        return tuple(map(len, self.pile_ranks))

    @cached_property
    def pile_ranks(self) -> tuple[tuple[int, ...], ...]:
        """The ranks on each color's pile, in the order in which they were played.

        In a variant they do not follow from the height: a pile may be built downwards, for example.
        """
        first = k.PILES
        places = self._state[first : first + self._rules.colors].tolist()
        return tuple(played(self._rules, color)[place] for color, place in enumerate(places))

    @property
    def most_points(self) -> int:
        """The most points that the remaining cards allow, ignoring the number of turns."""
        return sum(self.most_piles)

    @cached_property
    def most_piles(self) -> tuple[int, ...]:
        """The pile heights that add up to `most_points`."""
        from hanabi.rules.kernels.facts import reach

        if self._rules.variant is not None and self._rules.variant.sudoku:
            return grow_apart(self.piles, self._growth())
        words, state = self._rules_words, self._state
        return tuple(int(reach(words, state, color)) for color in range(self._rules.colors))

    def _growth(self) -> list[list[list[int]]]:
        """Return each pile's ranks to come in each order, up to the first without copies."""
        to_come = orders_left(self._rules, self.pile_ranks, int(self._state[k.STARTS]))
        cards = [[[Card(c, r) for r in ranks] for ranks in each] for c, each in enumerate(to_come)]
        return [
            [[card.rank for card in takewhile(self.copies_left, order)] for order in orders]
            for orders in cards
        ]

    @cached_property
    def discards(self) -> tuple[Card, ...]:
        """The discarded cards (errors included), sorted by color and rank."""
        start, ranks = self._rules_words[k.DISCARDS], self._rules.ranks
        counts = self._state[start : start + self._rules.colors * ranks].tolist()
        return tuple(
            Card(index // ranks, index % ranks + 1)
            for index, count in enumerate(counts)
            for _ in range(count)
        )

    @cached_property
    def hands(self) -> tuple[tuple[Card | None, ...], ...]:
        """Every seat's cards in slot order, oldest first; None for a hidden card."""
        codes = self._deck_words.tolist()
        return tuple(
            tuple([unpack_card(codes[index]) for index in hand]) for hand in self.hand_indices
        )

    @cached_property
    def hand_indices(self) -> tuple[tuple[int, ...], ...]:
        """The deck indices of the cards in hand: a card keeps its index when it changes slots."""
        return self._hand_words(k.CARDS)

    @cached_property
    def knowledge(self) -> tuple[tuple[Knowledge, ...], ...]:
        """The public knowledge that hints give about the cards in hand."""
        unpack, argument = unpack_product, k.RANK_BITS
        if self._rules.variant is not None:
            unpack, argument = unpack_cards, self._rules.ranks
        return tuple(
            tuple([unpack(bits, argument) for bits in hand]) for hand in self._hand_words(k.KNOWN)
        )

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions of the seat to act; empty unless it `can_act`.

        Plays come first, then discards, then hints seat by seat, colors before ranks.
        """
        import numpy as np

        from hanabi.rules.kernels.doors import legal_actions

        codes = np.empty(self._rules_words[k.MAX_ACTIONS], np.int64)
        n = legal_actions(self._rules_words, self._deck_words, self._state, codes)
        return tuple(map(action_of, codes[:n].tolist()))

    def is_playable(self, card: Card) -> bool:
        """Whether the card can be played now.

        >>> from hanabi.rules import Game
        >>> rules = Rules.official(2)
        >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
        >>> game.is_playable(Card(0, 1)), game.is_playable(Card(0, 2))
        (True, False)
        """
        return bool(self._facts_about(card)[0])

    def is_dead(self, card: Card) -> bool:
        """Whether the card can never be played again: it was played, or a card below it is gone.

        >>> from hanabi.rules import Game
        >>> rules = Rules.official(2)
        >>> Game.start(rules, rules.spec.shuffle(seed=1)).is_dead(Card(0, 2))
        False
        """
        return not self._facts_about(card)[1]

    def copies_left(self, card: Card) -> int:
        """Return the number of copies of the card that are neither on a pile nor discarded.

        >>> from hanabi.rules import Game
        >>> rules = Rules.official(2)
        >>> Game.start(rules, rules.spec.shuffle(seed=1)).copies_left(Card(0, 1))
        3
        """
        return self._facts_about(card)[2]

    def _facts_about(self, card: Card) -> Sequence[int]:
        """Return the words of `judge_cards` for a card."""
        color, rank = card  # a hidden card, None, is an error
        return self._facts.get((color, rank), (0, 0, 0))

    @cached_property
    def _facts(self) -> dict[tuple[int, int], Sequence[int]]:
        import numpy as np

        from hanabi.rules.kernels import doors

        cards = _cards_of(int(self._rules_words[k.COLORS]), int(self._rules_words[k.RANKS]))
        words = np.empty(3 * len(cards), np.int64)
        doors.judge_cards(self._rules_words, self._state, words)
        facts: list[list[int]] = words.reshape(-1, 3).tolist()
        return dict(zip(cards, facts, strict=True))

    def _hand_words(self, section: int) -> tuple[tuple[int, ...], ...]:
        size, seats, state = self._rules.hand_size, self._rules.seats, self._state
        at, sizes_at = self._rules_words[section], self._rules_words[k.SIZES]
        words = state[at : at + seats * size].tolist()
        sizes = state[sizes_at : sizes_at + seats].tolist()
        return tuple([tuple(words[i * size : i * size + n]) for i, n in enumerate(sizes)])

    def __str__(self) -> str:
        parts = (
            f"over ({self.end_reason})" if self.is_over else f"seat {self.seat_to_act} to act",
            counted(self.hints, "hint"),
            counted(self.lives, "life", "lives"),
            f"{counted(self.deck_left, 'card')} to draw"
            if self.turns_left is None
            else f"{counted(self.turns_left, 'turn')} left",
            f"score {self.score}",
        )
        tops = [ranks[-1] if ranks else 0 for ranks in self.pile_ranks]
        piles = " ".join(format_card(color, rank) for color, rank in enumerate(tops))
        rows = [
            f"turn {self.turn}: {', '.join(parts)}",
            f"piles     {piles}",
            *(f"seat {seat}    {format_cards(hand)}" for seat, hand in enumerate(self.hands)),
            f"discards  {format_cards(self.discards)}",
        ]
        return "\n".join(map(str.rstrip, rows))
