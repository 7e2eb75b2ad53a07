"""Runs plans: what the store has not yet is worked out, and stored chunk by chunk."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hanabi.lab.crew import Crew
from hanabi.lab.executors import Pool
from hanabi.lab.plan import Job, Pace, Range, missing
from hanabi.lab.progress import Progress
from hanabi.lab.store import Store
from hanabi.lab.work import Work, key_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["default_executor", "outcomes", "run", "unfinished"]

_AHEAD = 2


def default_executor(plan: Iterable[Job]) -> str:
    """Return the executor that suits a plan: `threads` if all of its work is compiled.

    >>> from hanabi.game import Rules
    >>> from hanabi.lab import Simulation
    >>> default_executor([Job(Simulation(("random",), Rules.official(2), seed=1), 10)])
    'threads'
    >>> default_executor([Job(Simulation(("first-legal",), Rules.official(2), seed=1), 10)])
    'processes'
    """
    return "threads" if all(job.work.is_compiled for job in plan) else "processes"


def unfinished(plan: Iterable[Job], store: Store) -> int:
    """Return how many items of a plan the store does not have."""
    return sum(
        count for job in plan for _, count in missing(store.ranges(key_of(job.work)), job.items)
    )


def run(
    plan: Sequence[Job],
    store: Store,
    *,
    executor: Pool,
    progress: Callable[[Progress], None] | None = None,
) -> None:
    """Do what is to be done, apart from what the store has already.

    Each chunk is stored as it ends. However the run is ended - by an interrupt, an error or a
    kill - the same plan goes on where it stopped: at most the chunks are lost that were being
    worked on. The results do not depend on the executor.

    Parameters
    ----------
    plan
        Jobs, done in this order.
    store
        Where the results go; this process alone writes to it.
    executor
        What `open_executor` gives.
    progress
        Called at the start and after each chunk, one call at a time, not always by this thread.

    Raises
    ------
    SolverError
        If a chunk kills its workers three times, a worker has other code, or all are gone.
    StoreError
        If the store cannot be written.
    Exception
        What a job raised, or `progress`.

    >>> from hanabi.game import Rules
    >>> from hanabi.lab import Simulation, open_executor
    >>> job = Job(Simulation(("first-legal",), Rules.official(2), seed=1), items=5)
    >>> store = Store.memory()
    >>> with open_executor("serial") as pool:
    ...     run([job], store, executor=pool)
    >>> outcomes(store, job).shape
    (5,)
    """
    coordinator = _Coordinator(plan, store, executor.workers, progress)
    crew = Crew(
        executor,
        _do,
        coordinator.take,
        most=executor.workers * _AHEAD,
        in_order=False,
        name=lambda piece: f"{piece.work.noun} {piece.first} to {piece.first + piece.count - 1}",
    )
    try:
        for open_job in coordinator.jobs:
            while (piece := open_job.next()) is not None:
                crew.submit(piece)
        crew.finish()
    except BaseException:
        crew.abandon()
        raise


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk that is handed to a worker."""

    job: int
    work: Work
    first: int
    count: int


def _do(piece: _Piece) -> tuple[bytes, float]:
    """Return the records of a chunk, and the seconds they took."""
    start = time.perf_counter()
    payload = piece.work.run(piece.first, piece.count)
    return payload, time.perf_counter() - start


@dataclass(slots=True)
class _OpenJob:
    """A job and what is left of it."""

    number: int
    work: Work
    key: str
    pace: Pace
    left: list[Range] = field(default_factory=list)

    def next(self) -> _Piece | None:
        """Take the next chunk off what is left."""
        if not self.left:
            return None
        first, count = self.left[0]
        _, size = self.pace.next((first, count))
        if size < count:
            self.left[0] = first + size, count - size
        else:
            del self.left[0]
        return _Piece(self.number, self.work, first, size)


class _Coordinator:
    """Knows what is left, stores what comes in, and says how far it is."""

    def __init__(
        self,
        plan: Sequence[Job],
        store: Store,
        workers: int,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._store, self._progress = store, progress
        self.jobs = [
            _OpenJob(number, job.work, store.add(job.work), Pace(job, workers))
            for number, job in enumerate(plan)
        ]
        planned: dict[str, int] = {}
        for open_job, job in zip(self.jobs, plan, strict=True):
            # The same work may be wanted twice.
            done = [*store.ranges(open_job.key), (0, planned.get(open_job.key, 0))]
            open_job.left = missing(done, job.items)
            planned[open_job.key] = max(planned.get(open_job.key, 0), job.items)
        self._total = sum(job.items for job in plan)
        left = sum(count for job in self.jobs for _, count in job.left)
        self._old, self._fresh = self._total - left, 0
        nouns = {job.work.noun for job in plan}
        self._noun = nouns.pop() if len(nouns) == 1 else "items"
        self._start = time.monotonic()
        self._tell()

    def take(self, piece: _Piece, result: tuple[bytes, float]) -> None:
        """Store a chunk."""
        payload, seconds = result
        job = self.jobs[piece.job]
        self._store.put(job.key, piece.first, piece.count, payload, seconds=seconds)
        job.pace.learn(piece.count, seconds)
        self._fresh += piece.count
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            seconds = time.monotonic() - self._start
            done = self._old + self._fresh
            self._progress(Progress(done, self._total, self._fresh, seconds, self._noun))


def outcomes(store: Store, job: Job) -> npt.NDArray[np.int64]:
    """Return the outcomes of the games of a finished job, `points << 1 | is_bombed`, by number.

    Raises
    ------
    StoreError
        If the store does not have them all.
    """
    import numpy as np

    return np.frombuffer(store.payload(key_of(job.work), job.items, width=2), "<u2").astype(
        np.int64
    )
