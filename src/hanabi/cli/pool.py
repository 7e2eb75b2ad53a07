"""Work on many items in several processes; the results come in the order of the items."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from hanabi.errors import SolverError

__all__ = ["in_order"]

T = TypeVar("T")

_PATIENCE = 0.5
_AHEAD = 32


def in_order(
    work: Callable[[T], str],
    items: Iterable[T],
    emit: Callable[[T, str], None],
    *,
    workers: int,
    chunk: int = 1,
) -> None:
    """Call `emit` with every item and what `work` makes of it, in order, as early as possible.

    This process works alone for the first half second: most inputs are done by then, and workers
    that are forked later find the compiled code in memory.

    Parameters
    ----------
    work
        What to do; sent to the workers once.
    items
        May block while more items are coming in.
    emit
        Called by one thread at a time.
    workers
        Number of processes; 1 for this one alone.
    chunk
        Items that are sent to a worker together.
    """
    waiting = iter(items)
    spent = 0.0
    for item in waiting:
        start = time.perf_counter()
        emit(item, work(item))
        spent += time.perf_counter() - start
        if workers > 1 and spent > _PATIENCE:
            break
    # A generator that has ended stays so, and there is no pool without work.
    first = next(waiting, None)
    if first is None:
        return
    parallel = _Parallel(work, emit, workers)
    try:
        with _uninterrupted():
            parallel.submit([first])
        while pieces := list(islice(waiting, chunk)):
            parallel.submit(pieces)
        parallel.finish()
    except BaseException:
        parallel.abandon()
        raise


class _Parallel:
    def __init__(
        self, work: Callable[[T], str], emit: Callable[[T, str], None], workers: int
    ) -> None:
        # Elsewhere forking is unsafe or impossible, and the default is right.
        method = "fork" if sys.platform == "linux" else None
        self._executor = ProcessPoolExecutor(
            workers,
            multiprocessing.get_context(method),
            initializer=_start,
            initargs=(work, os.getpid()),
        )
        self._emit: Callable[[Any, str], None] = emit
        self._room = threading.Semaphore(workers * _AHEAD)
        self._queue: deque[tuple[list[Any], Future[list[str]]]] = deque()
        self._lock = threading.Lock()
        self._failure: BaseException | None = None

    def submit(self, items: list[Any]) -> None:
        """Hand over a chunk; wait while too many are on their way."""
        self._room.acquire()
        self._check()
        try:
            future = self._executor.submit(_work, items)
        except BrokenProcessPool:
            raise _died() from None
        with self._lock:
            self._queue.append((items, future))
        future.add_done_callback(self._drain)

    def _drain(self, _: Future[list[str]]) -> None:
        """Pass on the results whose turn it is; called as each chunk ends."""
        with self._lock:
            while self._queue and self._queue[0][1].done():
                items, future = self._queue.popleft()
                try:
                    if self._failure is None:
                        for item, result in zip(items, future.result(), strict=True):
                            self._emit(item, result)
                except BaseException as error:  # noqa: BLE001 (raised again by the main thread)
                    self._failure = error
                self._room.release()

    def _check(self) -> None:
        if isinstance(self._failure, BrokenProcessPool):
            raise _died() from None
        if self._failure is not None:
            raise self._failure

    def finish(self) -> None:
        """Wait for everything that was handed over."""
        self._executor.shutdown(wait=True)
        self._check()

    def abandon(self) -> None:
        """Stop at once."""
        for process in multiprocessing.active_children():
            process.terminate()
        self._executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put off an interrupt: one that hits Python's own hooks around a fork would be swallowed."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _died() -> SolverError:
    return SolverError("a worker process was killed, perhaps for want of memory")


_job: list[Callable[[Any], str]] = []


def _start(work: Callable[[Any], str], parent: int) -> None:
    """Make this process a worker: it leaves interrupts to its parent, and dies with it."""
    _job[:] = [work]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _work(items: list[Any]) -> list[str]:
    return [_job[0](item) for item in items]
