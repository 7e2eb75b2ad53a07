"""Time budgets: one clock for all parts of a question.

The clock stops while solvers are compiled, which happens once per machine and takes half a
minute. Compilation therefore counts neither towards time limits nor in estimates of the time left.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from hanabi.ground.compiling import COMPILING
from hanabi.ground.errors import BudgetEndedError

__all__ = ["DEFAULT_SECONDS", "NO_LIMIT", "Clock"]

DEFAULT_SECONDS = 60.0
"""The time for a question that names none."""

T = TypeVar("T")

_FOREVER = 1e12
"""Seconds; longer budgets, even those beyond the range of a float, are cut to this one."""


def _now() -> float:
    now = time.perf_counter()
    return now - COMPILING.until(now)


class Clock:
    """A time budget of `seconds` from now; None: no limit.

    >>> clock = Clock(3600)
    >>> clock.is_over, 3599 < clock.left <= 3600
    (False, True)
    >>> Clock(0).check()
    Traceback (most recent call last):
    hanabi.ground.errors.BudgetEndedError: out of time
    """

    __slots__ = ("_deadline", "_started")

    def __init__(self, seconds: float | None = None) -> None:
        self._started = _now()
        self._deadline = None if seconds is None else self._started + min(seconds, _FOREVER)

    @property
    def elapsed(self) -> float:
        """Seconds spent."""
        return _now() - self._started

    @property
    def left(self) -> float | None:
        """Seconds left, at least 0; None if there is no limit."""
        return None if self._deadline is None else max(0.0, self._deadline - _now())

    @property
    def is_over(self) -> bool:
        """Whether the budget has ended."""
        return self._deadline is not None and _now() >= self._deadline

    def end(self) -> None:
        """End the budget now, also for other threads that use this clock.

        >>> clock = Clock()
        >>> clock.end()
        >>> clock.is_over
        True
        """
        self._deadline = self._started

    def check(self) -> None:
        """Raise BudgetEndedError if the budget has ended."""
        if self.is_over:
            raise BudgetEndedError("out of time")

    def watch(self, items: Iterable[T], every: int = 20_000) -> Iterator[T]:
        """Yield the items, checking the clock before the first and after every `every` items.

        The default is about ten milliseconds of a short Python loop.

        Raises
        ------
        BudgetEndedError
            If the budget has run out.

        >>> list(Clock(3600).watch("abc"))
        ['a', 'b', 'c']
        """
        iterator = iter(items)
        self.check()
        while batch := list(islice(iterator, every)):
            yield from batch
            self.check()


NO_LIMIT = Clock()
"""A clock without a limit."""
