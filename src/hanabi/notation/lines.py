"""Line ends, treated alike by all readers.

Python's own `str.splitlines` also splits at form feeds and seven other characters that most editors
show as part of a line: what one reader takes for a comment, another would take for cards.
"""

from __future__ import annotations

from hanabi.errors import InvalidInputError, quote

__all__ = ["lines_of", "plain_text"]

_MARK = "\ufeff"
# Characters that end a line for some readers only, and characters that no text contains.
_REFUSED = ("\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\0", _MARK)


def plain_text(text: str) -> str:
    r"""Return text with each line end (CR, LF or both) as a line feed.

    A byte order mark at the beginning is dropped. O(length).

    Raises
    ------
    InvalidInputError
        If the text holds a character that ends a line for some readers only (vertical tab, form
        feed, file, group and record separators, next line, line and paragraph separators), a NUL
        or another byte order mark; the message gives its line and column.

    >>> plain_text("r1\r\nr2\rr3")
    'r1\nr2\nr3'
    """
    text = text.removeprefix(_MARK)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for character in _REFUSED:
        if character in text:
            before = text[: text.index(character)]
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            raise InvalidInputError(
                f"line {line}, column {column}: {quote(character)} does not belong into text;"
                " lines end with a line feed"
            )
    return text


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a text, without line ends; errors as in `plain_text`.

    >>> lines_of("c one\rp cnf 0 0\n")
    ['c one', 'p cnf 0 0']
    """
    return plain_text(text).removesuffix("\n").split("\n")
