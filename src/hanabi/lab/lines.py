"""Files of JSON lines, one per item, that a later run can continue."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from hanabi.ground import Dispatcher, InvalidInputError, Pool, quote

__all__ = ["LineFile", "in_order"]


class LineFile:
    """A file to which finished lines are appended, each in one write.

    A killed run leaves whole lines, and at most one torn line at the end. The next run drops the
    torn line, or completes it if only the line feed is missing. It drops nothing else: a torn line
    must agree with one of `starts`, and contain all of it if the file has no whole line. The file
    is locked against other processes while it is open (not on Windows, nor where the file system
    has no locks). Numbered items belong in a `hanabi.lab.store.Store` instead.

    Parameters
    ----------
    path
        The file, created if it does not exist.
    key
        Returns the identifier of a line, read as an object; None if it is not one of these lines.
        It is called for each line from earlier runs, in order.
    what
        The noun for a line in messages.
    starts
        The possible beginnings of the lines to be written.

    Raises
    ------
    InvalidInputError
        If the file cannot be written, holds something else, or is open in another process.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for _ in range(2):
    ...         path, starts = f"{folder}/a.jsonl", ['{"id": ']
    ...         file = LineFile(path, lambda line: line.get("id"), "answer", starts)
    ...         print(file.take(7))
    ...         file.write('{"id": 7}')
    ...         file.close()
    None
    0
    """

    def __init__(
        self,
        path: str,
        key: Callable[[dict[str, Any]], Hashable | None],
        what: str,
        starts: Sequence[str],
    ) -> None:
        self.size = 0
        """The number of lines from earlier runs."""
        self._left: dict[Hashable, list[int]] = {}  # the last one first
        self._path, self._key, self._what = path, key, what
        self._starts = [start.encode() for start in starts]
        try:
            self._stream: BinaryIO = Path(path).open("a+b", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:
            raise self._refusal(error) from None
        try:
            if stat.S_ISREG(Path(path).stat().st_mode):
                self._lock()
                self._read()
                for left in self._left.values():
                    left.reverse()
        except BaseException:
            self._stream.close()
            raise

    def _refusal(self, error: OSError | ValueError) -> InvalidInputError:
        reason = (isinstance(error, OSError) and error.strerror) or error
        return InvalidInputError(f"cannot write {quote(self._path)}: {reason}")

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        try:
            # Unlike that of flock, this lock is not inherited by forked workers, which may
            # outlive a killed run for a moment.
            fcntl.lockf(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise InvalidInputError(
                f"{self._path}: another process is writing to this file"
            ) from None
        except OSError:  # a file system without locks
            return

    def _read(self) -> None:
        self._stream.seek(0)
        whole = 0
        line = b""
        with open(self._stream.fileno(), "rb", closefd=False) as lines:
            for number, line in enumerate(lines, start=1):
                if not self._accept(line):
                    if not self._is_torn(line, is_first=number == 1):
                        raise InvalidInputError(
                            f"{self._path}: line {number} is no {self._what};"
                            " only files of such lines are continued"
                        )
                    self._stream.truncate(whole)
                    return
                whole += len(line)
        if line and not line.endswith(b"\n"):
            self._write(b"\n")

    def _accept(self, line: bytes) -> bool:
        data = None
        with suppress(ValueError, RecursionError):
            data = json.loads(line)
        if not isinstance(data, dict) or (name := self._key(data)) is None:
            return False
        self._left.setdefault(name, []).append(self.size)
        self.size += 1
        return True

    def _is_torn(self, line: bytes, *, is_first: bool) -> bool:
        """Return whether a last line is certain to be one that a killed run left incomplete."""
        with suppress(ValueError, RecursionError):
            json.loads(line)
            return False
        if line.endswith(b"\n") or not line.isascii():
            return False
        return any(
            line.startswith(start) or (not is_first and start.startswith(line))
            for start in self._starts
        )

    def take(self, name: Hashable) -> int | None:
        """Take the next line of earlier runs with this identifier.

        Returns its number, from 0, or None if none is left.
        """
        left = self._left.get(name)
        return left.pop() if left else None

    def write(self, line: str) -> None:
        """Append one line so that it outlives this process.

        Raises InvalidInputError if the line cannot be written completely; the next run drops the
        part that was.
        """
        self._write(line.encode() + b"\n")

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._stream.write(left) :]
        except OSError as error:
            raise self._refusal(error) from None

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


# Work on a stream of items, some of which may not have arrived yet; results keep their order.

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 32


def in_order(
    work: Callable[[T], R],
    items: Iterable[T],
    emit: Callable[[T, R], None],
    *,
    executor: Pool,
    chunk: int = 1,
    name: Callable[[T], str] = quote,
) -> None:
    """Call `emit` with every item and its result of `work`, in order, as early as possible.

    Use it for items without numbers, some of which may not have arrived yet, such as lines that
    someone types. For numbered items use `hanabi.lab.runner.run`.

    Parameters
    ----------
    work, items
        The function to call with each item, and the items; waits for items that come later.
    emit
        Called with one item at a time, not always from this thread.
    executor
        The pool that `open_executor` returns.
    chunk
        Number of items to send to a worker together.
    name
        Returns the name of an item for the error if it kills its workers.

    Raises
    ------
    SolverError
        If an item kills its workers three times.
    Exception
        Any exception of `work` or `emit`, after all earlier items were passed on.

    >>> from hanabi.ground.workers.pool import open_executor
    >>> with open_executor("threads", 2) as pool:
    ...     in_order(len, ["a", "bc"], lambda item, size: print(item, size), executor=pool)
    a 1
    bc 2
    """

    def emit_each(batch: list[T], results: list[R]) -> None:
        for item, result in zip(batch, results, strict=True):
            emit(item, result)

    def batches() -> Iterator[list[T]]:
        waiting = iter(items)
        while batch := list(islice(waiting, 1 if dispatcher.is_alone else chunk)):
            yield batch

    dispatcher = Dispatcher(
        executor,
        partial(_work_on, work),
        emit_each,
        most=executor.workers * _AHEAD,
        in_order=True,
        name=lambda batch: ", ".join(map(name, batch)),
    )
    dispatcher.run(batches())


def _work_on(work: Callable[[T], R], batch: list[T]) -> list[R]:
    return [work(item) for item in batch]
