"""Set packing: as many disjoint sets as possible, by branch and bound.

The general problem is NP-complete [ODwyer2018]; a budget makes it an interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hanabi.hints.safety import Budget, bits

__all__ = ["minimal_sets", "pack", "packing_bound"]

_ROUNDING = 1e-6


def minimal_sets(sets: Sequence[int]) -> list[int]:
    """Return the sets (bits) that contain no other, smallest first. O(sets^2).

    >>> minimal_sets([0b111, 0b011, 0b100, 0b011])
    [4, 3]
    """
    kept: list[int] = []
    for each in sorted(set(sets), key=lambda each: (each.bit_count(), each)):
        if not any(small & each == small for small in kept):
            kept.append(each)
    return kept


def packing_bound(sets: Sequence[int]) -> int:
    """Return an upper bound on the number of disjoint sets.

    A set of m elements asks 1/m of each; no element gives more than the smallest set that holds
    it asks for. O(sum of the sizes).

    >>> packing_bound([0b0011, 0b0110, 0b1100])
    2
    """
    smallest: dict[int, int] = {}
    for each in sets:
        size = each.bit_count()
        for element in bits(each):
            smallest[element] = min(size, smallest.get(element, size))
    return int(sum(1 / size for size in smallest.values()) + _ROUNDING)


def pack(sets: Sequence[int], budget: Budget) -> tuple[list[int], int]:
    """Return disjoint sets, and an upper bound on their number; equal unless the budget is spent.

    Branches on the element in the fewest sets: one of them covers it, or none. Sets that contain
    another are left out, sets that meet no other are taken at once.

    Parameters
    ----------
    sets
        Bits; none empty.
    budget
        Nodes of the search; shared with its caller.

    >>> pack([0b0011, 0b0110, 0b1100], Budget(100))
    ([3, 12], 2)
    """
    live = minimal_sets(sets)
    best = _greedy(live)
    stack: list[tuple[list[int], list[int]]] = [(live, [])]
    while stack:
        live, chosen = stack[-1]
        if len(chosen) + packing_bound(live) <= len(best):
            stack.pop()
            continue
        if not budget.take(sum(each.bit_count() for each in live)):
            upper = max(len(chosen) + packing_bound(live) for live, chosen in stack)
            return best, max(upper, len(best))
        stack.pop()
        live, alone = _split(live)
        chosen = chosen + alone
        if len(chosen) > len(best):
            best = chosen
        if live:
            stack += _children(live, chosen)
    return best, len(best)


def _greedy(sets: Sequence[int]) -> list[int]:
    used, chosen = 0, []
    for each in sets:
        if not each & used:
            used |= each
            chosen.append(each)
    return chosen


def _split(live: Sequence[int]) -> tuple[list[int], list[int]]:
    """Part the sets that meet others from those that do not."""
    once = twice = 0
    for each in live:
        twice |= once & each
        once |= each
    return [each for each in live if each & twice], [each for each in live if not each & twice]


def _children(live: Sequence[int], chosen: list[int]) -> list[tuple[list[int], list[int]]]:
    """Return the branches, most promising last."""
    counts = Counter(element for each in live for element in bits(each))
    element = min(counts, key=lambda each: (counts[each], each))
    covering = [each for each in live if each >> element & 1]
    children = [([each for each in live if not each >> element & 1], chosen)]
    children += [
        ([other for other in live if not other & each], [*chosen, each])
        for each in reversed(covering)
    ]
    return children
