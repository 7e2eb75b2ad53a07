"""Child processes that work things out, and can be given up."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.ground.workers.workshop import Job, State, Workshop, _Child
from processes import is_running, only_on_linux, wait_until

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
    wait_until(lambda: job.results, 300)
    return job.results[0]


def test_results_come_in_order_from_a_process_that_stays(shop: Workshop) -> None:
    jobs = [shop.submit(squares, 5), shop.submit(process)]
    assert all(job.wait(300) for job in jobs)
    assert (jobs[0].state, jobs[0].results) == (State.DONE, [0, 1, 4, 9, 16])
    again = shop.submit(process)
    assert again.wait(300)
    assert again.results == jobs[1].results != [os.getpid()]


@only_on_linux
def test_a_job_that_is_given_up_ends_its_process(shop: Workshop, tmp_path: Path) -> None:
    job = shop.submit(sleep, str(tmp_path / "end"))
    pid = first_result(job)
    job.cancel()
    after = shop.submit(process)
    assert after.wait(300)
    assert not is_running(pid)
    assert job.state is State.CANCELLED
    assert after.results != [pid]


def test_a_job_has_only_so_much_time(shop: Workshop, tmp_path: Path) -> None:
    job = shop.submit(sleep, str(tmp_path / "end"), seconds=2)
    assert job.wait(300)
    assert (job.state, job.problem) == (State.FAILED, "not decided in 2 seconds")


def test_problems_are_told(shop: Workshop) -> None:
    jobs = [shop.submit(refuse), shop.submit(vanish)]
    assert all(job.wait(300) for job in jobs)
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
    assert waiting[1].wait(300)


def note(tell: Tell, name: str, place: str) -> None:
    with Path(place).open("a", encoding="utf-8") as file:
        file.write(f"{name} ")


def test_clients_take_turns_and_so_do_their_sessions(tmp_path: Path) -> None:
    """Each waits for one job of each other client, however many these have."""
    place = tmp_path / "order"
    shop = Workshop(workers=1, most_waiting=100)
    gate = shop.submit(sleep, str(tmp_path / "end"))
    first_result(gate)
    jobs = [
        shop.submit(note, name, str(place), line=(name[0], name[1]))
        for name in ("ax1", "ax2", "ax3", "ax4", "ay1", "b-1", "b-2", "c-1", "ay2", "bz1")
    ]
    jobs[1].cancel()  # it has no turn
    gate.cancel()
    assert all(job.wait(300) for job in jobs)
    assert place.read_text().split() == ["ax1", "b-1", "c-1", "ay1", "bz1", "ax3", "b-2",
                                         "ay2", "ax4"]  # fmt: skip
    shop.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_long_jobs_leave_a_process_to_short_ones(tmp_path: Path, workers: int) -> None:
    shop = Workshop(workers=workers, most_waiting=9)
    long = [shop.submit(sleep, str(tmp_path / "end"), seconds=300, is_long=True) for _ in range(2)]
    first_result(long[0])
    for _ in range(2):
        assert shop.submit(process).wait(300)  # behind a long one, and yet its turn
    assert [job.state for job in long] == [State.RUNNING, State.WAITING]
    # One that waited for another of its kind alone runs as soon as that is over.
    long[0].cancel()
    first_result(long[1])
    assert shop.submit(process).wait(300)
    shop.close()


def test_short_jobs_share_as_many_processes_as_there_are(tmp_path: Path) -> None:
    shop = Workshop(workers=1, most_waiting=9)
    running = shop.submit(sleep, str(tmp_path / "end"), seconds=300)
    first_result(running)
    short, long = shop.submit(process), shop.submit(process, is_long=True)
    assert long.wait(300)
    assert short.state is State.WAITING
    shop.close()


def test_whoever_has_most_waiting_makes_room_for_others() -> None:
    shop = Workshop(workers=0, most_waiting=4)

    def submit(client: str, session: str, *, is_read: bool = True) -> Job:
        job = shop.submit(squares, 1, line=(client, session))
        if is_read:
            job.report()
        return job

    first = [submit("a", "x"), submit("a", "x"), submit("a", "y"), submit("a", "z")]
    others = [submit("b", "x"), submit("c", "x")]
    # The session with most first; then all of that client's have as many.
    assert [job.is_over for job in first] == [True, True, False, False]
    assert "made room for others: ask again" in first[0].problem
    with pytest.raises(SolverError, match="4 questions are waiting"):
        submit("a", "x")
    with pytest.raises(SolverError, match="4 questions are waiting"):
        submit("b", "x")
    # Somebody with none of two, where another has two: only exchanged, so each keeps what it has.
    with pytest.raises(SolverError, match="4 questions are waiting"):
        submit("c", "x")
    submit("d", "x")
    assert [job.is_over for job in (*first, *others)] == [True, True, True, False, False, False]
    shop.close()

    shop = Workshop(workers=0, most_waiting=2)
    unread, read = submit("a", "x", is_read=False), submit("a", "y")
    submit("a", "z")  # a page that was never read makes room for its client's next
    assert (unread.is_over, read.is_over) == (True, False)
    shop.close()


def test_what_nobody_reads_ends_sooner_if_others_wait() -> None:
    now = [0.0]
    shop = Workshop(
        workers=0, most_waiting=9, unread=120, unread_if_others_wait=5, clock=lambda: now[0]
    )
    left, read = shop.submit(squares, 1), shop.submit(squares, 2)
    now[0] = 4.0
    assert not read.report().is_over
    now[0] = 6.0
    shop.submit(squares, 3)
    assert (left.state, read.state) == (State.CANCELLED, State.WAITING)
    shop.close()


@only_on_linux
@pytest.mark.parametrize(("others", "seconds"), [(0, 121.0), (1, 6.0)])
def test_a_running_job_that_nobody_reads_ends_with_its_process(
    tmp_path: Path, others: int, seconds: float
) -> None:
    now = [0.0]
    shop = Workshop(
        workers=1, most_waiting=9, unread=120, unread_if_others_wait=5, clock=lambda: now[0]
    )
    job = shop.submit(sleep, str(tmp_path / "end"), seconds=300)
    first_result(job)
    after = [shop.submit(process) for _ in range(others)]
    now[0] = 4.0
    for each in (job, *after):
        each.report()
    now[0] += seconds
    assert job.wait(300)
    assert (job.state, job.problem) == (State.CANCELLED, "")
    shop.submit(process).wait(300)
    assert not is_running(job.results[0])
    shop.close()


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
    assert job.wait(300)
    assert (job.state, job.problem) == (
        State.FAILED,
        "no process can be started: Resource temporarily unavailable",
    )
    shop.close()
