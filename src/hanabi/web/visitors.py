"""Sessions, each with its game and its jobs; and jobs that belong to an address instead."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from hanabi.errors import SolverError
from hanabi.workers.workshop import Job, Report, State, Workshop

__all__ = ["SharedJobs", "Visitor", "Visitors"]

_RESTING = 600.0  # seconds of rest after which a session may be ended for a new one
_UNSEEN = 2.0  # seconds after which nobody waits any more for a shared job: pages look often
_STRANGE = 15.0  # seconds within which a browser that accepts cookies has returned


@dataclass(eq=False, slots=True)
class Visitor:
    """One session. Hold its turn to read or change it.

    Attributes
    ----------
    turn
        A lock for the one request that is being answered; the others wait without a thread.
    n_requests
        The number of requests being answered or waiting.
    has_returned
        Whether its key has ever come back. Until then it is a stranger, and may be ended for
        others.
    rooms
        The state of each page, by the page's name.
    jobs
        The job of each page, by the page's name, at most one each.
    """

    key: str
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    n_requests: int = 0
    has_returned: bool = False
    rooms: dict[str, Any] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    seen: float = 0.0

    def ask(self, page: str, job: Job) -> Job:
        """Replace the page's previous job, which is cancelled, by a new one."""
        if page in self.jobs:
            self.jobs[page].cancel()
        self.jobs[page] = job
        return job

    def waiting(self, *, but: str = "") -> int:
        """Return the number of jobs waiting to start, without that of page `but`."""
        jobs = list(self.jobs.items())
        return sum(name != but and job.state is State.WAITING for name, job in jobs)

    def leave(self) -> None:
        """Cancel all jobs."""
        for job in list(self.jobs.values()):
            job.cancel()


class Visitors:
    """All sessions, up to a limit, each kept while it is in use.

    Parameters
    ----------
    most, seconds
        How many sessions are kept, and for how many seconds an unused one is; a stranger, whose key
        has never come back, is kept for some seconds only.
    clock
        A function that returns the time in seconds.

    >>> visitors = Visitors(most=1, seconds=60)
    >>> visitors.find(visitors.enter().key) is not None, visitors.find("guess")
    (True, None)
    """

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._lock = threading.Lock()
        self._all: dict[str, Visitor] = {}

    def __len__(self) -> int:
        return len(self._all)

    def find(self, key: str | None) -> Visitor | None:
        """Return the session with this key, if there is one."""
        with self._lock:
            self._forget()
            visitor = self._all.get(key or "")
            if visitor is not None:
                visitor.seen = self._clock()
                visitor.has_returned = True
            return visitor

    def enter(self) -> Visitor:
        """Start a session; if there is no room, end the oldest stranger.

        If there is no stranger, end the session that has been idle longest, if for at least ten
        minutes.

        Raises
        ------
        SolverError
            If all sessions are in use.
        """
        with self._lock:
            self._forget()
            if len(self._all) >= self._most:
                oldest = min(self._all.values(), key=lambda each: (each.has_returned, each.seen))
                if oldest.has_returned and self._clock() - oldest.seen < _RESTING:
                    raise SolverError(f"{self._most} people are here already: try again later")
                self._end(oldest)
            visitor = Visitor(secrets.token_urlsafe(32), seen=self._clock())
            self._all[visitor.key] = visitor
            return visitor

    def end_stranger(self, but: Visitor) -> bool:
        """End the oldest other stranger with a waiting job; return whether there was one."""
        with self._lock:
            strangers = (each for each in self._all.values() if not each.has_returned)
            waiting = (each for each in strangers if each is not but and each.waiting())
            oldest = min(waiting, key=lambda each: each.seen, default=None)
            if oldest is not None:
                self._end(oldest)
            return oldest is not None

    def close(self) -> None:
        """End all sessions."""
        with self._lock:
            for visitor in list(self._all.values()):
                self._end(visitor)

    def _forget(self) -> None:
        now = self._clock()
        for visitor in list(self._all.values()):
            if now - visitor.seen > (self._seconds if visitor.has_returned else _STRANGE):
                self._end(visitor)

    def _end(self, visitor: Visitor) -> None:
        del self._all[visitor.key]
        visitor.leave()


class SharedJobs:
    """Jobs that belong to what they work out: everybody who asks for the same gets the same job.

    Jobs are kept until others need the room. A job that nobody has looked at for some seconds makes
    way for others: if it is waiting or running, it is cancelled.

    Parameters
    ----------
    workshop
        The processes that run the jobs.
    most
        The number of jobs that are kept.
    clock
        A function that returns the time in seconds.
    """

    def __init__(
        self, workshop: Workshop, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._workshop, self._most, self._clock = workshop, most, clock
        self._lock = threading.Lock()
        self._jobs: dict[Hashable, tuple[Job, float]] = {}  # least recently looked at first

    def look(self, key: Hashable) -> Report | None:
        """Return the progress of a job, or None if there is none."""
        with self._lock:
            if key not in self._jobs:
                return None
            job, _ = self._jobs.pop(key)
            self._jobs[key] = job, self._clock()
            return job.report()

    def ask(
        self, key: Hashable, function: Callable[..., None], *arguments: object, seconds: float
    ) -> Report:
        """Return the progress of a job; submit it if there is none, or if it was cancelled.

        Raises
        ------
        SolverError
            If too many jobs are waiting that somebody looks at.
        """
        found = self.look(key)
        if found is not None and found.state is not State.CANCELLED:
            return found
        with self._lock:
            self._make_room()
            while True:
                try:
                    job = self._workshop.submit(function, *arguments, seconds=seconds)
                    break
                except SolverError:
                    if not self._cancel_unseen():
                        raise
            self._jobs.pop(key, None)
            self._jobs[key] = job, self._clock()
            return job.report()

    def cancel_unseen(self) -> bool:
        """Cancel the oldest unfinished job that nobody looks at; return whether there was one."""
        with self._lock:
            return self._cancel_unseen()

    def _make_room(self) -> None:
        """End jobs that nobody looks at any more, and forget the oldest results."""
        while self._cancel_unseen():
            pass
        for key in list(self._jobs)[: max(0, len(self._jobs) - self._most + 1)]:
            self._jobs.pop(key)[0].cancel()

    def _cancel_unseen(self) -> bool:
        now = self._clock()
        for job, seen in self._jobs.values():
            if not job.is_over and now - seen > _UNSEEN:
                job.cancel()
                return True
        return False
