"""Solitaire Hanabi in which no card repeats, in plain Python: the statement of the algorithms.

:mod:`hanabi.solitaire.unique` says what they are and why they are right. No NumPy, no Numba.
"""

from __future__ import annotations

from array import array
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from hanabi.cards import Card
from hanabi.errors import SolverError
from hanabi.solitaire.eager import eager_play

if TYPE_CHECKING:
    from hanabi.clock import Clock
    from hanabi.solitaire.instance import Instance
    from hanabi.solitaire.play import Play

__all__ = ["Greedy", "PlainGreedy", "refuse"]


class Greedy(NamedTuple):
    """What greedy play of a stream shows, whatever the hand size does to it."""

    most_held: int
    overflow: int
    """Position of the card that first makes the hand larger than h; 0: none."""
    missing: Card | None


def refuse(card: str, first: int, second: int) -> SolverError:
    """Return the error of a stream with a repeated card."""
    return SolverError(
        f"unique: card {card} occurs twice, at positions {first} and {second};"
        " this solver needs r = 1"
    )


class PlainGreedy:
    """The algorithms on one stream."""

    def __init__(self, instance: Instance, clock: Clock) -> None:
        self.instance = instance
        self.clock = clock
        self.cards = list(clock.watch(zip(instance.colors, instance.values, strict=True)))
        self.position_of: dict[tuple[int, int], int] = {}
        for position, card in enumerate(clock.watch(self.cards), start=1):
            first = self.position_of.setdefault(card, position)
            if first != position:
                raise refuse(instance.card_name(*card), first, position)

    def greedy(self) -> Greedy:
        """Play as early as possible, whatever the hand grows to."""
        piles: dict[int, int] = {}
        hand: set[tuple[int, int]] = set()
        most_held = overflow = 0
        for position, (color, value) in enumerate(self.clock.watch(self.cards), start=1):
            if value != piles.get(color, 0) + 1:
                hand.add((color, value))
                most_held = max(most_held, len(hand))
                if not overflow and most_held > self.instance.hand_size:
                    overflow = position
                continue
            while (color, value + 1) in hand:
                value += 1
                hand.remove((color, value))
            piles[color] = value
        is_complete = len(self.cards) == self.instance.goal
        missing = None if is_complete else self.instance.missing_card(self.clock)
        return Greedy(most_held, overflow, missing)

    def play(self) -> Play:
        """Return the play of a stream that can be won."""
        return eager_play(self.instance, range(len(self.cards)), self.clock)

    def bounds(self) -> tuple[int, int]:
        """Return bounds on the most cards that can be played.

        Only cards with all smaller values of their color present can be played. While they fit, all
        are. When greedy play first holds h + 1 of them, one and all above it in its color must be
        given up: that bounds from above. Giving up the largest held card of the color just drawn,
        whenever this happens, is a legal play: that bounds from below.
        """
        h = self.instance.hand_size
        limits: dict[int, int] = {}
        for color, _ in self.clock.watch(self.cards):
            if color not in limits:
                limits[color] = next(
                    value - 1 for value in count(1) if (color, value) not in self.position_of
                )
        upper = possible = sum(limits.values())
        piles = dict.fromkeys(limits, 0)
        hand: set[tuple[int, int]] = set()
        for color, value in self.clock.watch(self.cards):
            if value > limits[color]:
                continue
            hand.add((color, value))
            while (color, piles[color] + 1) in hand:
                piles[color] += 1
                hand.remove((color, piles[color]))
            if len(hand) > h:
                if upper == possible:
                    upper -= min(limits[color] - value + 1 for color, value in hand)
                while (color, limits[color]) not in hand:
                    limits[color] -= 1
                hand.remove((color, limits[color]))
                limits[color] -= 1
        return sum(piles.values()), upper

    def last_needed(self) -> memoryview:
        """Return f of every position."""
        needed = array("i", bytes(4 * len(self.cards)))
        previous_color, last = -1, 0
        for color, value in sorted(self.position_of):
            position = self.position_of[color, value]
            last = max(last, position) if color == previous_color else position
            needed[position - 1] = last
            previous_color = color
        return memoryview(needed)

    def interval_thickness(self) -> int:
        """Return the most intervals that meet any position."""
        ends = [0] * (len(self.cards) + 1)
        for last in self.last_needed():
            ends[last] += 1
        thickness = held = 0
        for ended in ends[1:]:
            held += 1 - ended
            thickness = max(thickness, held)
        return thickness

    def bubble_sort_passes(self) -> int:
        """Return the farthest that sorting moves a card to the left."""
        needed = self.last_needed()
        order = sorted(range(len(self.cards)), key=lambda i: (needed[i], self.cards[i][1]))
        return max((i - place for place, i in enumerate(order)), default=0)
