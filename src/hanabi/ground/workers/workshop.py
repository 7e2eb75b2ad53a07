"""Long jobs in child processes, which report results one by one and can be cancelled at any time.

A solver may hold the interpreter lock, or need more time than anybody waits, so its process is
killed from outside. Children start when there is work, and stay for the next job.

Jobs come from clients, each of which may have several sessions. Clients take turns, and so do the
sessions of a client; a job whose results nobody reads ends. Long jobs leave a process to short
ones.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from hanabi.ground.errors import HanabiError, SolverError, counted
from hanabi.ground.workers.child import SafeSpawn, become_worker

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

__all__ = ["Job", "Line", "Report", "State", "Workshop"]

_LOOK = 0.05  # seconds between two checks for a cancelled job
_STEP, _END, _ERROR = "step", "end", "error"
_DISPLACED = "many questions are waiting, and this one made room for others: ask again"

Line = tuple[str, str]
"""Where a job waits: its client, and the session of the client, or "" for none."""


class State(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Report:
    """A snapshot of a job.

    Attributes
    ----------
    results
        The results so far; complete if the job is over.
    problem
        The reason for a failure, in one line.
    """

    results: tuple[Any, ...]
    state: State
    problem: str

    @property
    def is_over(self) -> bool:
        """Whether the job is over: no more results come."""
        return self.state not in (State.WAITING, State.RUNNING)


@dataclass(eq=False, slots=True)
class Job:
    """A call of an importable function in a child process, and its results so far.

    Attributes
    ----------
    line
        Whose job it is.
    clock
        A function that returns the time in seconds.
    is_long
        Whether it usually takes more than a few seconds, and so leaves a process to others.
    results
        Only grows; any thread may read it.
    problem
        The reason for a failure, in one line.
    seen
        When a report was last read, or else when the job was submitted.
    is_read
        Whether a report has been read at all.
    """

    function: Callable[..., None]
    arguments: tuple[object, ...]
    seconds: float
    line: Line = ("", "")
    clock: Callable[[], float] = time.monotonic
    is_long: bool = False
    results: list[Any] = field(default_factory=list)
    state: State = State.WAITING
    problem: str = ""
    ended: threading.Event = field(default_factory=threading.Event)
    changing: threading.Lock = field(default_factory=threading.Lock)
    seen: float = field(init=False)
    is_read: bool = False

    def __post_init__(self) -> None:
        self.seen = self.clock()

    @property
    def is_over(self) -> bool:
        """Whether the job is over: no more results come."""
        return self.ended.is_set()

    def report(self) -> Report:
        """Return a snapshot of the job.

        To show a job, read one report. The job may end between two reads of its own attributes, and
        results that came in between would be missing from a job shown as complete.
        """
        self.seen, self.is_read = self.clock(), True
        state = self.state  # read before the results, so that a job that is over has all of them
        return Report(tuple(self.results), state, self.problem)

    def cancel(self) -> None:
        """Cancel the job; if it is running, its process is killed."""
        if not self.is_over:
            self.end(State.CANCELLED)

    def begin(self) -> None:
        """Mark the job as running, unless it was cancelled."""
        with self.changing:
            if not self.is_over:
                self.state = State.RUNNING

    def end(self, state: State, problem: str = "") -> None:
        """Mark the job as over, with its final state and problem, unless it is over already."""
        with self.changing:
            if not self.is_over:
                self.problem = problem
                self.state = state
                self.ended.set()

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds` for the end of the job; return whether it is over."""
        return self.ended.wait(seconds)


class Workshop:
    """A pool of child processes with a queue of jobs.

    Parameters
    ----------
    workers
        Maximum number of processes at a time. Long jobs hold one less, so that a short one never
        waits for them. With a single process, a second one starts for a short job while a long one
        runs.
    most_waiting
        Maximum number of jobs in the queue; another one is refused, or replaces one of a client or
        session that has more of them waiting, or one of another session of its client that was
        never read.
    unread, unread_if_others_wait
        For how many seconds a job goes on whose report nobody reads, and for how many if other jobs
        wait.
    clock
        A function that returns the time in seconds.

    >>> from hanabi.ground.workers.workshop import Workshop
    >>> shop = Workshop(workers=1, most_waiting=0)
    >>> shop.submit(print)
    Traceback (most recent call last):
    hanabi.ground.errors.SolverError: 0 questions are waiting to be worked out already: try again
        soon
    """

    def __init__(
        self,
        workers: int,
        most_waiting: int,
        *,
        unread: float = math.inf,
        unread_if_others_wait: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_waiting, self._clock = most_waiting, clock
        self._most_threads = max(2, workers) if workers else 0
        self._most = {False: workers, True: max(1, workers - 1)}  # short and long jobs at a time
        self._running = Counter[bool]()
        self._unread = {False: unread, True: unread_if_others_wait}
        self._queue = _Queue()
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    @property
    def n_waiting(self) -> int:
        """The number of jobs that no process has taken yet."""
        with self._changed:
            return len(self._queue)

    def submit(
        self,
        function: Callable[..., None],
        *arguments: object,
        seconds: float = 60.0,
        line: Line = ("", ""),
        is_long: bool = False,
    ) -> Job:
        """Queue a job, and return it at once.

        Parameters
        ----------
        function
            A function that a child can import. Its first argument is a function to call with each
            result; `arguments` follow. Functions, arguments and results are pickled.
        seconds
            Time limit, compilation included; after it the process is killed.
        line
            Whose job it is.
        is_long
            Whether it usually takes more than a few seconds, and so leaves a process to others.

        Raises
        ------
        SolverError
            If too many jobs are waiting, or the workshop is closed.
        """
        job = Job(function, arguments, seconds, line, self._clock, is_long)
        with self._changed:
            self._end_unread(more=1)
            if len(self._queue) >= self._most_waiting:
                self._queue.make_room(line)
            waiting = len(self._queue)
            if waiting >= self._most_waiting or self._is_closed:
                raise SolverError(
                    f"{counted(waiting, 'question')} are waiting to be worked out already:"
                    " try again soon"
                )
            self._queue.add(job)
            here = self._running + Counter(job.is_long for job in self._queue)
            wanted = sum(min(here[kind], most) for kind, most in self._most.items())
            if len(self._threads) < min(wanted, self._most_threads):
                thread = threading.Thread(target=self._work, name="workshop", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify()
        return job

    def close(self) -> None:
        """Cancel all jobs, and end the processes."""
        with self._changed:
            self._is_closed = True
            for job in self._queue:
                job.cancel()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _is_unread(self, job: Job, others: int) -> bool:
        return self._clock() - job.seen > self._unread[others > 0]

    def _end_unread(self, more: int = 0) -> None:
        """End the waiting jobs that nobody reads, while so many `more` jobs come."""
        waiting = list(self._queue)
        for job in waiting:
            if self._is_unread(job, others=len(waiting) - 1 + more):
                job.cancel()

    def _may_run(self, job: Job) -> bool:
        return self._running[job.is_long] < self._most[job.is_long]

    def _next(self, done: Job | None) -> Job | None:
        """Wait for the job whose turn it is, once `done` is over; None if the workshop closes."""
        with self._changed:
            if done is not None:
                self._running[done.is_long] -= 1
            while True:
                self._end_unread()
                if (job := self._queue.take(self._may_run)) is not None:
                    self._running[job.is_long] += 1
                    self._changed.notify()  # another job may have been kept back by `done` alone
                    return job
                if self._is_closed:
                    return None
                self._changed.wait()

    def _work(self) -> None:
        """Run jobs one after the other in a child; replace a child that had to be killed."""
        child: _Child | None = None
        job: Job | None = None
        while (job := self._next(job)) is not None:
            if child is None or not child.is_alive:
                try:
                    child = _Child()
                except OSError as error:
                    job.end(State.FAILED, f"no process can be started: {error.strerror}")
                    continue
            if not self._carry_out(job, child):
                child.end()
                child = None
        if child is not None:
            child.end()

    def _carry_out(self, job: Job, child: _Child) -> bool:
        """Run a job in the child, and return whether the child is ready for the next."""
        job.begin()
        deadline = time.monotonic() + job.seconds
        try:
            child.send(job)
            while not (job.is_over or self._is_closed):
                if time.monotonic() > deadline:
                    job.end(State.FAILED, f"not decided in {job.seconds:.0f} seconds")
                    return False
                with self._changed:
                    if self._is_unread(job, others=len(self._queue)):
                        break
                if not child.poll(_LOOK):
                    continue
                kind, value = child.receive()
                if kind == _STEP:
                    job.results.append(value)
                    continue
                job.end(State.DONE if kind == _END else State.FAILED, value)
                return True
        except (EOFError, OSError):
            job.end(State.FAILED, "the process that worked it out has ended: out of memory?")
            return False
        job.cancel()
        return False


class _Queue:
    """Waiting jobs: one of each client in turn, and for a client one of each session in turn."""

    def __init__(self) -> None:
        self._clients: dict[str, dict[str, list[Job]]] = {}  # whose turn it is comes first

    def __iter__(self) -> Iterator[Job]:
        for sessions in self._clients.values():
            for jobs in sessions.values():
                yield from (job for job in jobs if not job.is_over)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add(self, job: Job) -> None:
        """Let a job wait behind those of its line."""
        client, session = job.line
        self._clients.setdefault(client, {}).setdefault(session, []).append(job)

    def take(self, may_run: Callable[[Job], bool]) -> Job | None:
        """Remove and return the job whose turn it is, or None if no job waits that may run."""
        waiting, self._clients = list(self), {}
        for job in waiting:  # without those that are over
            self.add(job)
        found = next(filter(may_run, waiting), None)
        if found is not None:  # the next turn of its line comes after those of all others
            client, session = found.line
            sessions = self._clients.pop(client)
            jobs = [job for job in sessions.pop(session) if job is not found]
            if jobs:
                sessions[session] = jobs
            if sessions:
                self._clients[client] = sessions
        return found

    def make_room(self, line: Line) -> None:
        """Cancel a job that gives way to one of this line, if there is one.

        It is one of the client that has most waiting: one that was never read, or else one of the
        session that has most, the one whose last report is oldest. Clients and sessions give way
        only to others that have no more jobs than they have afterwards.
        """
        clients, lines = Counter(job.line[0] for job in self), Counter(job.line for job in self)

        def gives_way(job: Job) -> bool:
            if job.line[0] != line[0]:
                return clients[job.line[0]] > clients[line[0]] + 1
            return job.line != line and (not job.is_read or lines[job.line] > lines[line] + 1)

        found = max(
            filter(gives_way, self),
            key=lambda job: (clients[job.line[0]], not job.is_read, lines[job.line], -job.seen),
            default=None,
        )
        if found is not None:
            found.end(State.CANCELLED, _DISPLACED)


class _Child:
    """A process that runs jobs, and the connection to it."""

    def __init__(self) -> None:
        context = SafeSpawn()  # threads are running, so forking is unsafe
        self._line, far = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_serve, args=(far, os.getpid()), daemon=True
        )
        self._process.start()
        far.close()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def send(self, job: Job) -> None:
        self._line.send((job.function, job.arguments))

    def poll(self, seconds: float) -> bool:
        return self._line.poll(seconds)

    def receive(self) -> tuple[str, Any]:
        kind, value = self._line.recv()
        return kind, value

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._line.close()


def _serve(line: Connection, parent: int) -> None:
    """Run the jobs that come through a connection until it closes; called in the child."""
    become_worker(parent)
    with suppress(EOFError, OSError):
        while True:
            function, arguments = line.recv()
            try:
                function(lambda result: line.send((_STEP, result)), *arguments)
                line.send((_END, ""))
            except HanabiError as error:
                line.send((_ERROR, str(error)))
            except MemoryError:
                line.send((_ERROR, "out of memory"))
