"""Bare child processes: what they are handed and return, how they fail, and that they end."""

from __future__ import annotations

import os
import signal
import sys
from array import array
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.workers.child import BareProcess
from processes import is_running, only_on_linux, wait_until

CALLED = """
import os
import sys
import time


def answer(request, numbers, send):
    if "seconds" in request:
        time.sleep(request["seconds"])
    if "code" in request:
        print("last words", file=sys.stderr)
        sys.exit(request["code"])
    if "bytes" in request:
        send(len(bytearray(request["bytes"])), b"")
        return
    if "answers" in request:
        for number in range(request["answers"]):
            send(number, b"%d" % number)
        os.write(1, b"what standard output gets is no part of the answer")
        time.sleep(600)
    print("this is no part of the answer")
    ours = [name for name in sys.modules if name.startswith("hanabi")]
    facts = {"request": request, "ours": ours, "safe": sys.flags.safe_path}
    send(facts, numbers.tobytes(), b"2")
"""


ANSWER = b'{"answer": 0, "sizes": [1]}\n0'


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "called.py"
    path.write_text(CALLED)
    return str(path)


def start(file: str, request: dict[str, Any], n: int = 0, memory: int | None = None) -> BareProcess:
    return BareProcess(file, request, memoryview(array("i", range(n))), memory)


@pytest.mark.parametrize("n", [0, 3, 100_000])  # more than a pipe takes at once
def test_what_is_sent_arrives_and_comes_back(file: str, n: int) -> None:
    child = start(file, {"text": "é\n"}, n)
    assert child.problem() is None
    assert child.is_over
    answer, numbers, more = child.answer()
    child.end()
    assert answer == {"request": {"text": "é\n"}, "ours": [], "safe": True}
    assert (array("i", numbers), more) == (array("i", range(n)), b"2")


def test_of_several_answers_the_last_one_counts(file: str) -> None:
    child = start(file, {"answers": 3})
    wait_until(lambda: os.fstat(child._answer.fileno()).st_size == 3 * len(ANSWER))
    assert child.process.poll() is None
    assert child.answer() == (2, b"2")  # and ends it
    assert child.is_over
    child.end()
    child = start(file, {"seconds": 600})
    assert child.answer() == ()
    child.end()


def test_a_child_that_fails_says_why(file: str) -> None:
    child = start(file, {"code": 3})
    assert child.problem() == "the process died (exit code 3) last words"
    child.end()
    child = start(file, {"seconds": 600})
    assert not child.is_over
    child.process.send_signal(signal.SIGSEGV)
    assert child.problem() == f"the process died ({signal.strsignal(signal.SIGSEGV)})"
    child.end()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_child_takes_only_so_much_memory(file: str) -> None:
    child = start(file, {"bytes": 10**9}, memory=5 * 10**8)
    assert child.problem() == "the memory budget of 500000000 bytes ended"
    child.end()
    child = start(file, {"bytes": 10**7}, memory=5 * 10**8)
    assert child.problem() is None
    assert child.answer()[0] == 10**7
    child.end()


@only_on_linux
def test_ending_a_child_leaves_nothing_behind(file: str) -> None:
    child = start(file, {"seconds": 600}, 100_000)
    pid = child.process.pid
    assert is_running(pid)
    child.end()
    wait_until(lambda: not Path(f"/proc/{pid}").exists())
