"""The command as a process of its own: imports, pipes, signals, terminals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hanabi._version import __version__

GAME = Path(__file__).parents[2] / "data/hanab_live/games/1876746.json"
HANABI = [sys.executable, "-m", "hanabi"]
PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
ENTRY = PROJECT["project"]["scripts"]["hanabi"].removesuffix(":main")  # as installed
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
        "from hanabi.front.app import main\n"
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


def test_ignored_interrupts_stay_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as nohup and scripts do
    try:
        process = subprocess.Popen(
            [*HANABI, "solve", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"cards": [[1, 0]], "hand_size": 0}\n' * 2)
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert len(process.stdout.readlines()) == 1
    assert process.returncode == 0


INTERRUPTED = """
import atexit, os, signal, sys

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

class Destroyed:
    def __del__(self):
        interrupt()

class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            {how}

sys.meta_path.insert(0, Finder())
sys.argv = ["hanabi", "deck"]
from {entry} import main
sys.exit(main())
"""


@pytest.mark.parametrize("how", ["interrupt()", "Destroyed()", "atexit.register(interrupt)"])
@pytest.mark.parametrize(
    "module", ["hanabi.shell.command", "hanabi.front.app", "cyclopts", "hanabi.front.commands.deck"]
)
def test_an_interrupt_may_come_during_imports_and_at_the_end(module: str, how: str) -> None:
    script = INTERRUPTED.format(module=module, how=how, entry=ENTRY)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "hanabi: interrupted\n")


def test_the_package_imports_next_to_nothing() -> None:
    """Until it is imported an interrupt would end in a traceback."""
    code = (
        f"import sys, {ENTRY};"
        "print(*sorted(name for name in sys.modules if name.startswith('hanabi')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "hanabi hanabi.__main__ hanabi._version\n"


def redirected(redirection: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *HANABI, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


PRINTING = [["--help"], ["--version"], ["deck", "--seed", "1"], ["count", "4x13"]]
CLOSED = "hanabi: error: standard input or output is closed\n"


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_closed_streams(arguments: list[str]) -> None:
    expected = hanabi(*arguments)
    assert expected.returncode == 0
    for closed in ("<&-", "2>&-", "<&- 2>&-"):
        done = redirected(closed, *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, expected.stdout, "")
    for closed in (">&-", "<&- >&-"):
        done = redirected(closed, *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", CLOSED)
    done = redirected(">&- 2>&-", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_closed_streams_with_bad_input() -> None:
    done = redirected("<&-", "solve", "-")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", CLOSED)
    done = redirected(">&-", "count", "--nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hanabi: error: ")
    done = redirected("2>&-", "count", "--nonsense")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_files_do_not_take_the_places_of_closed_streams(closed: str, tmp_path: Path) -> None:
    code = (
        "from hanabi.__main__ import _replace_closed_streams as replace; replace()\n"
        f"with open({str(tmp_path / 'file')!r}, 'w') as file: file.write(str(file.fileno()))"
    )
    command = ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", code]
    subprocess.run(command, check=True)
    assert int((tmp_path / "file").read_text()) > 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
def test_a_full_disk() -> None:
    for arguments in (*PRINTING, ["solve", str(GAME), "--solitaire", "--json"]):
        done = redirected(">/dev/full", *arguments)
        assert done.returncode == 2
        assert done.stderr == "hanabi: error: [Errno 28] No space left on device\n"
        assert redirected("2>/dev/full", *arguments).returncode == 0
    assert redirected("2>/dev/full", "count", "--nonsense").returncode == 2


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_pipe_that_is_closed_from_the_start(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*HANABI, *arguments], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (141, "")
    # With standard error in the same pipe, errors go nowhere.
    wrong = subprocess.run([*HANABI, "nonsense"], stdout=writer, stderr=writer, check=False)
    assert wrong.returncode == 2
    os.close(writer)


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


def test_a_cache_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = subprocess.run(
        [*HANABI, "link", str(GAME)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file"), "NUMBA_CACHE_DIR": ""},
    )
    assert done.stdout == hanabi("link", GAME).stdout
    assert done.stderr == (
        f"hanabi: note: compiled code cannot be kept in {tmp_path}/file: File exists;"
        " every run compiles the solvers anew\n"
    )
