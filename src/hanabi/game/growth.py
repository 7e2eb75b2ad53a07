"""In which orders piles can still be built, and how high those grow that begin differently."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.game.config import Rules

__all__ = ["grow_apart", "orders_left"]


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
    result = []
    for color, pile in enumerate(piles):
        height, barred = len(pile), 0 if pile else starts
        orders = [each for each in rules.orders(color) if each[:height] == pile]
        left = [order[height:] for order in orders if len(order) > height]
        result.append([ranks for ranks in left if not barred >> ranks[0] & 1])
    return result


def grow_apart(piles: Sequence[int], growth: Sequence[Sequence[Sequence[int]]]) -> tuple[int, ...]:
    """Return the heights of the most points, where no two empty piles begin with the same rank.

    If several ways give the most points, the one whose heights are lexicographically smallest once
    they are sorted is taken, as hanab.live does: it completes the most piles.

    Parameters
    ----------
    piles
        The heights now.
    growth
        For each pile, the ranks that it can still take, in each order in which it can be built.

    >>> grow_apart((0, 0, 3), [[[1, 2, 3, 4], [2, 3, 4]], [[1, 2, 3, 4], [2]], [[2]]])
    (3, 4, 4)
    """
    # By the ranks that are taken, as bits: the best heights so far.
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
