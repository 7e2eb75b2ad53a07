"""Safe sets of hints, and set packing: as many disjoint sets as possible, by branch and bound.

The general problem is NP-complete [ODwyer2018]; if a budget runs out, the answer is an interval.
`reduce_sets` and `split_sets` make the problem smaller, without loss, for any solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from hanabi.ground import MissingPackageError
from hanabi.solvers.hints.possibilities import PossibilityTable

__all__ = [
    "ENTRIES",
    "Hall",
    "NodeBudget",
    "bits",
    "explain_safe",
    "greedy",
    "match",
    "minimal_sets",
    "pack",
    "pack_by_cp_sat",
    "packing_bound",
    "popular_first",
    "reduce_sets",
    "row_sets",
    "safe_sets",
    "split_sets",
]

# *Safe* sets of hints, each certain to contain a legal hint.
#
# A set is safe if no hand that fits the table avoids it: the cards cannot be matched to copies of
# the identities that it leaves untouched. By Hall's theorem, some cards then outnumber the copies
# of their identities that are left untouched. Without limits on copies, a single card is enough:
# the set contains a row of the table.

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


_WHOLE = 720_720
"""The unit of weights: a multiple of 1 to 16, so that fractions add up exactly."""

Sets = dict[int, tuple[int, ...]]


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


def reduce_sets(sets: Sequence[int]) -> dict[int, int]:
    """Return fewer and smaller sets with packings of the same size, and the original of each.

    Sets that contain another set are removed. So is an element if all sets that contain it also
    contain one common other element: that one already keeps them apart.

    >>> reduce_sets([0b0011, 0b0110, 0b1100, 0b1110])
    {2: 3, 4: 12}
    """
    found = {each: each for each in sets}
    while True:
        kept = minimal_sets(list(found))
        found = {each: found[each] for each in kept}
        common: dict[int, int] = {}
        for each in kept:
            for element in bits(each):
                common[element] = common.get(element, each) & each
        dropped = 0
        for element, mask in common.items():
            # Of two elements in the same sets, the second is removed.
            if mask & ~(1 << element) & ~dropped:
                dropped |= 1 << element
        if not dropped:
            return found
        smaller: dict[int, int] = {}
        for each in kept:
            smaller.setdefault(each & ~dropped, found[each])
        found = smaller


def split_sets(sets: Sequence[int]) -> list[list[int]]:
    """Split the sets into groups that have no element in common.

    >>> split_sets([0b0011, 0b1000, 0b0110])
    [[8], [3, 6]]
    """
    groups: list[tuple[int, list[int]]] = []
    for each in sets:
        union, members = each, [each]
        for mask, group in groups:
            if mask & each:
                union, members = union | mask, group + members
        groups = [(mask, group) for mask, group in groups if not mask & each]
        groups.append((union, members))
    return [group for _, group in groups]


def packing_bound(sets: Sequence[int]) -> int:
    """Return an upper bound on the number of disjoint sets.

    If the weights of the elements give each set at least 1, their sum is an upper bound, since the
    chosen sets share no element. At first an element weighs 1/m, where m is the size of the
    smallest set that contains it. Then each element in turn, those in the fewest sets first, gives
    up the weight that no set needs. O(sum of the sizes).

    >>> packing_bound([0b0011, 0b0110, 0b1100]), packing_bound([0b011, 0b101, 0b110])
    (2, 1)
    """
    return _bound(sets, {each: bits(each) for each in sets}, -1)


def _bound(sets: Sequence[int], elements: Sets, enough: int) -> int:
    """Return the bound; the one from the initial weights if that is `enough` or less."""
    weights: dict[int, int] = {}
    for each in sets:
        share = -(-_WHOLE // len(elements[each]))
        for element in elements[each]:
            if share > weights.get(element, 0):
                weights[element] = share
    total = sum(weights.values())
    if total // _WHOLE <= enough:
        return total // _WHOLE
    spare: dict[int, int] = {}
    holders: dict[int, list[int]] = {element: [] for element in weights}
    for each in sets:
        spare[each] = sum(weights[element] for element in elements[each]) - _WHOLE
        for element in elements[each]:
            holders[element].append(each)
    # Elements in few sets first: what they give up costs few other elements theirs.
    for element in sorted(weights, key=lambda element: (len(holders[element]), element)):
        gift = min(weights[element], min(spare[each] for each in holders[element]))
        if gift:
            total -= gift
            for each in holders[element]:
                spare[each] -= gift
    return total // _WHOLE


def pack(sets: Sequence[int], budget: NodeBudget) -> tuple[list[int], int]:
    """Return disjoint sets, and an upper bound on their number; equal unless the budget is spent.

    Sets are reduced and split into disjoint groups, and each group is packed by itself.

    Parameters
    ----------
    sets
        Sets as bits; none empty.
    budget
        Nodes of the search, shared with the caller.

    >>> pack([0b0011, 0b0110, 0b1100], NodeBudget(100))
    ([3, 12], 2)
    """
    original = reduce_sets(sets)
    chosen: list[int] = []
    upper = 0
    for group in split_sets(list(original)):
        found, most = _search(group, budget)
        chosen += found
        upper += most
    return [original[each] for each in chosen], upper


def _search(sets: Sequence[int], budget: NodeBudget) -> tuple[list[int], int]:
    """Branch on the element in the fewest sets: one of these sets covers it, or none does."""
    elements = {each: bits(each) for each in sets}
    rare_first = sorted(sets, key=lambda each: sum(1 for other in sets if each & other))
    best = max((_improve(greedy(order), order) for order in (sets, rare_first)), key=len)
    stack: list[tuple[list[int], list[int], int]] = [(list(sets), [], len(sets))]
    while stack:
        live, chosen, upper = stack[-1]
        if upper > len(best):
            upper = min(upper, len(chosen) + _bound(live, elements, len(best) - len(chosen)))
            stack[-1] = live, chosen, upper
        if upper <= len(best):
            stack.pop()
            continue
        if not budget.take(sum(len(elements[each]) for each in live)):
            return best, max(len(best), *(upper for _, _, upper in stack))
        stack.pop()
        live, alone = _alone(live)
        chosen = chosen + alone
        if len(chosen) > len(best):
            best = chosen
        if live:
            stack += [(rest, taken, upper) for rest, taken in _children(live, chosen, elements)]
    return best, len(best)


def greedy(sets: Sequence[int]) -> list[int]:
    """Take each set, in order, that is disjoint from all sets taken before.

    >>> greedy([0b0110, 0b0011, 0b1000])
    [6, 8]
    """
    used, chosen = 0, []
    for each in sets:
        if not each & used:
            used |= each
            chosen.append(each)
    return chosen


def _improve(chosen: list[int], sets: Sequence[int]) -> list[int]:
    """Replace a set by two others as long as possible."""
    while True:
        used = 0
        for each in chosen:
            used |= each
        for old in chosen:
            free = [each for each in sets if not each & used & ~old and each != old]
            pair = next(
                ((a, b) for index, a in enumerate(free) for b in free[:index] if not a & b), None
            )
            if pair is not None:
                chosen = [each for each in chosen if each != old] + [*pair]
                break
        else:
            return chosen


def _alone(live: Sequence[int]) -> tuple[list[int], list[int]]:
    """Separate the sets that meet others from those that do not."""
    once = twice = 0
    for each in live:
        twice |= once & each
        once |= each
    return [each for each in live if each & twice], [each for each in live if not each & twice]


def _children(
    live: Sequence[int], chosen: list[int], elements: Sets
) -> list[tuple[list[int], list[int]]]:
    """Return the branches, most promising last."""
    counts = Counter(element for each in live for element in elements[each])
    element = min(counts, key=lambda each: (counts[each], each))
    covering = [each for each in live if each >> element & 1]
    children = [([each for each in live if not each >> element & 1], chosen)]
    children += [
        ([other for other in live if not other & each], [*chosen, each])
        for each in reversed(covering)
    ]
    return children


# Set packing by OR-Tools' CP-SAT solver: an extra, for large tables.

_ROUNDING = 1e-6


def pack_by_cp_sat(sets: Sequence[int], seconds: float) -> tuple[list[int], int]:
    """Return disjoint sets, and an upper bound on their number; equal if `seconds` were enough.

    There is one worker with a fixed seed, so a proved answer is the same every time.

    Raises MissingPackageError if OR-Tools is not installed.

    >>> pack_by_cp_sat([0b0011, 0b0110, 0b1100], seconds=10)
    ([3, 12], 2)
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingPackageError("cp-sat needs OR-Tools", extra="packing") from None
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in sets]
    covering: dict[int, list[cp_model.IntVar]] = {}
    for each, is_chosen in zip(sets, chosen, strict=True):
        for element in bits(each):
            covering.setdefault(element, []).append(is_chosen)
    for rivals in covering.values():
        model.add_at_most_one(rivals)
    model.maximize(sum(chosen))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    # It would catch interrupts, and then leave them to end this process without a word.
    solver.parameters.catch_sigint_signal = False
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return greedy(sets), packing_bound(sets)
    found = [each for each, is_chosen in zip(sets, chosen, strict=True) if solver.value(is_chosen)]
    upper = min(int(solver.best_objective_bound + _ROUNDING), packing_bound(sets))
    return found, upper
