"""The words of players, explained where they are used: conventions by name, and other terms."""

from __future__ import annotations

import re

from hanabi.conventions import TERMS
from hanabi.rules import Audience, heard
from hanabi.shell.viewer.html import Html, escaped, parts_of

__all__ = ["explained"]

_part = parts_of("parts.html")
_MEANINGS = {str(escaped(name)): says for name, says in TERMS.items()}
_FORMS = (  # a term may begin a sentence
    re.escape(name) if name[0].isupper() else f"(?i:{name[0]}){re.escape(name[1:])}"
    for name in sorted(_MEANINGS, key=len, reverse=True)
)
_NAMES = re.compile(rf"(?<!\w)({'|'.join(_FORMS)})[sd]?(?!\w)")


def explained(text: str) -> Html:
    """Return text as HTML, in which conventions and terms have their meaning where they come first.

    The meaning is the title of a `dfn`. The style sheet of the player shows it when the word is
    touched or reached by the keyboard, too.

    >>> explained("It is r1 & a 5 Save")
    'It is r1 &amp; a <dfn tabindex="0" title="number 5 saves a 5 on chop">5 Save</dfn>'
    """
    told = set[str]()

    def mark(found: re.Match[str]) -> str:
        name = found[1] if found[1] in _MEANINGS else found[1].lower()
        if name in told:
            return found[0]
        told.add(name)
        meaning = heard(_MEANINGS[name]).to(Audience(hint="clue"))
        return _part("term", meaning=meaning, word=Html(found[0]))

    return Html(_NAMES.sub(mark, escaped(text.replace(" %", "\u00a0%"))))
