"""Runs of plans: everything that the store lacks is computed, and stored chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.ground import Clock, Dispatcher, Pool
from hanabi.lab.store import Store
from hanabi.lab.work import Job, Pace, Range, Work, key_of, missing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Progress", "default_executor", "outcomes", "run", "unfinished"]

_AHEAD = 2
_MINUTE, _HOUR = 60, 3600
_WHOLE = 100


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run.

    Attributes
    ----------
    done, total
        Items of the whole plan: those finished, in earlier runs too, and all.
    fresh
        Items finished in this run.
    seconds
        Seconds since this run began, not counting compilation.
    noun
        The plural noun for the items.

    >>> progress = Progress(done=3_000, total=10_000, fresh=1_000, seconds=10.0, noun="games")
    >>> progress.rate, progress.left
    (100.0, 70.0)
    >>> print(progress)
    3,000 of 10,000 games, 100 a second, 1 min 10 s left
    """

    done: int
    total: int
    fresh: int
    seconds: float
    noun: str = "items"

    @property
    def rate(self) -> float:
        """Items a second in this run; 0 before the first."""
        return self.fresh / self.seconds if self.fresh and self.seconds > 0 else 0.0

    @property
    def shown_rate(self) -> str:
        """Items a second as text: to three digits, or to a whole number from 100 on.

        >>> [Progress(n, n, n, seconds=7.0).shown_rate for n in (2, 10_000)]
        ['0.286', '1,429']
        """
        return f"{self.rate:,.0f}" if self.rate >= _WHOLE else f"{self.rate:.3g}"

    @property
    def left(self) -> float | None:
        """Seconds that the rest takes at this rate; None before the first item."""
        if self.done == self.total:
            return 0.0
        return (self.total - self.done) / self.rate if self.rate else None

    def __str__(self) -> str:
        text = f"{self.done:,} of {self.total:,} {self.noun}"
        if self.left is None:
            return text
        return f"{text}, {self.shown_rate} a second, {_duration(self.left)} left"


def _duration(seconds: float) -> str:
    """Return a time in words.

    >>> [_duration(seconds) for seconds in (4.2, 125, 7300)]
    ['4 s', '2 min 5 s', '2 h 1 min']
    """
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE} min"


def default_executor(plan: Iterable[Job]) -> str:
    """Return the executor that suits a plan: `threads` if all of its work is compiled.

    >>> from hanabi.rules import Rules
    >>> from hanabi.lab import Simulation
    >>> default_executor([Job(Simulation(("random",), Rules.official(2), seed=1), 10)])
    'threads'
    >>> default_executor([Job(Simulation(("first-legal",), Rules.official(2), seed=1), 10)])
    'processes'
    """
    return "threads" if all(job.work.is_compiled for job in plan) else "processes"


def unfinished(plan: Iterable[Job], store: Store) -> int:
    """Return how many items of a plan the store lacks."""
    return sum(
        count
        for job in plan
        for _, count in missing([*store.ranges(key_of(job.work)), (0, job.first)], job.items)
    )


def run(
    plan: Sequence[Job],
    store: Store,
    *,
    executor: Pool,
    progress: Callable[[Progress], None] | None = None,
) -> None:
    """Compute all items of a plan that the store lacks.

    Each chunk is stored as soon as it is finished. However the run ends - by an interrupt, an error
    or a kill - the same plan continues where it stopped: only the chunks in progress are lost. The
    results do not depend on the executor.

    Parameters
    ----------
    plan
        Jobs, done in this order.
    store
        The store for the results; only this process writes to it.
    executor
        The pool that `open_executor` returns.
    progress
        Called at the start and after each chunk, one call at a time, not always from this thread.

    Raises
    ------
    SolverError
        If a chunk kills its workers three times, a worker runs different code, or all workers are
        gone.
    StoreError
        If the store cannot be written.
    Exception
        Any exception of a job, or of `progress`.

    >>> from hanabi.rules import Rules
    >>> from hanabi.lab import Simulation, open_executor
    >>> job = Job(Simulation(("first-legal",), Rules.official(2), seed=1), items=5)
    >>> store = Store.memory()
    >>> with open_executor("serial") as pool:
    ...     run([job], store, executor=pool)
    >>> outcomes(store, job).shape
    (5,)
    """
    work = _Run(plan, store, executor.workers, progress)
    Dispatcher(
        executor,
        _do,
        work.take,
        most=executor.workers * _AHEAD,
        in_order=False,
        name=lambda piece: f"{piece.work.noun} {piece.first} to {piece.first + piece.count - 1}",
    ).run(work.pieces())


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk that is handed to a worker."""

    job: int
    work: Work
    first: int
    count: int


def _do(piece: _Piece) -> tuple[bytes, float]:
    """Return the records of a chunk, and the seconds they took."""
    clock = Clock()
    payload = piece.work.run(piece.first, piece.count)
    return payload, clock.elapsed


class _Run:
    """The state of a run: what is left, where results go, and the progress to report."""

    def __init__(
        self,
        plan: Sequence[Job],
        store: Store,
        workers: int,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._plan, self._store, self._progress = plan, store, progress
        self._keys = [store.add(job.work) for job in plan]
        self._paces = [Pace(job, workers) for job in plan]
        self._left: list[list[Range]] = []
        planned: dict[str, list[Range]] = {}
        for key, job in zip(self._keys, plan, strict=True):
            # A plan may contain the same work twice.
            before = planned.setdefault(key, [])
            done = [*store.ranges(key), *before, (0, job.first)]
            self._left.append(missing(done, job.items))
            before.append((job.first, job.items - job.first))
        self._total = sum(job.items - job.first for job in plan)
        self._old = self._total - sum(count for left in self._left for _, count in left)
        self._fresh = 0
        nouns = {job.work.noun for job in plan}
        self._noun = nouns.pop() if len(nouns) == 1 else "items"
        self._clock = Clock()
        self._tell()

    def pieces(self) -> Iterator[_Piece]:
        """Yield the chunks that are left, sized by the time that earlier chunks took."""
        for number, (job, pace) in enumerate(zip(self._plan, self._paces, strict=True)):
            for first, count in self._left[number]:
                end = first + count
                while first < end:
                    size = pace.size(first, end - first)
                    yield _Piece(number, job.work, first, size)
                    first += size

    def take(self, piece: _Piece, result: tuple[bytes, float]) -> None:
        """Store a chunk."""
        payload, seconds = result
        key = self._keys[piece.job]
        self._store.put(key, piece.first, piece.count, payload, seconds=seconds)
        self._paces[piece.job].learn(piece.count, seconds)
        self._fresh += piece.count
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            seconds, done = self._clock.elapsed, self._old + self._fresh
            self._progress(Progress(done, self._total, self._fresh, seconds, self._noun))


def outcomes(store: Store, job: Job) -> npt.NDArray[np.int64]:
    """Return the outcomes of the games of a finished job, `points << 1 | is_bombed`, by number.

    The job's work is a `Simulation`, recorded or not.

    Raises
    ------
    StoreError
        If the store lacks one of them.
    """
    import numpy as np

    width = getattr(job.work, "width", 2)
    records = store.payload(key_of(job.work), job.items, width=width)
    return np.frombuffer(records, "<u2")[:: width // 2].astype(np.int64)
