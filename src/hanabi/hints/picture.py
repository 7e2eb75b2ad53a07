"""From a table of possibilities and a partition of the hints to the record of a picture."""

from __future__ import annotations

from hanabi.hints.partition import Partition
from hanabi.hints.table import PossibilityTable
from hanabi.hints.words import reasons_in_words
from hanabi.svg.grid import draw_grid
from hanabi.svg.records import Grid

__all__ = ["grid_of", "svg_of"]


def grid_of(partition: Partition, table: PossibilityTable | None = None) -> Grid:
    """Return which hints may touch which card, the hints in the parts of a partition.

    Without the table hints have numbers, and there is nothing to say of cards.

    >>> from hanabi.hints import find_partition
    >>> table = PossibilityTable.plain(3, [[0, 1], [2]])
    >>> grid = grid_of(find_partition(table), table)
    >>> grid.groups, grid.marked, grid.notes
    (((0, 1), (2,)), ((0,), (0,), (1,)), ('card 1 is 0 or 1', 'card 2 is 2'))
    """
    hints = range(sum(map(len, partition.parts)) if table is None else table.hints)
    if table is None:
        rows = tuple(f"hint {hint}" for hint in hints)
        return Grid(columns=(), rows=rows, marked=((),) * len(rows), groups=partition.parts)
    cards = range(len(table.rows))
    touching = [set(table.row_hints(card)) for card in cards]
    return Grid(
        columns=tuple(f"card {card + 1}" for card in cards),
        rows=table.names,
        marked=tuple(tuple(card for card in cards if hint in touching[card]) for hint in hints),
        groups=partition.parts,
        notes=tuple(reasons_in_words(table, partition)),
    )


def svg_of(partition: Partition) -> str:
    """Return a stand-alone picture of the parts; `grid_of` with a table tells more.

    >>> Partition(((0,), (1,)), ((0,), (1,)), 2)._repr_svg_()[:5]
    '<svg '
    """
    return draw_grid(grid_of(partition), title="Sets of hints", standalone=True)
