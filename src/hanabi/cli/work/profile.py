"""Where the time of players in Python goes."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hanabi.cli.output.terminal import Screen
from hanabi.errors import InvalidInputError, quote
from hanabi.report.tables import text_table

__all__ = ["check_profiled", "print_profile", "profiling"]

_SHOWN = 15
_LONGEST_PLACE = 44


def check_profiled(executor: str | None, workers: int | None) -> None:
    """Refuse to look at games that other processes or threads play.

    >>> check_profiled("processes", None)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: --profile looks at this process: not at 'processes'
    """
    if executor not in (None, "serial"):
        raise InvalidInputError(f"--profile looks at this process: not at {quote(executor)}")
    if workers not in (None, 1):
        raise InvalidInputError(f"--profile looks at this process: not at {workers} workers")


@contextmanager
def profiling() -> Iterator[cProfile.Profile]:
    """Look at what is called meanwhile."""
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        yield profiler
    finally:
        profiler.disable()


def print_profile(screen: Screen, profiler: cProfile.Profile) -> None:
    """Write the functions that took the most time themselves; compiled code counts as its caller's.

    Looking makes every call slower, so that many short functions seem longer than they are.
    """
    # The class fills this dictionary; its type is not declared.
    timed: dict[tuple[str, int, str], tuple[int, int, float, float, object]]
    timed = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    total = sum(own for _, _, own, _, _ in timed.values()) or 1.0
    first = sorted(timed.items(), key=lambda each: -each[1][2])[:_SHOWN]
    rows = [
        [_place(*where), f"{own / total:.0%}", f"{own:.2f}", f"{whole:.2f}", f"{calls:,}"]
        for where, (_, calls, own, whole, _) in first
    ]
    screen.line()
    screen.text(text_table(["where the time goes", "own", "s", "with calls", "calls"], rows))


def _place(file: str, line: int, name: str) -> str:
    """Return a function with the end of its path.

    >>> _place("bots/my_bot.py", 16, "act"), _place("~", 0, "<built-in method len>")
    ('my_bot.py:16 act', '<built-in method len>')
    """
    place = name if file == "~" else f"{Path(file).name}:{line} {name}"
    return place if len(place) <= _LONGEST_PLACE else f"{place[: _LONGEST_PLACE - 1]}…"
