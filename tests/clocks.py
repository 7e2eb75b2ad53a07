"""Clocks for tests, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from hanabi.ground import clock, compiling
from hanabi.ground.clock import Clock


class Looks(Clock):
    """Time that is over after so many looks at it; None for never.

    Attributes
    ----------
    looks
        How often it was looked at.
    """

    __slots__ = ("looks", "most")

    def __init__(self, most: int | None = None) -> None:
        super().__init__()
        self.most, self.looks = most, 0

    @property
    def is_over(self) -> bool:
        self.looks += 1
        return self.most is not None and self.looks > self.most


class Time:
    """Stands in for the module `time`, and for `threading.Timer`: time passes when told to.

    Attributes
    ----------
    now
        The seconds that have passed.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self._alarms: list[_Alarm] = []

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass, and call what is due."""
        self.now += seconds
        for alarm in [each for each in self._alarms if each.at <= self.now]:
            alarm.cancel()
            alarm.ring()

    def Timer(self, seconds: float, function: Callable[..., object], args: Sequence[str]) -> _Alarm:
        return _Alarm(self._alarms, self.now + seconds, lambda: function(*args))


class _Alarm:
    def __init__(self, alarms: list[_Alarm], at: float, ring: Callable[[], object]) -> None:
        self.at, self.ring, self._alarms = at, ring, alarms

    def start(self) -> None:
        self._alarms.append(self)

    def cancel(self) -> None:
        if self in self._alarms:
            self._alarms.remove(self)


@contextmanager
def stopped(monkeypatch: pytest.MonkeyPatch, time: Time | None = None) -> Iterator[Time]:
    """Let budgets and the compiler go by a time that stands still unless told to pass."""
    time = time or Time()
    with monkeypatch.context() as patch:
        patch.setattr(clock, "time", time)
        patch.setattr(compiling, "time", time)
        patch.setattr(compiling, "threading", time)
        yield time
