"""What lets a notebook show an object as its picture."""

from __future__ import annotations

from importlib import import_module
from typing import ClassVar

__all__ = ["Pictured"]


class Pictured:
    """An object that a module of its own room can draw; the module is imported when it does.

    It is named by text, as it knows the class and the class must not know it.
    """

    __slots__ = ()

    _drawn_by: ClassVar[str]
    """The module with a function `svg_of` of one argument, the object."""

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows: a stand-alone SVG."""
        svg: str = import_module(self._drawn_by).svg_of(self)
        return svg
