"""`hanabi compile` compiles ahead, and says what that took."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from ...conftest import Run

COMPILE = [sys.executable, "-m", "hanabi", "compile"]


def with_cache(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(folder), "NUMBA_CACHE_DIR": ""}


def test_it_tells_what_it_took_and_then_that_all_was_ready(tmp_path: Path) -> None:
    first, second = (
        subprocess.run(
            [*COMPILE, "random", "hints", "random"],
            capture_output=True,
            text=True,
            check=True,
            env=with_cache(tmp_path),
        )
        for _ in range(2)
    )
    assert (first.stderr, second.stderr) == ("", "")
    seconds = r" +\d+\.\d s\n"
    assert re.fullmatch(
        f"(random{seconds}hints{seconds}|hints{seconds}random{seconds})"
        r"everything is ready after \d+\.\d s; the compiler took \d+\.\d s\n",
        first.stdout,
    )
    assert re.fullmatch(r"everything was ready: 2 parts, loaded in \d+\.\d s\n", second.stdout)


def test_an_interrupt_keeps_what_was_compiled(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMPILE, "hints", "rule-based", "-j", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=with_cache(tmp_path),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("hints ")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "hanabi: interrupted\n")
    names = [path.name for path in tmp_path.glob("hanabi/*/*")]
    assert any(name.startswith("solvers.hints.kernels.partition_hands") for name in names)


def test_what_cannot_be_kept_is_not_compiled_on(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = subprocess.run(
        [*COMPILE, "random", "rule-based"],
        capture_output=True,
        text=True,
        check=False,
        env=with_cache(tmp_path / "file"),
    )
    assert (done.returncode, done.stdout) == (2, "")
    reason = f"compiled code cannot be kept in {tmp_path}/file: File exists"
    assert done.stderr.startswith(f"hanabi: error: {reason}\n")


def test_other_parts_are_refused(run: Run) -> None:
    done = run("compile", "nonsense")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("hanabi: error: 'nonsense' is none of game, solve, ")
