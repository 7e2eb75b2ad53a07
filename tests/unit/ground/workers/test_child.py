"""Every kind of child ends with its parent, whatever it is doing when the parent is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from processes import is_running, only_on_linux, wait_until

# Each starts a child that prints its process number, and then works for a minute.
WORK = """
import os
import sys
import time

from hanabi.players.protocol import blaming


def work(*_):
    print(os.getpid(), file=sys.stderr, flush=True)
    {work}
"""
SLEEP = "time.sleep(600)"
ASK = """
    with blaming():  # as while a player is asked: `os._exit` is not what it was
        time.sleep(600)
"""
POOL = """
from hanabi.ground.workers.pool import open_executor
from work import work

with open_executor("processes", 2) as pool:
    pool.submit(work).result()
"""
WORKSHOP = """
from hanabi.ground.workers.workshop import Workshop
from work import work

if __name__ == "__main__":
    shop = Workshop(workers=1, most_waiting=1)
    shop.submit(work).wait(600)
"""


@only_on_linux
@pytest.mark.parametrize("work", [SLEEP, ASK], ids=["sleeps", "asks a player"])
@pytest.mark.parametrize("script", [POOL, WORKSHOP], ids=["pool", "workshop"])
def test_a_worker_ends_with_its_parent(script: str, work: str, tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(WORK.format(work=work))
    (tmp_path / "script.py").write_text(script)
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py")],
        stderr=subprocess.PIPE,
        env=os.environ | {"HANABI_QUIET": "1"},
    ) as parent:
        assert parent.stderr is not None
        pid = int(parent.stderr.readline())
        assert is_running(pid)
        parent.kill()
    wait_until(lambda: not is_running(pid))
