"""Threads that share the games of an environment."""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from queue import SimpleQueue
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from hanabi.errors import InvalidInputError, quote

__all__ = ["MOST_THREADS", "OneCaller", "Threads", "alone"]

MOST_THREADS = 1024
"""As many as an environment may have; more than processors gain nothing."""

P = ParamSpec("P")
T = TypeVar("T")
_Work: TypeAlias = Callable[[int, int], int | None]


_forks = 0  # between this process and the one that was started; to ask its number takes longer


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


class Threads:
    """Threads, each with its own range of `n` games; a single one is the caller's own.

    A range that was begun is finished, whatever happens to the caller: an interrupt is raised once
    all ranges are done, so that games are never left half-way.

    Raises InvalidInputError if there are to be too many threads, or the system starts no more.

    >>> threads = Threads(10, threads=2)
    >>> threads.share(lambda first, last: last - first)
    [5, 5]
    >>> threads.close()
    """

    def __init__(self, n: int, threads: int) -> None:
        if threads > MOST_THREADS:
            raise InvalidInputError(f"threads = {quote(threads)} is more than {MOST_THREADS:,}")
        self._ranges = [(n * i // threads, n * (i + 1) // threads) for i in range(threads)]
        self._process = 0  # in which the threads run, as `_forks` counts
        self._inbox: SimpleQueue[_Job | None] | None = None
        if threads > 1:
            self._open()

    def share(self, work: _Work) -> list[int]:
        """Do the work of all ranges, given as first and past the last game; return its numbers."""
        if self._inbox is None:
            return [int(work(*ends) or 0) for ends in self._ranges]
        if self._process != _forks:  # a fork has no threads but the one that forked
            self._open()
        job = _Job(work, self._ranges)
        interrupt: BaseException | None = None
        while True:
            try:
                while job.posted < len(self._ranges):  # one too many finds nothing left
                    self._inbox.put(job)
                    job.posted += 1
                while not job.is_done:
                    job.news.get()
                break
            except BaseException as error:  # noqa: BLE001 (raised below)
                interrupt = error
        if interrupt is not None:
            raise interrupt
        return job.results()

    def close(self) -> None:
        """End the threads; work is done by the caller from then on."""
        if self._inbox is not None:
            _end(self._inbox, len(self._ranges))
            self._inbox = None

    def _open(self) -> None:
        """Start the threads, with an inbox that no other process has locked."""
        inbox = self._inbox = SimpleQueue()
        try:
            for _ in self._ranges:
                threading.Thread(target=_serve, args=(inbox,), daemon=True).start()
        except RuntimeError as error:
            self.close()
            raise InvalidInputError(f"threads = {len(self._ranges)}: {error}") from None
        self._process = _forks
        weakref.finalize(self, _end, inbox, len(self._ranges)).atexit = False


class _Job:
    """Ranges that are left to do, and what came of the others."""

    def __init__(self, work: _Work, ranges: list[tuple[int, int]]) -> None:
        self.news: SimpleQueue[None] = SimpleQueue()  # interrupts do not break it
        self.posted = 0
        self._work = work
        self._left = deque(enumerate(ranges))
        self._found: list[int | BaseException | None] = [None] * len(ranges)

    @property
    def is_done(self) -> bool:
        return None not in self._found

    def do_one(self) -> None:
        """Do a range, if one is left."""
        with suppress(IndexError):
            number, ends = self._left.popleft()
            try:
                self._found[number] = int(self._work(*ends) or 0)
            except BaseException as error:  # noqa: BLE001 (raised by the caller)
                self._found[number] = error
            self.news.put(None)

    def results(self) -> list[int]:
        for each in self._found:
            if isinstance(each, BaseException):
                raise each
        return [each for each in self._found if isinstance(each, int)]


def _serve(inbox: SimpleQueue[_Job | None]) -> None:
    while (job := inbox.get()) is not None:
        job.do_one()
        del job  # which holds the arrays of an environment


def _end(inbox: SimpleQueue[_Job | None], threads: int) -> None:
    for _ in range(threads):
        inbox.put(None)


class OneCaller:
    """What one thread at a time may call; for a class whose methods are decorated by `alone`."""

    def __init__(self) -> None:
        self._caller: dict[int, int] = {}  # by process, the thread that is in a method
        self._begun: int | None = None  # the process in which a change was begun and has not ended

    def _begin(self) -> None:
        """Note that a change begins, which an interrupt may keep the caller from hearing of."""
        self._begun = _forks


def alone(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Refuse a thread while another one is in a method of the same object.

    >>> class Counter(OneCaller):
    ...     @alone
    ...     def count(self):
    ...         return 1
    >>> Counter().count()
    1
    """

    @wraps(method)
    def guarded(self: OneCaller, /, *args: P.args, **kwargs: P.kwargs) -> T:
        process, me = _forks, threading.get_ident()
        try:
            if self._caller.setdefault(process, me) != me:  # one operation, for all threads
                raise InvalidInputError(
                    "another thread is in this environment: give each thread one of its own"
                )
            if self._begun not in (None, process):
                raise InvalidInputError(
                    "this process was forked in the middle of a step: make a new environment"
                )
            return method(self, *args, **kwargs)
        finally:
            if self._caller.get(process) == me:
                del self._caller[process]

    return guarded
