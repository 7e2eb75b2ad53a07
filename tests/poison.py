"""Poison in arrays that `numpy.empty` makes, so that an element that is read unwritten shows.

Bounds checks do not see such reads: memory that is new is mostly zero, and whatever else it holds
changes from run to run. This works only where kernels run as plain Python.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

Make = Callable[..., npt.NDArray[Any]]

_MAKERS: dict[str, Make] = {"empty": np.empty, "empty_like": np.empty_like}


def poison_of(kind: np.dtype[Any]) -> Any:
    """Return a value that no array of ours holds: as an index it is out of bounds.

    >>> poison_of(np.dtype(np.int64)), poison_of(np.dtype(np.uint8))
    (-4611686018427387904, 250)
    """
    if np.issubdtype(kind, np.floating):
        return np.nan
    if np.issubdtype(kind, np.signedinteger):
        return np.iinfo(kind).min // 2
    if np.issubdtype(kind, np.unsignedinteger):
        return np.iinfo(kind).max - 5
    return True


def fill_new_arrays() -> None:
    """Let `numpy.empty` and `numpy.empty_like` fill what they make, from now on."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        raise RuntimeError("HANABI_POISON needs NUMBA_DISABLE_JIT=1: compiled code is not poisoned")
    _replace({name: _poisoned(make) for name, make in _MAKERS.items()})


@contextmanager
def clean_arrays() -> Iterator[None]:
    """Make new arrays as usual for a while."""
    before = {name: getattr(np, name) for name in _MAKERS}
    _replace(_MAKERS)
    yield
    _replace(before)


def _replace(makers: dict[str, Make]) -> None:
    for name, make in makers.items():
        setattr(np, name, make)


def _poisoned(make: Make) -> Make:
    def filled(*args: Any, **options: Any) -> npt.NDArray[Any]:
        array = make(*args, **options)
        array[...] = poison_of(array.dtype)
        return array

    return filled
