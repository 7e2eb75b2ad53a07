"""Inputs without an end, without a name, and with the name of a site."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import Run

HANABI = [sys.executable, "-c", "import sys; from hanabi.front.app import main; sys.exit(main())"]
COMMANDS = ["solve -", "link -", "show -", "reduce -", "sat -", "explain -", "partition -"]
GIB = 1 << 30


def limit_memory() -> None:
    # Libraries of linear algebra reserve address space for each core; data is what is counted.
    resource.setrlimit(resource.RLIMIT_DATA, (2 * GIB, 2 * GIB))


def endless(text: str, command: str) -> tuple[int, str]:
    with subprocess.Popen(["yes", text], stdout=subprocess.PIPE) as source:
        run = subprocess.run(
            [*HANABI, *command.split()],
            stdin=source.stdout,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=600,
            preexec_fn=limit_memory,
        )
        source.terminate()
    return run.returncode, run.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory")
@pytest.mark.parametrize("command", ["solve -", "reduce -", "verify - {}"])
def test_an_endless_input_is_refused(tmp_path: Path, command: str) -> None:
    play = tmp_path / "play.json"
    play.write_text("[]", encoding="utf-8")
    status, err = endless("y" * 1000, command.format(play))
    assert status == 2
    assert err == "hanabi: error: standard input: an input of more than 512 MiB\n"


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory")
def test_an_endless_table_is_refused() -> None:
    assert endless('{"a": 1}' * 100, "partition -")[0] == 2


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory")
def test_an_endless_line_and_endless_blank_lines_are_refused() -> None:
    run = subprocess.run(
        [*HANABI, "solve", "/dev/zero"], capture_output=True, text=True, preexec_fn=limit_memory
    )
    assert run.returncode == 2
    assert run.stderr == "hanabi: error: /dev/zero: a line of more than 512 MiB\n"
    status, err = endless("", "solve -")
    assert (status, "begins with 1,000,000 blank lines" in err) == (2, True)


@pytest.mark.parametrize("command", [*COMMANDS, "verify - -"])
def test_an_empty_name_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("hand 1\nr1 r2\n", encoding="utf-8")
    words = ["" if word == "-" else word for word in command.split()]
    outcome = run(*words)
    assert (outcome.status, outcome.out) == (2, "")
    assert "The name of an input is empty." in outcome.err
    assert os.listdir() == ["a.txt"]  # noqa: PTH208


def test_a_folder_may_have_the_name_of_a_site(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hanab.live").mkdir()
    Path("hanab.live/1.txt").write_text("hand 1\nr1 r2\n", encoding="utf-8")
    one = run("solve", "hanab.live/1.txt", "--json")
    assert (one.status, '"winnable"' in one.out) == (0, True)
    many = run("solve", "hanab.live/")
    assert (many.status, '"winnable"' in many.out) == (0, True)
    assert "hanab.live/2.txt" in run("solve", "hanab.live/2.txt").err
