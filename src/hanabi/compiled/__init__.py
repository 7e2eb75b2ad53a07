"""What makes compiled code of kernels: plain loops over preallocated arrays, no input or output.

Kernels live with their subjects, in folders of the name `kernels`; this room knows how they are
compiled and kept, and holds what all of them need: bits and random streams. Importing it, or a
kernel, imports Numba (0.3 s), so callers do that inside the function that needs it, and small
inputs never do.

Every kernel is declared with :func:`jit` or :func:`jit_inline`, never with a bare Numba decorator,
so that its compiled code is kept as :mod:`hanabi.compiled.cache` says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba.core.config
import numpy as np
import numpy.typing as npt

from hanabi.compiled.cache import KernelCache, cache_problem, is_hashed
from hanabi.compiled.parts import Kernel, Pipeline

__all__ = ["Bytes", "RandomStream", "Words", "cache_problem", "jit", "jit_inline"]

Words = npt.NDArray[np.int64]
"""Whole numbers: what most arrays of kernels hold."""
RandomStream = npt.NDArray[np.uint64]
"""The state of a random stream, see :mod:`hanabi.compiled.rng`."""
Bytes = npt.NDArray[np.uint8]
"""Bits or flags, one a byte."""

config: Any = numba.core.config  # its settings are made at import, unknown to a type checker
P = ParamSpec("P")
R = TypeVar("R")


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


def _compile(
    function: Callable[P, R], *, pipeline: type[Pipeline] = Pipeline, **options: Any
) -> Callable[P, R]:
    if config.DISABLE_JIT:
        return function
    options = {"nopython": True, "nogil": True, "boundscheck": None, **options}
    compiled: Any = Kernel(function, targetoptions=options, pipeline_class=pipeline)
    # Of other functions, such as those of tests, the cache does not know the sources.
    if is_hashed(function.__module__):
        compiled._cache = KernelCache(function)
    return cast("Callable[P, R]", compiled)
