"""The integer program of paths: one path a color, and no more windows open at once than fit.

A column for each edge of the graph, and for each node at which a path may stop; a row for each node
(what comes in goes out). A further column for each moment that matters says how many windows are
open then: as many as at the moment before, and those opened since, less those closed. Written in
this way, by differences, each window has two entries, however long it is, and HiGHS is ten times as
fast as with a row that lists all windows open at a moment.

It is enough to ask just before windows close, and there only if another one has opened since the
last time, and only where windows of more than h cards may be open.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hanabi.ground import BareProcess, BudgetEndedError, Clock
from hanabi.solitaire.paths import child

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.instance import Instance
    from hanabi.solitaire.paths.graph import Graph

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

__all__ = ["Answer", "Program", "Solving"]

_LOOK = 0.02  # seconds between two looks at an interrupt, or at a child
_GRACE = 0.1  # seconds that a child may take to end by itself
_LONG = 1e9
_MANY = 5000
"""Edges from which on the linear program, too, is first solved in a child process."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What HiGHS says, in floating point.

    Attributes
    ----------
    is_over
        Whether it came to an end; else a budget ended first.
    has_point
        Whether there is a point that keeps all rows: the best one if it came to an end.
    value
        What the point costs.
    edges
        The part of each edge in the point.
    """

    is_over: bool
    has_point: bool
    value: float
    edges: Floats


class Program:
    """The program for one hand size, and for how many cards may be left out.

    What is minimised is the *excess*: by how many the windows open at some moment are more than the
    hand holds, or the cards left out more than may be; it is negative if there is room. With
    `counts_left_out` the hand is kept and the cards left out are counted.

    Attributes
    ----------
    moments
        The positions of the cards just before which the hand is asked about.
    stops
        The nodes at which a path may stop; their columns follow those of the edges.
    """

    def __init__(
        self,
        instance: Instance,
        graph: Graph,
        *,
        left_out: int = 0,
        counts_left_out: bool = False,
        memory: int | None = None,
    ) -> None:
        import numpy as np

        self.graph = graph
        self.instance = instance
        may_stop = counts_left_out or left_out > 0
        n, h = instance.n, instance.hand_size
        self.moments, first, beyond = _moments(graph, h)
        n_edges, n_moments = len(graph), len(self.moments)
        self.stops = stops = (
            np.flatnonzero(graph.node_values < n) if may_stop else np.zeros(0, np.int64)
        )
        # Rows: nodes that are left, moments (how many are open), moments (no more than fit), cards.
        is_left = np.zeros(len(graph.node_values), dtype=np.bool_)
        is_left[graph.tails] = is_left[stops] = True
        row_of = np.cumsum(is_left) - 1
        opened = int(is_left.sum())
        fits = opened + n_moments
        cards = fits + n_moments
        # Columns: edges, stops, how many are open, the excess.
        open_column = n_edges + len(stops)
        excess = open_column + n_moments
        edge, stop, moment = np.arange(n_edges), np.arange(len(stops)), np.arange(n_moments)
        enters = np.flatnonzero(is_left[graph.heads])
        starts = np.flatnonzero(first < beyond)
        ends = starts[beyond[starts] < n_moments]
        entries: list[tuple[Any, Any, Any]] = [
            (row_of[graph.tails], edge, 1),
            (row_of[graph.heads[enters]], enters, -1),
            (row_of[stops], n_edges + stop, 1),
            (opened + first[starts], starts, -1),
            (opened + beyond[ends], ends, 1),
            (opened + moment, open_column + moment, 1),
            (opened + moment[1:], open_column + moment[:-1], -1),
            (fits + moment, open_column + moment, 1),
            (fits + moment, np.full(n_moments, excess), -1),
        ]
        n_rows = cards
        lower = np.zeros(excess + 1)
        upper = np.ones(excess + 1)
        upper[open_column:] = _LONG
        cost = np.zeros(excess + 1)
        row_lower = np.zeros(cards + 1)
        row_lower[:opened] = graph.node_values[is_left] == 1
        row_upper = row_lower.copy()
        row_lower[fits:] = -np.inf
        row_upper[fits:cards] = h
        if counts_left_out:
            cost[n_edges:open_column] = n - graph.node_values[stops]
            upper[excess] = 0
        else:
            lower[excess] = -h
            cost[excess] = 1
            if may_stop:
                entries.append(
                    (np.full(len(stops), cards), n_edges + stop, n - graph.node_values[stops])
                )
                entries.append((np.array([cards]), np.array([excess]), -np.ones(1)))
                row_upper[cards] = left_out
                n_rows += 1
        self.n_edges, self.n_open, self.excess = n_edges, open_column, excess
        self._fits = slice(fits, n_rows)
        self.counts_left_out, self.may_stop = counts_left_out, may_stop
        rows = np.concatenate([entry[0] for entry in entries])
        columns = np.concatenate([entry[1] for entry in entries])
        values = np.concatenate([np.broadcast_to(entry[2], entry[0].shape) for entry in entries])
        order = np.argsort(columns, kind="stable")
        self.columns = {
            "cost": cost,
            "lower": lower,
            "upper": upper,
            "row_lower": row_lower[:n_rows],
            "row_upper": row_upper[:n_rows],
            "start": np.searchsorted(columns[order], np.arange(excess + 2)),
            "index": rows[order],
            "value": values[order].astype(np.float64),
            "whole": np.append(np.arange(self.n_open), [excess]),
        }
        self.memory = memory
        self._is_large = n_edges > _MANY
        self._relaxed: Answer | None = None
        self._is_unwanted = False
        self._made: Any = None

    @property
    def _highs(self) -> Any:
        """The program in HiGHS, in this process; made when it is needed."""
        if self._made is None:
            from highspy import cb

            self._made = child.new_highs(child.model_of(self.columns))
            self._made.setCallback(self._called, None)
            self._made.startCallback(cb.HighsCallbackType.kCallbackSimplexInterrupt)
        return self._made

    def _called(self, _: object, __: str, ___: object, told: Any, ____: object) -> None:
        """Hear HiGHS, which asks now and then whether it should go on."""
        if self._is_unwanted:
            told.user_interrupt = True

    def relax(self, clock: Clock) -> Answer:
        """Solve the linear program; after a change of what is allowed, from where it was."""
        if self._relaxed is not None:
            return self._relaxed
        answer = self._relax_apart(clock) if self._is_large else self._relax_here(clock)
        if answer.is_over:
            self._relaxed = answer
            self._is_large = False  # a case changes little, and is solved here
        return answer

    def _relax_here(self, clock: Clock) -> Answer:
        import numpy as np
        from highspy import HighsModelStatus as Status

        self._run(clock)
        status, info = self._highs.getModelStatus(), self._highs.getInfo()
        is_over = status in (Status.kOptimal, Status.kInfeasible)
        solution = self._highs.getSolution()
        self._duals = np.array(solution.row_dual), np.array(solution.col_dual)
        return Answer(
            is_over=is_over,
            has_point=is_over and info.primal_solution_status == 2,
            value=info.objective_function_value,
            edges=np.array(solution.col_value)[: self.n_edges],
        )

    def _relax_apart(self, clock: Clock) -> Answer:
        """Solve the linear program in a child process: HiGHS may not hear the clock in time."""
        import numpy as np

        solving = Solving(self, self.columns | {"whole": self.columns["whole"][:0]}, clock)
        facts, found = solving.wait()
        n_columns, n_rows = len(self.columns["cost"]), len(self.columns["row_lower"])
        has_point = len(found) > 0 and facts["is_over"]
        found = found if len(found) else np.zeros(2 * n_columns + n_rows)
        point, row_duals, column_duals = np.split(found, [n_columns, n_columns + n_rows])
        self._duals = row_duals, column_duals
        return Answer(facts["is_over"], has_point, facts["value"], point[: self.n_edges])

    def start(self, clock: Clock, *, fits: bool = False) -> Solving:
        """Start on the integer program; if `fits`, only look for a point without excess."""
        columns = self.columns
        if fits:
            names = ("cost", "lower", "upper")
            columns = columns | {name: columns[name].copy() for name in names}
            for name in names:
                columns[name][self.excess] = 0
        return Solving(self, columns, clock)

    def allow(self, columns: Ints, *, allowed: bool) -> None:
        """Allow edges and stops, or take them out."""
        import numpy as np

        self._relaxed = None
        size = len(columns)
        most = np.full(size, float(allowed))
        self._highs.changeColsBounds(size, columns.astype(np.int32), np.zeros(size), most)

    def prices(self) -> tuple[Floats, float, Floats]:
        """Return the duals of the last linear program.

        Of each moment, of the cards left out, and the reduced cost of each edge and stop.
        """
        row_duals, column_duals = self._duals
        rows = -row_duals[self._fits]
        last = float(rows[-1]) if self.may_stop and not self.counts_left_out else 0.0
        cards = 1.0 if self.counts_left_out else last
        return rows[: len(self.moments)], cards, column_duals[: self.n_open]

    def _run(self, clock: Clock) -> None:
        """Let HiGHS work in a thread: it lets go of the interpreter, so that this one hears."""
        clock.check()
        highs = self._highs
        left = clock.left
        # The limit counts all that this object has ever worked.
        limit = float("inf") if left is None else highs.getRunTime() + left
        highs.setOptionValue("time_limit", limit)
        self._is_unwanted = False
        worker = threading.Thread(target=highs.run, daemon=True)
        worker.start()
        try:
            while worker.is_alive():
                worker.join(_LOOK)
                self._is_unwanted = clock.is_over
        except BaseException:
            self._is_unwanted = True
            worker.join()
            raise


class Solving:
    """HiGHS at work in a process of its own; `end` must be called, or `answer`."""

    def __init__(self, program: Program, columns: dict[str, Any], clock: Clock) -> None:
        import numpy as np

        data = b"".join(
            columns[name].astype(dtype).tobytes() for name, dtype in child.COLUMNS.items()
        )
        request = {
            "seconds": clock.left,
            "sizes": {name: len(columns[name]) for name in child.COLUMNS},
        }
        numbers = np.frombuffer(data, dtype=np.int32).data
        self._program, self._clock = program, clock
        self._process = BareProcess(child.__file__, request, numbers, program.memory)
        self.end = self._process.end

    @property
    def is_over(self) -> bool:
        """Whether the process has ended."""
        return self._process.is_over

    def answer(self) -> Answer:
        """Wait for the end, and return what was found."""
        facts, point = self.wait()
        edges = point[: self._program.n_edges]
        return Answer(facts["is_over"], len(point) > 0, facts["value"], edges)

    def wait(self) -> tuple[dict[str, Any], Floats]:
        """Wait for the end, and return the last facts, and the best point: no numbers if none.

        No process outlives the call. Raises BudgetEndedError if the process ends early, for want
        of memory, say.
        """
        import numpy as np

        process = self._process
        try:
            while not (process.is_over or self._clock.is_over):
                time.sleep(_LOOK)
            grace = Clock(_GRACE)
            while not (process.is_over or grace.is_over):
                time.sleep(_LOOK)
            problem = process.problem() if process.is_over else None
            if problem is not None:
                raise BudgetEndedError(f"HiGHS: {problem}")
            sent = process.answer()
        finally:
            process.end()
        facts, point = sent or ({"is_over": False, "value": float("inf")}, b"")
        return facts, np.frombuffer(point, dtype=np.float64)


def _moments(graph: Graph, h: int) -> tuple[Ints, Ints, Ints]:
    """Return the moments to ask about; for each edge, its first one and the first one beyond it.

    Both are equal where a window is open at none of them, or nothing is held.
    """
    import numpy as np

    held = np.flatnonzero(graph.opens)
    opens, closes = graph.opens[held], graph.closes[held]
    times = np.unique(closes)
    opened = np.searchsorted(np.sort(opens), times)  # windows opened before each time
    moments = times[np.diff(opened, prepend=0) > 0]
    # Of how many cards may windows be open at each moment? Those of one card may overlap.
    first, beyond = (np.searchsorted(moments, x, side="right") for x in (opens, closes))
    card = graph.colors[held] * (int(graph.values.max(initial=0)) + 1) + graph.values[held]
    order = np.lexsort((first, card))
    first, beyond, card = first[order], beyond[order], card[order] * (len(moments) + 1)
    covered = np.maximum.accumulate(card + beyond) - card  # so far, of the same card
    new = np.maximum(first, np.concatenate(([0], covered[:-1] + card[:-1])) - card)
    some = new < beyond
    change = np.bincount(new[some], minlength=len(moments) + 1)
    change -= np.bincount(beyond[some], minlength=len(moments) + 1)
    moments = moments[change.cumsum()[:-1] > h]
    first, beyond = np.zeros_like(graph.opens), np.zeros_like(graph.opens)
    first[held] = np.searchsorted(moments, opens, side="right")
    beyond[held] = np.searchsorted(moments, closes, side="right")
    return moments, first, beyond
