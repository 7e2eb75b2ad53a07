from __future__ import annotations

import os
import threading

import pytest

from hanabi.ground.errors import InvalidInputError, MissingPackageError
from hanabi.lab import cores, open_executor


def test_where_the_work_is_done() -> None:
    with open_executor("threads", 2) as pool:
        assert pool.submit(threading.get_ident).result() != threading.get_ident()
        assert pool.submit(os.getpid).result() == os.getpid()
    with open_executor("processes", 2) as pool:
        assert pool.workers == 2
        assert pool.submit(os.getpid).result() != os.getpid()
        first = pool.submit(os.getppid).result()
        pool.reopen()
        assert pool.submit(os.getppid).result() == first == os.getpid()


def test_who_is_alone() -> None:
    for text, workers in (("serial", None), ("threads", 1), ("processes", 1)):
        with open_executor(text, workers) as pool:
            assert pool.is_alone
    with open_executor("threads", None) as pool:
        assert pool.workers == cores()


@pytest.mark.parametrize("text", ["", "thread", "dask", "ray://here:1"])
def test_unknown_executors(text: str) -> None:
    with pytest.raises(InvalidInputError, match="there are serial, threads"), open_executor(text):
        pass


@pytest.mark.parametrize("workers", [0, -1, 10_000, 10**19])
def test_bad_numbers_of_workers(workers: int) -> None:
    for text in ("threads", "processes", "serial"):
        with (
            pytest.raises(InvalidInputError, match=f"workers = {workers} is "),
            open_executor(text, workers),
        ):
            pass


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with (
        pytest.raises(MissingPackageError, match=r"pip install '\.\[distributed\]'"),
        open_executor("dask://127.0.0.1:1"),
    ):
        pass
