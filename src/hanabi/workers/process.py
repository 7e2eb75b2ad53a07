"""A bare child process: one call of one function, which can be ended at any moment.

The child is an interpreter with the standard library alone. It starts fast, for it neither imports
this package nor runs the main module again, as a child of `multiprocessing` does. The request
goes through a pipe, the answer into a file without a name, so that nothing is left behind when this
process is killed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from tempfile import TemporaryFile
from typing import Any

from hanabi.workers import child

__all__ = ["BareProcess"]

_SIGNS_OF_NO_MEMORY = "memory", "alloc", "failed to map", "lost sys.stderr"  # as Python ends then


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
            [sys.executable, "-S", "-P", child.__file__],
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
