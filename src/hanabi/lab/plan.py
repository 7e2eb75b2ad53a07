"""What is to be done: jobs, and how they are cut into the chunks that are handed to workers.

Chunks end at multiples of powers of two (or of a size that is given), so that a longer run goes on
where a shorter one ended. Results do not depend on the cut, and what is done is found whatever the
sizes were.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from hanabi.errors import InvalidInputError, quote
from hanabi.lab.work import Work

__all__ = ["Job", "Pace", "Range", "merged", "missing"]

Range: TypeAlias = tuple[int, int]
"""The first item and the number of items."""

_LEAST_SECONDS, _MOST_SECONDS = 0.125, 1.0
_GROWTH = 16
_PARTS_A_WORKER = 2


@dataclass(frozen=True, slots=True)
class Job:
    """The items 0 .. `items - 1` of some work; `chunk` of them are done and stored together.

    By default these are as many as take about a second, found while it goes on. Raises
    InvalidInputError if there are fewer than 0 items, or than 1 in a chunk.
    """

    work: Work
    items: int
    chunk: int | None = None

    def __post_init__(self) -> None:
        if self.items < 0:
            raise InvalidInputError(f"items = {quote(self.items)} is negative")
        if self.chunk is not None and self.chunk < 1:
            raise InvalidInputError(f"chunk = {quote(self.chunk)} is less than 1")


def merged(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges that cover the same items, apart from each other and in order.

    >>> merged([(4, 4), (0, 2), (1, 3), (9, 1)])
    [(0, 8), (9, 1)]
    """
    result: list[Range] = []
    for first, count in sorted(ranges):
        if result and first <= sum(result[-1]):
            start, length = result[-1]
            result[-1] = start, max(length, first + count - start)
        else:
            result.append((first, count))
    return result


def missing(done: Iterable[Range], items: int) -> list[Range]:
    """Return what is left of the items 0 .. `items - 1`.

    >>> missing([(2, 3), (7, 1)], 10)
    [(0, 2), (5, 2), (8, 2)]
    """
    result, first = [], 0
    for start, count in [*merged(done), (items, 0)]:
        end = min(start, items)
        if end > first:
            result.append((first, end - first))
        first = max(first, start + count)
    return result


class Pace:
    """How many items of a job to hand over together: a power of two, for about a second of work.

    It starts with one, and grows by steps while they turn out to be quick: the first of all may
    be slow because it is compiled. Towards the end chunks become smaller, so that all workers end
    at about the same time.
    """

    def __init__(self, job: Job, workers: int) -> None:
        self._job, self._workers = job, workers
        self._size = 1
        self._rate = 0.0

    def learn(self, count: int, seconds: float) -> None:
        """Take note that a chunk of so many items took so long."""
        if 2 * count >= self._size:  # chunks that were cut before say little now
            self._rate = count / max(seconds, 1e-6)
            self._size = _floor_power(min(self._rate * _MOST_SECONDS, count * _GROWTH))

    def size(self, first: int, left: int) -> int:
        """Return how many items to do next of those that are left from `first` on."""
        size = self._job.chunk
        if size is None:
            share = (self._job.items - first) / (self._workers * _PARTS_A_WORKER)
            size = min(self._size, _floor_power(max(share, self._rate * _LEAST_SECONDS)))
        return min(left, size - first % size)


def _floor_power(number: float) -> int:
    """Return the greatest power of two that is at most `number`, but at least 1."""
    return 1 << (max(math.floor(number), 1).bit_length() - 1)
