"""Compiled loops for three values and one card in hand: which windows exclude each other.

`few_values.PlainChoices` states the algorithm. Here windows that overlap are found in a tree: its
leaves are where windows close, or 0 once the search must not come to them again, and every other
node is the largest of the two below it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.ground.compiled import jit
from hanabi.solitaire.kernels.linear import Columns
from hanabi.solitaire.kernels.states import Int32s, Int64s

__all__ = ["Nodes", "Search", "explore", "find_copies", "reach"]


class Nodes(NamedTuple):
    """The windows in the order in which they open; those that cannot be used last."""

    opens: Int32s
    closes: Int32s
    partner: Int32s  # the other window of the color
    bound: Int32s  # the first node whose window opens after this one closes
    n_windows: int  # so many can be used


class Search(NamedTuple):
    """A search that pauses, and its working memory."""

    latest: Int32s  # the tree, from index 1; its leaves are the second half
    label: Int32s  # of each node: the number of its tree from 1, or 0 if not visited
    stack: Int32s
    left: Int32s  # the nodes in the order in which the search leaves them
    tally: Int64s  # next root, height of the stack, nodes left, number of trees


@jit
def find_copies(columns: Columns, first: int, stop: int, copies: Int32s) -> None:
    """Write the six copies of each color, a row each; zero before the first stretch.

    `PlainChoices` says which they are.
    """
    values, colors = columns.values, columns.colors
    for i in range(first, stop):
        value, copy = values[i], copies[colors[i]]
        if value == 1:
            if copy[0] == 0:
                copy[0] = i + 1
        elif value == 2:
            if copy[0] == 0:
                copy[1] = i + 1
            elif copy[2] == 0:
                copy[2] = i + 1
        elif copy[2]:
            if copy[5] == 0:
                copy[5] = i + 1
        else:
            copy[3] = i + 1
            if copy[0] and copy[4] == 0:
                copy[4] = i + 1


@jit
def _last_open(latest: Int32s, bound: np.int64, opens: np.int32) -> np.int64:
    """Return the last node before `bound` whose window closes after `opens`, or -1."""
    n_leaves = np.int64(latest.size >> 1)
    node = n_leaves + bound
    while node > 1:
        if node & 1 and latest[node - 1] > opens:
            node -= 1
            while node < n_leaves:
                node = 2 * node + 1
                if latest[node] <= opens:
                    node -= 1
            return node - n_leaves
        node >>= 1
    return np.int64(-1)


@jit
def _forget(latest: Int32s, place: np.int64) -> None:
    node = np.int64(latest.size >> 1) + place
    latest[node] = 0
    node >>= 1
    while node:
        largest = max(latest[2 * node], latest[2 * node + 1])
        if latest[node] == largest:
            return
        latest[node] = largest
        node >>= 1


@jit
def _next_node(nodes: Nodes, latest: Int32s, label: Int32s, node: np.int64) -> np.int64:
    """Return a node that this one implies and that has not been visited, or -1."""
    if node >= nodes.n_windows:
        after = np.int64(nodes.partner[node])
        return np.int64(-1) if label[after] else after
    opens = nodes.opens[node]
    other = _last_open(latest, np.int64(nodes.bound[node]), opens)
    if other == node:
        other = _last_open(latest, node, opens)
    return np.int64(-1) if other < 0 else np.int64(nodes.partner[other])


@jit
def explore(nodes: Nodes, roots: Int32s, search: Search, steps: int) -> bool:
    """Search depth first for so many steps; return whether the search is done."""
    latest, label, stack, left, tally = search
    partner = nodes.partner
    root, height, n_left, tree = tally[0], tally[1], tally[2], tally[3]
    for _ in range(steps):
        after = np.int64(-1)
        if height:
            node = np.int64(stack[height - 1])
            after = _next_node(nodes, latest, label, node)
            if after < 0:
                height -= 1
                left[n_left] = node
                n_left += 1
        elif root < roots.size:
            if label[roots[root]] == 0:
                after = np.int64(roots[root])
                tree += 1
            root += 1
        else:
            break
        if after >= 0:
            label[after] = tree
            stack[height] = after
            height += 1
            _forget(latest, np.int64(partner[after]))
    tally[0], tally[1], tally[2], tally[3] = root, height, n_left, tree
    return bool(n_left == label.size)


@jit
def reach(nodes: Nodes, start: int, search: Search, before: Int32s, steps: int) -> int:
    """Search breadth first for so many steps; return where a contradiction is, or -1 if not done.

    That is at the partner of `start`, or at a node that cannot be used. `before` is the node that
    each was reached from. The tally counts the nodes that are done and those that were reached.
    """
    latest, label, stack, _, tally = search
    done, reached = tally[0], tally[1]
    for _ in range(steps):
        after = np.int64(start)
        if reached:
            node = np.int64(stack[done])
            after = _next_node(nodes, latest, label, node)
            if after < 0:
                done += 1
                continue
            before[after] = node
        label[after] = 1
        stack[reached] = after
        reached += 1
        _forget(latest, np.int64(nodes.partner[after]))
        if after == nodes.partner[start] or after >= nodes.n_windows:
            return int(after)
    tally[0], tally[1] = done, reached
    return -1
