"""The command as a process of its own: imports, pipes, signals, terminals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hanabi._version import __version__

GAME = Path(__file__).parents[2] / "data/hanab_live/games/2906.json"
HANABI = [sys.executable, "-m", "hanabi"]
HEAVY = ("numpy", "numba", "pysat", "rich.console")


def hanabi(*arguments: object, text: str = "") -> subprocess.CompletedProcess[str]:
    words = [str(argument) for argument in arguments]
    return subprocess.run(
        [*HANABI, *words], input=text, capture_output=True, text=True, check=False
    )


def test_version() -> None:
    done = hanabi("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"hanabi {__version__}\n", "")


def test_help_names_every_command() -> None:
    done = hanabi("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(command in done.stdout for command in ("solve", "verify", "deck"))
    lines = hanabi("solve", "--help").stdout.splitlines()
    assert sum(" --" in line for line in lines) >= 10


@pytest.mark.parametrize(
    ("arguments", "text", "allowed"),
    [
        (["--help"], "", ["rich.console"]),
        (["--version"], "", ["rich.console"]),
        (["deck", "--seed", "1"], "", []),
        (["count", "4x13"], "", []),
        (["solve", str(GAME), "--solitaire", "--show"], "", []),
        (["solve", "-"], "hand 1\n3 1 2 4 6 2 5 4 1 6 5 3", []),
        (["solve", "-", "--least-hand"], "4 2 3 1", []),
        (["solve", "-"], "hand 1\nr2 r1 y1 y2 y1", []),
        (["solve", "-"], "hand 0\nr2 r1 y1 y2 y1", []),
        (["verify", "-", "/dev/null"], "hand 0\nr1", []),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_small_things_import_nothing_heavy(
    arguments: list[str], text: str, allowed: list[str]
) -> None:
    code = (
        "import sys\n"
        "from hanabi.cli.app import main\n"
        f"main({arguments!r})\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "print('LOADED', *loaded)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, text=True, check=True
    )
    loaded = done.stdout.splitlines()[-1].split()[1:]
    assert set(loaded) <= set(allowed)


def test_standard_input() -> None:
    done = hanabi("solve", "-", "--json", text="hand 1\nr2 r1")
    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "winnable")
    done = hanabi("solve", "-", text="hand 1\nr2 q1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hanabi: error: standard input: line 2, column 4: 'q1'")


def test_lines_are_answered_as_they_come() -> None:
    item = b'{"hand_size": 1, "cards": [[2, 0], [1, 0]]}\n'
    with subprocess.Popen(
        [*HANABI, "solve", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # Two lines show that there is an item a line; both are answered before the input ends.
        process.stdin.write(item * 2)
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert [answer["status"] for answer in answers] == ["winnable"] * 2
        process.stdin.write(item)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["status"] == "winnable"
        process.stdin.close()
        assert process.wait() == 0


def test_interrupt() -> None:
    with subprocess.Popen(
        [*HANABI, "solve", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"cards": [[1, 0]], "hand_size": 0}\n' * 2)
        process.stdin.flush()
        process.stdout.readline()  # it is at work, and now waits for more
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err) == (130, "hanabi: interrupted\n")


def test_a_closed_pipe_is_quiet() -> None:
    with subprocess.Popen(
        [*HANABI, "deck", "--count", "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
    assert (process.returncode, err) == (141, b"")


def in_terminal(*arguments: str, **environment: str) -> str:
    """Run the command in an 80-column terminal and return what it wrote."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    env |= {"TERM": "xterm-256color", "COLUMNS": "80", **environment}
    with subprocess.Popen(
        [*HANABI, *arguments], stdout=follower, stderr=follower, env=env
    ) as process:
        os.close(follower)
        written = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not piece:
                break
            written += piece
    os.close(leader)
    assert process.returncode == 0
    return written.decode()


def test_colors_in_a_terminal_only_and_never_under_no_color() -> None:
    command = ("solve", str(GAME), "--solitaire", "--show")
    assert "\x1b[31m" in in_terminal(*command)
    assert not re.search(r"\x1b\[[\d;]*m", in_terminal(*command, NO_COLOR="1"))
    assert "\x1b" not in in_terminal(*command, TERM="dumb")
    plain = hanabi(*command).stdout
    assert "\x1b" not in plain
    assert "+ from the hand" in plain


def test_an_ascii_terminal_gets_ascii() -> None:
    done = subprocess.run(
        [*HANABI, "solve", str(GAME), "--show"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.stdout.isascii()
