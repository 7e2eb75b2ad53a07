"""How far a run is."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Progress"]

_MINUTE, _HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes
    ----------
    done, total
        Items of the whole plan: finished, in earlier runs too, and all.
    fresh
        Items finished in this run.
    seconds
        Since this run began.
    noun
        What the items are called.

    >>> progress = Progress(done=3_000, total=10_000, fresh=1_000, seconds=10.0, noun="games")
    >>> progress.rate, progress.left
    (100.0, 70.0)
    >>> print(progress)
    3,000 of 10,000 games, 100 a second, 1 min 10 s left
    """

    done: int
    total: int
    fresh: int
    seconds: float
    noun: str = "items"

    @property
    def rate(self) -> float:
        """Items a second in this run; 0 before the first."""
        return self.fresh / self.seconds if self.fresh and self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that the rest takes if it goes on like this; None before the first item."""
        if self.done == self.total:
            return 0.0
        return (self.total - self.done) / self.rate if self.rate else None

    def __str__(self) -> str:
        text = f"{self.done:,} of {self.total:,} {self.noun}"
        if self.left is None:
            return text
        rate = f"{self.rate:,.0f}" if self.rate >= _MINUTE else f"{self.rate:.3g}"
        return f"{text}, {rate} a second, {_duration(self.left)} left"


def _duration(seconds: float) -> str:
    """Return a time in words.

    >>> [_duration(seconds) for seconds in (4.2, 125, 7300)]
    ['4 s', '2 min 5 s', '2 h 1 min']
    """
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE} min"
