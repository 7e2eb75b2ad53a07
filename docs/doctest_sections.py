"""Give the examples of docstrings the heading that numpydoc has for them.

In the sources the first `>>>` is heading enough; the reference is laid out by sections.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

__all__ = ["DoctestSections"]

_FIRST = re.compile(r"(?:\A|\n\n)(?=>>> )")
_HEADING = "\n\nExamples\n--------\n"


class DoctestSections(griffe.Extension):
    """Puts a heading before the first example of a docstring that has none."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of an object that has been read."""
        if obj.docstring is not None and "\nExamples\n---" not in obj.docstring.value:
            obj.docstring.value = _FIRST.sub(_HEADING, obj.docstring.value, count=1)
