"""Dispatch of pieces of work to workers, and of their results to the caller."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Future
from functools import partial
from queue import SimpleQueue
from typing import Generic, TypeVar

from hanabi.ground.errors import SolverError
from hanabi.ground.workers.code import Made, check_made, made
from hanabi.ground.workers.pool import Pool

__all__ = ["Dispatcher"]

T = TypeVar("T")
R = TypeVar("R")

_ALONE_SECONDS = 0.5
_MOST_BREAKS = 3


class _Piece(Generic[T, R]):
    """A submitted piece, and its outcome once it is done."""

    __slots__ = ("breaks", "is_done", "outcome", "value")

    def __init__(self, value: T) -> None:
        self.value = value
        self.outcome: Future[Made[R]]
        self.is_done = False
        self.breaks = 0


class Dispatcher(Generic[T, R]):
    """A dispatcher that has workers process pieces, and passes on their results one at a time.

    This process works alone for the first half second: most tasks are done by then, and workers
    forked later find the compiled code in memory. If workers break (a process is killed), they are
    replaced and their pieces are repeated one by one, to find a piece that always breaks them. A
    result made by different code stops the work and is not passed on.

    Parameters
    ----------
    pool, function
        The workers, and the function they call with each piece.
    emit
        Called with each piece and its result, from any thread, but one call at a time.
    most
        Maximum number of submitted pieces whose results were not passed on yet.
    in_order
        Whether to pass on results in the order of the pieces; otherwise as they arrive.
    name
        Returns the name of a piece for an error message.
    """

    def __init__(
        self,
        pool: Pool,
        function: Callable[[T], R],
        emit: Callable[[T, R], None],
        *,
        most: int,
        in_order: bool,
        name: Callable[[T], str],
    ) -> None:
        self._pool, self._function, self._emit = pool, partial(made, function), emit
        self._most, self._in_order, self._name = most, in_order, name
        self._alone = 0.0
        self._lock = threading.RLock()
        # Not a Condition: an interrupt that hits it as it wakes breaks its lock.
        self._news: SimpleQueue[None] = SimpleQueue()
        self._pieces: deque[_Piece[T, R]] = deque()
        self._failure: BaseException | None = None
        self._is_broken = False
        self._is_over = False

    @property
    def is_alone(self) -> bool:
        """Whether this process does the next piece itself."""
        return self._pool.is_alone or self._alone < _ALONE_SECONDS

    def run(self, pieces: Iterable[T]) -> None:
        """Process all pieces; each is taken from `pieces` only when it can be submitted.

        Raises
        ------
        SolverError
            If a piece kills workers again and again, or a worker runs different code.
        Exception
            Any exception of `pieces`, `function` or `emit`; no result is passed on after it.
        """
        try:
            for value in pieces:
                self._submit(value)
            self._wait(lambda: not self._pieces)
        except BaseException:
            with self._lock:  # waits for a result that is being passed on
                self._is_over = True
                self._pieces.clear()
            self._pool.abandon()
            raise

    def _submit(self, value: T) -> None:
        """Process a piece here or submit it; wait while too many are submitted."""
        if self.is_alone:
            start = time.perf_counter()
            self._emit(value, check_made(self._function(value)))
            self._alone += time.perf_counter() - start
            return
        self._wait(lambda: len(self._pieces) < self._most)
        piece: _Piece[T, R] = _Piece(value)
        with self._lock:
            self._pieces.append(piece)
        self._start(piece)

    def _start(self, piece: _Piece[T, R]) -> None:
        try:
            future = self._pool.submit(self._function, piece.value)
        except BrokenExecutor:
            with self._lock:
                self._is_broken = True
            return
        future.add_done_callback(partial(self._end, piece))

    def _end(self, piece: _Piece[T, R], future: Future[Made[R]]) -> None:
        """Take the outcome of a piece; called from a thread of the executor."""
        with self._lock:
            if self._is_over:
                return
            if future.cancelled():
                self._failure = SolverError("the workers are gone, or gave up the work")
            elif isinstance(future.exception(), BrokenExecutor):
                self._is_broken = True
            else:
                piece.is_done, piece.outcome = True, future
                self._pass_on(piece)
            self._news.put(None)

    def _pass_on(self, piece: _Piece[T, R]) -> None:
        ready = []
        if self._in_order:
            while self._pieces and self._pieces[0].is_done:
                ready.append(self._pieces.popleft())
        else:
            self._pieces.remove(piece)
            ready.append(piece)
        for done in ready:
            if self._failure is not None:
                return
            try:
                self._emit(done.value, check_made(done.outcome.result()))
            except self._pool.killed:
                self._failure = self._killed(done)
            except BaseException as error:  # noqa: BLE001 (raised again by the main thread)
                self._failure = error

    def _wait(self, is_enough: Callable[[], bool]) -> None:
        """Wait until `is_enough`; replace broken workers meanwhile."""
        while self._is_broken_before(is_enough):
            self._pool.reopen()  # after this, no callback of the old workers comes
            with self._lock:
                self._is_broken = False  # by other pieces
                lost = [piece for piece in self._pieces if not piece.is_done]
            for piece in lost:
                self._redo(piece)

    def _is_broken_before(self, is_enough: Callable[[], bool]) -> bool:
        """Wait until `is_enough` or the workers break; return whether they broke."""
        while True:
            with self._lock:
                if self._failure is not None:
                    raise self._failure
                if self._is_broken or is_enough():
                    is_broken, self._is_broken = self._is_broken, False
                    return is_broken
            self._news.get()

    def _redo(self, piece: _Piece[T, R]) -> None:
        """Repeat a piece of broken workers, alone, to see whether this piece breaks them."""
        while not piece.is_done:
            piece.breaks += 1
            if piece.breaks == _MOST_BREAKS:
                raise self._killed(piece)
            self._start(piece)
            if self._is_broken_before(lambda: piece.is_done):
                self._pool.reopen()

    def _killed(self, piece: _Piece[T, R]) -> SolverError:
        return SolverError(
            "a worker process was killed again and again, perhaps for want of memory, at"
            f" {self._name(piece.value)}"
        )
