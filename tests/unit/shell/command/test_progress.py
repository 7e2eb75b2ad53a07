"""Progress is for terminals: the work, and the compiler meanwhile."""

from __future__ import annotations

import io
import sys
import time
from contextlib import redirect_stderr

import pytest

from hanabi.ground.compiling import COMPILING
from hanabi.shell.command import terminal as progress
from hanabi.shell.command.terminal import ProgressLine


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True

    def take(self) -> str:
        """Return what was written since the last time."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text

    def lines(self) -> list[str]:
        """Return the lines last drawn, without their bars."""
        drawn = self.take().split("\x1b[2K")[-1].splitlines()
        return [line[progress._BAR :].strip() for line in drawn]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a terminal in which nobody waits for the first lines."""
    monkeypatch.setattr(progress, "_AFTER", 0)
    monkeypatch.setattr(progress, "_EVERY", 0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    return Terminal()


def test_the_last_message_is_shown_and_goes(terminal: Terminal) -> None:
    with redirect_stderr(terminal), ProgressLine() as line:
        line("half", 1, 2)
        line("all of it", 2, 2)
        assert terminal.lines() == ["all of it"]
    assert terminal.take().endswith("\x1b[1A\x1b[2K")


def test_the_compiler_has_a_line_of_its_own(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(_: str | None) -> None:
        raise AssertionError

    monkeypatch.setattr(COMPILING, "listener", other)
    with redirect_stderr(terminal), ProgressLine() as line:
        line("games")
        assert COMPILING.listener is not None
        COMPILING.listener("game.kernels.rules.play")
        work, compiler = terminal.lines()
        assert work == "games"
        assert compiler.startswith("compiling, once: ")
        assert compiler.endswith(" s, game.kernels.rules.play")
        COMPILING.listener(None)
        assert terminal.lines() == ["games"]
    assert COMPILING.listener is other


def test_who_wants_quiet_has_it(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(COMPILING, "listener", None)
    with redirect_stderr(terminal), ProgressLine():
        assert COMPILING.listener is None


def test_lines_are_written_in_its_place(terminal: Terminal) -> None:
    with redirect_stderr(terminal), ProgressLine() as line:
        line("work")
        terminal.take()
        with line.aside():
            assert terminal.take().endswith("\x1b[1A\x1b[2K")
        assert terminal.lines()[-1] == "work"


def test_short_work_shows_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_AFTER", 100)
    with redirect_stderr(terminal), ProgressLine() as line:
        line("work")
        with line.aside():
            pass
    assert terminal.take() == ""


def test_silent_work_is_shown_to_go_on(terminal: Terminal) -> None:
    with redirect_stderr(terminal), ProgressLine():
        until = time.monotonic() + 600  # until Rich is imported
        while "working ..." not in terminal.getvalue():
            assert time.monotonic() < until
            time.sleep(0.05)


def test_lines_in_the_same_terminal_say_enough(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    with redirect_stderr(terminal), ProgressLine(prints=True) as line:
        line("work")
    assert terminal.take() == ""


def test_dumb_terminals_get_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with redirect_stderr(terminal), ProgressLine() as line:
        line("work")
    assert terminal.take() == ""


def test_pipes_get_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    with redirect_stderr(terminal), ProgressLine() as line:
        line("work")
    assert terminal.take() == ""
