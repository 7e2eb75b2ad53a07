"""An upper end that counts what the others can tell a seat which does not see its hand.

With open hands the seat knows what to do. In truth it takes one action for all deals that look
alike to it, and only what the others do before can tell them apart. So a *node* is what the seat
sees of a line of play, with the set S of the deals that are still possible, each with its number of
ways. Its value V(S) is what the best team gets, summed over these deals. It is at most the sum of
their values with open hands. V(S) <= V(T) for S within T, as no result is negative; and V of a
union is at most the sum of both values, as either part may be played as if there were no other.

- *The seat acts*: V is the largest value of one action, taken in all deals.
- *Another seat acts*, and chooses a move for each deal. Each move, and each card that is then
  drawn, leads to a node of its own. So V is at most the sum over these, each with all deals in
  which the move still has a value. This says little of deals in which many moves have one. So those
  in which more than a few do are counted with open hands instead, and the smallest sum over all
  such divisions of S is taken.
- *Moves that do the same*, such as the discards of two dead cards, lead to copies of one node. The
  team may use them to divide S. In K copies the seat takes at most K actions, and each deal gets
  the best of them; nor is the value above K times that of one copy. Hints to third seats are as
  good as any number of copies; four copies of anything are counted as if they told everything.

Deals without a value are left out, and values with open hands stand where time is over, so the
result is never too small.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import suppress
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hanabi.ground import BudgetEndedError, Clock, Words
from hanabi.rules import Action
from hanabi.rules import layout as k
from hanabi.solvers.draws import kernels as w
from hanabi.solvers.draws.seat.hands import Hands
from hanabi.solvers.draws.seat.kernels import signals as s
from hanabi.solvers.draws.solver import DrawSearch

_MANY = 4  # copies of a node from which on its deals count with open hands
_MOST_CLUES = 64  # to the seat, more than are legal in one deal
_CHUNK = 20_000  # positions between two checks of the clock


class _Node(NamedTuple):
    """What the seat sees of a line of play: one state, and the deals that are possible.

    `decks`, (deals, cards of the deck), has the cards of a deal in each row. `ways` and `values`,
    (deals,), are its number of ways, and its value with open hands, summed over all orders of the
    cards still to be drawn.
    """

    state: Words
    decks: Words
    ways: Words
    values: Words

    @property
    def most(self) -> int:
        """The value if the seat sees its hand."""
        return int(self.ways @ self.values)


class _Move(NamedTuple):
    """Moves that do the same: how many, their value in each deal, and the nodes they lead to.

    `values` is (deals,). Each node comes with the numbers of the deals from which its own come.
    """

    copies: int
    values: Words
    nodes: list[tuple[Words, _Node]]


class Signals:
    """Upper ends of the chance of a perfect score after the actions of a seat.

    A million positions to value take two or three seconds. Nodes are kept for later actions.

    Parameters
    ----------
    hands
        The hands that the seat may hold.
    search
        A search with open hands for the same view, whose deck and table are used.
    """

    def __init__(self, hands: Hands, search: DrawSearch) -> None:
        self._view, self._search = hands.view, search
        self._known: dict[tuple[bytes, bytes, bytes, int], int] = {}
        self._left, self._clock = 0, Clock(0)
        roots, ways = hands.apart().rows(merged=False)
        view, size = hands.view, hands.view.rules.deck_size
        decks = np.repeat(search.deck[None], len(roots), axis=0)
        self._hidden = [*hands.places, *range(size - view.deck_left, size)]
        decks[:, self._hidden] = roots
        self._root = _Node(view.packed.state, decks, ways, np.ones(len(ways), np.int64))

    def most(self, action: Action, known: int, values: int, clock: Clock) -> int:
        """Return an upper bound on the value after an action, summed over all deals.

        It is `known`, another one, if that is smaller, or if there is no time. `values` is how many
        positions may be valued with open hands.
        """
        self._clock, self._left = clock, values
        deck, found = self._search.deck.copy(), known
        with suppress(BudgetEndedError):
            move = self._follow(self._root, action.code, 1)
            found = sum(self._bound(node, 1) for _, node in move.nodes)
        self._search.deck[:] = deck
        return min(found, known)

    def _bound(self, node: _Node, copies: int) -> int:
        """Return an upper bound on the value of a number of copies of a node."""
        if copies >= _MANY or len(node.ways) == 1 or node.state[k.END] != k.IN_PROGRESS:
            return node.most
        hidden = node.decks[:, self._hidden].astype(np.int16)
        key = node.state.tobytes(), hidden.tobytes(), node.ways.tobytes(), copies
        if key not in self._known:
            is_own = node.state[k.SEAT] == self._view.seat
            try:
                best = self._of_seat(node, copies) if is_own else self._of_other(node, copies)
            except BudgetEndedError:
                best = node.most
            if self._left < 0 or self._clock.is_over:
                return min(best, node.most)
            self._known[key] = min(best, node.most)
        return self._known[key]

    def _of_seat(self, node: _Node, copies: int) -> int:
        moves = self._moves(node)
        gains = np.array([move.values for move in moves]) * node.ways
        if copies > 1:
            several = combinations(gains, min(copies, len(gains)))
            most = max(int(np.max(each, axis=0).sum()) for each in several)
            return min(most, copies * self._bound(node, 1))
        best, totals = 0, gains.sum(axis=1)
        for number in np.argsort(-totals).tolist():
            if totals[number] > best:
                best = max(best, sum(self._bound(below, 1) for _, below in moves[number].nodes))
        return best

    def _of_other(self, node: _Node, copies: int) -> int:
        moves = self._moves(node)
        values = np.array([move.values for move in moves])
        choices = np.array([move.copies for move in moves]) @ (values > 0)
        best = node.most
        for limit in sorted(set(choices.tolist())):
            few = choices <= limit
            total = int(node.ways @ np.where(few, 0, values.max(axis=0)))
            for move in moves:
                for deals, below in move.nodes:
                    kept = few[deals]
                    if total < best and kept.any():
                        each = _Node(below.state, *(words[kept] for words in below[1:]))
                        total += self._bound(each, copies * move.copies)
            best = min(best, total)
        return best

    def _moves(self, node: _Node) -> list[_Move]:
        """Return the moves of a node that differ."""
        rules, seat = self._view.packed.rules, self._view.seat
        is_own = node.state[k.SEAT] == seat
        codes, sorts = np.empty((2, int(rules[k.MAX_ACTIONS]) + _MOST_CLUES), np.int64)
        walk = self._search.goals.walk
        n = s.list_sorts(walk, rules, node.state, node.decks[0], seat, codes, sorts)
        number = Counter(sorts[:n].tolist())
        first = dict(zip(sorts[:n].tolist(), codes[:n].tolist(), strict=True))
        return [
            self._follow(node, code, _MANY if sort & s.PASSES and not is_own else number[sort])
            for sort, code in first.items()
        ]

    def _follow(self, node: _Node, action: int, copies: int) -> _Move:
        """Return the moves that are like an action, so many of them."""
        rules, seat = self._view.packed.rules, self._view.seat
        deals, size = node.decks.shape
        if deals > self._left:
            self._left = -1
            raise BudgetEndedError
        most = deals * max(1, size - int(node.state[k.DRAWN]))
        widths = node.state.size, size, s.N_SEEN
        after = s.Positions(*(np.empty((most, width), np.int64) for width in widths))
        n = s.follow(rules, node.state, node.decks, action, seat, after)
        states, decks, seen = (words[:n] for words in after)
        values, found = self._values(states, decks), np.zeros(deals, np.int64)
        np.add.at(found, seen[:, s.DEAL], seen[:, s.COPIES] * values)
        groups: dict[tuple[int, bytes], list[int]] = defaultdict(list)
        for row in np.flatnonzero(values).tolist():
            groups[int(seen[row, s.SEEN]), states[row].tobytes()].append(row)
        nodes = []
        for rows in groups.values():
            before = seen[rows, s.DEAL]
            ways = node.ways[before] * seen[rows, s.COPIES]
            nodes.append((before, _Node(states[rows[0]], decks[rows], ways, values[rows])))
        return _Move(copies, found, nodes)

    def _values(self, states: Words, decks: Words) -> Words:
        """Return the values of positions with open hands."""
        search, values, done = self._search, np.empty(len(states), np.int64), 0
        self._left -= len(states)
        search.goals.walk.used[[w.GOAL, w.DEPTH]] = self._view.rules.max_score, -1
        while done < len(states):
            done = s.value_all(search.goals, states, decks, values, done, _CHUNK)
            used = search.goals.walk.used
            if used[w.MAY_GROW] and used[w.FILLED] * 4 >= search.goals.walk.values.size * 3:
                search.grow(is_mean=False)
            if self._left < 0 or self._clock.is_over:
                used[w.DEPTH] = -1
                raise BudgetEndedError
        return values
