"""Picture records of tables of possibilities and of partitions of hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hanabi.ground import Grid, counted, draw_grid
from hanabi.solvers.hints.partition import Partition
from hanabi.solvers.hints.possibilities import PossibilityTable

__all__ = ["grid_of", "reasons_in_words", "svg_of", "touches_of"]

# Reasons, in words, why each part of a partition is certain to contain a legal hint.


def reasons_in_words(table: PossibilityTable, partition: Partition) -> list[str]:
    """Return for each part the reason, in words, why it is certain to contain a legal hint.

    >>> from hanabi.solvers.hints import find_partition
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
        return f"card {table.number(cards[0])} is {' or '.join(hints)}"
    unseen = sum(table.unseen[each] for each in left) if table.unseen is not None else 0
    numbers = ", ".join(map(str, sorted(map(table.number, cards))))
    if not left or unseen == 0:
        return f"card {numbers} can be nothing else: all other copies are seen"
    others = ", ".join(" ".join(table.names[hint] for hint in table.touched[each]) for each in left)
    copies = counted(unseen, "copy", "copies")
    return (
        f"cards {numbers} are {len(cards)}, and of what else they can be ({others}) only"
        f" {copies} {'is' if unseen == 1 else 'are'} unseen"
    )


def grid_of(partition: Partition, table: PossibilityTable | None = None) -> Grid:
    """Return the grid of hints that may touch each card, grouped by the parts of a partition.

    Without the table, hints are numbered and the grid has no cards.

    >>> from hanabi.solvers.hints import find_partition
    >>> table = PossibilityTable.plain(3, [[0, 1], [2]])
    >>> grid = grid_of(find_partition(table), table)
    >>> grid.groups, grid.marked, grid.notes
    (((0, 1), (2,)), ((0,), (0,), (1,)), ('card 1 is 0 or 1', 'card 2 is 2'))
    """
    if table is None:
        rows = tuple(f"hint {hint}" for hint in range(sum(map(len, partition.parts))))
        return Grid(columns=(), rows=rows, marked=((),) * len(rows), groups=partition.parts)
    return replace(
        touches_of(table), groups=partition.parts, notes=tuple(reasons_in_words(table, partition))
    )


def touches_of(table: PossibilityTable) -> Grid:
    """Return the grid of hints that may touch each card, without groups.

    >>> touches_of(PossibilityTable.plain(2, [[0, 1], [1]])).marked
    ((0,), (0, 1))
    """
    cards = range(len(table.rows))
    touching = [set(table.row_hints(card)) for card in sorted(cards, key=table.number)]
    hints = tuple(range(table.hints))
    return Grid(
        columns=tuple(f"card {card + 1}" for card in cards),
        rows=table.names,
        marked=tuple(tuple(card for card in cards if hint in touching[card]) for hint in hints),
        groups=(hints,),
    )


def svg_of(shown: Partition | PossibilityTable) -> str:
    """Return a stand-alone picture; for a partition, `grid_of` with its table shows more.

    >>> Partition(((0,), (1,)), ((0,), (1,)), 2)._repr_svg_()[:5]
    '<svg '
    >>> PossibilityTable.plain(2, [[0, 1], [1]])._repr_svg_()[:5]
    '<svg '
    """
    if isinstance(shown, Partition):
        return draw_grid(grid_of(shown), title="Sets of hints", standalone=True)
    return draw_grid(touches_of(shown), title="What hints may touch", standalone=True)
