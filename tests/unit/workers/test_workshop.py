"""Child processes that work things out, and can be given up."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hanabi.errors import InvalidInputError, SolverError
from hanabi.workers.workshop import Job, State, Workshop, _Child
from processes import is_running, only_on_linux

Tell = Callable[[Any], None]


def squares(tell: Tell, numbers: int) -> None:
    for number in range(numbers):
        tell(number**2)


def process(tell: Tell) -> None:
    tell(os.getpid())


def refuse(tell: Tell) -> None:
    raise InvalidInputError("no such thing")


def vanish(tell: Tell) -> None:
    os._exit(3)


def sleep(tell: Tell, place: str) -> None:
    tell(os.getpid())
    time.sleep(60)
    Path(place).touch()


@pytest.fixture
def shop() -> Iterator[Workshop]:
    shop = Workshop(workers=1, most_waiting=2)
    yield shop
    shop.close()


def first_result(job: Any) -> Any:
    end = time.monotonic() + 30
    while not job.results and time.monotonic() < end:
        time.sleep(0.02)
    return job.results[0]


def test_results_come_in_order_from_a_process_that_stays(shop: Workshop) -> None:
    jobs = [shop.submit(squares, 5), shop.submit(process)]
    assert all(job.wait(30) for job in jobs)
    assert (jobs[0].state, jobs[0].results) == (State.DONE, [0, 1, 4, 9, 16])
    again = shop.submit(process)
    assert again.wait(30)
    assert again.results == jobs[1].results != [os.getpid()]


@only_on_linux
def test_a_job_that_is_given_up_ends_its_process(shop: Workshop, tmp_path: Path) -> None:
    job = shop.submit(sleep, str(tmp_path / "end"))
    pid = first_result(job)
    job.cancel()
    after = shop.submit(process)
    assert after.wait(30)
    assert not is_running(pid)
    assert job.state is State.CANCELLED
    assert after.results != [pid]


def test_a_job_has_only_so_much_time(shop: Workshop, tmp_path: Path) -> None:
    job = shop.submit(sleep, str(tmp_path / "end"), seconds=2)
    assert job.wait(30)
    assert (job.state, job.problem) == (State.FAILED, "not decided in 2 seconds")


def test_problems_are_told(shop: Workshop) -> None:
    jobs = [shop.submit(refuse), shop.submit(vanish)]
    assert all(job.wait(30) for job in jobs)
    assert [job.state for job in jobs] == [State.FAILED] * 2
    assert jobs[0].problem == "no such thing"
    assert "has ended" in jobs[1].problem


def test_the_queue_is_limited_and_those_given_up_leave_it(shop: Workshop, tmp_path: Path) -> None:
    running = shop.submit(sleep, str(tmp_path / "end"))
    first_result(running)
    waiting = [shop.submit(process), shop.submit(process)]
    with pytest.raises(SolverError, match="2 questions are waiting"):
        shop.submit(process)
    waiting[0].cancel()
    assert shop.n_waiting == 1
    shop.submit(process)
    running.cancel()
    assert waiting[1].wait(30)


@only_on_linux
def test_closing_ends_everything(tmp_path: Path) -> None:
    shop = Workshop(workers=1, most_waiting=2)
    job = shop.submit(sleep, str(tmp_path / "end"))
    pid = first_result(job)
    shop.close()
    assert job.state is State.CANCELLED
    assert not is_running(pid)
    with pytest.raises(SolverError):
        shop.submit(process)


def test_a_child_that_cannot_start_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_child: _Child) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(_Child, "__init__", refuse)
    shop = Workshop(workers=1, most_waiting=1)
    job: Job = shop.submit(print)
    assert job.wait(10)
    assert (job.state, job.problem) == (
        State.FAILED,
        "no process can be started: Resource temporarily unavailable",
    )
    shop.close()
