"""Child processes of Python that import nothing from the current folder.

`multiprocessing` starts its children, and a tracker of their shared resources, with `python -c`,
which looks for modules in the current folder first: a `selectors.py` beside downloaded games would
run. Here they start with Python's safe path, as with `python -P`, and then get this process's
import path. (This fails if this process ignores the environment, as with `python -E`; `python -I`
is safe by itself.)
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess

__all__ = ["SafeSpawn", "safe_path"]

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
