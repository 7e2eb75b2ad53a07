"""Work on a stream of items that may still be coming in; the results come in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TypeVar

from hanabi.errors import quote
from hanabi.lab.dispatch import Dispatcher
from hanabi.lab.executors import Pool

__all__ = ["in_order"]

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 32


def in_order(
    work: Callable[[T], R],
    items: Iterable[T],
    emit: Callable[[T, R], None],
    *,
    executor: Pool,
    chunk: int = 1,
    name: Callable[[T], str] = quote,
) -> None:
    """Call `emit` with every item and what `work` makes of it, in order, as early as possible.

    This is for items that have no number and may not be known yet: lines that someone types, say.
    Numbered items are for `hanabi.lab.runner.run`.

    Parameters
    ----------
    work, items
        What to do with an item, and the items; more may be waited for.
    emit
        Called one item at a time, not always by this thread.
    executor
        What `open_executor` gives.
    chunk
        Items that are sent to a worker together.
    name
        What to call an item that kills its workers.

    Raises
    ------
    SolverError
        If an item kills its workers three times.
    Exception
        What `work` or `emit` raised, after everything before that item was passed on.

    >>> from hanabi.lab.executors import open_executor
    >>> with open_executor("threads", 2) as pool:
    ...     in_order(len, ["a", "bc"], lambda item, size: print(item, size), executor=pool)
    a 1
    bc 2
    """

    def emit_each(batch: list[T], results: list[R]) -> None:
        for item, result in zip(batch, results, strict=True):
            emit(item, result)

    def batches() -> Iterator[list[T]]:
        waiting = iter(items)
        while batch := list(islice(waiting, 1 if dispatcher.is_alone else chunk)):
            yield batch

    dispatcher = Dispatcher(
        executor,
        partial(_work_on, work),
        emit_each,
        most=executor.workers * _AHEAD,
        in_order=True,
        name=lambda batch: ", ".join(map(name, batch)),
    )
    dispatcher.run(batches())


def _work_on(work: Callable[[T], R], batch: list[T]) -> list[R]:
    return [work(item) for item in batch]
