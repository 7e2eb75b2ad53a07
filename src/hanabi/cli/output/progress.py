"""How far a command is, on standard error while it works, and only if that is a terminal."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hanabi.cli.output.terminal import is_dumb
from hanabi.compiling import COMPILING
from hanabi.errors import printable

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["ProgressLine"]

_AFTER, _EVERY = 0.3, 0.1  # seconds
_BAR = 20  # characters


class ProgressLine:
    """What a solver says while it works, and below it what is being compiled for that.

    Most answers come in the first moments, in which nothing is shown and Rich is not imported.
    Lines are drawn when something is said, not by a thread: workers are forked meanwhile.

    Parameters
    ----------
    prints
        Whether the command writes lines meanwhile: in a terminal they say enough.
    """

    def __init__(self, *, prints: bool = False) -> None:
        is_covered = prints and sys.stdout.isatty()
        self._is_on = sys.stderr.isatty() and not is_dumb() and not is_covered
        self._work: dict[str, Any] = {"description": "working ..."}
        self._compiled: dict[str, Any] = {"visible": False}
        self._display: Progress | None = None
        self._lock = threading.Lock()
        self._next = 0.0

    def __call__(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Show `message` in place of the one before, at most ten times a second.

        With a total, a bar shows how much is done.
        """
        self._work = {"description": printable(message), "completed": done, "total": total}
        self._draw()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Leave the place to what is written to standard output."""
        with self._lock:
            if self._display is None:
                yield
                return
            self._display.stop()
            yield
            self._display.start()

    def __enter__(self) -> ProgressLine:
        self._told = COMPILING.listener
        if self._is_on:
            if self._told is not None:
                COMPILING.listener = self._show_kernel
            self._next = time.monotonic() + _AFTER
            self._timer = threading.Timer(_AFTER, self._draw)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._is_on:
            return
        COMPILING.listener = self._told
        self._timer.cancel()
        with self._lock:
            self._is_on = False
            if self._display is not None:
                self._display.stop()

    def _show_kernel(self, kernel: str | None) -> None:
        if kernel is None:
            self._next = 0.0
            self._compiled = {"visible": False}
        else:
            text = f"compiling, once: {COMPILING.seconds:.0f} s, {kernel}"
            self._compiled = {"visible": True, "description": text}
        self._draw()

    def _draw(self) -> None:
        with self._lock:
            if not self._is_on or time.monotonic() < self._next:
                return
            display = self._display or _new_display()
            both = self._work, self._compiled
            for task, fields in zip(display.task_ids, both, strict=True):
                display.update(task, **fields)
            if self._display is None:
                self._display = display
                display.start()
            display.refresh()
            self._next = time.monotonic() + _EVERY


def _new_display() -> Progress:
    """Return a display of two tasks: the work, and the compiler."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    display = Progress(
        BarColumn(_BAR),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True, color_system=None if os.environ.get("NO_COLOR") else "auto"),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    for _ in range(2):
        display.add_task("", total=None)
    return display
