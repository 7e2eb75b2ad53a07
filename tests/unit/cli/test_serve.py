"""`hanabi serve`: what it refuses before it serves anything; `tests/web` tests what it serves."""

from __future__ import annotations

import sys

import pytest

from hanabi.cli.app import main


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "jinja2"])
def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], package: str
) -> None:
    for name in [each for each in sys.modules if each.startswith("hanabi.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    for name in [each for each in sys.modules if each.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["serve", "--port", "0"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "pip install '.[web]'" in err
    assert package in err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--port", "65536"], "more than 65535"),
        (["--port", "-1"], "-1"),
        (["--host", "256.1.1.1"], "256.1.1.1"),
        (["--host", "no.such.host.invalid"], "no.such.host.invalid"),
        (["--player", "nobody"], "no player 'nobody'"),
        (["--player", "missing.py:Player"], "missing.py"),
    ],
)
def test_what_is_wrong_is_told(
    capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    port = [] if "--port" in words else ["--port", "0"]
    assert main(["serve", *port, *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert problem in err
