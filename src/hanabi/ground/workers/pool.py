"""Pools of workers: this process alone, threads, processes, or a dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

from hanabi.ground.errors import InvalidInputError, MissingPackageError, SolverError, counted, quote
from hanabi.ground.workers.child import SafeSpawn, become_worker, cores, safe_path
from hanabi.ground.workers.code import own_code

__all__ = ["Pool", "cores", "open_executor"]

P = ParamSpec("P")
T = TypeVar("T")

_KINDS = ("serial", "threads", "processes")
_DASK = "dask://"
_MOST_WORKERS, _MOST_A_CORE = 64, 4  # more cost memory and gain nothing
_CONNECT_SECONDS = 4.5  # to reach the machine, and again to hear from the scheduler
_WORKERS_SECONDS = 10
_MOST_GREETING = 1 << 20


@contextmanager
def open_executor(text: str, workers: int | None = None) -> Iterator[Pool]:
    """Open the workers that a text names; they end with the block.

    Parameters
    ----------
    text
        `serial`: this process alone. `threads`: for compiled work, which runs side by side.
        `processes`: for everything else. `dask://host:port`: the workers of a running
        dask.distributed scheduler, which must have this package too.
    workers
        Number of threads or processes, by default one for each processor; with 1, this process
        works alone. A cluster uses the workers it has.

    Raises
    ------
    InvalidInputError
        If the text names no executor, or `workers` is less than 1, or more than both 64 and four
        for each processor.
    SolverError
        If the scheduler cannot be reached, has no workers, or has workers with different code of
        this package.
    MissingPackageError
        If dask.distributed is not installed.

    >>> with open_executor("threads", 2) as pool:
    ...     pool.submit(pow, 2, 10).result()
    1024
    """
    if workers is not None and workers < 1:
        raise InvalidInputError(f"workers = {quote(workers)} is less than 1")
    most = max(_MOST_WORKERS, _MOST_A_CORE * cores())
    if workers is not None and workers > most:
        raise InvalidInputError(
            f"workers = {quote(workers)} is more than {most}; this machine has"
            f" {counted(cores(), 'processor')}"
        )
    if text.startswith(_DASK):
        with _cluster(text) as pool:
            yield pool
        return
    if text not in _KINDS:
        raise InvalidInputError(
            f"executor {quote(text)}: there are {', '.join(_KINDS)} and dask://host:port"
        )
    n = 1 if text == "serial" else workers or cores()
    threads = partial(ThreadPoolExecutor, thread_name_prefix="hanabi")
    pool = Pool(threads if text == "threads" else _processes, n)
    try:
        yield pool
    except BaseException:
        pool.abandon()
        raise
    pool.reopen()


class Pool:
    """Workers that start when they are first needed, and start again after they broke.

    A single remote worker is still used, a single local one is not. `killed` are the exceptions of
    an executor that replaces dead workers itself, raised when it gives up.
    """

    def __init__(
        self,
        start: Callable[[int], Executor],
        workers: int,
        *,
        is_remote: bool = False,
        killed: tuple[type[BaseException], ...] = (),
    ) -> None:
        self.workers = workers
        self.is_alone = workers == 1 and not is_remote
        self.killed = killed
        self._is_remote = is_remote
        self._start = start
        self._executor: Executor | None = None

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a worker call `function`.

        Raises
        ------
        concurrent.futures.BrokenExecutor
            If the workers broke: `reopen` the pool.
        """
        if self._executor is None:
            with _uninterrupted():
                self._executor = self._start(self.workers)
                # The processes start with the first call.
                return self._executor.submit(function, *args, **kwargs)
        return self._executor.submit(function, *args, **kwargs)

    def reopen(self) -> None:
        """Wait for the workers and end them; the next call starts new ones."""
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None

    def abandon(self) -> None:
        """End the workers at once: processes are killed, threads end after their current calls."""
        if self._executor is None:
            return
        processes = getattr(self._executor, "_processes", None) or {}
        for process in list(processes.values()):
            process.kill()
        if self._is_remote:  # dask's executor cancels by itself
            self._executor.shutdown(wait=False)
        else:
            # The processes are dead by now; without a wait Python may complain about them at exit.
            self._executor.shutdown(wait=bool(processes), cancel_futures=True)
        self._executor = None


def _processes(workers: int) -> Executor:
    # Forked workers find the compiled code in memory. Elsewhere forking is unsafe or impossible.
    is_forked = sys.platform == "linux"
    context = multiprocessing.get_context("fork") if is_forked else SafeSpawn()
    with safe_path():  # for the tracker of the locks that spawned workers share
        return ProcessPoolExecutor(
            workers, context, initializer=become_worker, initargs=(os.getpid(),)
        )


@contextmanager
def _cluster(text: str) -> Iterator[Pool]:
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise MissingPackageError(f"{text} needs dask.distributed", extra="distributed") from None
    address = _reach(text)
    try:
        client = dask.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SolverError(f"no dask scheduler at {quote(text)}: {error}") from None
    with client:
        _check_workers(client, text)
        pool = Pool(
            lambda _: client.get_executor(pure=False),
            sum(client.nthreads().values()),
            is_remote=True,
            killed=(dask.KilledWorker,),
        )
        try:
            yield pool
        finally:
            pool.abandon()


def _reach(text: str) -> str:
    """Return the address for dask, once something there sends a greeting like dask's.

    Dask itself keeps trying if nothing listens, and waits forever for a silent server. A scheduler
    speaks first: it sends the length of its message in eight bytes.
    """
    address = text.removeprefix(_DASK)
    try:
        parts = urlsplit(f"tcp://{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.netloc != address:
        raise InvalidInputError(f"executor {quote(text)}: the address is not dask://host:port")
    try:
        with (
            socket.create_connection((host, port), timeout=_CONNECT_SECONDS) as connection,
            connection.makefile("rb") as stream,
        ):
            size = int.from_bytes(stream.read(8), "little")
    except (OSError, ValueError) as error:  # the host may not resolve
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise SolverError(f"no dask scheduler at {quote(text)}: {reason}") from None
    if not 0 < size < _MOST_GREETING:
        raise SolverError(f"no dask scheduler at {quote(text)}: what is there is something else")
    return f"tcp://{address}"


def _check_workers(client: Any, text: str) -> None:
    try:
        client.wait_for_workers(1, timeout=_WORKERS_SECONDS)
    except TimeoutError:
        raise SolverError(f"the dask scheduler at {quote(text)} has no workers") from None
    try:
        found = set(client.run(own_code).values())
    except Exception as error:  # noqa: BLE001 (dask raises Exception itself)
        raise SolverError(
            f"a worker of {quote(text)} lacks this package, or this version: {error}"
        ) from None
    if found != {own_code()}:
        others = ", ".join(sorted(found - {own_code()}))
        raise SolverError(
            f"the workers of {quote(text)} have hanabi {others}, not {own_code()}: give all"
            " machines the same"
        )


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay an interrupt: Python's own hooks around a fork would swallow it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
