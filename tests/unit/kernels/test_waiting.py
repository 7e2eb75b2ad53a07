"""Who waits for the compiler is told so, once."""

from __future__ import annotations

import sys
import time

import pytest

from hanabi.compiled import waiting
from hanabi.compiled.waiting import Notice

INNER, OUTER = object(), object()


@pytest.fixture
def notice(monkeypatch: pytest.MonkeyPatch) -> Notice:
    monkeypatch.setattr(waiting, "_SECONDS", 0.05)
    monkeypatch.delenv("HANABI_QUIET", raising=False)
    return Notice()


def test_a_long_wait_is_told_once(notice: Notice, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        notice.start(OUTER)
        notice.start(INNER)
        notice.end(INNER)
        time.sleep(0.2)
        notice.end(OUTER)
    assert capsys.readouterr().err.count("compiling") == 1


def test_short_waits_are_not(notice: Notice, capsys: pytest.CaptureFixture[str]) -> None:
    notice.start(OUTER)
    notice.end(OUTER)
    time.sleep(0.2)
    assert capsys.readouterr().err == ""


def test_nobody_need_listen(notice: Notice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    notice.start(OUTER)
    time.sleep(0.2)
    notice.end(OUTER)


def test_it_can_be_silenced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "_SECONDS", 0.0)
    monkeypatch.setenv("HANABI_QUIET", "1")
    Notice().start(OUTER)
    time.sleep(0.1)
    assert capsys.readouterr().err == ""
