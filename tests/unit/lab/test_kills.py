"""Whole processes that are killed or interrupted midway, and the runs that go on after them."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hanabi.ground.errors import StoreError
from hanabi.lab import Job, Simulation, Store, key_of, open_executor, run
from hanabi.rules import Rules
from processes import is_running, only_on_linux, wait_until

from .works import Squares, squares

JOB = Job(Squares(), 2_000, chunk=8)
SCRIPT = """
import sys
sys.path.insert(0, sys.argv[3])
from hanabi.lab import Job, Store, open_executor, run
from works import Squares

job = Job(Squares(pause=0.002), 2_000, chunk=8)  # how long it takes is not in its key
with Store(sys.argv[1]) as store, open_executor(sys.argv[2], 2) as pool:
    try:
        run([job], store, executor=pool)
    except KeyboardInterrupt:
        print("the command that goes on")
        raise SystemExit(130)
"""

pytestmark = only_on_linux


def start(path: Path, executor: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), executor, str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def games_in(path: Path) -> int:
    try:
        with Store(path, must_exist=True) as store:
            return sum(count for _, count in store.ranges(key_of(JOB.work)))
    except StoreError:  # it is being made
        return 0


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    return [int(word) for word in text.split()]


def go_on(path: Path) -> None:
    """Finish a run; check that what was stored stays, and that the whole is what it must be."""
    with Store(path) as store:
        before = store.chunks(key_of(JOB.work))
        assert 0 < sum(chunk.count for chunk in before) < JOB.items
        with open_executor("serial") as pool:
            run([JOB], store, executor=pool)
        assert set(before) <= set(store.chunks(key_of(JOB.work)))
        assert sum(chunk.count for chunk in store.chunks(key_of(JOB.work))) == JOB.items
        assert store.payload(key_of(JOB.work), JOB.items) == squares(0, JOB.items)


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_a_run_that_is_killed_goes_on(tmp_path: Path, executor: str) -> None:
    path = tmp_path / "a.store"
    with start(path, executor) as process:
        if executor == "processes":
            wait_until(lambda: len(children_of(process.pid)) == 2)
        workers, n = children_of(process.pid), games_in(path)
        wait_until(lambda: games_in(path) > n)
        process.kill()
    wait_until(lambda: not any(is_running(pid) for pid in workers))
    assert games_in(path) > n
    go_on(path)


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_an_interrupt_is_raised_and_the_run_goes_on(tmp_path: Path, executor: str) -> None:
    path = tmp_path / "a.store"
    with start(path, executor) as process:
        if executor == "processes":
            wait_until(lambda: len(children_of(process.pid)) == 2)
        workers, n = children_of(process.pid), games_in(path)
        wait_until(lambda: games_in(path) > n)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "the command that goes on\n", "")
    wait_until(lambda: not any(is_running(pid) for pid in workers))
    go_on(path)


def games_kept(path: Path) -> int:
    try:
        with Store(path, must_exist=True) as store:
            return sum(stored.items for stored in store.works())
    except StoreError:
        return 0


@pytest.mark.parametrize(
    ("executor", "least"), [("serial", 1), ("threads", 0), ("processes", 1), ("processes", 300)]
)
def test_the_command_says_how_to_go_on_and_does(tmp_path: Path, executor: str, least: int) -> None:
    path = tmp_path / "a.store"
    words = ["simulate", "first-legal", "-n", "1500", "--repeat", "2", "--seed", "3"]
    more = ["--executor", executor, "-j", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "hanabi", *words, *more, "--store", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(lambda: path.exists() and games_kept(path) >= least)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    kept = games_kept(path)
    assert (process.returncode, out) == (130, "")
    assert kept >= least
    *lines, last = err.splitlines()
    assert last == "hanabi: interrupted"
    if lines:  # it came when the work had begun
        assert lines[0] == f"hanabi: {kept:,} of 3,000 games are stored in {path}; to go on:"
        name, *again = shlex.split(lines[1].removeprefix("hanabi: "))
        assert (name, len(lines)) == ("hanabi", 2)
    else:
        again = [*words, "--store", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "hanabi", *again, "--json"], capture_output=True, check=True
    )
    assert json.loads(done.stdout)["games"] == 3_000
    assert games_kept(path) == 3_000
    with Store(path) as store:
        for repeat in range(2):
            work = Simulation(("first-legal",), Rules.hanab_live(3), 3, repeat)
            assert store.payload(key_of(work), 1_500) == work.run(0, 1_500)
