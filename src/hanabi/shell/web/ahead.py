"""What the pages need is compiled in the background, from the start and at low priority."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from hanabi.ground import Job, SolverError, State, Workshop

__all__ = ["PARTS", "Ahead", "Compile"]

Compile = Callable[[str], float]
"""Compiles a part in its process, and returns the seconds that this took."""

PARTS = (
    "rule-based",
    "solve",
    "endgame/rule-based",
    "chances",
    "hints",
    "solitaire",
    "count",
    "information",
    "endgame/information",
    "convention",
    "endgame/convention",
)
"""What the pages need, by the names of `hanabi compile`, the most likely first."""

_NAMES = {
    "solve": "the solver",
    "chances": "the exact chances",
    "hints": "the splits of clues",
    "solitaire": "the solitaire solvers",
    "count": "the counts",
}
_LONGEST = 900.0  # seconds for one part
_LOW = 10  # how much lower than the pages' own the priority of the compiler is


class Ahead:
    """Compiles parts one after the other in a child process, and knows which are ready.

    Parameters
    ----------
    compile_part
        What compiles a part, an importable function; None: everything counts as ready.
    parts
        The names of the parts.
    """

    def __init__(self, compile_part: Compile | None, parts: Iterable[str] = PARTS) -> None:
        self._shop = Workshop(1, 1_000)
        self._lock = threading.Lock()
        self._compile = compile_part
        self._jobs: dict[str, Job] = {}
        self._started: dict[str, float] = {}
        for part in parts if compile_part is not None else ():
            self._submit(part)

    def close(self) -> None:
        """End the process."""
        self._shop.close()

    def want(self, names: Iterable[str]) -> tuple[tuple[str, int], ...]:
        """Let these parts come next, and return those that are not ready.

        Each comes in words, with the seconds that it has been compiled for; a name that is no part
        counts as ready.
        """
        found = []
        with self._lock:
            wanted = [name for name in dict.fromkeys(names) if not self._is_ready(name)]
            if any(self._jobs[name].state is State.WAITING for name in wanted):
                self._reorder(wanted)
            for name in wanted:
                if self._jobs[name].state is State.RUNNING:
                    self._started.setdefault(name, time.monotonic())
                started = self._started.get(name)
                seconds = 0 if started is None else int(time.monotonic() - started)
                found.append((_NAMES.get(name, f"the player {name}"), seconds))
        return tuple(found)

    def _is_ready(self, name: str) -> bool:
        return name not in self._jobs or self._jobs[name].is_over

    def _reorder(self, first: list[str]) -> None:
        waiting = [name for name, job in self._jobs.items() if job.state is State.WAITING]
        if waiting[: len(first)] == [name for name in first if name in waiting]:
            return
        for name in waiting:
            self._jobs.pop(name).cancel()
        for name in sorted(waiting, key=lambda name: name not in first):
            self._submit(name)

    def _submit(self, part: str) -> None:
        with suppress(SolverError):  # the workshop is closed
            self._jobs[part] = self._shop.submit(
                _compile_gently, self._compile, part, seconds=_LONGEST
            )


def _compile_gently(tell: Callable[[object], None], compile_part: Compile, part: str) -> None:
    """Compile a part in a process that makes way for all others."""
    if hasattr(os, "nice") and os.nice(0) < _LOW:
        os.nice(_LOW)
    tell(compile_part(part))
