"""The time that this process spends compiling, and the notice to the user who waits.

`hanabi.ground.compiled` reports when it compiles; clocks exclude that time (`hanabi.ground.clock`).
This module does not import Numba, so that listeners can be set before any compilation starts.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

__all__ = ["COMPILING", "Compiling"]

Listener: TypeAlias = Callable[[str | None], None]

_SECONDS = 1.0
_NOTICE = (
    "compiling what this needs, once: it is kept for the next time"
    " (`hanabi compile` does it for everything) ...\n"
)
_NOTICE_EACH_TIME = "compiling what this needs, in every process anew: it cannot be kept ...\n"


class Compiling:
    """The time spent compiling; after the first second, the listener is called.

    Compilations nest, and only one thread compiles at a time.

    Attributes
    ----------
    listener
        Called with the name of each kernel compiled after the first second, and with None at the
        end; None: nothing is called. The initial listener writes one line to standard error; it is
        None if `HANABI_QUIET` is set in the environment.
    was_told
        Whether a listener has been told that the compiler is at work.

    >>> compiling = Compiling()
    >>> compiling.start("game.rules.play")
    >>> compiling.end()
    >>> 0 < compiling.seconds < 1
    True
    """

    def __init__(self) -> None:
        is_quiet = bool(os.environ.get("HANABI_QUIET"))
        self.listener: Listener | None = None if is_quiet else self._give_notice
        self.was_told = False
        self._depth = 0
        self._is_kept = True
        self._times: tuple[float, float | None] = 0.0, None  # one value: other threads read it
        self._timer: threading.Timer | None = None

    @property
    def seconds(self) -> float:
        """Seconds spent compiling so far."""
        return self.until(time.perf_counter())

    def until(self, now: float) -> float:
        """Return the seconds spent compiling up to a value of `time.perf_counter`."""
        seconds, started = self._times
        return seconds if started is None else seconds + now - started

    def start(self, kernel: str, *, is_kept: bool = True) -> None:
        """Start counting, unless an outer compilation is being counted already.

        Parameters
        ----------
        kernel
            Name of the kernel.
        is_kept
            Whether the compiled code is cached for the next process; that of a third-party policy
            is not.
        """
        self._depth += 1
        if self._depth == 1:
            self._is_kept = is_kept
            self._times = self._times[0], time.perf_counter()
        left = _SECONDS - self.seconds
        if left <= 0:
            self._tell(kernel)
        elif self._depth == 1:
            self._timer = threading.Timer(left, self._tell, [kernel])
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        """End the compilation that the last `start` began."""
        self._depth -= 1
        if self._depth == 0:
            self._times = self.seconds, None
            if self._timer is not None:
                self._timer.cancel()
            if self._times[0] > _SECONDS:
                self._tell(None)

    def _tell(self, kernel: str | None) -> None:
        if self.listener is not None:
            self.was_told |= kernel is not None
            self.listener(kernel)

    def _give_notice(self, _: str | None) -> None:
        self.listener = None
        with suppress(OSError, ValueError, AttributeError):  # standard error is closed or None
            sys.stderr.write(_NOTICE if self._is_kept else _NOTICE_EACH_TIME)
            sys.stderr.flush()


COMPILING = Compiling()
"""The compiler of this process."""
