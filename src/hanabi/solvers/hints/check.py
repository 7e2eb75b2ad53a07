"""A check of a partition that shares no code with the search."""

from __future__ import annotations

from hanabi.solvers.hints.partition import Partition
from hanabi.solvers.hints.possibilities import PossibilityTable

__all__ = ["verify_partition"]


def verify_partition(
    table: PossibilityTable,
    partition: Partition,
    *,
    by_rows: bool = False,
    empty_hints: bool = False,
) -> str | None:
    """Return the first error of a partition, or None if it is correct.

    Every hint must lie in exactly one part (but a hand without cards may have no parts), and the
    cards named for a part must guarantee it. Whether a larger partition exists is not checked.
    O(size of the table) for each part.

    >>> table = PossibilityTable.plain(3, [[0, 1], [2]])
    >>> verify_partition(table, Partition(((0, 1), (2,)), ((0,), (1,)), 2))
    >>> verify_partition(table, Partition(((0,), (1, 2)), ((0,), (1,)), 2))
    'part 1: cards 1 can avoid it'
    """
    flat = sorted(hint for part in partition.parts for hint in part)
    if flat != list(range(table.hints)) and (table.rows or empty_hints or flat):
        return "the parts do not hold every hint exactly once"
    if len(partition.reasons) != len(partition.parts):
        return f"{len(partition.reasons)} reasons for {len(partition.parts)} parts"
    for number, (part, cards) in enumerate(
        zip(partition.parts, partition.reasons, strict=True), start=1
    ):
        if not part:
            return f"part {number}: it is empty"
        if empty_hints and not cards:
            continue
        if len(set(cards)) < len(cards) or not all(0 <= card < len(table.rows) for card in cards):
            return f"part {number}: {cards} are no cards of the hand"
        left = {each for card in cards for each in table.rows[card]}
        left = {each for each in left if not set(table.touched[each]) & set(part)}
        # With unlimited copies, one untouched identity is enough for all cards that can have it.
        is_limited = table.unseen is not None and not by_rows
        copies = sum(table.unseen[each] for each in left) if is_limited and table.unseen else 0
        if not cards or (left and not is_limited) or copies >= len(cards):
            named = ", ".join(str(table.number(card)) for card in cards) or "none"
            return f"part {number}: cards {named} can avoid it"
    return None
