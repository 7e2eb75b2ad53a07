"""Why the sets of a partition surely hold a possible hint, in words."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.errors import counted
from hanabi.hints.partition import Partition
from hanabi.hints.table import PossibilityTable

__all__ = ["reasons_in_words"]


def reasons_in_words(table: PossibilityTable, partition: Partition) -> list[str]:
    """Say for each part why one of its hints can surely be given.

    >>> from hanabi.hints import find_partition
    >>> table = PossibilityTable.plain(3, [[0, 1], [2]])
    >>> reasons_in_words(table, find_partition(table))
    ['card 1 is 0 or 1', 'card 2 is 2']
    """
    parts = zip(partition.parts, partition.reasons, strict=True)
    return [_reason(table, part, cards) for part, cards in parts]


def _reason(table: PossibilityTable, part: Sequence[int], cards: Sequence[int]) -> str:
    if not cards:
        return "a hint may touch no card"
    inside = set(part)
    left = [
        each
        for each in sorted({each for card in cards for each in table.rows[card]})
        if not inside.intersection(table.touched[each])
    ]
    if len(cards) == 1 and not left:
        hints = (table.names[hint] for hint in table.row_hints(cards[0]) if hint in inside)
        return f"card {cards[0] + 1} is {' or '.join(hints)}"
    unseen = sum(table.unseen[each] for each in left) if table.unseen is not None else 0
    numbers = ", ".join(str(card + 1) for card in cards)
    if not left or unseen == 0:
        return f"card {numbers} can be nothing else: all other copies are seen"
    others = ", ".join(" ".join(table.names[hint] for hint in table.touched[each]) for each in left)
    copies = counted(unseen, "copy", "copies")
    return (
        f"cards {numbers} are {len(cards)}, and of what else they can be ({others}) only"
        f" {copies} {'is' if unseen == 1 else 'are'} unseen"
    )
