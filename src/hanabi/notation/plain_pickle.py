"""Lists of whole numbers in a pickle, read without Python's unpickler, which runs what one says.

Of the language of pickles only what makes lists and whole numbers is known here. Nothing is called,
looked up or remembered, and a file that says anything else is refused where it says it. Entries of
the outermost list come as they are read: a pickler writes a thousand of them at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hanabi.errors import InvalidInputError, quote

__all__ = ["entries_of_pickle"]

_SMALL = re.compile(rb"(?:K.)+", re.DOTALL)  # a run of numbers below 256: most of an action
_MARK, _EMPTY, _LIST, _APPEND, _APPENDS, _STOP = b"(", b"]", b"l", b"a", b"e", b"."
# What says only where something could be found again, or how the file is cut: bytes to leave out.
_SKIPPED = {b"\x80": 1, b"\x95": 8, b"q": 1, b"r": 4, b"\x94": 0}
# Numbers of a given size, and those that give their size in so many bytes: little-endian, signed.
_SIZED = {b"K": (1, False), b"M": (2, False), b"J": (4, True)}
_LONG = {b"\x8a": 1, b"\x8b": 4}
_TEXT = re.compile(rb"(-?[0-9]{1,4000})L?\n")


def entries_of_pickle(data: bytes) -> Iterator[Any]:
    """Yield the entries of a pickled list: whole numbers, lists of these, and so on. O(bytes).

    All protocols are read, those of Python 2, too. A list that stands in two places is refused.

    Raises
    ------
    InvalidInputError
        If the pickle says anything else, or breaks off; entries before that have been yielded.

    >>> import pickle
    >>> list(entries_of_pickle(pickle.dumps([[1, 2], -3, [[]]])))
    [[1, 2], -3, [[]]]
    >>> list(entries_of_pickle(pickle.dumps([print], protocol=2)))
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: byte 5: b'c' makes no list and no whole number
    """
    stack: list[Any] = []
    marks: list[int] = []
    at = 0
    while True:
        run = _SMALL.match(data, at)
        if run is not None:
            stack.extend(data[at + 1 : run.end() : 2])
            at = run.end()
        start, code = at, data[at : at + 1]
        at += 1
        if code in _SKIPPED:
            at += _SKIPPED[code]
        elif code == b"p":
            at = _after_line(data, at)
        elif code == _MARK:
            marks.append(len(stack))
        elif code == _EMPTY:
            stack.append([])
        elif code == _LIST:  # protocol 0 closes a list before it fills it
            added = _since(stack, marks, start)
            stack.append(added)
        elif code in (_APPEND, _APPENDS):
            if code == _APPEND:
                marks.append(len(stack) - 1)
            added = _since(stack, marks, start)
            target = _top_list(stack, marks, start)
            if len(stack) > 1:
                target.extend(added)
            else:
                yield from added
        elif code == _STOP:
            if len(stack) != 1 or _top_list(stack, marks, start):
                raise InvalidInputError(f"byte {start}: the pickle ends within a list")
            return
        else:
            number, at = _number(data, start)
            stack.append(number)


def _since(stack: list[Any], marks: list[int], start: int) -> list[Any]:
    """Take what was pushed since the last mark."""
    if not marks or not 0 <= marks[-1] <= len(stack):
        raise InvalidInputError(f"byte {start}: a list ends that did not begin")
    first = marks.pop()
    added = stack[first:]
    del stack[first:]
    return added


def _top_list(stack: list[Any], marks: list[int], start: int) -> list[Any]:
    """Return the list on the top of the stack, to which entries are added."""
    if not stack or not isinstance(stack[-1], list) or (marks and marks[-1] >= len(stack)):
        raise InvalidInputError(f"byte {start}: there is no list for the entries")
    top: list[Any] = stack[-1]
    return top


def _number(data: bytes, start: int) -> tuple[int, int]:
    """Return the number that begins at a byte, and where it ends."""
    code, at = data[start : start + 1], start + 1
    if code in (b"I", b"L"):
        text = _TEXT.match(data, at)
        if text is None:
            line = data[at : at + 60].partition(b"\n")[0]
            raise InvalidInputError(f"byte {start}: {quote(line)} is no whole number")
        return int(text[1]), text.end()
    if code in _SIZED:
        size, is_signed = _SIZED[code]
    elif code in _LONG:
        is_signed, width = True, _LONG[code]
        size = int.from_bytes(data[at : at + width], "little")
        at += width
    elif code:
        raise InvalidInputError(f"byte {start}: {quote(code)} makes no list and no whole number")
    else:
        raise InvalidInputError(f"byte {start}: the pickle breaks off")
    if at + size > len(data):
        raise InvalidInputError(f"byte {start}: the pickle breaks off")
    return int.from_bytes(data[at : at + size], "little", signed=is_signed), at + size


def _after_line(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    if end < 0:
        raise InvalidInputError(f"byte {at}: the pickle breaks off")
    return end + 1
