"""Converters for the command line that refuse what they would otherwise have to bend."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token
from cyclopts.exceptions import CycloptsError

from hanabi.errors import quote

__all__ = ["Count", "Seconds", "Source"]

_MOST = 2**64 - 1


def _count(_: Any, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    # The usual conversion would round 1.5 to 2.
    if not re.fullmatch(r"[0-9]{1,20}", text) or int(text) > _MOST:
        raise ValueError(f"{quote(text)} is not an integer >= 0.")
    return int(text)


def _seconds(_: Any, tokens: Sequence[Token]) -> float:
    text = tokens[0].value
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise ValueError(f"{quote(text)} is not a number of seconds >= 0.")
    return seconds


def _source(_: Any, tokens: Sequence[Token]) -> str:
    text = tokens[0].value
    if text.startswith("-") and text != "-":
        raise CycloptsError(msg=f"Unknown option: {quote(text)}.")
    if not text:
        raise CycloptsError(msg="The name of an input is empty.")
    return text


Count = Annotated[int, Parameter(converter=_count)]
"""An integer >= 0, below 2**64."""

Seconds = Annotated[float, Parameter(converter=_seconds)]
"""A number of seconds >= 0."""

Source = Annotated[str, Parameter(converter=_source, allow_leading_hyphen=True)]
"""A file, a link, or `-` for standard input."""
