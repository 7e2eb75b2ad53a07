"""Clients and their sessions, each with its game and its jobs; jobs that belong to an address."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hanabi.ground import Job, Line, Report, SolverError, State, Workshop
from hanabi.shell.web.settings import Settings

__all__ = ["Client", "Clients", "SharedJobs", "Turn", "Visitor", "Visitors"]

_RESTING = 600.0  # seconds of rest after which a session may be ended for a new one
_FEW = 5  # requests; a session with fewer may be ended at once
_STRANGE = 15.0  # seconds within which a browser that accepts cookies has returned


@dataclass(eq=False, slots=True)
class Turn:
    """Requests that are answered one at a time.

    Attributes
    ----------
    turn
        A lock for the one request that is being answered; the others wait without a thread.
    n_requests
        The number of requests being answered or waiting.
    """

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    n_requests: int = 0


@dataclass(eq=False, slots=True, kw_only=True)
class Visitor(Turn):
    """One session. Hold its turn to read or change it.

    Attributes
    ----------
    key
        Its cookie.
    client
        Who began it, as `hanabi.shell.web.security.client_of` says.
    done
        How often its key has come back. Until then it is a stranger, and may be ended for others.
    rooms
        The state of each page, by the page's name.
    jobs
        The job of each page, by the page's name, at most one each.
    """

    key: str
    client: str
    done: int = 0
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


@dataclass(eq=False, slots=True)
class Client:
    """A client that has requests at the server.

    Attributes
    ----------
    threads
        Limits how many of its requests are answered at the same time.
    n_requests
        The number of its requests being answered or waiting.
    pages
        The turn of its requests without a session, by the page that they are for.
    """

    threads: asyncio.Semaphore
    n_requests: int = 0
    pages: dict[Hashable, Turn] = field(default_factory=dict)


class Clients:
    """All clients that have requests at the server.

    Requests of a session take turns, and so do a client's requests for a page without a session.
    All calls come from the thread of the event loop.

    Parameters
    ----------
    settings
        How many requests may be here, and how many are answered at the same time.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._all: dict[str, Client] = {}

    @contextmanager
    def asking(
        self, name: str, page: Hashable, visitor: Visitor | None
    ) -> Iterator[tuple[asyncio.Lock, asyncio.Semaphore] | None]:
        """Count a request while it is here, and yield what to hold while it is answered.

        It is None if there are too many requests already.
        """
        limits = self._settings
        client = self._all.get(name) or Client(asyncio.Semaphore(limits.most_threads))
        turn: Turn = visitor or client.pages.get(page) or Turn()
        most = limits.most_at_once if visitor else limits.most_without_session
        if turn.n_requests >= most or client.n_requests >= limits.most_of_client:
            yield None
            return
        self._all[name] = client
        if visitor is None:
            client.pages[page] = turn
        turn.n_requests += 1
        client.n_requests += 1
        try:
            yield turn.turn, client.threads
        finally:
            turn.n_requests -= 1
            client.n_requests -= 1
            if visitor is None and not turn.n_requests:
                del client.pages[page]
            if not client.n_requests:
                del self._all[name]


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
    >>> visitors.find(visitors.enter("192.0.2.1").key) is not None, visitors.find("guess")
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
                visitor.done += 1
            return visitor

    def enter(self, client: str) -> Visitor:
        """Start a session of a client; if there is no room, end another one.

        That is a stranger if there is one, of the client with the most sessions, and the one whose
        key came back least often. A session that was used more than a few times and within the
        last ten minutes ends only if its client still has as many as this one afterwards.

        Raises
        ------
        SolverError
            If all sessions are in use.
        """
        with self._lock:
            self._forget()
            if len(self._all) >= self._most:
                self._end(self._least(client))
            visitor = Visitor(key=secrets.token_urlsafe(32), client=client, seen=self._clock())
            self._all[visitor.key] = visitor
            return visitor

    def _least(self, client: str) -> Visitor:
        """Return the session that ends for one of this client."""
        now, owned = self._clock(), Counter(each.client for each in self._all.values())

        def may_end(each: Visitor) -> bool:
            is_idle = each.done < _FEW or now - each.seen >= _RESTING
            return is_idle or owned[each.client] > owned[client] + 1

        found = min(
            filter(may_end, self._all.values()),
            key=lambda each: (each.done > 0, -owned[each.client], each.done, each.seen),
            default=None,
        )
        if found is None:
            raise SolverError(f"{self._most} people are here already: try again later")
        return found

    def close(self) -> None:
        """End all sessions."""
        with self._lock:
            for visitor in list(self._all.values()):
                self._end(visitor)

    def _forget(self) -> None:
        now = self._clock()
        for visitor in list(self._all.values()):
            if now - visitor.seen > (self._seconds if visitor.done else _STRANGE):
                self._end(visitor)

    def _end(self, visitor: Visitor) -> None:
        del self._all[visitor.key]
        visitor.leave()


class SharedJobs:
    """Jobs that belong to what they work out: everybody who asks for the same gets the same job.

    Jobs are kept until others need the room.

    Parameters
    ----------
    workshop
        The processes that run the jobs.
    most
        The number of jobs that are kept.
    """

    def __init__(self, workshop: Workshop, most: int) -> None:
        self._workshop, self._most = workshop, most
        self._lock = threading.Lock()
        self._jobs: dict[Hashable, Job] = {}  # least recently looked at first

    def look(self, key: Hashable) -> Report | None:
        """Return the progress of a job, or None if there is none."""
        with self._lock:
            if key not in self._jobs:
                return None
            job = self._jobs[key] = self._jobs.pop(key)
            return job.report()

    def ask(
        self,
        key: Hashable,
        function: Callable[..., None],
        *arguments: object,
        seconds: float,
        line: Line,
        is_long: bool = False,
    ) -> Report:
        """Return the progress of a job; submit it if there is none, or if it was cancelled.

        See `Workshop.submit`.

        Raises
        ------
        SolverError
            If too many jobs are waiting.
        """
        found = self.look(key)
        if found is not None and found.state is not State.CANCELLED:
            return found
        with self._lock:
            job = self._workshop.submit(
                function, *arguments, seconds=seconds, line=line, is_long=is_long
            )
            for oldest in list(self._jobs)[: max(0, len(self._jobs) - self._most + 1)]:
                self._jobs.pop(oldest).cancel()
            self._jobs.pop(key, None)
            self._jobs[key] = job
            # Whoever asked has not read it yet, and may never.
            return Report((), State.WAITING, "")
