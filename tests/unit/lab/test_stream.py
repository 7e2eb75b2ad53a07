"""Items in a stream: order, failures, workers that are killed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from hanabi.ground.errors import SolverError
from hanabi.ground.workers.pool import open_executor
from hanabi.lab.lines import in_order


def go(
    work: Callable[[int], str],
    items: Iterable[int],
    emit: Callable[[int, str], None],
    workers: int = 2,
    **options: Any,
) -> None:
    with open_executor("processes", workers) as pool:
        in_order(work, items, emit, executor=pool, **options)


def slow_square(number: int) -> str:
    time.sleep(0.3 if number < 3 else 0.02 * (number % 5))
    return str(number * number)


@pytest.mark.parametrize(("workers", "chunk"), [(1, 4), (2, 1), (3, 4)])
def test_results_come_in_order(workers: int, chunk: int) -> None:
    found: list[tuple[int, str]] = []
    go(slow_square, iter(range(30)), lambda *pair: found.append(pair), workers, chunk=chunk)
    assert found == [(number, str(number * number)) for number in range(30)]


def fail_at_ten(number: int) -> str:
    time.sleep(0.3 if number < 3 else 0)
    if number == 10:
        raise ZeroDivisionError
    return ""


def die_at_ten(number: int) -> str:
    time.sleep(0.3 if number < 3 else 0)
    if number == 10:
        os._exit(9)
    return ""


def test_what_goes_wrong_in_a_worker_is_told() -> None:
    found: list[int] = []
    with pytest.raises(ZeroDivisionError):
        go(fail_at_ten, range(50), lambda n, _: found.append(n))
    assert found == list(range(10))
    with pytest.raises(SolverError, match="a worker process was killed"):
        go(die_at_ten, range(50), lambda *_: None)


def test_a_full_disk_stops_the_run() -> None:
    def emit(number: int, _: str) -> None:
        if number == 12:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        go(fail_at_ten_or_not, range(50), emit)


def fail_at_ten_or_not(number: int) -> str:
    time.sleep(0.3 if number < 3 else 0)
    return ""
