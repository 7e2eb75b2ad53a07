"""Telling whoever waits for the compiler more than a second that it is at work, once a process."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

__all__ = ["Notice"]

_SECONDS = 1.0
_TEXT = "compiling what this needs, once: it is kept for the next time ...\n"


class Notice:
    """A line on standard error, unless `HANABI_QUIET` is set in the environment.

    Kernels are compiled one inside the other: the outermost one counts.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kernel: object = None
        self._timer: threading.Timer | None = None
        self._is_given = bool(os.environ.get("HANABI_QUIET"))

    def start(self, kernel: object) -> None:
        """Count the time from here, unless it is counted."""
        with self._lock:
            if self._is_given or self._kernel is not None:
                return
            self._kernel = kernel
            self._timer = threading.Timer(_SECONDS, self._give)
            self._timer.daemon = True
            self._timer.start()

    def end(self, kernel: object) -> None:
        """Stop counting, if this is the kernel that `start` began with."""
        with self._lock:
            if self._kernel is kernel and self._timer is not None:
                self._timer.cancel()
                self._kernel = None

    def _give(self) -> None:
        with self._lock:
            if self._is_given or self._kernel is None:
                return
            self._is_given = True
        with suppress(OSError, ValueError, AttributeError):  # standard error is closed, or is none
            clear = "\r\x1b[2K" if sys.stderr.isatty() else ""
            sys.stderr.write(f"{clear}{_TEXT}")
            sys.stderr.flush()
