"""Identity of the code that made a result: results under one key must come from the same sources.

The sources are read when a process imports this module; later edits do not change the code that the
process already runs. But a module that it imports later comes from the file as it is then. So the
files are read again whenever more modules have been imported, and a process that may run a mixture
of two versions reports it. Other packages, and work that is defined elsewhere, are not checked.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from hanabi._version import __version__
from hanabi.ground.errors import SolverError
from hanabi.ground.sources import digest_of, sources_below

__all__ = ["Made", "check_made", "code_of_sources", "made", "own_code"]

T = TypeVar("T")
R = TypeVar("R")

_PACKAGE = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Made(Generic[R]):
    """A result, the code that made it (as `own_code` returns it), and the name of the machine."""

    result: R
    code: str
    host: str


def made(function: Callable[[T], R], value: T) -> Made[R]:
    """Return the result of a function for a value, with the code that made it."""
    result = function(value)
    return Made(result, own_code(), platform.node())  # the function may have imported more


def check_made(made: Made[R]) -> R:
    """Return the result if it comes from the code that this process started with.

    Raises SolverError if different code made it.

    >>> check_made(Made(3, own_code(), "here"))
    3
    >>> check_made(Made(3, "0.0.9 (5d41402abc4b2a76)", "there"))
    Traceback (most recent call last):
    hanabi.ground.errors.SolverError: a worker on there has hanabi 0.0.9 (5d41402abc4b2a76), not ...
    """
    if made.code != _OWN.first:
        raise SolverError(
            f"a worker on {made.host} has hanabi {made.code}, not {_OWN.first}: what it made is"
            " left out, all else is kept"
        )
    return made.result


def own_code() -> str:
    """Return the version of this package and a hash of the sources that this process runs.

    Two processes with the same text run the same code. A call takes 10 ms if more of the package
    was imported since the last call; otherwise its cost is negligible.

    >>> own_code() == own_code()
    True
    """
    return _OWN.tell()


def code_of_sources(package: Path = _PACKAGE) -> str:
    """Return the version of this package and a hash of the sources in a folder as they are now."""
    return f"{__version__} ({digest_of(sources_below(package))})"


class _OwnCode:
    """The code of this process, which forked workers share."""

    def __init__(self) -> None:
        self.first = self._name = code_of_sources()
        self._all, self._ours = len(sys.modules), _modules()

    def tell(self) -> str:
        """Return the name of the code imported so far."""
        if len(sys.modules) != self._all:
            self._all = len(sys.modules)
            if (ours := _modules()) != self._ours:
                self._ours = ours
                now = code_of_sources()
                if now != self.first:
                    self._name = f"{self.first}, edited to {now} while it ran"
        return self._name


def _modules() -> int:
    """Return how many modules of this package are imported."""
    return sum(name.startswith("hanabi.") for name in list(sys.modules))


_OWN = _OwnCode()
