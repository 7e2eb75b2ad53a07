"""Child processes that can be killed, end with their parent, and start with a safe import path."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.context import SpawnContext, SpawnProcess
from tempfile import TemporaryFile
from typing import Any

from hanabi.ground.workers import bare

__all__ = ["BareProcess", "SafeSpawn", "become_worker", "cores", "safe_path"]


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def become_worker(parent: int) -> None:
    """Make this child process a worker; messages and interrupts are left to its parent."""
    from hanabi.ground.compiling import COMPILING

    COMPILING.listener = None
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    bare.end_with_parent(parent)


# Child processes of Python that import nothing from the current folder.
#
# `multiprocessing` starts its children, and a tracker of their shared resources, with `python
# -c`, which looks for modules in the current folder first: a `selectors.py` beside downloaded
# games would run. Here they start with Python's safe path, as with `python -P`, and then get this
# process's import path. (This fails if this process ignores the environment, as with `python -E`;
# `python -I` is safe by itself.)

_SAFE = "PYTHONSAFEPATH"
_changing = threading.RLock()


@contextmanager
def safe_path() -> Iterator[None]:
    """Set the safe path for children started in this block; other threads wait for its end.

    >>> with safe_path():
    ...     os.environ["PYTHONSAFEPATH"]
    '1'
    """
    with _changing:
        before = os.environ.get(_SAFE)
        os.environ[_SAFE] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE]
            else:
                os.environ[_SAFE] = before


class _SafeProcess(SpawnProcess):
    """A process that starts with the safe path."""

    def start(self) -> None:
        """Start the process."""
        with safe_path():
            super().start()


class SafeSpawn(SpawnContext):
    """The start method `spawn` of `multiprocessing`, with the safe path.

    Anything else that starts children, such as a shared lock, needs a block of `safe_path`.

    >>> SafeSpawn().get_start_method()
    'spawn'
    """

    Process = _SafeProcess


# A bare child process: one call of one function, which can be ended at any moment.
#
# The child is an interpreter with the standard library alone. It starts fast, for it neither
# imports this package nor runs the main module again, as a child of `multiprocessing` does. The
# request goes through a pipe, the answer into a file without a name, so that nothing is left
# behind when this process is killed.

_SIGNS_OF_NO_MEMORY = (  # as Python ends then
    "memory", "alloc", "failed to map", "lost sys.stderr", "without setting an exception",
)  # fmt: skip


class BareProcess:
    """A running child that calls the function `answer` of a file.

    Parameters
    ----------
    file
        A Python file that imports only the standard library and packages outside this one. Its
        function `answer(request, numbers, send)` calls `send` with a JSON object, and then any
        number of `bytes`; of several answers the last one counts.
    request, numbers
        The arguments: a JSON object, and 32-bit integers, which arrive as an array.
    memory
        The most bytes of address space that the child may take (Linux).

    Raises
    ------
    OSError
        If the system starts no process.
    """

    def __init__(
        self, file: str, request: dict[str, Any], numbers: memoryview, memory: int | None = None
    ) -> None:
        self._memory = memory
        self._answer, self._errors = TemporaryFile(), TemporaryFile()  # noqa: SIM115 - see end
        # -S and -P: the child gets this process's module path in the request, no other.
        self.process = subprocess.Popen(  # noqa: S603 - this interpreter, our own file
            [sys.executable, "-S", "-P", bare.__file__],
            stdin=subprocess.PIPE,
            stdout=self._answer,
            stderr=self._errors,
        )
        orders = {
            "file": file,
            "request": request,
            "numbers": len(numbers),
            "path": [folder for folder in sys.path if folder],  # "" is the current folder
            "parent": os.getpid(),
            "memory": memory,
        }
        # A pipe takes some 64 kB at once; nobody waits until the child has read the rest.
        self._pipe: Any = self.process.stdin
        line = json.dumps(orders).encode() + b"\n"
        self._feeder = threading.Thread(target=self._feed, args=(line, numbers), daemon=True)
        self._feeder.start()

    def _feed(self, line: bytes, numbers: memoryview) -> None:
        """Write the request; the pipe stays open, which shows the child that we are there."""
        with suppress(OSError):  # the child has ended
            self._pipe.write(line)
            self._pipe.write(numbers)
            self._pipe.flush()

    @property
    def is_over(self) -> bool:
        """Whether the child has ended."""
        return self.process.poll() is not None

    def problem(self) -> str | None:
        """Wait for the child; return why it gave no answer, in one line, or None if it did."""
        code = self.process.wait()
        if code == 0:
            return None
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        died = signal.strsignal(-code) if code < 0 else f"exit code {code}"
        # Out of memory shows as a Python error or as one of many ways for C++ to give up.
        if self._memory is not None and any(sign in last.lower() for sign in _SIGNS_OF_NO_MEMORY):
            return f"the memory budget of {self._memory} bytes ended"
        return f"the process died ({died}) {last}".rstrip()

    def answer(self) -> tuple[Any, ...]:
        """Return what the function has sent last, in full; nothing if it has not sent anything.

        A child that is still at work is ended.
        """
        self.process.kill()
        self.process.wait()
        self._answer.seek(0)
        last: tuple[Any, ...] = ()
        while (line := self._answer.readline()).endswith(b"\n"):
            header = json.loads(line)
            parts = [self._answer.read(size) for size in header["sizes"]]
            if list(map(len, parts)) == header["sizes"]:
                last = header["answer"], *parts
        return last

    def end(self) -> None:
        """End the child, if it has not ended, and wait for it: nothing is left behind."""
        self.process.kill()
        self.process.wait()
        self._feeder.join()
        for file in (self._pipe, self._answer, self._errors):
            with suppress(OSError):  # what the child did not read is flushed in vain
                file.close()
