"""The compiler of kernels: plain loops over preallocated arrays, without input or output.

Kernels live with their subjects, in folders named `kernels`. This package compiles and caches them,
and holds what all of them need: bit arithmetic and random streams. Importing it, or a kernel,
imports Numba (0.3 s). Callers therefore import inside the function that needs it, and small inputs
never do.

Declare every kernel with :func:`jit` or :func:`jit_inline`, never with a bare Numba decorator, so
that its compiled code is cached as :mod:`hanabi.ground.compiled.cache` describes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba.core.config
import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled.cache import KernelCache, cache_problem, is_hashed
from hanabi.ground.compiled.parts import Kernel, Pipeline

__all__ = ["Bytes", "RandomStream", "Words", "cache_problem", "jit", "jit_inline"]

Words = npt.NDArray[np.int64]
"""Integers: the type of most arrays in kernels."""
RandomStream = npt.NDArray[np.uint64]
"""The state of a random stream; see :mod:`hanabi.ground.compiled.rng`."""
Bytes = npt.NDArray[np.uint8]
"""Bits or flags, one per byte."""

config: Any = numba.core.config  # its settings are created at import, unknown to a type checker
P = ParamSpec("P")
R = TypeVar("R")


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` with Numba on first call: without the GIL, cached on disk.

    With ``NUMBA_DISABLE_JIT=1`` the function runs as plain Python.
    """
    return _compile(function)


def jit_inline(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as `jit` does, into its callers.

    Use it for helpers that take a record of many arrays. A real call would pass every array's
    address, shape and strides, which can cost more than the helper's work.
    """
    return _compile(function, forceinline=True)


def _compile(
    function: Callable[P, R], *, pipeline: type[Pipeline] = Pipeline, **options: Any
) -> Callable[P, R]:
    if config.DISABLE_JIT:
        return function
    options = {"nopython": True, "nogil": True, "boundscheck": None, **options}
    compiled: Any = Kernel(function, targetoptions=options, pipeline_class=pipeline)
    # The cache does not know the sources of other functions, such as those in tests.
    if is_hashed(function.__module__):
        compiled._cache = KernelCache(function)
    return cast("Callable[P, R]", compiled)
