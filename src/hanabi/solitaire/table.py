"""The dynamic program of [Baffier2017, section 4], to the letter: an oracle for small instances.

For every number s of cards drawn, every set H of at most h cards in hand, and every height p_1 ..
p_{c-1} of the first c - 1 piles, the table holds the most cards that the last pile can have, or
minus infinity if no play gets there. The answer is DP[N, {}, n, ..., n] = n (Theorem 4.2).

Three things differ from the printed text:

- E1: DP[s, ...] is computed from DP[s - 1, ...] (Lemma 4.1 names both columns alike), the heights
  p_i range over 0..n, and the base is DP[0, {}, 0, ..., 0] = 0, minus infinity elsewhere.
- E2: Lemma 4.1 is false entry by entry: a card may be counted as played and as held. The entries
  with an empty hand are right all the same, so the answer is; see :func:`columns`.
- The paper keeps two columns. So do we while looking for the answer; to find the play, every
  sqrt(N)-th column is kept, and the others are computed once more on the way back.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import combinations
from math import comb, isqrt, lgamma, log

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, SolverError, Status, Verdict
from hanabi.rules import Card
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play

__all__ = ["DEFAULT_MEMORY", "columns", "entries", "solve"]

DEFAULT_MEMORY = 2**30
"""Bytes that a table may take unless told otherwise."""

_NEVER = -1  # minus infinity: no pile has fewer than 0 cards
_DIGITS = 20  # of numbers of entries that are worth computing exactly
_ENTRIES_A_LOOK = 1000  # between two looks at the clock
_BYTES_A_HAND = 200  # of a dict entry and an array's head

Hand = int
"""A set of cards as a bit mask: bit k n + v - 1 for the card (v, k)."""

Column = dict[Hand, "array[int]"]
"""DP[s, ...]: for each hand the entries of all heights; height p_i has the weight (n+1)^(i-1)."""


Option = tuple[int, DrawAction, Hand, int]
"""What an entry can be, what the last card is used for, and the entry (hand, heights) before it."""


def entries(instance: Instance) -> int:
    """Return the number of entries of one column: sum of C(nc, i) for i <= h, times (n+1)^(c-1).

    >>> entries(Instance(2, [(0, 1), (0, 2), (1, 1)]))
    33
    """
    goal = instance.goal
    hands = sum(comb(goal, i) for i in range(min(instance.hand_size, goal) + 1))
    return hands * _heights(instance)


def columns(instance: Instance) -> Iterator[dict[tuple[Card, ...], list[int]]]:
    """Yield the columns DP[0], ..., DP[N], for looking at: lists of entries by hand, -1 for never.

    A hand is a tuple of cards, in order of color and value. The entries of a hand are ordered by
    the heights, that of color 0 running fastest.

    Lemma 4.1 is false entry by entry (E2). With n = 2, c = 1, h = 1 and the stream (2)(1) the
    recurrence gives DP[2, {2}] = 2: the 2 has been played, and is still in hand. The truth is 1.

    >>> instance = Instance(1, [(0, 2), (0, 1)])
    >>> list(columns(instance))[2][(0, 2),]
    [2]
    """
    table = _Table(instance)
    names = {
        hand: tuple(
            Card(bit // instance.n, bit % instance.n + 1)
            for bit in range(instance.goal)
            if hand >> bit & 1
        )
        for hand in table.hands
    }
    column = table.base()
    yield {names[hand]: list(row) for hand, row in column.items()}
    for s in range(1, instance.N + 1):
        column = table.next(column, s)
        yield {names[hand]: list(row) for hand, row in column.items()}


def solve(
    instance: Instance, *, seconds: float | None = None, memory: int = DEFAULT_MEMORY
) -> Verdict[Play]:
    """Decide whether `instance` can be won, and give a winning play.

    Time O(N (h + c) E) and space O(sqrt(N) E), where E is the number of :func:`entries` of a
    column. If the instance cannot be won, the bounds are the most cards that can be played.

    When the time ends the verdict is UNKNOWN. `memory` is the most bytes to take, roughly.

    Raises
    ------
    SolverError
        If the table would take more; names the estimate.

    >>> verdict = solve(Instance(1, [(0, 2), (1, 2), (1, 1), (1, 2), (0, 1)]))
    >>> str(verdict.status), verdict.witness.to_json()[:2]
    ('winnable', [[1, 'store'], [2, 'discard']])
    >>> solve(Instance(9, [(k, v) for v in (5, 4, 3, 2, 1) for k in range(5)]))
    Traceback (most recent call last):
    ...
    hanabi.ground.errors.SolverError: the table needs about 2.5e+11 bytes: more than 1073741824
    """
    clock = Clock(seconds)
    step = max(isqrt(instance.N), 1)
    _refuse_large(instance, step, memory)
    try:
        best, play = _run(instance, step, clock)
    except BudgetEndedError as error:
        return Verdict(
            Status.UNKNOWN, "table", str(error), upper=instance.goal, seconds=clock.elapsed
        )
    return Verdict(
        Status.UNWINNABLE if play is None else Status.WINNABLE,
        "table",
        f"at most {best} of {instance.goal} cards can be played",
        witness=play,
        lower=best,
        upper=best,
        states=(instance.N + 1) * entries(instance),
        seconds=clock.elapsed,
    )


def _refuse_large(instance: Instance, step: int, memory: int) -> None:
    goal, held = instance.goal, min(instance.hand_size, instance.goal // 2)
    # Not more than a column for certain: its exact size may have a million digits.
    hands = lgamma(goal + 1) - lgamma(held + 1) - lgamma(goal - held + 1)
    digits = (hands + max(instance.c - 1, 0) * log(instance.n + 1)) / log(10)
    size = f"10^{digits:.0f}"
    if digits < _DIGITS:
        dicts = _BYTES_A_HAND * (entries(instance) // _heights(instance))
        need = (instance.N // step + step + 2) * (4 * entries(instance) + dicts)
        if need <= memory:
            return
        size = f"{need:.1e}"
    raise SolverError(f"the table needs about {size} bytes: more than {memory}")


def _run(instance: Instance, step: int, clock: Clock) -> tuple[int, Play | None]:
    """Return the most cards that can be played and, if these are all, a winning play."""
    table = _Table(instance, clock)
    column = table.base()
    kept = {0: column}
    for s in range(1, instance.N + 1):
        column = table.next(column, s)
        if s % step == 0:
            kept[s] = column
    best = table.most_cards(column)
    return best, _backtrack(table, kept, step) if best == instance.goal else None


def _heights(instance: Instance) -> int:
    """Return in how many ways the first c - 1 piles can stand."""
    return int((instance.n + 1) ** max(instance.c - 1, 0))


class _Table:
    """The recurrence. Colors count from 0, so the last color is c - 1."""

    def __init__(self, instance: Instance, clock: Clock = NO_LIMIT) -> None:
        self.instance = instance
        self.clock = clock
        sizes = range(min(instance.hand_size, instance.goal) + 1)
        hands = (bits for size in sizes for bits in combinations(range(instance.goal), size))
        self.hands: list[Hand] = [sum(1 << bit for bit in bits) for bits in clock.watch(hands)]
        self.cells = _heights(instance)

    def base(self) -> Column:
        """Return DP[0]: nothing drawn, nothing held, nothing played."""
        column = {hand: array("i", [_NEVER]) * self.cells for hand in self.clock.watch(self.hands)}
        column[0][0] = 0
        return column

    def next(self, column: Column, s: int) -> Column:
        """Return DP[s], given DP[s - 1]."""
        return {
            hand: array(
                "i",
                (
                    max(option[0] for option in self.options(column, s, hand, heights))
                    for heights in self.clock.watch(range(self.cells), _ENTRIES_A_LOOK)
                ),
            )
            for hand in self.hands
        }

    def options(self, column: Column, s: int, hand: Hand, heights: int) -> Iterator[Option]:
        """Yield what the entry (s, hand, heights) can be by each use of card s (Lemma 4.1).

        `column` is DP[s - 1]. A hand that is not among its keys holds more than h cards.
        """
        instance = self.instance
        n, value, color = instance.n, instance.values[s - 1], instance.colors[s - 1]
        card = 1 << (color * n + value - 1)
        yield column[hand][heights], DrawAction.DISCARD, hand, heights
        if hand & card:
            yield column[hand ^ card][heights], DrawAction.STORE, hand ^ card, heights
        if color < instance.c - 1:
            weight = (n + 1) ** color
            top = heights // weight % (n + 1)
            if value <= top:
                before = hand | _above(card, top - value)
                lower = heights - (top - value + 1) * weight
                if before in column:
                    yield column[before][lower], DrawAction.PLAY, before, lower
            return
        for more in range(min(instance.hand_size, n - value) + 1):
            before = hand | _above(card, more)
            if before in column and column[before][heights] == value - 1:
                yield value + more, DrawAction.PLAY, before, heights

    def most_cards(self, column: Column) -> int:
        """Return the most cards on all piles over the entries with an empty hand."""
        base = self.instance.n + 1
        best = 0
        for heights, last in enumerate(self.clock.watch(column[0])):
            if last != _NEVER:
                first = sum(heights // base**i % base for i in range(self.instance.c - 1))
                best = max(best, first + last)
        return best


def _above(card: Hand, count: int) -> Hand:
    """Return the next `count` cards above `card` in its color."""
    return ((1 << count) - 1) * (card << 1)


def _backtrack(table: _Table, kept: dict[int, Column], step: int) -> Play:
    """Return a winning play, from the last column back; `kept` holds every `step`-th column."""
    instance = table.instance
    hand, heights, reached = 0, table.cells - 1, instance.n
    taken = []
    for start in sorted(kept, reverse=True):
        block = [kept[start]]
        for s in range(start + 1, min(start + step, instance.N)):
            block.append(table.next(block[-1], s))
        for s in range(min(start + step, instance.N), start, -1):
            column = block[s - 1 - start]
            options = table.options(column, s, hand, heights)
            _, action, hand, heights = next(option for option in options if option[0] == reached)
            reached = column[hand][heights]
            if action is not DrawAction.DISCARD:
                taken.append(s - 1)
    play = eager_play(instance, taken)
    rest = range(max(play.positions, default=0) + 1, instance.N + 1)
    return Play([*play, *((position, DrawAction.DISCARD) for position in rest)])
