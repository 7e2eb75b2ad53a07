"""Proofs in whole numbers that no choice of paths fits the hand.

The linear program prices the moments. Rounded to whole weights, its prices prove what it saw
whenever the excess is positive; whether they do is asked of integers alone, as
:mod:`hanabi.solitaire.certificate` does it once more with code of its own. Where the excess is not
positive some card is played in parts by several of its copies: two cases, by a copy up to a
position or by a later one. A case that its proof has made no use of is not kept.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock
from hanabi.solitaire.certificate import Certificate, Split, Step, Weights

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.paths.program import Program

    Bools = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

__all__ = ["Costs", "refute", "round_prices"]

_SCALES = 1, 2, 3, 4, 6, 12, 60, 1000, 10**6
_ENTRIES = 10**6  # edges times scales that are looked at together
_DEEPEST = 200
_SOME = 1e-6  # what is less of an edge, or of a price, is nothing


class Costs:
    """The cheapest paths under weights, in integers."""

    def __init__(self, program: Program) -> None:
        import numpy as np

        graph = program.graph
        self.program = program
        # Edges by value and head, so that those of a layer, and those into a node, are neighbors.
        self._order = order = np.lexsort((graph.heads, graph.values))
        heads = graph.heads[order]
        self._into = np.flatnonzero(np.diff(heads, prepend=-1))
        self._heads, self._tails = heads[self._into], graph.tails[order]
        layers = np.arange(2, int(graph.values.max(initial=1)) + 2)
        self._edge_limits = np.searchsorted(graph.values[order], layers).tolist()
        self._node_limits = np.searchsorted(self._into, self._edge_limits).tolist()
        self._opens, self._closes = graph.opens[order], graph.closes[order]
        self._start = np.flatnonzero(graph.node_values == 1)
        self._last = np.flatnonzero(graph.node_values == program.instance.n)
        self._never = np.iinfo(np.int64).max // 4

    def least(self, moments: Ints, weights: Ints, left_out: Ints, excluded: Bools) -> Ints | None:
        """Return what the cheapest paths of all colors cost together; None if one has no path.

        `moments` ascend. The weights have the shape (tries, moments), and the answer, like
        `left_out`, the shape (tries,).
        """
        import numpy as np

        graph, never, n_tries = self.program.graph, self._never, len(weights)
        below = np.zeros((n_tries, len(moments) + 1), dtype=np.int64)
        weights.cumsum(axis=1, out=below[:, 1:])
        price = below[:, np.searchsorted(moments, self._closes, side="right")]
        price -= below[:, np.searchsorted(moments, self._opens, side="right")]
        price[:, excluded[: len(graph)][self._order]] = never
        costs = np.full((n_tries, len(graph.node_values)), never)
        costs[:, self._start] = 0
        low = node = 0
        for high, next_node in zip(self._edge_limits, self._node_limits, strict=True):
            arrival = costs[:, self._tails[low:high]] + price[:, low:high]
            into = self._into[node:next_node] - low
            best = np.minimum.reduceat(arrival, into, axis=1)
            costs[:, self._heads[node:next_node]] = np.minimum(best, never)
            low, node = high, next_node
        least = np.full((n_tries, self.program.instance.c), never)
        ends = self._last
        if self.program.may_stop:
            stop = self.program.stops[~excluded[len(graph) :]]
            missing = self.program.instance.n - graph.node_values[stop]
            costs[:, stop] = np.minimum(costs[:, stop] + missing * left_out[:, None], never)
            ends = np.concatenate((stop, ends))
        for each, cost in zip(least, costs, strict=True):
            np.minimum.at(each, graph.node_colors[ends], cost[ends])
        return None if (least >= never).any() else least.sum(axis=1)


def round_prices(
    costs: Costs,
    prices: Floats,
    left_out: float,
    excluded: Bools,
    *,
    hand_size: int,
    most_left_out: int,
) -> Weights | None:
    """Return whole weights that prove that nothing fits, as near to the prices as it takes.

    `prices` are those of the program's moments and of a card left out. The dearest moment is tried
    alone, since a proof by one moment says most.
    """
    import numpy as np

    scales = np.array(_SCALES)
    weights = np.maximum(np.rint(prices * scales[:, None]), 0).astype(np.int64)
    each = np.maximum(np.rint(left_out * scales), 0).astype(np.int64)
    if len(prices) and not most_left_out:
        alone = np.arange(len(prices)) == prices.argmax()
        weights, each = np.vstack((alone, weights)), np.append(0, each)
    together = max(1, _ENTRIES // max(1, len(costs.program.graph)))
    for low in range(0, len(each), together):
        some, dear = weights[low : low + together], each[low : low + together]
        used = np.flatnonzero(some.any(axis=0))
        moments, some = costs.program.moments[used], some[:, used]
        needs = costs.least(moments, some, dear, excluded)
        if needs is None:
            return Weights((), 0, None)
        has = hand_size * some.sum(axis=1) + most_left_out * dear
        for index in np.flatnonzero(needs > has)[:1].tolist():
            pairs = zip(moments.tolist(), some[index].tolist(), strict=True)
            kept = tuple((moment, weight) for moment, weight in pairs if weight)
            return Weights(kept, int(dear[index]), int(needs[index]))
    return None


def refute(
    program: Program,
    most_left_out: int = 0,
    *,
    most: int | None = None,
    meanwhile: Callable[[], Floats | None] = lambda: None,
    clock: Clock = NO_LIMIT,
) -> Certificate | Floats | None:
    """Return a proof that nothing fits, or the edges of paths that do; None if neither is found.

    Looks at no more than `most` cases, and before each asks `meanwhile` whether paths have been
    found elsewhere. Raises BudgetEndedError when the clock runs out. Where no proof is found the
    program has been changed, unless `most` is 1.
    """
    search = _Search(program, most_left_out, most, meanwhile, clock)
    try:
        steps, _ = search.prove([])
    except _FoundError as found:
        return found.edges
    except RecursionError:
        return None
    steps = search.restated(steps)
    return Certificate(program.instance.hand_size, most_left_out, tuple(steps))


class _FoundError(Exception):
    """Paths that the program takes whole."""

    def __init__(self, edges: Floats) -> None:
        super().__init__()
        self.edges = edges


class _Search:
    """The tree of cases, gone through depth first."""

    def __init__(
        self,
        program: Program,
        most_left_out: int,
        most: int | None,
        meanwhile: Callable[[], Floats | None],
        clock: Clock,
    ) -> None:
        import numpy as np

        graph = program.graph
        self.program, self.most_left_out = program, most_left_out
        self.left, self.meanwhile, self.clock = most, meanwhile, clock
        self.costs = Costs(program)
        self.cards = graph.colors * (program.instance.n + 1) + graph.values
        # Of each edge and stop, how many cases exclude it.
        self.excluded = np.zeros(len(graph) + len(program.stops), dtype=np.int64)
        self.used = np.zeros(len(graph))  # of the card of an edge: how many cases proofs have used

    def prove(self, cases: list[Ints]) -> tuple[list[Step], set[int]]:
        """Return the steps of a proof under these cases, and which of the cases it needs.

        A case is given by the columns that it excludes.
        """
        self.clock.check()
        elsewhere = self.meanwhile()
        if elsewhere is not None:
            raise _FoundError(elsewhere)
        answer = self.program.relax(self.clock)
        if not answer.is_over:
            raise BudgetEndedError("out of time")
        proof = self.close(cases, answer.has_point, answer.value)
        if proof is not None:
            return proof
        if self.left is not None:
            self.left -= 1
        if self.left == 0 or len(cases) == _DEEPEST:
            raise RecursionError
        position = self.choose(answer.edges)
        halves: list[list[Step]] = []
        needed: set[int] = set()
        for out in self.halves(position):
            self.exclude(out, 1)
            steps, needs = self.prove([*cases, out])
            self.exclude(out, -1)
            if len(cases) not in needs:
                return steps, needs
            self.used[self.cards == self.cards[self.program.graph.copies == position][0]] += 1
            halves.append(steps)
            needed |= needs
        return [Split(position), *halves[0], *halves[1]], needed - {len(cases)}

    def halves(self, position: int) -> tuple[Ints, Ints]:
        """Return the columns that both cases exclude: played by this position, and not."""
        import numpy as np

        graph, stops = self.program.graph, self.program.stops
        color, value = (
            int(column[position - 1])
            for column in (self.program.instance.colors, self.program.instance.values)
        )
        mine = self.cards == color * (self.program.instance.n + 1) + value
        is_by = graph.copies <= position
        is_below = (graph.node_colors[stops] == color) & (graph.node_values[stops] < value)
        early = np.append(np.flatnonzero(mine & ~is_by), len(graph) + np.flatnonzero(is_below))
        return early, np.flatnonzero(mine & is_by)

    def restated(self, steps: list[Step]) -> list[Step]:
        """Return the steps with what the ends need under all the cases that were kept."""
        import numpy as np

        told: list[Step] = []
        cases = [np.zeros(len(self.excluded), dtype=np.bool_)]
        for step in steps:
            excluded = cases.pop()
            if isinstance(step, Split):
                for out in reversed(self.halves(step.position)):
                    cases.append(excluded.copy())
                    cases[-1][out] = True
                told.append(step)
                continue
            moments, weights = np.array(step.moments, dtype=np.int64).reshape(-1, 2).T
            left_out = np.array([step.left_out])
            needs = self.costs.least(moments, weights[None], left_out, excluded)
            told.append(replace(step, needs=None if needs is None else int(needs[0])))
        return told

    def exclude(self, columns: Ints, by: int) -> None:
        """Count one more case that excludes these columns, or one less."""
        before = self.excluded[columns] > 0
        self.excluded[columns] += by
        changed = columns[before != (self.excluded[columns] > 0)]
        self.program.allow(changed, allowed=by < 0)

    def close(
        self, cases: list[Ints], has_point: bool, excess: float
    ) -> tuple[list[Step], set[int]] | None:
        """Return a proof by weights alone, and the cases it needs, if there is one."""
        import numpy as np

        if has_point and excess <= 0:
            return None
        if not has_point:  # a color has no path
            prices, left_out = np.zeros(len(self.program.moments)), 0.0
            needed = set(range(len(cases)))
        else:
            prices, left_out, reduced = self.program.prices()
            needed = {number for number, case in enumerate(cases) if (reduced[case] < -_SOME).any()}
        excluded = np.zeros(len(self.excluded), dtype=np.bool_)
        for kept in (needed, set(range(len(cases)))):
            excluded[:] = False
            for number in kept:
                excluded[cases[number]] = True
            weights = round_prices(
                self.costs,
                prices,
                left_out,
                excluded,
                hand_size=self.program.instance.hand_size,
                most_left_out=self.most_left_out,
            )
            if weights is not None:
                return [weights], kept
        return None

    def choose(self, edges: Floats) -> int:
        """Return the position of a copy at which to split: about half of its card comes by then.

        Cards that earlier proofs have used come first.
        """
        import numpy as np

        some = np.flatnonzero(edges > _SOME)
        copies = self.program.graph.copies[some]
        order = some[np.lexsort((copies, self.cards[some]))]
        cards, copies = self.cards[order], self.program.graph.copies[order]
        total = edges[order].cumsum()
        start = np.maximum.accumulate(
            np.where(np.diff(cards, prepend=-1) != 0, total - edges[order], 0)
        )
        is_last = np.append(
            (np.diff(cards) != 0) | (np.diff(copies) > 0), [True] * bool(len(order))
        )
        part = total - start
        split = np.flatnonzero(is_last & (part > _SOME) & (part < 1 - _SOME))
        if not len(split):
            raise _FoundError(edges)
        score = (0.5 - abs(part[split] - 0.5)) * (1 + self.used[order[split]])
        return int(copies[split[score.argmax()]])
