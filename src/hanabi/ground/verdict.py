"""Verdicts: the answers of every exact solver in this package."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from hanabi.ground.errors import counted

__all__ = ["Status", "Verdict"]

W = TypeVar("W", bound=Sized)


class Status(StrEnum):
    """The three answers to "can it be won?"."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


@dataclass(frozen=True)  # no slots: `Verdict[Play](...)` then fails on Python 3.11
class Verdict(Generic[W]):
    """A solver's answer with the evidence to check it; `str` gives it in one line.

    Attributes
    ----------
    status
        WINNABLE, UNWINNABLE, or UNKNOWN if a budget ran out first.
    method
        Name of the solver that decided.
    reason
        One sentence: why the answer holds, or which budget ran out.
    witness
        A replayable winning line, present if the status is WINNABLE and a line was requested.
    lower, upper
        Bounds on the highest reachable number of cards (or points); equal if it is known.
    states
        Search states expanded (0 for solvers without a search).
    seconds
        Wall-clock time spent.
    trail
        The steps of a dispatching solver in order, one sentence each: what it tried and why.

    >>> print(Verdict(Status.WINNABLE, "greedy", "a line, replayed", "abc", lower=5, upper=5))
    winnable by greedy: 5 in 3 moves (a line, replayed)
    >>> Verdict(Status.UNKNOWN, "sat", "the time is over", lower=2, upper=5)
    <Verdict unknown by sat: 2 to 5 (the time is over)>
    """

    status: Status
    method: str
    reason: str
    witness: W | None = None
    lower: int = 0
    upper: int = 0
    states: int = 0
    seconds: float = 0.0
    trail: tuple[str, ...] = field(default=())

    @property
    def is_winnable(self) -> bool | None:
        """True, False, or None if unknown."""
        return {Status.WINNABLE: True, Status.UNWINNABLE: False}.get(self.status)

    def __str__(self) -> str:
        lower = f"{self.lower} to " if self.lower else "at most "
        reached = str(self.upper) if self.lower == self.upper else f"{lower}{self.upper}"
        if self.witness is not None:
            reached += f" in {counted(len(self.witness), 'move')}"
        return f"{self.status} by {self.method}: {reached} ({self.reason})"

    def __repr__(self) -> str:
        return f"<Verdict {self}>"

    def _repr_html_(self) -> str:
        """Return the HTML for a notebook; an `Answer` also shows the question.

        >>> Verdict(Status.UNKNOWN, "sat", "n < 3", upper=5)._repr_html_()
        '<p><strong>unknown</strong> by sat: at most 5 (n &lt; 3)</p>'
        """
        from html import escape

        word, rest = str(self).split(" ", 1)
        return f"<p><strong>{word}</strong> {escape(rest)}</p>"
