"""The loops of :mod:`hanabi.solitaire.kernels.linear`, compiled."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace
from typing import Any

from hanabi.ground.compiled import jit
from hanabi.solitaire.kernels import linear

__all__ = ["loops"]


def last_mark(marks: Any, stop: int) -> int:
    """Return the position of the last mark before one."""
    stop -= 1
    while not marks[stop]:
        stop -= 1
    return stop


# The functions look each other up here. By its name the cache knows which sources they are from.
_names: dict[str, Any] = {**vars(linear), "last_mark": last_mark, "__name__": __name__}
for _name, _loop in list(_names.items()):
    if isinstance(_loop, FunctionType):
        _names[_name] = jit(FunctionType(_loop.__code__, _names, _name))

loops = SimpleNamespace(**_names)
"""What `linear` has."""
