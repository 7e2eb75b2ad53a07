"""Who waits for the compiler is told so, and clocks leave the wait out."""

from __future__ import annotations

import re
import sys
import time

import pytest

from hanabi import clock, compiling
from hanabi.cli import app
from hanabi.clock import Clock
from hanabi.compiling import Compiling


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Compiling:
    """Return the compiler of a process in which nothing has been compiled."""
    monkeypatch.setattr(compiling, "_SECONDS", 0.05)
    monkeypatch.delenv("HANABI_QUIET", raising=False)
    return Compiling()


def test_a_long_wait_is_told_once(process: Compiling, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        process.start("outer")
        process.start("inner")
        process.end()
        time.sleep(0.2)
        process.end()
    assert capsys.readouterr().err.count("compiling") == 1
    assert process.was_told


def test_many_short_waits_are_a_long_one(process: Compiling) -> None:
    told: list[str | None] = []
    process.listener = told.append
    for number in range(30):
        process.start(f"kernel {number}")
        time.sleep(0.01)
        process.end()
    names = [name for name in told if name is not None]
    assert 0 < len(names) < 30
    assert names == [f"kernel {number}" for number in range(30 - len(names), 30)]
    assert told[-1] is None


def test_short_waits_are_not_told(process: Compiling, capsys: pytest.CaptureFixture[str]) -> None:
    process.start("kernel")
    process.end()
    time.sleep(0.2)
    assert capsys.readouterr().err == ""
    assert not process.was_told


def test_nobody_need_listen(process: Compiling, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    process.start("kernel")
    time.sleep(0.2)
    process.end()
    assert process.seconds >= 0.2


def test_it_can_be_silenced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANABI_QUIET", "1")
    assert Compiling().listener is None


def test_clocks_stand_still_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Compiling()
    process.listener = None
    monkeypatch.setattr(clock, "COMPILING", process)
    budget = Clock(3600)
    process.start("outer")
    for _ in range(2):
        process.start("inner")
        time.sleep(0.05)
        process.end()
        assert budget.elapsed < 0.05
    process.end()
    assert process.seconds >= 0.1
    assert budget.elapsed < 0.05
    time.sleep(0.05)
    assert budget.elapsed >= 0.05


def test_a_command_says_at_its_end_how_long_it_was(
    process: Compiling, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "COMPILING", process)
    assert app.main(["players"]) == 0
    assert capsys.readouterr().err == ""
    process.start("kernel")
    time.sleep(0.2)
    process.end()
    assert app.main(["players"]) == 0
    assert re.search(r"^hanabi: compiled for 0\.\d s$", capsys.readouterr().err, re.MULTILINE)
    assert app.main(["players"]) == 0
    assert capsys.readouterr().err == ""
