"""A real cluster of dask with two workers, on this machine."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import hanabi
from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.ground.workers.code import own_code
from hanabi.lab import Job, Progress, Simulation, Store, key_of, open_executor, run
from hanabi.rules import Rules

distributed = pytest.importorskip("distributed")


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a scheduler and its workers however busy the machine is."""
    monkeypatch.setattr("hanabi.ground.workers.pool._CONNECT_SECONDS", 600.0)
    monkeypatch.setattr("hanabi.ground.workers.pool._WORKERS_SECONDS", 600.0)


def test_a_cluster_plays_the_same_games_though_a_worker_is_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = Job(Simulation(("first-legal",), Rules.bergh2016(3), seed=1), 400, chunk=8)
    store = Store.memory()
    killed: list[int] = []
    monkeypatch.setattr(
        "hanabi.ground.workers.dispatch._ALONE_SECONDS", 0.0
    )  # the cluster does everything

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1"
    ) as cluster:

        def kill(progress: Progress) -> None:
            if progress.done >= 100 and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        address = cluster.scheduler_address.replace("tcp://", "dask://")
        with open_executor(address) as pool:
            assert pool.workers == 2
            assert pool.submit(os.getpid).result() in {w.pid for w in cluster.workers.values()}
            run([job], store, executor=pool, progress=kill)
    assert len(killed) == 1
    assert store.payload(key_of(job.work), job.items) == job.work.run(0, job.items)


@contextmanager
def stranger(cluster: Any, folder: Path, changed: str, text: str | None) -> Iterator[None]:
    """Have a worker join that runs a copy of the package where one file is another, or is gone."""
    copy = folder / "hanabi"
    shutil.copytree(Path(hanabi.__file__).parent, copy)
    if text is None:
        (copy / changed).unlink()
    else:
        with (copy / changed).open("a", encoding="utf-8") as file:
            file.write(text)
    n = len(cluster.scheduler.workers)
    worker = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address,
         "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder)],
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"},
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 600
        while len(cluster.scheduler.workers) == n:
            assert worker.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield
    finally:
        worker.kill()
        worker.wait()


@pytest.mark.parametrize(
    ("changed", "text", "message"),
    [
        ("rules/kernels/rules.py", "# edited\n", r"has hanabi \d\S+ \(\w{16}\), not "),
        ("_version.py", "__version__ = '9.9'\n", r"has hanabi 9\.9 \(\w{16}\), not "),
    ],
    ids=["edited kernel", "other version"],
)
def test_nothing_is_stored_of_a_worker_with_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str, text: str, message: str
) -> None:
    job = Job(Simulation(("first-legal",), Rules.bergh2016(3), seed=1), 10_000, chunk=8)
    store = Store.memory()
    others: list[object] = []
    monkeypatch.setattr("hanabi.ground.workers.dispatch._ALONE_SECONDS", 0.0)

    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1"
    ) as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")

        def join(progress: Progress) -> None:
            if progress.done >= 40 and not others:
                others.append(strange.__enter__())

        strange = stranger(cluster, tmp_path, changed, text)
        try:
            with pytest.raises(SolverError, match=message), open_executor(address) as pool:
                run([job], store, executor=pool, progress=join)
            again = message.replace("has", "have") + re.escape(own_code())
            with pytest.raises(SolverError, match=again), open_executor(address):
                pass
        finally:
            strange.__exit__(None, None, None)
    # What is stored is finished without workers, and is what it would be without that one.
    assert 40 <= sum(chunk.count for chunk in store.chunks(key_of(job.work))) < job.items
    few = Job(job.work, 400)
    with open_executor("serial") as pool:
        run([few], store, executor=pool)
    assert store.payload(key_of(few.work), few.items) == few.work.run(0, few.items)


def test_a_worker_without_the_package_is_refused(tmp_path: Path) -> None:
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0", host="127.0.0.1") as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        with (
            stranger(cluster, tmp_path, "ground/workers/code.py", None),
            pytest.raises(SolverError, match="lacks this package"),
            open_executor(address),
        ):
            pass


def test_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanabi.ground.workers.pool._WORKERS_SECONDS", 1.0)
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0", host="127.0.0.1") as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        with pytest.raises(SolverError, match="has no workers"), open_executor(address):
            pass


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", r"no dask scheduler at 'dask://127\.0\.0\.1:1': Connection refused"),
        ("no.such.invalid:1", r"no dask scheduler at 'dask://no\.such\.invalid:1': "),
        (f"{'x' * 70}.invalid:1", "no dask scheduler at 'dask://xxx"),
    ],
)
def test_no_scheduler(address: str, message: str) -> None:
    with pytest.raises(SolverError, match=message), open_executor(f"dask://{address}"):
        pass


@pytest.mark.parametrize(
    "address", ["", "here", "here:", ":1", "a:0", "a:99999", "tcp://a:1", "[::1"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with (
        pytest.raises(InvalidInputError, match="the address is not dask://host:port"),
        open_executor(f"dask://{address}"),
    ):
        pass


@pytest.mark.parametrize(
    ("says", "message"), [(b"", "timed out"), (b"SSH-2.0-x\r\n", "what is there is something else")]
)
def test_what_accepts_but_is_no_scheduler(
    monkeypatch: pytest.MonkeyPatch, says: bytes, message: str
) -> None:
    if not says:  # silence lasts as long as we wait
        monkeypatch.setattr("hanabi.ground.workers.pool._CONNECT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            connection, _ = server.accept()
            connection.sendall(says)
            connection.recv(1)
            connection.close()

        thread = threading.Thread(target=greet)
        thread.start()
        address = f"dask://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(SolverError, match=message), open_executor(address):
            pass
        thread.join()


def test_a_wrong_address_is_told_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Simulation, "run", lambda *_: pytest.fail("compiled first"))
    assert main(["simulate", "random", "--executor", "dask://127.0.0.1:1"]) == 2
    assert "no dask scheduler at 'dask://127.0.0.1:1'" in capsys.readouterr().err
