"""*Safe* sets of hints, each certain to contain a legal hint.

A set is safe if no hand that fits the table avoids it: the cards cannot be matched to copies of the
identities that it leaves untouched. By Hall's theorem, some cards then outnumber the copies of
their identities that are left untouched. Without limits on copies, a single card is enough: the set
contains a row of the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from hanabi.hints.possibilities import PossibilityTable

__all__ = [
    "ENTRIES",
    "Hall",
    "NodeBudget",
    "bits",
    "explain_safe",
    "match",
    "popular_first",
    "row_sets",
    "safe_sets",
]

ENTRIES = 200
"""Entries of a table that one node of a search covers; a hand of a real game has fewer."""


@dataclass(slots=True)
class NodeBudget:
    """Budget of search nodes; `is_spent` once more nodes are requested, or time is up.

    A node that examines more than `ENTRIES` entries of a table counts as several.

    Attributes
    ----------
    nodes
        Nodes left.
    until
        End of the time, on the clock of `time.monotonic`.
    """

    nodes: int
    until: float = inf
    is_spent: bool = field(default=False)

    def take(self, entries: int = 0) -> bool:
        """Use a node; return False if none was left."""
        self.nodes -= 1 + entries // ENTRIES
        self.is_spent = self.nodes < 0 or (self.until < inf and monotonic() > self.until)
        return not self.is_spent


@dataclass(frozen=True, slots=True)
class Hall:
    """Cards that outnumber the copies of their identities: a violation of Hall's condition."""

    cards: tuple[int, ...]


def bits(mask: int) -> tuple[int, ...]:
    """Return the positions of the ones of a mask, ascending.

    >>> bits(0b1101)
    (0, 2, 3)
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def match(rows: Sequence[Sequence[int]], copies: Sequence[int] | None) -> list[int] | Hall:
    """Assign to every card one of its identities, each at most `copies` times, or return why not.

    Augmenting paths are searched breadth first: O(cards * entries of the table).

    >>> match([[0, 1], [0]], [1, 1])
    [1, 0]
    >>> match([[0, 1], [0], [1]], [1, 1])
    Hall(cards=(0, 1, 2))
    """
    hand = [-1] * len(rows)
    holders: dict[int, list[int]] = {}
    for first in range(len(rows)):
        queue, seen = [first], {first}
        came: dict[int, int] = {}
        end = -1
        for card in queue:
            for identity in rows[card]:
                if identity in came:
                    continue
                came[identity] = card
                held = holders.setdefault(identity, [])
                if copies is None or len(held) < copies[identity]:
                    end = identity
                    break
                fresh = [other for other in held if other not in seen]
                seen.update(fresh)
                queue += fresh
            if end >= 0:
                break
        if end < 0:
            return Hall(tuple(sorted(seen)))
        _augment(hand, holders, came, end)
    return hand


def _augment(
    hand: list[int], holders: dict[int, list[int]], came: dict[int, int], end: int
) -> None:
    while end >= 0:
        card = came[end]
        before, hand[card] = hand[card], end
        holders[end].append(card)
        if before >= 0:
            holders[before].remove(card)
        end = before


def _untouched(rows: Sequence[Sequence[int]], masks: Sequence[int], hints: int) -> list[list[int]]:
    """Return the rows without the identities that one of `hints` touches."""
    return [[each for each in row if not masks[each] & hints] for row in rows]


def popular_first(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Sort each row by the number of cards that can have the identity, largest first.

    `match` then finds hands with few different identities.

    >>> popular_first([[0, 1], [1, 2], [1]])
    [[1, 0], [1, 2], [1]]
    """
    counts = Counter(identity for row in rows for identity in row)
    return [sorted(row, key=lambda each: (-counts[each], each)) for row in rows]


def row_sets(table: PossibilityTable, budget: NodeBudget) -> list[int]:
    """Return the minimal sets that one card alone makes safe, as bits, without repeats.

    If one hint touches each identity, these are the rows. For cards hinted by color and rank, they
    are the minimal covers of each card's possible identities, found by `safe_sets`.
    """
    found: dict[int, None] = {}
    is_plain = all(len(hints) == 1 for hints in table.touched)
    for card, row in enumerate(table.rows):
        if is_plain:
            found[sum(1 << hint for hint in table.row_hints(card))] = None
        else:
            alone = PossibilityTable(table.hints, (row,), table.touched, None, table.names)
            found.update(dict.fromkeys(safe_sets(alone, budget)))
    return list(found)


def safe_sets(table: PossibilityTable, budget: NodeBudget) -> list[int]:
    """Return the minimal safe sets as bits; some may be missing once the budget is spent.

    A set that some hand avoids must grow by a hint that touches that hand; the search branches on
    the first of those hints that joins. It finds every minimal set once, in at most 2^hints nodes,
    each a matching.
    """
    rows = popular_first(table.rows)
    masks = table.touched_masks
    found: list[int] = []
    stack = [(0, 0)]
    entries = sum(map(len, table.rows))
    while stack and budget.take(entries):
        hints, refused = stack.pop()
        hand = match(_untouched(rows, masks, hints), table.unseen)
        if isinstance(hand, Hall):
            budget.take(entries * hints.bit_count())
            if _is_minimal(rows, masks, hints, table.unseen):
                found.append(hints)
            continue
        possible = 0
        for identity in hand:
            possible |= masks[identity]
        for hint in bits(possible & ~refused):
            stack.append((hints | 1 << hint, refused))
            refused |= 1 << hint
    return found


def _is_minimal(
    rows: Sequence[Sequence[int]], masks: Sequence[int], hints: int, copies: Sequence[int] | None
) -> bool:
    return not any(
        isinstance(match(_untouched(rows, masks, hints ^ 1 << hint), copies), Hall)
        for hint in bits(hints)
    )


def explain_safe(table: PossibilityTable, hints: Iterable[int]) -> tuple[int, ...] | None:
    """Return cards that prove a set safe, or None if it is not safe.

    The cards outnumber the copies of their untouched identities, and none of them can be dropped. A
    single card, whose row lies in the set, is preferred.

    >>> explain_safe(PossibilityTable.plain(3, [[0, 1], [1, 2]]), [1, 2])
    (1,)
    >>> explain_safe(PossibilityTable.plain(2, [[0, 1], [0, 1]], unseen=[1, 1]), [0])
    (0, 1)
    """
    rows = _untouched(table.rows, table.touched_masks, sum(1 << hint for hint in hints))
    for card, row in enumerate(rows):
        if not row:
            return (card,)
    failed = match(rows, table.unseen)
    if not isinstance(failed, Hall):
        return None
    cards = list(failed.cards)
    for card in failed.cards:
        fewer = [each for each in cards if each != card]
        if isinstance(match([rows[each] for each in fewer], table.unseen), Hall):
            cards = fewer
    return tuple(cards)
