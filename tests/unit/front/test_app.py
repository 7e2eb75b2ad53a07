"""What concerns all commands: the help, the version, colors, suggestions, missing packages."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import cast

import pytest

from hanabi._version import __version__
from hanabi.front.app import main
from hanabi.front.menu import COMMANDS
from hanabi.shell.command.terminal import Color, colored_console, use_color

from ..conftest import Run

STREAM = "hand 1  r1 r2 r3"
ESCAPE = "\x1b["
EACH = [name for group in COMMANDS.values() for name in group]
HANABI = [sys.executable, "-m", "hanabi"]


class Terminal(io.StringIO):
    """Standard output as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Return a patch of an environment that says nothing about colors."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return monkeypatch


def is_colored(*words: str, terminal: bool) -> bool:
    """Return whether a command writes colors, to a terminal or into a pipe."""
    on = Terminal() if terminal else io.StringIO()
    with redirect_stdout(on):
        assert main(words) == 0
    assert on.getvalue()
    return ESCAPE in on.getvalue()


@pytest.mark.parametrize(
    ("choice", "variables", "terminal", "pipe"),
    [
        (None, {}, True, False),
        (None, {"NO_COLOR": "1"}, False, False),
        (None, {"TERM": "dumb"}, False, False),
        ("auto", {}, True, False),
        ("auto", {"NO_COLOR": "1"}, False, False),
        ("auto", {"TERM": "dumb"}, False, False),
        ("always", {}, True, True),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, True, True),
        ("never", {}, False, False),
        ("never", {"FORCE_COLOR": "1"}, False, False),
    ],
)
def test_colors(
    plain: pytest.MonkeyPatch,
    choice: str | None,
    variables: dict[str, str],
    terminal: bool,
    pipe: bool,
) -> None:
    for name, value in variables.items():
        plain.setenv(name, value)
    option = () if choice is None else ("--color", choice)
    assert is_colored("solve", STREAM, *option, terminal=True) is terminal
    assert is_colored("solve", STREAM, *option, terminal=False) is pipe
    if choice is not None:  # without the option, the library that lays out the help decides
        assert is_colored("solve", "--help", *option, terminal=True) is terminal
        assert is_colored("help", "solve", *option, terminal=False) is pipe


@pytest.mark.parametrize(
    "words",
    [
        ("--color", "always", "solve", STREAM),
        ("solve", "--color", "always", STREAM),
        ("solve", STREAM, "--color=always"),
        ("--color", "never", "solve", STREAM, "--color=always"),
    ],
)
def test_the_option_stands_anywhere_and_the_last_one_counts(words: tuple[str, ...]) -> None:
    assert is_colored(*words, terminal=False)
    assert not is_colored("solve", STREAM, terminal=False)  # it is forgotten after its command


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("solve", STREAM, "--color", "red"), '"red" for WHEN. Choose from: "auto", "always", "ne'),
        (("--color", "solve", STREAM), '"solve" for WHEN. Choose from: "auto", "always", "never"'),
        (("solve", STREAM, "--color="), '"" for WHEN. Choose from: "auto", "always", "never"'),
        (("solve", STREAM, "--color"), "WHEN requires an argument"),
        (("solve", "--", "--color", "always"), "'--color'"),
    ],
)
def test_a_wrong_choice_of_colors_is_refused(
    run: Run, words: tuple[str, ...], message: str
) -> None:
    outcome = run(*words)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err


def test_progress_follows_the_choice(plain: pytest.MonkeyPatch) -> None:
    for choice, expected in (("always", "standard"), ("never", None)):
        use_color(cast("Color", choice))
        assert colored_console(is_error=True).color_system == expected
    use_color("auto")
    plain.setenv("NO_COLOR", "1")
    assert colored_console(is_error=True).color_system is None


@pytest.mark.parametrize("words", [("-V",), ("--version",), ("solve", "-V")])
def test_the_version(run: Run, words: tuple[str, ...]) -> None:
    assert run(*words) == (0, f"hanabi {__version__}\n", "")


def test_help_is_a_command_too(run: Run) -> None:
    assert run("help") == run("--help")
    for command in EACH:
        assert run("help", command) == run(command, "--help")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("help slove", "no command 'slove': did you mean 'solve'?"),
        ("slove x", 'Unknown command "slove". Did you mean "solve"?'),
        ("solve --jsn x", "Unknown option: '--jsn'. Did you mean --json? Try"),
        ("solve x --jsn", "Unknown option: --jsn. Did you mean --json? Try"),
        ("solve --qqq x", "Unknown option: '--qqq'. Try"),
        ("help qqq", "no command 'qqq'; there are solve, review, "),
        ("simulate rule-basd", "no player 'rule-basd': did you mean 'rule-based'?"),
        ("simulate Rule_Based:hint=2", "no player 'Rule_Based:hint=2': did you mean 'rule-based'?"),
        ("simulate endgme/rule-based", "no player 'endgme/rule-based': did you mean 'endgame'?"),
        ("simulate endgame/rulebased", "no player 'rulebased': did you mean 'rule-based'?"),
        ("simulate qqq", "no player 'qqq'; there are first-legal, random, "),
        (
            "simulate rule-based:hnit=2",
            "no parameter 'hnit': did you mean 'hint'? Its parameters are hint, discard",
        ),
        ("simulate rule-based:qq=2", "no parameter 'qq'; its parameters are hint, "),
        ("practise hgroup:levl=2", "hgroup has no parameter 'levl': did you mean 'level'? Its"),
        ("review p2v0s5 --actions 03lb --conventions lvl=2", "did you mean 'level'?"),
        (
            "simulate random --rules oficial",
            "not a rule set: did you mean 'official'? There are official, multi",
        ),
        ("simulate random --rules qqq", "'qqq' is not a rule set; there are official, "),
        ("paper tabel1", "no experiment 'tabel1': did you mean 'table1'? There are table1, "),
        ("env goldn", "'goldn' is no action: did you mean 'golden'? There are expert, "),
        ("results exprt", "nor a file: did you mean 'export'?"),
        ("deck --variant Ranbow(5Suits)", "did you mean 'Rainbow (5 Suits)'?"),
    ],
)
def test_what_was_meant(run: Run, words: str, meant: str) -> None:
    outcome = run(*words.split())
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert meant in outcome.err


def test_completion_for_an_unknown_shell(tmp_path: Path) -> None:
    done = subprocess.run(
        [*HANABI, "--install-completion"],
        env={"HOME": str(tmp_path), "PATH": str(tmp_path)},  # no SHELL, and no `ps` to ask
        capture_output=True,
        text=True,
        check=False,
    )
    message = "the shell is not known: give --shell, one of bash, zsh, fish, powershell"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"hanabi: error: {message}\n"
    assert not list(tmp_path.iterdir())


# A child process in which a package is missing, or there but broken.
WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise {error}
sys.meta_path.insert(0, Missing())
from hanabi.__main__ import main
sys.argv = ["hanabi", *sys.argv[1:]]
sys.exit(main())
"""
GONE = 'ModuleNotFoundError(f"No module named {name!r}", name=name)'
BROKEN = 'ImportError("Numba needs NumPy 2.2 or less. Got NumPy 2.4.")'


@pytest.mark.parametrize(
    ("package", "error", "words", "message"),
    [
        ("numba", GONE, "simulate random -n 1", "No module named 'numba'"),
        ("numba", GONE, "simulate hanabi.players.baselines:FirstLegal -n 1", "named 'numba'"),
        ("numba", GONE, "tournament random first-legal -n 1", "No module named 'numba'"),
        ("numba", GONE, "review p2v0s5 --actions 03lbah1bbf", "No module named 'numba'"),
        ("numba", GONE, "solve p2v0s5", "No module named 'numba'"),
        ("numba", BROKEN, "simulate random -n 1", "Numba needs NumPy 2.2 or less. Got NumPy 2.4"),
        ("numba", BROKEN, "compile solve", "Numba needs NumPy 2.2 or less. Got NumPy 2.4"),
        ("numpy", GONE, "simulate random -n 1", "No module named 'numpy'"),
        ("cyclopts", GONE, "players", "No module named 'cyclopts'"),
        ("rich", GONE, "--help", "No module named 'rich"),
    ],
)
def test_a_missing_package_is_one_line(package: str, error: str, words: str, message: str) -> None:
    code = WITHOUT.format(package=package, error=error)
    done = subprocess.run(
        [sys.executable, "-c", code, *words.split()], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("hanabi: error: ")
    assert message in done.stderr
    assert "pip install ." in done.stderr


def test_a_module_of_ours_that_is_missing_is_a_fault_of_ours() -> None:
    code = WITHOUT.format(package="hanabi", error=GONE).replace(
        "name.partition(\".\")[0] == 'hanabi'", 'name == "hanabi.players.commands.players"'
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "players"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Traceback" in done.stderr
