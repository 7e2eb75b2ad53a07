"""Threads that share the games of an environment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

__all__ = ["Threads"]


class Threads:
    """Threads, each with its own range of `n` games; a single one is the caller's own.

    >>> threads = Threads(10, threads=2)
    >>> threads.share(lambda first, last: last - first)
    [5, 5]
    >>> threads.close()
    """

    def __init__(self, n: int, threads: int) -> None:
        self._ranges = [(n * i // threads, n * (i + 1) // threads) for i in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def share(self, work: Callable[[int, int], int | None]) -> list[int]:
        """Do the work of all ranges, given as first and past the last game; return its numbers."""
        if self._pool is None:
            return [int(work(*ends) or 0) for ends in self._ranges]
        done = [self._pool.submit(work, *ends) for ends in self._ranges]
        return [int(each.result() or 0) for each in done]

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
