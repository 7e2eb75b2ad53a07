"""The graph of each color: a path through it is a way to play the color.

Nothing is gained by waiting, so a color is settled by the time T(v) at which each value v is
played, and value by value there are two ways to go on from T(v - 1):

- *wait*: v is played by its first copy after T(v - 1), when it is drawn, and is never held;
- *hold*: v is played at T(v - 1) from the hand, in which its last copy before T(v - 1) has been
  waiting: its *window* is open from that copy on until the card at T(v - 1) is drawn.

Any other copy serves worse: a held one may be replaced by the last one before T(v - 1), one that is
waited for by the first after it. T(1) is the first copy of 1. So the nodes are pairs (v, T), the
edges lead from value to value, and all that couples the colors is the hand: the stream can be won
if there is a path in each color such that never more than h windows of them are open at once.

Positions count from 1. A window (a, b) is open just before each card p with a < p <= b.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.instance import Instance

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

__all__ = ["Graph", "follow", "graph_of"]

_MEMORY = 2**30  # bytes, unless told otherwise
_BYTES_AN_EDGE = 2000  # here and in the linear program, roughly


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The graphs of all colors side by side; nodes and edges in the order of their values.

    Attributes
    ----------
    node_colors, node_values, node_times
        What a node stands for: this value of this color is played at this position.
    colors, values, copies
        Of each edge: the card that it plays, and the position of the copy.
    tails, heads
        Of each edge: the nodes that it joins.
    opens, closes
        Of each edge: its window; both 0 if it holds nothing.
    """

    node_colors: Ints
    node_values: Ints
    node_times: Ints
    colors: Ints
    values: Ints
    copies: Ints
    tails: Ints
    heads: Ints
    opens: Ints
    closes: Ints

    def __len__(self) -> int:
        return len(self.colors)


def graph_of(instance: Instance, *, clock: Clock = NO_LIMIT, memory: int | None = None) -> Graph:
    """Return the graphs of all colors. If every needed card occurs, each path goes on to n.

    A color without a 1 has no nodes. O(N log N), and O(log N) an edge: some r n**2 edges a color
    at most. Raises BudgetEndedError when the clock runs out, or when graph and program would take
    more than `memory` bytes, by default 1 GiB.

    >>> from hanabi.solitaire import Instance
    >>> graph = graph_of(Instance(1, [(0, 2), (0, 2), (0, 1), (0, 2)]))
    >>> list(zip(graph.copies.tolist(), graph.opens.tolist(), graph.closes.tolist()))
    [(4, 0, 0), (2, 2, 3)]
    """
    import numpy as np

    most = _MEMORY if memory is None else memory
    n, span = instance.n, instance.N + 1
    cards = np.multiply(instance.colors, n, dtype=np.int64) + np.asarray(instance.values) - 1
    # The copies of all cards in one ascending column, card by card, between two that never come.
    column = np.concatenate(
        ([-1], np.sort(cards * span + np.arange(1, span)), [n * instance.c * span])
    )
    # The first card of each color that is not below its 1; the end of the column is not in a color.
    ones = np.unique(column[np.searchsorted(column, np.arange(instance.c) * n * span)])
    ones = ones[(ones < column[-1]) & (ones // span % max(n, 1) == 0)]
    color, time = ones // span // max(n, 1), ones % span
    nodes, layers, n_nodes, n_edges = [(color, np.ones_like(color), time)], [], 0, 0
    for value in range(2, n + 1):
        clock.check()
        card = color * n + value - 1
        after = np.searchsorted(column, card * span + time)
        waits = np.flatnonzero(column[after] // span == card)
        holds = np.flatnonzero(column[after - 1] // span == card)
        awaited, held = column[after[waits]] % span, column[after[holds] - 1] % span
        nothing = np.zeros_like(awaited)
        tails = np.concatenate((waits, holds))
        places, heads = np.unique(
            color[tails] * span + np.concatenate((awaited, time[holds])), return_inverse=True
        )
        layers.append(
            (
                color[tails],
                np.full_like(tails, value),
                np.concatenate((awaited, held)),
                tails + n_nodes,
                heads + n_nodes + len(color),
                np.concatenate((nothing, held)),
                np.concatenate((nothing, time[holds])),
            )
        )
        n_nodes, n_edges = n_nodes + len(color), n_edges + len(tails)
        if n_edges * _BYTES_AN_EDGE > most:
            raise BudgetEndedError(f"the graph of paths takes more than {most} bytes")
        color, time = places // span, places % span
        nodes.append((color, np.full_like(color, value), time))
    node_columns = [np.concatenate(column) for column in zip(*nodes, strict=True)]
    columns = [np.concatenate(column) for column in zip(*layers, strict=True)]
    return Graph(*node_columns, *(columns or [node_columns[0][:0]] * 7))


def follow(graph: Graph, edges: Floats, *, least: float = 0.0) -> list[int]:
    """Return the 0-based positions of the copies along the fullest edges.

    A path stops where less than `least` of it goes on.
    """
    import numpy as np

    order = np.lexsort((-edges, graph.tails))
    order = order[np.diff(graph.tails[order], prepend=-1) > 0]
    fullest = np.full(len(graph.node_values), -1)
    fullest[graph.tails[order]] = order
    node = np.flatnonzero(graph.node_values == 1)
    copies = [graph.node_times[node]]
    while len(node):
        edge = fullest[node]
        edge = edge[edge >= 0]
        edge = edge[edges[edge] >= least]
        copies.append(graph.copies[edge])
        node = graph.heads[edge]
    return [int(position) - 1 for position in np.concatenate(copies)]
