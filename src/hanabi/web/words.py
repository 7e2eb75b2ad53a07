"""How templates put things: in the words of hanab.live."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hanabi.errors import counted
from hanabi.game.telling import site_words
from hanabi.notation.links import link_note

__all__ = ["FILTERS", "said", "sentence"]


def said(name: str, told: str) -> str:
    """Return who did what, in the site's words.

    >>> said("Alice", "hints Bob: red (2 cards)")
    'Alice clues Bob: red (2 cards)'
    """
    return f"{name} {site_words(told)}"


def sentence(words: str) -> str:
    """Return words with a capital first letter.

    >>> sentence("CaDiCaL found none"), sentence("none was found")
    ('CaDiCaL found none', 'None was found')
    """
    return words[:1].upper() + words[1:]


FILTERS: dict[str, Callable[..., Any]] = {
    "site_words": site_words,
    "counted": counted,
    "link_note": link_note,
    "sentence": sentence,
}
"""By the names that templates use."""
