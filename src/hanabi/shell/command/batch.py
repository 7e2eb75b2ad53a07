"""Many inputs: one JSON line each, in order, by several processes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Protocol, TypeAlias

from hanabi.ground import Clock, HanabiError, open_executor
from hanabi.lab import in_order
from hanabi.shell.command.answers import document, is_open
from hanabi.shell.command.items import Item, Items
from hanabi.shell.command.kept import LineWriter, Marks
from hanabi.shell.command.terminal import BAD_INPUT, ProgressLine, complain, in_options
from hanabi.shell.session.problem import Question, read_problem
from hanabi.shell.session.solving import answer_of

__all__ = ["Table", "answer_many", "solve_many"]

Answer: TypeAlias = Callable[[str], dict[str, object]]

_CHUNK = 8
_SLOW, _MOST_SLOW = 5.0, 3  # seconds from which an item is named at the end, and how many are
_MANY = 10  # items from which on the slowest are named


class Table(Protocol):
    """A table that is written in place of JSON lines."""

    def add(self, name: str, data: Mapping[str, Any]) -> None:
        """Write the rows of an item, read from its JSON document."""

    def finish(self) -> None:
        """Write the end of the table."""


@dataclass(frozen=True, slots=True)
class _Answering:
    """Answer an item in a worker; an item that cannot be answered gives an error."""

    answer: Answer
    marks: Marks | None
    """What lines say beside the answer; None if no file keeps them."""

    def __call__(self, item: Item) -> str:
        # Before the answer: a file that changes meanwhile is answered again by the next run.
        digest = None if self.marks is None else self.marks.digest(item)
        data: dict[str, object]
        try:
            data = self.answer(item.text())
        except HanabiError as error:
            data = {"error": in_options(error)}
        except MemoryError:  # does not depend on the content alone: the item is tried again
            data, digest = {"error": "out of memory"}, None
        if self.marks is not None:
            data |= self.marks.of(data, digest)
        if self.marks is not None or item.name is not None or "error" in data:
            data |= item.key
        return json.dumps(data)


def solve_many(
    items: Items,
    question: Question,
    *,
    workers: int | None,
    output: str | None,
    table: Table | None = None,
) -> int:
    """Solve each item, as `answer_many` does; a table replaces the lines of JSON."""
    asked = {each.name: getattr(question, each.name) for each in fields(question)}
    budget = {"seconds": asked.pop("seconds")}
    if (memory := asked.pop("memory")) is not None:
        budget["memory"] = memory
    marks = Marks("solve", asked, budget, partial(is_open, question))
    writer = LineWriter(output, marks)
    return answer_many(items, partial(_solve, question), writer, workers=workers, table=table)


def _solve(question: Question, text: str) -> dict[str, object]:
    return document(answer_of(read_problem(text, question), question))


def answer_many(
    items: Items,
    answer: Answer,
    writer: LineWriter,
    *,
    workers: int | None,
    table: Table | None = None,
    executor: str = "processes",
) -> int:
    """Answer all items in order, including bad ones, and return the exit status.

    `answer` makes a JSON document of a text, by default in other processes (`executor`). A table
    replaces the lines of JSON.
    """
    found: Counter[str] = Counter()
    skipped = 0
    slowest: list[tuple[float, str]] = []
    clock = Clock()

    def unfinished() -> Iterator[Item]:
        nonlocal skipped
        for item in items.each:
            if writer.take(item):
                skipped += 1
            else:
                yield item

    try:
        with ProgressLine(prints=writer.path is None) as progress:

            def emit(item: Item, line: str) -> None:
                data = json.loads(line)
                if table is None:
                    writer.write(line)
                else:
                    table.add(item.label, data)
                if (seconds := data.get("seconds", 0.0)) >= _SLOW:
                    slowest.append((seconds, item.label))
                    slowest.sort(reverse=True)
                    del slowest[_MOST_SLOW:]
                found["error" if "error" in data else data.get("status", "answered")] += 1
                done = skipped + found.total()
                rate = found.total() / max(clock.elapsed, 1e-9)
                of = "" if items.total is None else f" of {items.total:,}"
                counts = ", ".join(f"{count:,} {what}" for what, count in found.most_common())
                message = f"{done:,}{of} {items.noun}, {rate:,.1f}/s: {counts}"
                progress(message, done, items.total)

            count = None if workers is None else max(workers, 1)
            with open_executor(executor, count) as pool:
                in_order(
                    _Answering(answer, None if writer.path is None else writer.marks),
                    unfinished(),
                    emit,
                    executor=pool,
                    chunk=1 if items.is_live else _CHUNK,
                    name=lambda item: " ".join(f"{key} {value}" for key, value in item.key.items()),
                )
    finally:
        writer.close()
    for note in writer.finish():
        complain(f"note: {note}")
    if table is not None:
        table.finish()
    if slowest and found.total() > _MANY:
        complain("slowest: " + ", ".join(f"{name} {seconds:.1f} s" for seconds, name in slowest))
    bad = found["error"] + writer.n_errors
    if bad:
        total = found.total() + skipped
        old = f", {writer.n_errors} as in an earlier run" if writer.n_errors else ""
        complain(f"error: {bad} of {total} {items.noun} could not be answered{old}")
    return BAD_INPUT if bad else 0
