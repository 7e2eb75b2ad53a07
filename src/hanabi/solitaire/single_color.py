"""Solitaire Hanabi in one color (c = 1): the lazy strategy, in linear time.

[Baffier2017, section 3]. A card is useless if, once it has been drawn, h + 1 larger values can only
be in hand: playing it would need them all, and they do not fit. Its *witnesses* are those values.
From the largest value down, strike out the useless copies of each; the last copy that stays is the
value's *last playable index*. If every value keeps one, a winning play uses just these copies and
throws all others away; else there is none.

Mended here: the filter starts with the values max(1, n - h)..n, there being no others when h >= n
(E6); every value must occur, which the filter as printed does not notice among the largest (E7: it
accepts the stream of the single card 1 with n = 2 and h = 1); and the bound reads
O(N + n log(h + 1)), which is not zero for h = 1 (E8).

The paper keeps the witnesses in a heap. The loops of :mod:`hanabi.solitaire.kernels.linear` need
none, and take O(N + n); from 20,000 cards on they are compiled. Each function raises SolverError if
there is more than one color.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, SolverError, Status, Verdict
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.kernels import linear
from hanabi.solitaire.loops import COMPILED_FROM, Loops
from hanabi.solitaire.play import Play

__all__ = [
    "Obstacle",
    "chosen_positions",
    "last_playable_indices",
    "least_hand",
    "obstacle",
    "solve",
]

_METHOD = "single_color"
_MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a stream of one color cannot be won.

    Together with :func:`last_playable_indices`, whose entries for larger values can be checked in
    the same way from the largest down, this is a complete proof.

    Attributes
    ----------
    value
        The value that cannot be played in a winning play.
    witnesses
        h + 1 larger values, ascending, that must all be in hand when `value` first comes: their
        last playable copies come before it. Empty if `value` never occurs.

    >>> str(Obstacle(1, (3, 4, 6)))
    'when value 1 first comes, 3, 4, 6 must all be in hand, but h = 2'
    """

    value: int
    witnesses: tuple[int, ...]

    def __str__(self) -> str:
        if not self.witnesses:
            return f"value {self.value} never occurs"
        n_held = len(self.witnesses)
        listed = ", ".join(map(str, self.witnesses[:_MOST_LISTED]))
        if n_held > _MOST_LISTED:
            listed += f", ... ({n_held} values)"
        together = "" if n_held == 1 else " all"
        return (
            f"when value {self.value} first comes, {listed} must{together} be in hand,"
            f" but h = {n_held - 1}"
        )


def solve(instance: Instance, *, seconds: float | None = None) -> Verdict[Play]:
    """Decide an instance of one color, with the winning play.

    O(N + n) if winnable; else up to log n times that, since then `lower` and `upper` are the exact
    number of cards that can be played. The reason is an :class:`Obstacle` in words. When `seconds`
    have passed the answer is what is known by then.

    >>> from hanabi.solitaire import Instance, verify_play
    >>> instance = Instance(1, [(0, v) for v in (3, 1, 2, 4, 6, 2, 5, 4, 1, 6, 5, 3)])
    >>> verdict = solve(instance)
    >>> verify_play(instance, verdict.witness)
    >>> solve(instance.with_hand_size(0)).reason
    'when value 2 first comes, 3 must be in hand, but h = 0'
    """
    clock, goal = Clock(seconds), instance.goal
    try:
        run = _begin(instance, clock)
        found = _obstacle(run, instance.hand_size)
        play = run.play(run.marks) if found is None else None
    except BudgetEndedError as error:
        return Verdict(Status.UNKNOWN, _METHOD, str(error), upper=goal, seconds=clock.elapsed)
    if found is None:
        status, lower, upper = Status.WINNABLE, goal, goal
        reason = f"every value keeps a copy that can be played with h = {instance.hand_size}"
    else:
        status, reason = Status.UNWINNABLE, str(found)
        lower, upper = _most(run, instance.hand_size)
    return Verdict(
        status, _METHOD, reason, witness=play, lower=lower, upper=upper, seconds=clock.elapsed
    )


def _most(run: _Run, hand_size: int) -> tuple[int, int]:
    """Return the most cards that can be played, twice, or bounds if the time ends.

    To play the values 1..k is to win the stream with n = k, and whoever can, can with less.
    """
    bounds = [0, run.n - 1]

    def is_lost(k: int) -> bool:
        lost = run.filter(k, hand_size) != 0
        bounds[lost] = k - lost
        return lost

    try:
        most = _first_that(is_lost, run.n) - 1
    except BudgetEndedError:
        return bounds[0], bounds[1]
    return most, most


def chosen_positions(instance: Instance) -> memoryview | None:
    """Return the position of the copy of each value that the lazy play uses, or None if it loses.

    Read-only int32, shape (n,): entry v - 1 is the 1-based position for value v. O(N + n).

    >>> from hanabi.solitaire import Instance
    >>> instance = Instance(2, [(0, v) for v in (3, 1, 2, 4, 6, 2, 5, 4, 1, 6, 5, 3)])
    >>> list(chosen_positions(instance))
    [2, 6, 1, 8, 11, 10]
    """
    run = _begin(instance)
    return None if _obstacle(run, instance.hand_size) else run.playable()


def last_playable_indices(instance: Instance) -> memoryview:
    """Return the last playable index of every value, as far as the filter gets.

    Read-only int32, shape (n,), entry v - 1 for value v. From value n down, each is the position of
    the last copy that is not useless. The filter ends at the first value without one: it and all
    smaller values have 0. O(N + n).

    >>> from hanabi.solitaire import Instance
    >>> instance = Instance(0, [(0, v) for v in (3, 1, 2, 4, 6, 2, 5, 4, 1, 6, 5, 3)])
    >>> list(last_playable_indices(instance))
    [0, 0, 1, 4, 7, 10]
    """
    run = _begin(instance, all_values=True)
    run.filter(run.n, instance.hand_size)
    return run.playable()


def obstacle(instance: Instance) -> Obstacle | None:
    """Return why the stream cannot be won, or None if it can. O(N + n).

    The smallest value that never occurs, if any; else the largest value without a playable copy.

    >>> from hanabi.solitaire import Instance
    >>> obstacle(Instance(1, [(0, v) for v in (2, 3, 1, 4, 2)]))
    Obstacle(value=1, witnesses=(2, 3))
    """
    return _obstacle(_begin(instance), instance.hand_size)


def least_hand(instance: Instance) -> int | None:
    """Return the least hand size with which the stream can be won, or None if there is none.

    The instance's own hand size plays no part. The answer h* is found by doubling and bisection:
    at most 2 + 2 log2(h* + 1) runs of the filter, each O(N + n).

    >>> from hanabi.solitaire import Instance
    >>> least_hand(Instance(0, [(0, v) for v in (3, 1, 2, 4, 6, 2, 5, 4, 1, 6, 5, 3)]))
    1
    >>> least_hand(Instance(0, [(0, 2)])) is None
    True
    """
    run = _begin(instance)
    if run.first_missing():
        return None
    return _first_that(lambda h: run.filter(run.n, h) == 0, max(run.n - 1, 0))


def _begin(instance: Instance, clock: Clock = NO_LIMIT, *, all_values: bool = False) -> _Run:
    if instance.c > 1:
        raise SolverError(
            f"single_color: the instance has {instance.c} colors; this solver needs c = 1"
        )
    # Of N + 1 values one is missing, so no larger one is ever looked at, unless all are asked for.
    n = instance.goal if all_values else min(instance.goal, instance.N + 1)
    return _Run(instance, n, clock, compiled=instance.N >= COMPILED_FROM)


def _obstacle(run: _Run, hand_size: int) -> Obstacle | None:
    missing = run.first_missing()
    if missing:
        return Obstacle(missing, ())
    value = run.filter(run.n, hand_size)
    return Obstacle(value, run.witnesses(value, hand_size + 1)) if value else None


def _first_that(holds: Callable[[int], bool], bound: int) -> int:
    """Return the least number in 0..bound for which `holds`; it holds at `bound` and stays so."""
    low = high = 0
    while high < bound and not holds(high):
        low, high = high + 1, 2 * high + 1
    return bisect_left(range(bound), True, low, min(high, bound), key=holds)


class _Run(Loops):
    """The algorithm on one stream."""

    def __init__(self, instance: Instance, n: int, clock: Clock, *, compiled: bool) -> None:
        super().__init__(instance, n, clock, compiled=compiled)
        self.copies = linear.Copies(self.zeros(n + 1), self.zeros(self.N + 1))
        self.chosen = self.zeros(n + 1)
        for stretch in self.stretches(self.N):
            self.kernel.link_copies(self.columns, *stretch, self.copies)

    def first_missing(self) -> int:
        """Return the smallest value that never occurs, or 0."""
        return max(int(self.kernel.first_zero(self.copies.last, 1)), 0)

    def filter(self, n: int, hand_size: int) -> int:
        """Find the last playable indices of n, n-1, ..., 1; return 0 or the value without one."""
        self.marks = self.flags(self.N + 1)
        lost = largest = 0
        for first, stop in self.stretches(n):
            lost, largest = self.kernel.mark_last_playable(
                self.copies, n - first, n - stop, n - hand_size, self.marks, self.chosen, largest
            )
            if lost:
                break
        self.lost = int(lost)
        return self.lost

    def playable(self) -> memoryview:
        """Return the last playable indices that were found last."""
        self.chosen[: self.lost + 1] = self.zeros(self.lost + 1)  # those of an earlier filter
        return self.view(self.chosen[1:])

    def witnesses(self, value: int, count: int) -> tuple[int, ...]:
        """Return at most `count` larger values that are in hand when `value` first comes."""
        found = self.zeros(min(count, self.n))
        n_found = self.kernel.list_witnesses(self.copies, self.chosen, value, found)
        return tuple(map(int, found[:n_found][::-1]))
