"""Optimal play with all hands open and the deck unknown, within a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.errors import InvalidInputError, SolverError, counted
from hanabi.game import Action, Game, Rules
from hanabi.game.understanding import RULES_OF_2026, Understanding
from hanabi.variants.variant import VARIANT_OF_2026

if TYPE_CHECKING:
    from hanabi.compiled import Words
    from hanabi.draws.arrays import DrawSearch

__all__ = ["DEFAULT_MEMORY", "MOST_CARDS", "ActionChances", "Chances", "Range", "open_chances"]

# Chances as exact fractions, or bounds on them if a budget ran out.


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """Bounds on a number: two fractions, both included; exact if they are equal.

    >>> Range(Fraction(1, 3), Fraction(1, 3)).is_exact, str(Range(Fraction(0), Fraction(1, 2)))
    (True, '0 to 1/2')
    """

    low: Fraction
    high: Fraction

    @property
    def is_exact(self) -> bool:
        """Whether the number is known."""
        return self.low == self.high

    def __str__(self) -> str:
        return str(self.low) if self.is_exact else f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class ActionChances:
    """The value of an action.

    Attributes
    ----------
    action
        A legal action.
    perfect
        The chance of a perfect score.
    points
        The expected score, if play maximizes it; such play need not have the best chance of a
        perfect score.
    """

    action: Action
    perfect: Range
    points: Range


@dataclass(frozen=True, slots=True)
class Chances:
    """The value of each legal action of a position.

    Attributes
    ----------
    actions
        One for each legal action, in the order of `Game.legal_actions`.
    cases
        Number of equally likely cases: orders of the deck, with copies distinct, or deals.
    seconds
        Wall-clock time.
    """

    actions: tuple[ActionChances, ...]
    cases: int
    seconds: float

    @property
    def perfect(self) -> Range:
        """The chance of a perfect score after the best action."""
        return _best([each.perfect for each in self.actions])

    @property
    def points(self) -> Range:
        """The expected score after the best action."""
        return _best([each.points for each in self.actions])

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are known."""
        return all(each.perfect.is_exact and each.points.is_exact for each in self.actions)

    def of(self, action: Action) -> ActionChances:
        """Return the value of one action.

        Raises
        ------
        KeyError
            If it is not legal.
        """
        for each in self.actions:
            if each.action == action:
                return each
        raise KeyError(str(action))

    def cost(self, action: Action) -> Fraction:
        """Return a lower bound on the chance of a perfect score that an action gives away.

        Raises
        ------
        KeyError
            If it is not legal.
        """
        return max(Fraction(0), self.perfect.low - self.of(action).perfect.high)

    def ranked(self, *, merge_hints: bool, points: bool = True) -> list[list[ActionChances]]:
        """Return the actions in groups, best first; `merge_hints` groups hints of equal value.

        Without `points`, expected scores neither rank actions nor separate hints.

        >>> from hanabi.game import hint_rank, play
        >>> half, one = (Range(Fraction(n, 2), Fraction(n, 2)) for n in (1, 2))
        >>> hints = [ActionChances(hint_rank(1, rank), half, one) for rank in (1, 2)]
        >>> chances = Chances((*hints, ActionChances(play(0), one, one)), 2, 0.0)
        >>> [len(row) for row in chances.ranked(merge_hints=True)]
        [1, 2]
        """
        rows: dict[object, list[ActionChances]] = {}

        def worth(each: ActionChances) -> tuple[Range, ...]:
            return (each.perfect, each.points) if points else (each.perfect,)

        for each in sorted(self.actions, key=worth, reverse=True):
            key = worth(each) if merge_hints and each.action.is_hint else each.action
            rows.setdefault(key, []).append(each)
        return list(rows.values())


def _best(ranges: list[Range]) -> Range:
    return Range(max(each.low for each in ranges), max(each.high for each in ranges))


MOST_CARDS = 15
"""Most cards still to be drawn: sums over all their orders fit into machine words."""

DEFAULT_MEMORY = 1 << 29
"""Approximate size of the transposition table of one question, in bytes."""

UNDERSTOOD = Understanding("the search over draws", RULES_OF_2026 - {"speedrun"}, VARIANT_OF_2026)
"""The rules that this package supports."""


def open_chances(
    game: Game,
    *,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
    points: bool = True,
) -> Chances:
    """Return the value of each legal action if all hands are open and the deck is unknown.

    The result does not depend on the order of the cards still to be drawn. Play continues
    optimally: for `perfect` it maximizes the chance of a perfect score, for `points` the expected
    score. The time grows quickly with the number of cards to draw; it is well below a second for
    most positions with five.

    Parameters
    ----------
    game
        An unfinished game.
    seconds
        Wall-clock time; None: no limit. If it does not suffice, the results are bounds.
    memory
        Bytes for the transposition table of each of the two questions. With too few, the search is
        still exact, but slower.
    points
        Whether to compute expected scores too, which takes longer; otherwise they are bounded.

    Raises
    ------
    InvalidInputError
        If the game is over, or more than 15 cards are still to be drawn.
    SolverError
        If the rules are not supported: more than 62 kinds of cards, more than 250 tokens, or
        options that the search does not know, such as `speedrun`.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((2, 2),)), seats=1, hand_size=1, hints=0, open_hands=True)
    >>> game = Game.start(rules, [(0, 2), (0, 1), (0, 1), (0, 2)])
    >>> for each in open_chances(game).actions:
    ...     print(each.action, each.perfect, each.points)
    play slot 0 2/3 4/3
    """
    from hanabi.draws.arrays import DrawSearch

    check_supported(game)
    clock = Clock(seconds)
    search = DrawSearch(game, memory)
    perfect = _values(search, search.perfect, clock)
    mean = _values(search, search.points, clock if points else Clock(0))
    cases, top = factorial(game.deck_left), game.rules.max_score
    found = []
    for action in game.legal_actions:
        chance = Range(*(Fraction(value, cases) for value in perfect[action]))
        low, high = (Fraction(value, cases) for value in mean[action])
        # A perfect score is worth `top` points, any other at most one less.
        low, high = max(low, top * chance.low), min(high, top - 1 + chance.high)
        found.append(ActionChances(action, chance, Range(low, high)))
    return Chances(tuple(found), cases, clock.elapsed)


def check_supported(game: Game) -> None:
    """Raise InvalidInputError or SolverError for positions that are not supported."""
    if not game.can_act:
        raise InvalidInputError(f"the game is over ({game.end_reason}): nobody can act")
    if game.deck_left > MOST_CARDS:
        raise InvalidInputError(
            f"{counted(game.deck_left, 'card')} to draw: chances are exact for at most {MOST_CARDS}"
        )
    check_rules(game.rules)


def check_rules(rules: Rules) -> None:
    """Raise SolverError for rules that are not supported."""
    UNDERSTOOD.check(rules, SolverError)
    for what, value, most in (
        ("kinds of cards", rules.colors * rules.ranks, 62),
        ("hints", rules.hints * rules.hint_cost, 250),
        ("lives", rules.lives, 250),
        ("turns in the last round", rules.final_round or 0, 250),
        ("cards in the deck", rules.deck_size, 1 << 15),
    ):
        if value > most:
            raise SolverError(f"{value} {what}: chances are exact for at most {most}")


def _values(
    search: DrawSearch, solve: Callable[[Words, Clock], tuple[int, int]], clock: Clock
) -> dict[Action, tuple[int, int]]:
    """Return bounds on the value of each legal action, summed over all orders of the deck."""
    found = {}
    for action in search.game.legal_actions:
        low = high = 0
        for copies, state in search.successors(action):
            bounds = solve(state, clock)
            low, high = low + copies * bounds[0], high + copies * bounds[1]
        found[action] = low, high
    return found
