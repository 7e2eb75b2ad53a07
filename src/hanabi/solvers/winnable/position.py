"""Positions with all cards face up, the goals to be reached from them, and lines of actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from hanabi.ground import InvalidInputError, SolverError, counted, quote
from hanabi.rules import (
    RULES_OF_2026,
    VARIANT_OF_2026,
    Action,
    Card,
    Deck,
    Game,
    Rules,
    Understanding,
    listed,
    suit_and_rank,
)

__all__ = [
    "Goal",
    "Position",
    "Types",
    "buildable",
    "cards_of",
    "free_wastes",
    "highest_goal",
    "most_wasted",
]

Goal = tuple[int, ...]
"""The height to reach on each color's pile."""
Line = tuple[Action, ...]
"""Successive actions from a position, each for `Game.apply`."""
Types = frozenset[Card]
"""Cards by color and rank, without regard to copies."""

UNDERSTOOD = Understanding("the solver", RULES_OF_2026 - {"deck_plays"}, VARIANT_OF_2026)
"""The rules that this package supports; `decide_game` removes plays from the deck beforehand."""


def highest_goal(rules: Rules) -> Goal:
    """Return the goal with all piles complete."""
    return tuple(map(len, rules.spec.copies))


@lru_cache(maxsize=64)
def cards_of(piles: Goal) -> Types:
    """Return the cards on piles of some heights.

    >>> sorted(map(str, cards_of((2, 0, 1))))
    ['g1', 'r1', 'r2']
    """
    return frozenset(
        Card(color, rank) for color, top in enumerate(piles) for rank in range(1, top + 1)
    )


def buildable(types: Iterable[Card]) -> Types:
    """Return the cards that the piles can hold if only some types are used.

    >>> sorted(map(str, buildable({Card(0, 1), Card(0, 2), Card(1, 2)})))
    ['r1', 'r2']
    """
    found: set[Card] = set()
    for card in sorted(types):
        if card.rank == 1 or Card(card.color, card.rank - 1) in found:
            found.add(card)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Position:
    """The part of a game that determines the best score still reachable.

    Attributes
    ----------
    rules, deck
        The rule set and all cards in draw order.
    hands
        Deck indices of each seat's cards.
    piles
        Height of each color's pile.
    drawn
        Cards dealt or drawn so far.
    hints, lives
        Tokens left: hint tokens, of which a discard gains 1, and lives.
    seat
        The seat to act.
    turns_left
        Turns left in the last round, or None before it.
    spell
        Names a card in proofs.
    suit_of
        Returns the names of a card's suit and rank in sentences; by default those of the rules.

    >>> position = Position.start(Rules.official(2), Rules.official(2).spec.shuffle(seed=1))
    >>> position.hands[1], position.drawn, position.score
    ((5, 6, 7, 8, 9), 10, 0)
    """

    rules: Rules
    deck: Deck
    hands: tuple[tuple[int, ...], ...]
    piles: tuple[int, ...]
    drawn: int
    hints: int
    lives: int
    seat: int
    turns_left: int | None
    spell: Callable[[Card], str] = field(default=str, compare=False)
    suit_of: Callable[[Card], tuple[str, str]] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        UNDERSTOOD.check(self.rules, SolverError)

    @classmethod
    def start(cls, rules: Rules, deck: Iterable[tuple[int, int]]) -> Position:
        """Return the position after the deal.

        Raises
        ------
        InvalidInputError
            If the deck's cards are not those of the rules.
        """
        return cls.of_game(Game.start(rules, deck))

    @classmethod
    def of_game(cls, game: Game) -> Position:
        """Return a game's position.

        Raises
        ------
        InvalidInputError
            If the game is over and not won: nothing can be scored any more.
        SolverError
            If its rules are not supported, or cards of the deck are missing.
        """
        if game.missing:
            raise SolverError(f"{counted(game.missing, 'card')} of the deck missing")
        if not game.can_act and game.score < game.rules.max_score:
            raise InvalidInputError(f"the game is over ({game.end_reason}): {quote(repr(game))}")
        return cls(
            rules=game.rules,
            deck=game.deck,
            hands=game.hand_indices,
            piles=game.piles,
            drawn=game.rules.deck_size - game.deck_left,
            hints=game.hint_credit,
            lives=game.lives,
            seat=game.seat_to_act,
            turns_left=game.turns_left,
        )

    def names(self, cards: Iterable[Card]) -> str:
        """Return the names of cards, color by color."""
        return " ".join(map(self.spell, sorted(cards)))

    def full_names(self, cards: Iterable[Card]) -> str:
        """Return the names of cards in a sentence, those of a suit together.

        >>> position = Position.start(Rules.official(2), Rules.official(2).spec.cards())
        >>> position.full_names([Card(3, 5), Card(0, 3), Card(0, 4)])
        'red 3-4 and blue 5'
        """
        name = self.suit_of or (lambda card: suit_and_rank(card, self.rules))
        suits = groupby(map(name, sorted(cards)), key=lambda named: named[0])
        return listed(f"{suit} {'-'.join(rank for _, rank in ranks)}" for suit, ranks in suits)

    @property
    def score(self) -> int:
        """Points on the piles."""
        return sum(self.piles)

    @property
    def last_turns(self) -> int | None:
        """Turns left in the last round, or its length before it begins; None: no limit."""
        return self.rules.final_round if self.turns_left is None else self.turns_left

    @property
    def hand_types(self) -> tuple[Types, ...]:
        """The cards in each hand."""
        return tuple(frozenset(self.deck[index] for index in hand) for hand in self.hands)

    @property
    def gone(self) -> frozenset[int]:
        """Deck indices of the cards that have been played or discarded."""
        return frozenset(range(self.drawn)).difference(*self.hands)

    def secured(self, goal: Goal) -> Types:
        """Return the cards of a goal that are on the piles or in a hand."""
        return cards_of(goal) & cards_of(self.piles).union(*self.hand_types)

    def goals(self, points: int) -> Iterator[Goal]:
        """Yield every goal worth exactly `points` points, higher piles first.

        `points` can be scored if and only if one of these goals can be reached: take the piles at
        the moment when the score first is `points`.

        >>> rules = Rules.official(2)
        >>> position = Position.start(rules, rules.spec.shuffle(seed=1))
        >>> list(position.goals(25)), len(list(position.goals(24)))
        ([(5, 5, 5, 5, 5)], 5)
        """
        tops = highest_goal(self.rules)

        def fill(color: int, left: int) -> Iterator[Goal]:
            if color == len(tops):
                if left == 0:
                    yield ()
                return
            most_later = sum(tops[color + 1 :])
            least_later = sum(self.piles[color + 1 :])
            highest, lowest = min(tops[color], left - least_later), left - most_later
            for height in range(highest, max(lowest, self.piles[color]) - 1, -1):
                for rest in fill(color + 1, left - height):
                    yield (height, *rest)

        yield from fill(0, points)


def replay(game: Game, line: Iterable[Action]) -> Game:
    """Return the position after the actions of a line.

    Raises
    ------
    IllegalActionError
        If an action is illegal.
    """
    for action in line:
        game = game.apply(action)
    return game


def check_supported(rules: Rules) -> None:
    """Raise SolverError for rules that the solvers of this package do not support."""
    UNDERSTOOD.check(rules, SolverError)
    bits = rules.max_score + rules.colors
    limits = (
        ("types of cards, plus one for each color", bits, 62),
        ("cards", rules.deck_size, 250),
        ("hints", rules.hints * rules.hint_cost, 250),
        ("lives", rules.lives, 250),
        ("turns in the last round", rules.final_round or 0, 250),
        ("cards in a hand", rules.hand_size, 250),
    )
    for what, value, most in limits:
        if value > most:
            raise SolverError(f"{value} {what}: at most {most}")


def free_wastes(position: Position) -> int | None:
    """Return how many cards may leave hands unplayed before the first needs a hint; None: all.

    Each is an error, or a discard in exchange for a token that is spent.
    """
    rules = position.rules
    if rules.discard_at_full_hints:
        return None
    return position.lives - 1 + rules.hints * rules.hint_cost - position.hints


def most_wasted(position: Position, turns: int) -> int:
    """Return how many cards can leave hands unplayed in so many turns, hints for them included."""
    free, cost, rules = free_wastes(position), position.rules.hint_cost, position.rules
    if free is None or turns <= free:
        return turns
    if rules.seats == 1 or not rules.hints:
        return free
    rounds, rest = divmod(turns - free, cost + 1)
    return free + rounds * cost + max(rest - 1, 0)
