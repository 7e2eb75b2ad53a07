"""Overhead of the laboratory, and gain by workers: ``python -m benchmarks.lab [--dask]``."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import ClassVar
from unittest.mock import patch

from hanabi.lab import JSON, Job, Pool, Simulation, Store, key_of, open_executor, run
from hanabi.lab.work import Work
from hanabi.rules import Rules

RULES = Rules.bergh2016(3)
CHUNKS = 500


@dataclass(frozen=True)
class Nothing:
    """Work that takes no time, of a thousand records a chunk."""

    kind: ClassVar[str] = "nothing"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "items"
    is_compiled: ClassVar[bool] = True

    def config(self) -> dict[str, JSON]:
        """Return nothing."""
        return {}

    def run(self, first: int, count: int, /) -> bytes:  # noqa: ARG002
        """Return zeros."""
        return bytes(2 * count)


@contextmanager
def opened(text: str, workers: int = 2) -> Iterator[Pool]:
    """Open workers that have already started."""
    with open_executor(text, workers) as pool:
        if not pool.is_alone:
            wait([pool.submit(time.sleep, 0.2) for _ in range(pool.workers)])
        yield pool


def timed(job: Job, pool: Pool, path: str = ":memory:") -> tuple[float, float]:
    """Return the seconds a run takes, and those of this process's processor."""
    with closing(Store(path)) as store:
        wall, used = time.perf_counter(), time.process_time()
        run([job], store, executor=pool)
        return time.perf_counter() - wall, time.process_time() - used


def print_overhead(executors: list[str]) -> None:
    job = Job(Nothing(), 1_000 * CHUNKS, chunk=1_000)
    print(f"Microseconds for each of {CHUNKS:,} chunks without work\n")
    print(f"{'':<34}{'elapsed':>12}{'processor':>12}")
    for text in executors:
        with tempfile.TemporaryDirectory() as folder, opened(text) as pool:
            for where in (":memory:", f"{folder}/a.store"):
                with patch(
                    "hanabi.ground.workers.dispatch._ALONE_SECONDS", 0.0
                ):  # else this process does it alone
                    elapsed, used = timed(job, pool, where)
                name = f"{text.partition(':')[0]}, {'memory' if ':' in where else 'file'}"
                print(f"{name:<34}{1e6 * elapsed / CHUNKS:>12.0f}{1e6 * used / CHUNKS:>12.0f}")


def processor_seconds() -> float:
    """Return the processor time of this process and the workers that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def halved(work: Work, items: int) -> float:
    """Return the seconds that two workers take for half of the items each."""
    start_pool = ThreadPoolExecutor if work.is_compiled else ProcessPoolExecutor
    half = items // 2
    with start_pool(2) as pool:
        wait([pool.submit(time.sleep, 0.2) for _ in range(2)])
        start = time.perf_counter()
        wait([pool.submit(work.run, first, half) for first in (0, half)])
        return time.perf_counter() - start


def print_gain(executors: list[str]) -> None:
    """Compare two workers with one process that calls the work directly.

    Two workers without the laboratory, half of the work each, show the best possible gain while
    others use this machine. A run starts alone for half a second, so short runs gain less.
    """
    print(f"\nTwo workers on {os.cpu_count()} cores, beside the bare call of the same work\n")
    print(f"{'':<34}{'items/s':>12}{'gain':>12}{'processor':>12}")
    works: list[tuple[Work, int]] = [
        (Simulation(("rule-based",), RULES, seed=1), 800_000),
        (Simulation(("first-legal",), RULES, seed=1), 20_000),
    ]
    for work, items in works:
        work.run(0, 1)  # compiles
        start, used = time.perf_counter(), processor_seconds()
        work.run(0, items)
        bare, bare_used = time.perf_counter() - start, processor_seconds() - used
        name = str(work.config()["players"])[2:].partition(":")[0].rstrip("']")
        print(f"{name:<34}{items / bare:>12,.0f}{1.0:>12.2f}{1.0:>12.2f}")
        seconds = halved(work, items)
        print(f"  {'two, bare':<32}{items / seconds:>12,.0f}{bare / seconds:>12.2f}")
        for text in ["serial", *executors]:
            used = processor_seconds()
            with opened(text) as pool:
                seconds, _ = timed(Job(work, items), pool)
            used = processor_seconds() - used
            share = "" if text.startswith("dask") else f"{used / bare_used:>12.2f}"
            kind = text.partition(":")[0]
            print(f"  {kind:<32}{items / seconds:>12,.0f}{bare / seconds:>12.2f}{share}")


def print_resume() -> None:
    """Measure the time to skip a finished plan of many works."""
    works = [Simulation(("random",), RULES, seed=seed) for seed in range(500)]
    store = Store.memory()
    for work in works:
        key = store.add(work)
        for first in range(0, 10_000, 500):
            store.put(key, first, 500, bytes(1_000), seconds=0.0)
    plan = [Job(work, 10_000) for work in works]
    with open_executor("serial") as pool:
        start = time.perf_counter()
        run(plan, store, executor=pool)
        seconds = time.perf_counter() - start
    size = sum(len(store.payload(key_of(work), 10_000)) for work in works)
    print(f"\nA finished plan of {len(plan)} works, {size:,} bytes: skipped in {seconds:.2f} s")


def main(*, dask: bool = False) -> None:
    """Print the tables; with `dask`, for a cluster of two workers on this machine too."""
    executors = ["threads", "processes"]
    if not dask:
        print_overhead(["serial", *executors])
        print_gain(executors)
        print_resume()
        return
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as cluster:
        executors.append(cluster.scheduler_address.replace("tcp", "dask"))
        print_overhead(executors)
        print_gain(executors)


if __name__ == "__main__":
    main(dask="--dask" in sys.argv[1:])
