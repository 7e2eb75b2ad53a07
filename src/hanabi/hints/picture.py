"""From a table of possibilities and a partition of the hints to the record of a picture."""

from __future__ import annotations

from dataclasses import replace

from hanabi.hints.partition import Partition
from hanabi.hints.table import PossibilityTable
from hanabi.hints.words import reasons_in_words
from hanabi.svg.grid import draw_grid
from hanabi.svg.records import Grid

__all__ = ["grid_of", "svg_of", "touches_of"]


def grid_of(partition: Partition, table: PossibilityTable | None = None) -> Grid:
    """Return which hints may touch which card, the hints in the parts of a partition.

    Without the table hints have numbers, and there is nothing to say of cards.

    >>> from hanabi.hints import find_partition
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
    """Return which hints may touch which card, the hints in no order.

    >>> touches_of(PossibilityTable.plain(2, [[0, 1], [1]])).marked
    ((0,), (0, 1))
    """
    cards = range(len(table.rows))
    touching = [set(table.row_hints(card)) for card in cards]
    hints = tuple(range(table.hints))
    return Grid(
        columns=tuple(f"card {card + 1}" for card in cards),
        rows=table.names,
        marked=tuple(tuple(card for card in cards if hint in touching[card]) for hint in hints),
        groups=(hints,),
    )


def svg_of(shown: Partition | PossibilityTable) -> str:
    """Return a stand-alone picture; of a partition `grid_of` with its table tells more.

    >>> Partition(((0,), (1,)), ((0,), (1,)), 2)._repr_svg_()[:5]
    '<svg '
    >>> PossibilityTable.plain(2, [[0, 1], [1]])._repr_svg_()[:5]
    '<svg '
    """
    if isinstance(shown, Partition):
        return draw_grid(grid_of(shown), title="Sets of hints", standalone=True)
    return draw_grid(touches_of(shown), title="What hints may touch", standalone=True)
