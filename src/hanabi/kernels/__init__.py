"""Compiled code: plain loops over preallocated arrays, no input or output.

Importing this package imports Numba (0.3 s), so callers import it inside the function that needs
it, and small inputs never do.

Every kernel is declared with :func:`jit` or :func:`jit_inline`, never with a bare Numba decorator.
Numba's own cache goes stale when a callee in another file changes: the folder used here is named by
a hash of all kernel sources and of the bounds-check switch, so an upgraded package never runs old
machine code.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numba.core.config

__all__ = ["jit", "jit_inline"]

config: Any = numba.core.config  # its settings are made at import, unknown to a type checker
P = ParamSpec("P")
R = TypeVar("R")


def _cache_folder() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    digest.update(str(config.BOUNDSCHECK).encode())
    base = config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return str(Path(base) / "hanabi" / digest.hexdigest()[:16])


_CACHE_FOLDER = _cache_folder()


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` with Numba on first call: no GIL, cached on disk.

    With ``NUMBA_DISABLE_JIT=1`` the function runs as plain Python.
    """
    return _compile(function)


def jit_inline(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as `jit` does, into its callers.

    For helpers that take a record of many arrays: a call would pass every array's address, shape
    and strides, which can cost more than the helper's work.
    """
    return _compile(function, forceinline=True)


def _compile(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    # The locator reads the global setting while it decorates; other packages must not see ours.
    previous, config.CACHE_DIR = config.CACHE_DIR, _CACHE_FOLDER
    try:
        compiled = numba.njit(cache=True, nogil=True, **options)(function)
    finally:
        config.CACHE_DIR = previous
    return cast("Callable[P, R]", compiled)
