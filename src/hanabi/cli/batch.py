"""`hanabi solve` on many inputs: one JSON line each, in order, by several processes."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hanabi.cli.items import Item, Items
from hanabi.cli.sink import FileSink, Sink
from hanabi.cli.task import Task
from hanabi.cli.terminal import BAD_INPUT, Progress, complain
from hanabi.errors import HanabiError
from hanabi.lab.executors import open_executor
from hanabi.lab.stream import in_order

__all__ = ["solve_many"]

_CHUNK = 8


@dataclass(frozen=True, slots=True)
class _Work:
    """What a worker does with an item; an item that cannot be answered gives its error."""

    task: Task
    is_keyed: bool

    def __call__(self, item: Item) -> str:
        data: dict[str, object]
        try:
            problem = self.task.read(item.text(), "")
            data = self.task.answer(problem, lambda _: None).to_json()
        except HanabiError as error:
            data = {"error": str(error)}
        except MemoryError:
            data = {"error": "out of memory"}
        if self.is_keyed or item.name is not None or "error" in data:
            data |= item.key
        return json.dumps(data)


class _Tally:
    """Counts the answers, and says how far it is while it goes on."""

    def __init__(self, items: Items, progress: Progress) -> None:
        self._items, self._progress = items, progress
        self._start = time.monotonic()
        self.found: Counter[str] = Counter()
        self.skipped = 0

    def add(self, line: str) -> None:
        data = json.loads(line)
        self.found["error" if "error" in data else data["status"]] += 1
        done = self.found.total()
        rate = done / max(time.monotonic() - self._start, 1e-9)
        total = "" if self._items.total is None else f" of {self._items.total:,}"
        counts = ", ".join(f"{count:,} {what}" for what, count in self.found.most_common())
        self._progress(
            f"{self.skipped + done:,}{total} {self._items.noun}, {rate:,.1f}/s: {counts}"
        )


def solve_many(items: Items, task: Task, *, workers: int | None, output: str | None) -> int:
    """Answer each item in its place, the bad ones too; return the exit status."""
    sink = Sink() if output is None else FileSink(output)
    try:
        with Progress() as progress:
            tally = _Tally(items, progress)

            def unfinished() -> Iterator[Item]:
                for item in items.each:
                    if sink.take(item):
                        tally.skipped += 1
                    else:
                        yield item

            def emit(_: Item, line: str) -> None:
                sink.write(line)
                tally.add(line)

            count = None if workers is None else max(workers, 1)
            with open_executor("processes", count) as executor:
                in_order(
                    _Work(task, sink.is_keyed),
                    unfinished(),
                    emit,
                    executor=executor,
                    chunk=1 if items.is_live else _CHUNK,
                    name=_name_of,
                )
    finally:
        sink.close()
    bad = tally.found["error"] + sink.n_errors
    if bad:
        total = tally.found.total() + tally.skipped
        complain(f"error: {bad} of {total} {items.noun} could not be answered")
    return BAD_INPUT if bad else 0


def _name_of(item: Item) -> str:
    return " ".join(f"{what} {value}" for what, value in item.key.items())
