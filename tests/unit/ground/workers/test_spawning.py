"""Modules in the current folder, as beside downloaded games, are run by no process of ours."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlencode

import pytest

DATA = Path(__file__).parents[3] / "data"
HANABI = shutil.which("hanabi", path=str(Path(sys.executable).parent)) or ""
# Modules that Python itself imports before the first line of a module that `-m` names: whoever
# fears these says `hanabi`, or `python -P -m hanabi`.
BY_PYTHON = {"collections", "contextlib", "functools", "importlib", "keyword", "operator"}
BY_PYTHON |= {"reprlib", "types", "warnings"}
OTHERS = {"cyclopts", "distributed", "hanabi", "numba", "numpy", "pycard", "pysat", "pysolvers"}
# What is loaded or started before this process is asked for anything: none of them is ours.
POISONED = sorted((sys.stdlib_module_names | OTHERS) - set(sys.builtin_module_names) - BY_PYTHON)

PLAYER = """
from hanabi.players import FirstLegal

class Bot(FirstLegal):
    pass
"""
WORKSHOP = """
from hanabi.shell.session.counts import count
from hanabi.ground.workers.workshop import Workshop

if __name__ == "__main__":
    shop = Workshop(workers=1, most_waiting=1)
    job = shop.submit(print, seconds=600)
    assert job.wait(100)
    print(job.state, job.problem)
    shop.close()
"""
SPAWN = """
from types import SimpleNamespace
from hanabi.ground.workers import pool as pools

if __name__ == "__main__":
    pools.sys = SimpleNamespace(platform="darwin")  # where workers are not forked
    with pools.open_executor("processes", 2) as pool:
        print(pool.submit(pow, 2, 10).result())
"""
SAT = """
from hanabi.ground.sat import Cnf, process

print(process.solve(Cnf(n_vars=1)).status)
"""
CACHE = """
from hanabi.ground.compiled import cache

print(cache._folder())
"""


@pytest.fixture
def poisoned(tmp_path: Path) -> Path:
    """Return a folder of modules each of which leaves its name in a file when it is imported."""
    folder, trace = tmp_path / "games", tmp_path / "trace"
    folder.mkdir()
    for name in POISONED:
        code = f"with open({str(trace)!r}, 'a') as file:\n    file.write('{name} ')\n"
        (folder / f"{name}.py").write_text(f"{code}raise ImportError('poison')\n")
    return folder


def start_of(folder: Path, *, is_module: bool) -> list[str]:
    """Return how the command is started."""
    if not is_module:
        return [HANABI]
    (folder / "hanabi.py").unlink()  # which is what `-m hanabi` would name
    return [sys.executable, "-m", "hanabi"]


def ran(folder: Path) -> str:
    trace = folder.parent / "trace"
    return trace.read_text() if trace.exists() else ""


def run(folder: Path, command: list[str], timeout: float = 600) -> str:
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=timeout,
        env=environment,
    )  # fmt: skip
    assert ran(folder) == "", done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.skipif(not HANABI, reason="the command is not installed beside this Python")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sat {data}/satlib/uf20-01.cnf", "s SATISFIABLE"),
        ("solve {data}/satlib/uf20-01.cnf --time 20", ""),
        ("solve {data}/hanab_live/games/2906.json", "winnable"),
        ("simulate random --games 4000 --executor processes -j 2", "4,000"),
        ("simulate ./my_bot.py:Bot --games 3 --seed 1", "my_bot.py:Bot"),
        ("simulate bots:Bot --games 3 --seed 1", "bots:Bot"),
        ("compile game", ""),
    ],
)
@pytest.mark.parametrize("is_module", [False, True], ids=["hanabi", "python -m hanabi"])
def test_commands_run_none(poisoned: Path, words: str, said: str, is_module: bool) -> None:
    (poisoned / "my_bot.py").write_text(PLAYER)
    if "bots:Bot" in words:  # from now on the folder is the last place to look for modules
        (poisoned / "bots.py").write_text(PLAYER)
        for name in POISONED:
            if name not in sys.modules and find_spec(name) is None:
                (poisoned / f"{name}.py").unlink()
    start = start_of(poisoned, is_module=is_module)
    assert said in run(poisoned, [*start, *words.format(data=DATA).split()])


@pytest.mark.parametrize(
    ("script", "said"),
    [(WORKSHOP, "done"), (SPAWN, "1024"), (SAT, "satisfiable")],
    ids=["workshop", "spawned workers", "solver"],
)
def test_children_of_a_script_run_none(poisoned: Path, script: str, said: str) -> None:
    place = poisoned.parent / "scripts"
    place.mkdir()
    (place / "script.py").write_text(script)
    assert said in run(poisoned, [sys.executable, str(place / "script.py")])


def test_compiled_code_is_not_read_from_where_a_file_in_the_folder_says(poisoned: Path) -> None:
    pytest.importorskip("yaml")
    evil = poisoned / "cache"
    evil.mkdir()
    (poisoned / ".numba_config.yaml").write_text(f"cache_dir: {evil}\n")
    place = poisoned.parent / "scripts"
    place.mkdir()
    (place / "script.py").write_text(CACHE)
    assert str(evil) not in run(poisoned, [sys.executable, str(place / "script.py")])
    assert not any(evil.iterdir())


@pytest.mark.skipif(find_spec("starlette") is None, reason="the extra `web` is not installed")
@pytest.mark.parametrize("is_module", [False, True], ids=["hanabi", "python -m hanabi"])
def test_a_job_of_the_page_runs_none(poisoned: Path, is_module: bool) -> None:
    start = start_of(poisoned, is_module=is_module or not HANABI)
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONSAFEPATH"}
    with subprocess.Popen(
        [*start, "serve", "--port", "0"], cwd=poisoned, stdout=subprocess.PIPE, text=True,
        env=environment,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            port = re.search(r":(\d+)/", process.stdout.readline())
            assert port is not None
            text = counted_by_the_page(int(port[1]))
        finally:
            process.kill()
    assert ran(poisoned) == ""
    assert "5,934" in text or "5934" in text


def counted_by_the_page(port: int) -> str:
    """Ask a page for a count, and return the page that shows it."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=600)) as connection:
        headers = {
            "Origin": f"http://127.0.0.1:{port}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        form = urlencode({"copies": "3,2,2,2,1", "colors": "1", "hand": "0"})
        connection.request("POST", "/count/new", form, headers)
        answer = connection.getresponse()
        answer.read()
        cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        deadline = time.monotonic() + 600
        while True:
            connection.request("GET", "/count", headers={"Cookie": cookie})
            text = connection.getresponse().read().decode()
            if "5,934" in text or "5934" in text or time.monotonic() > deadline:
                return text
            time.sleep(0.2)
