"""Statistics for players: pace and efficiency, as on hanab.live, and bottom-decked cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain
from math import floor
from typing import Literal

from hanabi.rules.cards import Card
from hanabi.rules.state import Game
from hanabi.rules.table import Table
from hanabi.rules.understanding import RULES_OF_2026, Understanding
from hanabi.rules.variants.variant import VARIANT_OF_2026

__all__ = [
    "BottomDeck",
    "Efficiency",
    "PaceRisk",
    "bottom_decked",
    "efficiencies",
    "efficiency",
    "pace",
    "pace_of",
    "pace_risk",
]

PaceRisk = Literal["low", "medium", "high", "zero"]
"""hanab.live's ratings of the risk of a discard."""

_UNDERSTOOD = Understanding("the count of pace and efficiency", RULES_OF_2026, VARIANT_OF_2026)
"""The rules that this module understands."""


@dataclass(frozen=True, slots=True)
class BottomDeck:
    """A card that was bottom-decked.

    Attributes
    ----------
    card
        The card; one copy of it was left.
    place
        The place of that copy, counted from the end of the deck: 1 for the last card.
    move
        The move, from 1, that left it the only copy; 0 if it was the only copy from the deal.
    """

    card: Card
    place: int
    move: int


def bottom_decked(positions: Sequence[Game]) -> tuple[BottomDeck, ...]:
    """Return the cards that were bottom-decked in a game, in the order in which it happened.

    The bottom of the deck consists of its last cards, as many as there are seats. A card is
    bottom-decked in a position if it can still be played, all its copies except one are discarded,
    and that copy is undrawn and in the bottom. Each card is reported once, for the first such
    position.

    >>> from hanabi.rules import Rules
    >>> rules = Rules.hanab_live(3)
    >>> bottom_decked([Game.start(rules, rules.spec.shuffle(seed=1))])
    (BottomDeck(card=Card(color=4, rank=5), place=1, move=0),)
    """
    rules, deck = positions[0].rules, positions[0].deck
    copies, found = rules.spec.counts(), []
    for index in range(max(rules.deck_size - rules.seats, 0), rules.deck_size):
        card = deck[index]
        for move, game in enumerate(positions):
            if rules.deck_size - game.deck_left > index:
                break
            if game.discards.count(card) == copies[card] - 1 and not game.is_dead(card):
                found.append(BottomDeck(card, rules.deck_size - index, move))
                break
    return tuple(sorted(found, key=lambda each: (each.move, each.place)))


def pace(game: Table) -> int | None:
    """Return the pace: the number of discards that the team can still afford, or None.

    The pace is the score plus the cards to draw plus the turns of the last round, minus the most
    points that the remaining cards allow. It is None once the last card is drawn or the game is
    over, or if the last round has no fixed length.

    >>> from hanabi.rules import Rules
    >>> rules = Rules.hanab_live(3)
    >>> pace(Game.start(rules, rules.spec.shuffle(seed=1)))
    13
    """
    _UNDERSTOOD.check(game.rules)
    if game.rules.final_round is None or game.deck_left == 0 or game.is_over:
        return None
    points, turns = sum(game.piles), game.rules.final_round
    return pace_of(points, game.deck_left, turns, game.most_points)


def pace_of(points: int, deck_left: int, turns: int, most: int) -> int:
    """Return the pace by its parts: points, cards to draw, turns of the last round, most points.

    >>> pace_of(0, 35, 3, 25)
    13
    """
    return points + deck_left + turns - most


def pace_risk(game: Table) -> PaceRisk:
    """Return hanab.live's rating of the risk of a discard now.

    With n seats the rating is "zero" at a pace of 0 or less, "high" below n - n // 2, "medium"
    below n, and "low" otherwise or if the pace is None.

    >>> from hanabi.rules import Rules
    >>> rules = Rules.hanab_live(3)
    >>> pace_risk(Game.start(rules, rules.spec.shuffle(seed=1)))
    'low'
    """
    left, seats = pace(game), game.rules.seats
    if left is None or left >= seats:
        return "low"
    if left <= 0:
        return "zero"
    return "high" if left < seats - seats // 2 else "medium"


@dataclass(frozen=True, slots=True)
class Efficiency:
    """The cards that hints have gotten by some position of a game, and the hints spent on them.

    Attributes
    ----------
    gotten
        Cards that are played, or were touched by a hint and can still be played; at most `most`.
    spent
        Hints given or lost. An error loses as much as a discard gives back. So does a color that is
        completed while no token is spent, because it gives none back.
    most
        The most points that the remaining cards allow.
    usable
        Hints that can still be given on the way to `most` points, for any order of the cards. None
        if the deck is empty or nothing limits the turns. With half tokens it may be a half-integer.
    """

    gotten: int
    spent: Fraction
    most: int
    usable: Fraction | None

    @property
    def ratio(self) -> Fraction | None:
        """Cards gotten per hint spent, or None if no hint is spent."""
        return self.gotten / self.spent if self.spent else None

    @property
    def required(self) -> Fraction | None:
        """Cards still to be gotten per whole usable hint, or None if there is no usable hint."""
        whole = 0 if self.usable is None else floor(self.usable)
        return Fraction(self.most - self.gotten, whole) if whole > 0 else None


def efficiency(positions: Sequence[Game]) -> Fraction | None:
    """Return cards gotten per hint spent, over the positions from the deal; None without hints.

    >>> from hanabi.rules import Rules, hint_rank
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> efficiency([game, game.apply(hint_rank(1, 3))])
    Fraction(2, 1)
    """
    return efficiencies(positions)[-1].ratio


def efficiencies(positions: Sequence[Game]) -> tuple[Efficiency, ...]:
    """Return the efficiency at each position of a game, counted as hanab.live does.

    The efficiency that the deal requires is the least that can get all points.

    Parameters
    ----------
    positions
        The deal, and the position after each action.

    >>> from hanabi.rules import Rules, hint_rank
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> deal, hinted = efficiencies([game, game.apply(hint_rank(1, 3))])
    >>> deal.ratio, deal.required, hinted.ratio, hinted.required
    (None, Fraction(25, 29), Fraction(2, 1), Fraction(23, 28))
    """
    _UNDERSTOOD.check(positions[-1].rules)
    touched, spent, found = set[int](), Fraction(0), []
    for at, game in enumerate(positions):
        if at:
            before, action = positions[at - 1], game.known_actions[-1]
            spent += _spent(before, game)
            if action.is_hint:
                hand = before.hand_indices[action.target]
                touched.update(hand[slot] for slot in before.touched(action))
        held = touched.intersection(chain.from_iterable(game.hand_indices))
        gotten = sum(game.piles) + sum(not game.is_dead(game.deck[index]) for index in held)
        most = game.most_points
        found.append(Efficiency(min(gotten, most), spent, most, _usable(game)))
    return tuple(found)


def _spent(before: Game, after: Game) -> Fraction:
    """Return the number of hints that an action gave or lost."""
    rules = before.rules
    if after.known_actions[-1].is_hint:
        return Fraction(1)
    completes = after.piles != before.piles and _n_complete(after) > _n_complete(before)
    is_wasted = completes and rules.completion_bonus and after.hint_credit == before.hint_credit
    return Fraction(before.lives - after.lives + is_wasted, rules.hint_cost)


def _n_complete(game: Table) -> int:
    return sum(height == len(game.rules.orders(c)[0]) for c, height in enumerate(game.piles))


def _usable(game: Table) -> Fraction | None:
    """Return the number of hints that can still be given on the way to the most points.

    The last round begins with the turn that draws the last card. The count assumes that as many
    cards as possible are discarded before it, and as many plays as possible are left for it. The
    plays before it complete the colors that miss the fewest cards.
    """
    rules = game.rules
    turns = rules.seats if rules.all_or_nothing else rules.final_round
    if turns is None or game.deck_left == 0:
        return None
    missing, deck = game.most_points - game.score, game.deck_left
    discards = deck - 1 if missing <= turns + 1 else max(turns + deck - missing, 0)
    plays = min(missing, turns + deck) - min(missing, turns + 1)
    tokens = game.hint_credit + discards
    if rules.completion_bonus:
        heights = zip(game.piles, game.most_piles, strict=True)
        full = (
            (most - now, most == len(rules.orders(c)[0])) for c, (now, most) in enumerate(heights)
        )
        left = accumulate(sorted(cards for cards, is_full in full if is_full and cards))
        tokens += sum(cards <= plays for cards in left)
    return Fraction(tokens, rules.hint_cost)
