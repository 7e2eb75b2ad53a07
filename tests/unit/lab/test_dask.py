"""A real cluster of dask with two workers, on this machine."""

from __future__ import annotations

import os
import signal

import pytest

from hanabi.errors import SolverError
from hanabi.game import Rules
from hanabi.lab import Job, Progress, Simulation, Store, key_of, open_executor, run

distributed = pytest.importorskip("distributed")


def test_a_cluster_plays_the_same_games_though_a_worker_is_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = Job(Simulation(("first-legal",), Rules.bergh2016(3), seed=1), 400, chunk=8)
    store = Store.memory()
    killed: list[int] = []
    monkeypatch.setattr("hanabi.lab.crew._PATIENCE", 0.0)  # the cluster does everything

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
        monkeypatch.setattr("hanabi.lab.executors.__version__", "0.0.0")
        with (
            pytest.raises(SolverError, match=r"have hanabi .*, not 0\.0\.0"),
            open_executor(address),
        ):
            pass
    assert len(killed) == 1
    assert store.payload(key_of(job.work), job.items) == job.work.run(0, job.items)


def test_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanabi.lab.executors._CONNECT_SECONDS", 1.0)
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0", host="127.0.0.1") as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        with pytest.raises(SolverError, match="has no workers"), open_executor(address):
            pass


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanabi.lab.executors._CONNECT_SECONDS", 0.2)
    with (
        pytest.raises(SolverError, match=r"no dask scheduler at 'dask://127\.0\.0\.1:1'"),
        open_executor("dask://127.0.0.1:1"),
    ):
        pass
