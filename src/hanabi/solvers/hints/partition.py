"""Partition of the hints into as many sets as possible, each certain to contain a legal hint.

[ODwyer2018] asks for this by rows: a set of hints is safe if it contains a whole row of the table,
so the answer is the largest number of disjoint rows. Taking the unseen copies into account, several
cards together can make a set safe, and more parts may be possible.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Literal, get_args

from hanabi.ground import InvalidInputError, Pictured, quote
from hanabi.solvers.hints import packing
from hanabi.solvers.hints.possibilities import PossibilityTable

if TYPE_CHECKING:
    from hanabi.ground import Words

__all__ = [
    "DEFAULT_NODES",
    "DEFAULT_SECONDS",
    "METHODS",
    "Method",
    "Partition",
    "find_partition",
    "partition_many",
]

DEFAULT_NODES = 20_000
"""Default nodes of a search: a few seconds on a large table. Hands of real games need hundreds."""

DEFAULT_SECONDS = 10.0
"""Default time for CP-SAT."""

Method = Literal["search", "cp-sat"]
METHODS: tuple[Method, ...] = get_args(Method)
"""The method of packing: branch and bound, or OR-Tools' CP-SAT solver, the extra `packing`."""


@dataclass(frozen=True, slots=True)
class Partition(Pictured):
    """Sets of hints, each certain to contain a legal hint, and the cards that guarantee it.

    Attributes
    ----------
    parts
        The sets: disjoint, and together all hints. Hints are ascending within a part, and parts by
        their first hint.
    reasons
        For each part the cards that guarantee it: fewer unseen copies avoid the part, among their
        identities, than there are cards. If it is a single card, its row lies in the part. If there
        are none, empty hints are allowed and any hint is legal.
    upper
        Upper bound on the parts of any partition; larger than `size` only if a budget was spent.
    """

    _drawn_by = "hanabi.solvers.hints.picture"

    parts: tuple[tuple[int, ...], ...]
    reasons: tuple[tuple[int, ...], ...]
    upper: int

    @property
    def size(self) -> int:
        """Number of parts."""
        return len(self.parts)

    @property
    def is_maximum(self) -> bool:
        """Whether this is proved to be a largest partition."""
        return self.size == self.upper


def find_partition(
    table: PossibilityTable,
    *,
    by_rows: bool = False,
    empty_hints: bool = False,
    nodes: int | None = None,
    seconds: float | None = None,
    method: Method = "search",
) -> Partition:
    """Split the hints into as many safe sets as possible: exact, unless a budget runs out.

    The minimal safe sets are enumerated (by rows they are the rows), then packed by branch and
    bound. Neither step imports NumPy or Numba; for thousands of hands see `partition_many`.

    Parameters
    ----------
    table
        The knowledge of the hand.
    by_rows
        Whether to take each card by itself and ignore the numbers of unseen copies, as in
        [ODwyer2018].
    empty_hints
        Whether hints that touch no card are legal; then every hint is a part of its own.
    nodes
        Nodes of each search, at least 0; by default `DEFAULT_NODES`, or no limit if `seconds` is
        given.
    seconds
        Time for everything, at least 0; if copies are limited, half of it is for listing sets. By
        default `DEFAULT_SECONDS` for CP-SAT, and no limit otherwise.
    method
        The method of packing. CP-SAT is better on large tables; it requires OR-Tools.

    Returns
    -------
    Partition
        It has no parts if the hand has no cards and empty hints are not allowed, since then no hint
        is legal.

    Raises
    ------
    InvalidInputError
        If no hand fits the table, the method is unknown, or a budget is negative.
    SolverError
        If CP-SAT is requested without OR-Tools.

    >>> find_partition(PossibilityTable.plain(5, [[0, 1, 2, 3], [1, 2], [2, 3], [0]])).parts
    ((0, 3, 4), (1, 2))
    >>> twins = PossibilityTable.plain(2, [[0, 1], [0, 1]], unseen=[1, 1])
    >>> find_partition(twins).parts, find_partition(twins, by_rows=True).parts
    (((0,), (1,)), ((0, 1),))
    """
    if method not in METHODS:
        raise InvalidInputError(f"method {quote(method)} is not one of {', '.join(METHODS)}")
    for name, budget in (("nodes", nodes), ("seconds", seconds)):
        if budget is not None and not budget >= 0:
            raise InvalidInputError(f"{name} = {quote(budget)} is not 0 or more")
    hand = packing.match(packing.popular_first(table.rows), table.unseen)
    if isinstance(hand, packing.Hall):
        cards = ", ".join(str(table.number(card)) for card in hand.cards)
        raise InvalidInputError(f"no hand fits the table: too few unseen copies for cards {cards}")
    if empty_hints:
        single = tuple((hint,) for hint in range(table.hints))
        return Partition(single, ((),) * table.hints, table.hints)
    if not table.rows:
        return Partition((), (), 0)
    if by_rows or not _is_scarce(table):
        table = replace(table, unseen=None)
    chosen, upper = _most_sets(table, nodes, seconds, method)
    masks = table.touched_masks
    possible = {hint for identity in hand for hint in packing.bits(masks[identity])}
    # The hand that was found admits one hint for each part.
    upper = min(upper, len(possible))
    parts = _spread(chosen, table.hints)
    return Partition(parts, tuple(_reason(table, part) for part in parts), upper)


def _most_sets(
    table: PossibilityTable, nodes: int | None, seconds: float | None, method: Method
) -> tuple[list[int], int]:
    """Return disjoint safe sets and an upper bound on their number."""
    if nodes is None:
        nodes = DEFAULT_NODES if seconds is None else sys.maxsize
    if seconds is None:
        seconds = DEFAULT_SECONDS if method == "cp-sat" else inf
    now = monotonic()
    listing, end = packing.NodeBudget(nodes, now + seconds / 2), now + seconds
    # The set of all hints is safe, even if a spent budget leaves out other sets.
    sets = [*packing.row_sets(table, listing), (1 << table.hints) - 1]
    rows = len(sets)
    if table.unseen is not None:
        sets += packing.safe_sets(table, listing)
    if method == "cp-sat":
        chosen, upper = packing.pack_by_cp_sat(
            packing.minimal_sets(sets), max(0.0, end - monotonic())
        )
    else:
        chosen, upper = packing.pack(sets, packing.NodeBudget(nodes, end))
    if not listing.is_spent:
        return chosen, upper
    # With many sets, the search may miss a packing that it finds among the rows alone.
    of_rows, _ = packing.pack(sets[:rows], packing.NodeBudget(nodes, end))
    return max(chosen, of_rows, key=len), table.hints


def _is_scarce(table: PossibilityTable) -> bool:
    """Return whether some identity has fewer unseen copies than cards that can have it."""
    if table.unseen is None:
        return False
    wanted = [0] * len(table.touched)
    for row in table.rows:
        for identity in row:
            wanted[identity] += 1
    return any(map(int.__gt__, wanted, table.unseen))


def _spread(chosen: Sequence[int], hints: int) -> tuple[tuple[int, ...], ...]:
    """Add the unused hints to the smallest sets, since supersets of safe sets are safe."""
    parts = [set(packing.bits(each)) for each in chosen]
    used = set().union(*parts)
    for hint in range(hints):
        if hint not in used:
            min(parts, key=len).add(hint)
    return tuple(sorted(tuple(sorted(part)) for part in parts))


def _reason(table: PossibilityTable, part: Sequence[int]) -> tuple[int, ...]:
    cards = packing.explain_safe(table, part)
    if cards is None:  # pragma: no cover - the sets packed are safe
        raise RuntimeError(f"part {part} is not safe")
    return cards


# Compiled hint partitions of thousands of hands.


def partition_many(
    rows: Words, *, hints: int, touched: Words | None = None, unseen: Words | None = None
) -> tuple[Words, Words]:
    """Return a maximum partition for each of many hands, like `find_partition` without a budget.

    This takes a quarter of a microsecond a hand for five hints, and one or two microseconds for ten
    hints with copies. All arrays are int64; sets are bit masks.

    Parameters
    ----------
    rows
        Shape (hands, cards), at most 8 cards: the possible identities of each card; 0 for no card.
    hints
        Number of hints, 1 to 12.
    touched
        Shape (identities,), at most 62: the hints that touch each identity; by default the
        identities are the hints themselves.
    unseen
        Shape (hands, identities): copies that each hand can hold; by default any number, which
        gives the partition by rows.

    Returns
    -------
    tuple
        Numbers of parts, shape (hands,), -1 if no hand fits; and the parts, shape (hands, hints),
        followed by zeros.

    Raises
    ------
    InvalidInputError
        If a shape or a number is out of range.

    >>> import numpy as np
    >>> sizes, parts = partition_many(np.array([[0b01111, 0b00110, 0b01100, 0b00001]]), hints=5)
    >>> sizes.tolist(), [f"{part:05b}" for part in parts[0, :2]]
    ([2], ['11001', '00110'])
    """
    import numpy as np

    from hanabi.solvers.hints.kernels import (
        MOST_CARDS,
        MOST_HINTS,
        MOST_IDENTITIES,
        partition_hands,
    )

    if not 1 <= hints <= MOST_HINTS:
        raise InvalidInputError(f"hints = {hints} is not in 1 .. {MOST_HINTS}")
    if touched is None:
        touched = np.left_shift(1, np.arange(hints, dtype=np.int64))
    if rows.ndim != 2 or rows.shape[1] > MOST_CARDS:
        raise InvalidInputError(f"rows: shape {rows.shape} is not (hands, up to {MOST_CARDS})")
    if touched.ndim != 1 or touched.size > MOST_IDENTITIES:
        raise InvalidInputError(f"touched: shape {touched.shape} is not (up to {MOST_IDENTITIES})")
    if unseen is None:
        unseen = np.zeros((rows.shape[0], 0), np.int64)
    elif unseen.shape != (rows.shape[0], touched.size):
        wanted = (rows.shape[0], touched.size)
        raise InvalidInputError(f"unseen: shape {unseen.shape} is not {wanted}")
    for name, masks, width in (("rows", rows, touched.size), ("touched", touched, hints)):
        if masks.size and (masks.min() < 0 or int(masks.max()) >> width):
            raise InvalidInputError(f"{name}: a mask has bits outside of 0 .. {width - 1}")
    sizes = np.empty(rows.shape[0], np.int64)
    parts = np.empty((rows.shape[0], hints), np.int64)
    rows, unseen, touched = (
        np.ascontiguousarray(each, np.int64) for each in (rows, unseen, touched)
    )
    partition_hands(rows, unseen, touched, sizes, parts)
    return sizes, parts
