"""Hint partitions from the definition: every hand that fits, every way to split the hints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from hanabi.solvers.hints.possibilities import PossibilityTable


def all_hands(table: PossibilityTable, *, by_rows: bool = False) -> Iterator[tuple[int, ...]]:
    """Yield every choice of identities that fits the rows and, unless `by_rows`, the copies."""
    copies = None if by_rows else table.unseen
    for hand in product(*table.rows):
        if copies is None or all(n <= copies[each] for each, n in Counter(hand).items()):
            yield hand


def possible_hints(table: PossibilityTable, *, by_rows: bool = False) -> list[frozenset[int]]:
    """Return for every hand that fits the hints that can be given to it."""
    return [
        frozenset(hint for each in hand for hint in table.touched[each])
        for hand in all_hands(table, by_rows=by_rows)
    ]


def splits(items: list[int]) -> Iterator[list[list[int]]]:
    """Yield every partition of a set."""
    if not items:
        yield []
        return
    first, *rest = items
    for split in splits(rest):
        yield [[first], *split]
        for index in range(len(split)):
            yield [*split[:index], [first, *split[index]], *split[index + 1 :]]


def is_valid(parts: list[list[int]], given: list[frozenset[int]]) -> bool:
    """Whether each part holds a possible hint, whatever the hand is."""
    return all(not hints.isdisjoint(part) for hints in given for part in parts)


def most_parts(table: PossibilityTable, *, by_rows: bool = False) -> int | None:
    """Return the size of a maximum partition; None if no hand fits."""
    given = set(possible_hints(table, by_rows=by_rows))
    if not given:
        return None
    minimal = [hints for hints in given if not any(other < hints for other in given)]
    best = 0
    for parts in splits(list(range(table.hints))):
        if len(parts) > best and is_valid(parts, minimal):
            best = len(parts)
    return best
