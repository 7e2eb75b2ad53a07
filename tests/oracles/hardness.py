"""Oracles for the reduction: assignments by brute force, gadgets and open games by search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import numpy.typing as npt

from hanabi.solitaire.hardness import Formula, Reduction
from hanabi.solitaire.hardness.annotation import IF_FALSE, IF_TRUE, VARIABLE

__all__ = [
    "CLAUSES",
    "all_assignments",
    "all_formulas",
    "forced",
    "is_game_won",
    "is_satisfiable",
    "reachable_piles",
]

Card = tuple[int, int]
"""(color, value)."""

CLAUSES = tuple(
    tuple(sign * x for sign, x in zip(signs, (1, 2, 3), strict=True))
    for signs in product((1, -1), repeat=3)
)
"""The eight clauses over three variables."""


def all_assignments(n_vars: int) -> list[tuple[bool, ...]]:
    return list(product((False, True), repeat=n_vars))


def is_satisfiable(formula: Formula) -> bool:
    return any(formula.satisfied_by(values) for values in all_assignments(formula.n_vars))


def all_formulas(*, ordered: bool) -> list[Formula]:
    """Return all formulas of one, two and three clauses, and of every set of clauses.

    With `ordered`, sequences of up to three clauses count; without, their order does not.
    """
    found: set[tuple[tuple[int, ...], ...]] = set()
    for size in (1, 2, 3):
        several = (
            product(CLAUSES, repeat=size)
            if ordered
            else combinations_with_replacement(CLAUSES, size)
        )
        found.update(several)
    for size in range(1, 9):
        found.update(combinations(CLAUSES, size))
    return [Formula(3, clauses) for clauses in sorted(found, key=lambda c: (len(c), c))]


def forced(
    reduction: Reduction, assignment: Sequence[bool]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return colors and values of the stream with an assignment forced on it.

    In each variable's gadget the 2 of the false literal is replaced by a second 2 of the true one:
    the false literal cannot get beyond 1 there. With one color a variable, the copies that only the
    other value would use are replaced by 1s of the same color, which keep nothing and free nothing.
    """
    values, colors = np.array(reduction.values), np.array(reduction.colors)
    for role, number, first, last in reduction.annotation.spans:
        gadget = slice(first - 1, last)
        if role == VARIABLE:
            true = 2 * number - 2 + (not assignment[number - 1])
            colors[gadget][values[gadget] == 2] = true
        elif role in (IF_TRUE, IF_FALSE) and assignment[number - 1] != (role == IF_TRUE):
            values[gadget] = 1
    return colors, values


def reachable_piles(
    cards: Iterable[Card], hand_size: int, start: tuple[int, ...]
) -> set[tuple[int, ...]]:
    """Return all piles that play can end with, from piles `start` and an empty hand.

    Cards that fit are played; every other card is stored or discarded, and any stored card may be
    thrown away for it: all subsets of what has come are tried as hands.
    """
    states: set[tuple[tuple[int, ...], frozenset[Card]]] = {(start, frozenset())}
    for card in cards:
        following = set()
        for piles, hand in states:
            color, value = card
            if value == piles[color] + 1:
                heights = list(piles)
                heights[color] = value
                while (color, heights[color] + 1) in hand:
                    heights[color] += 1
                rest = frozenset(c for c in hand if c[1] > heights[c[0]])
                following.add((tuple(heights), rest))
                continue
            following.add((piles, hand))
            if value > piles[color]:
                for size in range(hand_size):
                    for kept in combinations(sorted(hand), min(size, len(hand))):
                        following.add((piles, frozenset((*kept, card))))
        states = following
    return {piles for piles, _ in states}


def is_game_won(
    cards: Sequence[Card], n: int, c: int, players: int, hand: int, *, last_round: bool
) -> bool:
    """Return whether p players who see all cards and may always pass can complete all piles.

    Cards are dealt one by one. They take turns; a card played or discarded is replaced from the
    deck. With `last_round` each player has one turn more once the last card is drawn; without,
    there is no end.
    """
    first = cards[: players * hand]
    dealt = tuple(tuple(sorted(first[seat::players])) for seat in range(players))
    goal = (n,) * c

    @cache
    def won(
        drawn: int,
        piles: tuple[int, ...],
        hands: tuple[tuple[Card, ...], ...],
        seat: int,
        left: int,
    ) -> bool:
        if piles == goal:
            return True
        if left == 0:
            return False
        for index, (color, value) in enumerate(hands[seat]):
            rest = hands[seat][:index] + hands[seat][index + 1 :]
            new_hand = tuple(sorted((*rest, *cards[drawn : drawn + 1])))
            hands_after = (*hands[:seat], new_hand, *hands[seat + 1 :])
            now_drawn = min(drawn + 1, len(cards))
            turns = left - 1 if left > 0 else left
            if last_round and left < 0 and now_drawn == len(cards):
                turns = players
            seats = [(seat + 1) % players] if last_round and turns >= 0 else list(range(players))
            results = [piles]
            if piles[color] == value - 1:
                results.append((*piles[:color], value, *piles[color + 1 :]))
            for after in results:
                if any(won(now_drawn, after, hands_after, who, turns) for who in seats):
                    return True
        # To pass only matters when turns are counted: before that, whoever wants to act does.
        return left > 0 and won(drawn, piles, hands, (seat + 1) % players, left - 1)

    drawn = min(players * hand, len(cards))
    at_end = last_round and drawn == len(cards)
    return any(
        won(drawn, (0,) * c, dealt, who, players if at_end else -1)
        for who in ([0] if at_end else range(players))
    )
