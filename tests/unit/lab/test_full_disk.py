"""Runs whose store cannot grow, and runs that share a store: nothing that was stored is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from fuzz.stores import make_first_schema, make_store
from hanabi.lab import Store, key_of

from .works import Squares, squares

LIMITED = """
import resource, signal, sys
from hanabi.front.app import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
sys.exit(main(sys.argv[2:]))
"""
FILLS = """
import sys
sys.path.insert(0, sys.argv[2])
from hanabi.lab import Job, Store, open_executor, run
from works import Squares

with Store(sys.argv[1]) as store, open_executor("serial") as pool:
    run([Job(Squares(pause=0.0005), 1_000, chunk=5)], store, executor=pool)
"""
GAMES = ("simulate", "random", "--seed", "1", "--executor", "serial", "--json")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files")


def limited(limit: int, *command: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process whose files cannot become longer than some bytes."""
    words = [sys.executable, "-c", LIMITED, str(limit), *map(str, command)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)


def chunks_in(path: Path) -> set[tuple[str, int, int]]:
    with Store(path) as store:
        found = {
            (work.key, chunk.first, chunk.count)
            for work in store.works()
            for chunk in store.chunks(work.key)
        }
        assert store.damaged == ()
        return found


@pytest.mark.parametrize("room", [0, 8_192, 40_000])
def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path, room: int) -> None:
    path = tmp_path / "a.store"
    store = ("--store", path)
    assert limited(10**9, *GAMES, "-n", 300, *store).returncode == 0
    before = chunks_in(path)
    more = (*GAMES, "-n", 60_000, *store)
    full = limited(path.stat().st_size + room, *more)
    assert (full.returncode, full.stdout) == (2, "")
    assert full.stderr.startswith("hanabi: error: store ")
    assert full.stderr.count("\n") == 1
    assert before <= chunks_in(path)
    whole = limited(10**9, *more)
    assert whole.returncode == 0
    alone = limited(10**9, *GAMES, "-n", 60_000)
    told, expected = json.loads(whole.stdout), json.loads(alone.stdout)
    assert told["histogram"] == expected["histogram"]
    assert told["kept"] == expected["kept"]


def test_an_old_store_on_a_full_disk_stays_old(tmp_path: Path) -> None:
    new, old = tmp_path / "new.store", tmp_path / "old.store"
    make_store(new)
    make_first_schema(old, new)
    before = chunks_in(new)
    full = limited(4_096, "results", "--store", old)
    assert (full.returncode, full.stdout) == (2, "")
    assert full.stderr.count("\n") == 1
    assert chunks_in(old) == before


def test_runs_at_once_share_a_store(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    words = [sys.executable, "-c", FILLS, str(path), str(Path(__file__).parent)]
    with ExitStack() as stack:
        runs = [
            stack.enter_context(subprocess.Popen(words, stderr=subprocess.PIPE, text=True))
            for _ in range(3)
        ]
        told = [each.communicate(timeout=600)[1] for each in runs]
    assert [each.returncode for each in runs] == [0, 0, 0]
    assert told == ["", "", ""]
    with Store(path, must_exist=True) as store:
        assert store.payload(key_of(Squares()), 1_000) == squares(0, 1_000)
        assert store.damaged == ()


def test_a_store_is_read_while_others_write_and_are_killed(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    words = [sys.executable, "-c", FILLS, str(path), str(Path(__file__).parent)]
    seen = 0
    for _ in range(3):
        with subprocess.Popen(words) as process:
            found = seen
            while found <= seen and process.poll() is None:
                with Store(path) as store:
                    found = sum(count for _, count in store.ranges(key_of(Squares())))
                    assert store.damaged == ()
            process.send_signal(signal.SIGKILL)
        with Store(path) as store:
            done = sum(count for _, count in store.ranges(key_of(Squares())))
            assert done >= found >= seen
            assert store.payload(key_of(Squares()), done) == squares(0, done)
            seen = done
    assert seen
