"""`hanabi serve`: what it refuses before it serves anything; `tests/web` tests what it serves."""

from __future__ import annotations

import socket
import subprocess
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from hanabi.front.app import main


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "jinja2"])
def test_without_the_extra_it_says_what_to_install(
    package: str,
) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None; from hanabi.front.app import main;"
        "sys.exit(main(['serve', '--port', '0']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "pip install '.[web]'" in done.stderr
    assert package in done.stderr


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


def test_a_port_that_is_taken_gets_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    assert capsys.readouterr().err.endswith("; --port 0 takes any free one\n")


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
def test_every_address_that_is_printed_is_answered(host: str) -> None:
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    command = [sys.executable, "-m", "hanabi", "serve", "--port", "0", "--host", host]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        try:
            lines = list(iter(it.stdout.readline, "(Ctrl-C ends it)\n"))
            addresses = [line.split()[-1] for line in lines]
            assert addresses[0].startswith("http://127.0.0.1:")
            assert all(each.startswith("for other machines") for each in lines[1:])
            assert host == "0.0.0.0" or len(lines) == 1
            for address in addresses:
                with urlopen(address) as answer:
                    assert answer.status == 200
            for foreign in ("evil.example", "0.0.0.0", "203.0.113.9"):
                with pytest.raises(HTTPError, match="421"):
                    urlopen(Request(addresses[0], headers={"Host": foreign}))
        finally:
            it.terminate()
