"""The words of players, explained where they are used: conventions by name, and other terms."""

from __future__ import annotations

import re
from functools import cache
from html import escape

from hanabi.conventions import MEANINGS
from hanabi.rules import Audience, heard

__all__ = ["explained"]


@cache
def _names() -> re.Pattern[str]:
    """Return a pattern of all names, longest first; terms may begin a sentence and end on s, d."""
    forms = (
        re.escape(name) if name[0].isupper() else f"(?i:{name[0]}){re.escape(name[1:])}"
        for name in sorted(MEANINGS, key=len, reverse=True)
    )
    return re.compile(rf"(?<!\w)({'|'.join(forms)})[sd]?(?!\w)")


def explained(text: str) -> str:
    """Return text as HTML, in which conventions and terms have their meaning where they come first.

    The meaning is the title of a `dfn`. The style sheet of the player shows it when the word is
    touched or reached by the keyboard, too.

    >>> explained("It is r1 & a 5 Save")
    'It is r1 &amp; a <dfn tabindex="0" title="number 5 saves a 5 on chop">5 Save</dfn>'
    """
    told = set[str]()

    def mark(found: re.Match[str]) -> str:
        name = found[1] if found[1] in MEANINGS else found[1].lower()
        if name in told:
            return found[0]
        told.add(name)
        meaning = escape(heard(MEANINGS[name]).to(Audience(hint="clue")))
        return f'<dfn tabindex="0" title="{meaning}">{found[0]}</dfn>'

    return _names().sub(mark, escape(text, quote=False))
