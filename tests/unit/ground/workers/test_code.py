"""Results that other code made are never stored."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hanabi
from hanabi.ground.errors import SolverError
from hanabi.ground.workers.code import Made, _OwnCode, code_of_sources, made, own_code
from hanabi.lab import Job, Pool, Store, key_of, open_executor, run
from hanabi.lab.lines import in_order
from unit.lab.works import Squares, squares

SOURCES = Path(hanabi.__file__).parent
OTHER = "0.0.9 (0123456789abcdef)"


class Strange(Executor):
    """Calls at once; from the tenth call on, as a worker with other code would."""

    def __init__(self, *_: object) -> None:
        self.calls = 0

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        result = function(*args, **kwargs)
        if self.calls >= 10:
            result = replace(result, code=OTHER, host="mars")
        future.set_result(result)
        return future


def test_a_chunk_of_other_code_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanabi.ground.workers.dispatch._ALONE_SECONDS", 0.0)
    store, job = Store.memory(), Job(Squares(), 100, chunk=5)
    with pytest.raises(SolverError) as error:
        run([job], store, executor=Pool(Strange, 2))
    told = f"a worker on mars has hanabi {OTHER}, not {own_code()}: what it made is left out"
    assert str(error.value).startswith(told)
    assert store.ranges(key_of(job.work)) == [(0, 45)]
    assert store.payload(key_of(job.work), 45) == squares(0, 45)


def test_a_stream_takes_no_result_of_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanabi.ground.workers.dispatch._ALONE_SECONDS", 0.0)
    found: list[int] = []
    with pytest.raises(SolverError, match="a worker on mars has hanabi"):
        in_order(str, range(50), lambda n, _: found.append(n), executor=Pool(Strange, 2))
    assert found == list(range(9))


@pytest.mark.parametrize(("text", "workers"), [("serial", 1), ("threads", 2), ("processes", 2)])
def test_code_that_was_edited_while_it_ran_is_noticed(
    text: str, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hanabi.ground.workers.dispatch._ALONE_SECONDS", 0.0)
    monkeypatch.setattr("hanabi.ground.workers.code._OWN", _OwnCode())
    monkeypatch.setattr("hanabi.ground.workers.code._OWN._all", 0)  # more are imported since ...
    monkeypatch.setattr("hanabi.ground.workers.code._OWN._ours", 0)
    monkeypatch.setattr(
        "hanabi.ground.workers.code.code_of_sources", lambda: OTHER
    )  # ... from these
    store, job = Store.memory(), Job(Squares(), 10)
    with (
        pytest.raises(SolverError, match=f"edited to {re.escape(OTHER)} while it ran"),
        open_executor(text, workers) as pool,
    ):
        run([job], store, executor=pool)
    assert store.ranges(key_of(job.work)) == []


def test_every_source_counts(tmp_path: Path) -> None:
    copy = tmp_path / "hanabi"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    same = code_of_sources(copy)
    assert same == code_of_sources() == own_code()
    kernel = copy / "rules/kernels/rules.py"
    text = kernel.read_text(encoding="utf-8")
    kernel.write_text(text + "# edited\n", encoding="utf-8")
    assert code_of_sources(copy) != same
    kernel.write_text(text, encoding="utf-8")
    (copy / "rules/kernels/rules.py").rename(copy / "rules/kernels/other.py")
    assert code_of_sources(copy) != same


def test_a_process_reports_the_code_that_it_imported(tmp_path: Path) -> None:
    copy = tmp_path / "hanabi"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    script = """
from pathlib import Path
from hanabi.ground.workers.code import code_of_sources, own_code

before = own_code()
with Path(__import__("hanabi").__file__).open("a") as file:
    file.write("# edited")
print(own_code() == before != code_of_sources())
import hanabi.lab.playability  # may have been edited: nobody knows
print(own_code() == f"{before}, edited to {code_of_sources()} while it ran")
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True\nTrue\n"


def test_what_is_made_names_its_maker() -> None:
    result = made(len, "abc")
    assert (result.result, result.code) == (3, own_code())
    assert result == Made(3, own_code(), result.host)
