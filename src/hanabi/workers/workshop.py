"""Long questions answered by child processes, piece by piece, which can be given up at any time.

A solver may hold the interpreter lock, or need more time than anybody waits: what works it out is
ended from outside. The children are started when there is work, and stay for the next.
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
from hanabi.workers.child import become_worker
from hanabi.workers.spawning import SafeSpawn

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

__all__ = ["Job", "Report", "State", "Workshop"]

_LOOK = 0.05  # seconds between two looks at whether a job was given up
_STEP, _END, _ERROR = "step", "end", "error"


class State(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Report:
    """How far a job was at one moment.

    Attributes
    ----------
    results
        What it had told; all that it ever tells if it is over.
    problem
        Why it failed, in one line.
    """

    results: tuple[Any, ...]
    state: State
    problem: str

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes."""
        return self.state not in (State.WAITING, State.RUNNING)


@dataclass(eq=False, slots=True)
class Job:
    """What is worked out: a function of a module, and what it has told so far.

    Attributes
    ----------
    results
        Only ever longer; read it from any thread.
    problem
        Why it failed, in one line.
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
        """Whether nothing more comes."""
        return self.ended.is_set()

    def report(self) -> Report:
        """Say how far it is.

        Whoever shows a job reads one report: between two looks at the job itself it may end, and
        what was not there at the first would be missing from something said to be complete.
        """
        state = self.state  # before the results, so that what is over has all of them
        return Report(tuple(self.results), state, self.problem)

    def cancel(self) -> None:
        """Give it up; if it is at work, its process ends."""
        if not self.is_over:
            self.end(State.CANCELLED)

    def begin(self) -> None:
        """Say that it is at work, if it was not given up."""
        with self.changing:
            if not self.is_over:
                self.state = State.RUNNING

    def end(self, state: State, problem: str = "") -> None:
        """Say that nothing more comes, and why."""
        with self.changing:
            if not self.is_over:
                self.problem = problem
                self.state = state
                self.ended.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so long; return whether it has come."""
        return self.ended.wait(seconds)


class Workshop:
    """Some child processes, and a queue of jobs before them.

    Parameters
    ----------
    workers
        The most processes at a time.
    most_waiting
        The most jobs in the queue; more are refused.

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
        """How many jobs no process has taken yet."""
        with self._changed:
            return sum(not job.is_over for job in self._queue)

    def submit(
        self, function: Callable[..., None], *arguments: object, seconds: float = 60.0
    ) -> Job:
        """Queue a job, and return it at once.

        Parameters
        ----------
        function
            A function that a child can import. It is called with one that it tells results to, and
            with the arguments; everything is pickled.
        seconds
            After how long its process is ended, whatever it is at. Compiling counts.

        Raises
        ------
        SolverError
            If too many are waiting.
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
        """Give up everything, and end the processes."""
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
        """Give one child one job after the other; a new child after one that had to be ended."""
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
        """Let the child do a job, and return whether it is ready for the next."""
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
    """A process that does jobs, and the line to it."""

    def __init__(self) -> None:
        context = SafeSpawn()  # threads are running: nothing to fork
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
    """Do the jobs that come through a line, until it is closed: this runs in the child."""
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
