from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.lab import Job
from hanabi.lab.work import Pace, merged, missing

from .works import Squares


def cut(job: Job, rate: float, workers: int = 1, first: int = 0) -> list[tuple[int, int]]:
    """Return the chunks of a job whose work goes at so many items a second, one at a time."""
    pace, result = Pace(job, workers), []
    while first < job.items:
        count = pace.size(first, job.items - first)
        result.append((first, count))
        pace.learn(count, count / rate)
        first += count
    return result


def test_chunks_grow_to_a_second_of_work_at_powers_of_two() -> None:
    pieces = cut(Job(Squares(), 100_000), rate=5_000)
    assert pieces[0] == (0, 1)
    assert max(count for _, count in pieces) == 4_096
    for first, count in pieces[:-1]:
        end = first + count
        assert end & -end >= count / 2  # it ends at a multiple of the size it was cut by
    assert len(pieces) < 60


def test_slow_work_is_done_one_by_one() -> None:
    assert cut(Job(Squares(), 5), rate=0.1) == [(item, 1) for item in range(5)]


def test_the_last_chunks_are_smaller_but_not_tiny() -> None:
    counts = [count for _, count in cut(Job(Squares(), 100_000), rate=5_000, workers=4)]
    assert counts[-2] <= 1_024
    assert min(counts[10:-1]) >= 256


def test_a_slow_start_is_forgotten() -> None:
    """The first chunk may have been compiled."""
    pace = Pace(Job(Squares(), 10**6), 1)
    pace.learn(1, 20.0)
    pace.learn(1, 0.001)
    assert pace.size(16, 10**6) == 16


def test_given_sizes_are_kept() -> None:
    job = Job(Squares(), 10, chunk=4)
    assert cut(job, rate=1e9) == [(0, 4), (4, 4), (8, 2)]
    assert cut(job, rate=1e9, first=3) == [(3, 1), (4, 4), (8, 2)]


def test_ranges() -> None:
    assert merged([]) == []
    assert merged([(5, 5), (0, 5), (2, 2)]) == [(0, 10)]
    assert missing([], 3) == [(0, 3)]
    assert missing([(0, 100)], 3) == []
    assert missing([(1, 1)], 0) == []


@pytest.mark.parametrize("numbers", [{"items": -1}, {"items": 1, "chunk": 0}])
def test_bad_numbers(numbers: dict[str, int]) -> None:
    with pytest.raises(InvalidInputError):
        Job(Squares(), **numbers)
