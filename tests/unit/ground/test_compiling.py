"""Who waits for the compiler is told so, and clocks leave the wait out."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from clocks import Time, stopped
from hanabi.front import app
from hanabi.ground import clock, compiling
from hanabi.ground.clock import Clock
from hanabi.ground.compiling import Compiling


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    with stopped(monkeypatch) as time:
        yield time


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch, time: Time) -> Compiling:
    """Return the compiler of a process in which nothing has been compiled."""
    monkeypatch.setattr(compiling, "_SECONDS", 0.05)
    monkeypatch.delenv("HANABI_QUIET", raising=False)
    return Compiling()


def test_a_long_wait_is_told_once(
    process: Compiling, time: Time, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        process.start("outer")
        process.start("inner")
        process.end()
        time.sleep(0.2)
        process.end()
    assert capsys.readouterr().err.count("compiling") == 1
    assert process.was_told


def test_many_short_waits_are_a_long_one(process: Compiling, time: Time) -> None:
    told: list[str | None] = []
    process.listener = told.append
    for number in range(30):
        process.start(f"kernel {number}")
        time.sleep(1 / 64)
        process.end()
    names = [name for name in told if name is not None]
    # The fourth takes the sum beyond a twentieth of a second while it is compiled.
    assert names == [f"kernel {number}" for number in range(3, 30)]
    assert told[-1] is None


def test_short_waits_are_not_told(
    process: Compiling, time: Time, capsys: pytest.CaptureFixture[str]
) -> None:
    process.start("kernel")
    process.end()
    time.sleep(0.2)
    assert capsys.readouterr().err == ""
    assert not process.was_told


def test_nobody_need_listen(
    process: Compiling, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    process.start("kernel")
    time.sleep(0.2)
    process.end()
    assert process.seconds == 0.2


def test_it_can_be_silenced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANABI_QUIET", "1")
    assert Compiling().listener is None


def test_clocks_stand_still_meanwhile(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    process = Compiling()
    process.listener = None
    monkeypatch.setattr(clock, "COMPILING", process)
    budget = Clock(3600)
    process.start("outer")
    for _ in range(2):
        process.start("inner")
        time.sleep(8)
        process.end()
        assert budget.elapsed == 0
    process.end()
    assert process.seconds == 16
    assert budget.elapsed == 0
    time.sleep(8)
    assert budget.elapsed == 8


def test_a_command_says_at_its_end_how_long_it_was(
    process: Compiling,
    time: Time,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(app, "COMPILING", process)
    assert app.main(["players"]) == 0
    assert capsys.readouterr().err == ""
    process.start("kernel")
    time.sleep(0.2)
    process.end()
    assert app.main(["players"]) == 0
    assert "\nhanabi: compiled for 0.2 s\n" in f"\n{capsys.readouterr().err}"
    assert app.main(["players"]) == 0
    assert capsys.readouterr().err == ""
