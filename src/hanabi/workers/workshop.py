"""Long jobs in child processes, which report results one by one and can be cancelled at any time.

A solver may hold the interpreter lock, or need more time than anybody waits, so its process is
killed from outside. Children start when there is work, and stay for the next job.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from hanabi.errors import HanabiError, SolverError, counted
from hanabi.workers.child import SafeSpawn, become_worker

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

__all__ = ["Job", "Report", "State", "Workshop"]

_LOOK = 0.05  # seconds between two checks for a cancelled job
_STEP, _END, _ERROR = "step", "end", "error"


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
    results
        Only grows; any thread may read it.
    problem
        The reason for a failure, in one line.
    """

    function: Callable[..., None]
    arguments: tuple[object, ...]
    seconds: float
    results: list[Any] = field(default_factory=list)
    state: State = State.WAITING
    problem: str = ""
    ended: threading.Event = field(default_factory=threading.Event)
    changing: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_over(self) -> bool:
        """Whether the job is over: no more results come."""
        return self.ended.is_set()

    def report(self) -> Report:
        """Return a snapshot of the job.

        To show a job, read one report. The job may end between two reads of its own attributes, and
        results that came in between would be missing from a job shown as complete.
        """
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
        Maximum number of processes at a time.
    most_waiting
        Maximum number of jobs in the queue; further jobs are refused.

    >>> from hanabi.workers.workshop import Workshop
    >>> shop = Workshop(workers=1, most_waiting=0)
    >>> shop.submit(print)
    Traceback (most recent call last):
    hanabi.errors.SolverError: 0 questions are waiting to be worked out already: try again soon
    """

    def __init__(self, workers: int, most_waiting: int) -> None:
        self._workers, self._most_waiting = workers, most_waiting
        self._queue: deque[Job] = deque()
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._is_closed = False

    @property
    def n_waiting(self) -> int:
        """The number of jobs that no process has taken yet."""
        with self._changed:
            return sum(not job.is_over for job in self._queue)

    def submit(
        self, function: Callable[..., None], *arguments: object, seconds: float = 60.0
    ) -> Job:
        """Queue a job, and return it at once.

        Parameters
        ----------
        function
            A function that a child can import. Its first argument is a function to call with each
            result; `arguments` follow. Functions, arguments and results are pickled.
        seconds
            Time limit, compilation included; after it the process is killed.

        Raises
        ------
        SolverError
            If too many jobs are waiting, or the workshop is closed.
        """
        job = Job(function, arguments, seconds)
        with self._changed:
            waiting = sum(not each.is_over for each in self._queue)
            if waiting >= self._most_waiting or self._is_closed:
                raise SolverError(
                    f"{counted(waiting, 'question')} are waiting to be worked out already:"
                    " try again soon"
                )
            self._queue.append(job)
            if len(self._queue) > self._idle and len(self._threads) < self._workers:
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

    def _next(self) -> Job | None:
        with self._changed:
            self._idle += 1
            while True:
                while self._queue:
                    job = self._queue.popleft()
                    if not job.is_over:
                        self._idle -= 1
                        return job
                if self._is_closed:
                    return None
                self._changed.wait()

    def _work(self) -> None:
        """Run jobs one after the other in a child; replace a child that had to be killed."""
        child: _Child | None = None
        while (job := self._next()) is not None:
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
