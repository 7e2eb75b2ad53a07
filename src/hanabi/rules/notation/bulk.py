"""Bulk readers and writers of long streams of Solitaire Hanabi.

The readers here accept only the plainest form: bare numbers in text, pairs of numbers in JSON. For
anything else they return None and leave it to the strict readers, which alone report errors. Short
inputs also go to the strict readers, to avoid importing NumPy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.ground import InvalidInputError
from hanabi.rules.deck import Deck
from hanabi.rules.notation.record import MOST, SolitaireInput
from hanabi.rules.notation.sniff import parse_input

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

__all__ = ["LONG", "BulkInput", "move_pieces", "parse_bulk"]

LONG = 200_000
"""Length in characters from which bulk reading pays."""

_HEAD = 4096  # characters at the start of a text that may hold directives and comments
_OTHER = re.compile(r"[^0-9\s]")
_WORD = re.compile(r"\s*\S+\s")
_CARDS = re.compile(r'"cards"[ \t\r\n]*:[ \t\r\n]*\[')
_BEYOND = re.compile(r"[^\[\]0-9, \t\r\n]")
_CHUNK = 2**24  # bytes processed together
_MOVES = 2**19  # moves written together
_WIDTH = 10  # digits of the largest position


@dataclass(frozen=True, slots=True, eq=False)
class BulkInput(SolitaireInput):
    """A stream as two columns; `cards` is empty."""

    colors: Ints | None = None
    values: Ints | None = None


def parse_bulk(text: str) -> BulkInput | None:
    """Read a long stream, or return None if it is short or not in the plainest form.

    The result has the same content as that of `parse_input`. O(length).
    """
    if len(text) < LONG or not text.isascii():
        return None
    start = text[:_HEAD].lstrip()[:1]
    try:
        if start == "{":
            return _from_json(text)
        return _from_text(text) if start != "[" else None
    except InvalidInputError:
        return None


def _from_text(text: str) -> BulkInput | None:
    import numpy as np

    others = list(_OTHER.finditer(text, 0, _HEAD))
    end = 0
    if others:
        # A comment runs to the end of its line; a directive takes the next word.
        last = others[-1].end()
        comment = "#" in text[:last]
        found = re.compile(r".*\n").match(text, last) if comment else _WORD.match(text, last)
        if found is None:
            return None
        end = found.end()
    # The strict reader reads the head, plus one card, since it needs at least one.
    head = parse_input(text[:end] + " 1")
    if not isinstance(head, SolitaireInput) or any(card.color for card in head.cards):
        return None
    body = text[end:].encode()
    if body.translate(None, b"0123456789 \t\r\n"):
        return None
    values = np.array([card.rank for card in head.cards[:-1]], dtype=np.int64)
    values = np.concatenate([values, _numbers(body)])
    return _within_limits(head, np.broadcast_to(np.int64(0), len(values)), values)


def _from_json(text: str) -> BulkInput | None:
    import numpy as np

    opening = _CARDS.search(text)
    if opening is None or text.count('"cards"') != 1:
        return None
    beyond = _BEYOND.search(text, opening.end())
    closing = -1 if beyond is None else text.rfind("]", opening.end(), beyond.start())
    if closing < 0:
        return None
    # The strict reader reads the document without its cards.
    head = parse_input(text[: opening.end()] + text[closing:])
    if not isinstance(head, SolitaireInput) or head.cards:
        return None
    body = b"," + text[opening.end() : closing].encode()
    chunks = [_pairs(chunk) for chunk in _cut(body)]
    columns = [chunk for chunk in chunks if chunk is not None]
    if len(columns) < len(chunks):
        return None
    pairs = np.concatenate(columns)
    return _within_limits(head, pairs[:, 1], pairs[:, 0])


def _cut(body: bytes) -> Iterator[bytes]:
    """Cut a list of arrays into chunks, each ending with a closing bracket."""
    start = 0
    while start < len(body):
        end = body.find(b"]", min(start + _CHUNK, len(body)))
        stop = len(body) if end < 0 else end + 1
        yield body[start:stop]
        start = stop


def _pairs(chunk: bytes) -> npt.NDArray[np.int64] | None:
    """Return the pairs of `,[1,2],[3,4]`, or None if it contains anything else."""
    import numpy as np

    data = np.frombuffer(chunk, dtype=np.uint8)
    is_digit = (data >= ord("0")) & (data <= ord("9"))
    begins = is_digit.copy()
    begins[1:] &= ~is_digit[:-1]
    zero = np.flatnonzero(begins[:-1] & (data[:-1] == ord("0")))
    if is_digit[zero + 1].any():  # a leading zero: not JSON
        return None
    signs = data[begins | ~(is_digit | (data == 32) | (data == 10) | (data == 13) | (data == 9))]
    signs = np.where((signs >= ord("0")) & (signs <= ord("9")), np.uint8(ord("0")), signs)
    if len(signs) % 6 or (signs.reshape(-1, 6) != np.frombuffer(b",[0,0]", np.uint8)).any():
        return None
    return _numbers(chunk.translate(bytes.maketrans(b"[],", b"   "))).reshape(-1, 2)


def _numbers(text: bytes) -> npt.NDArray[np.int64]:
    """Parse digits and blanks; a number that does not fit becomes larger than any card."""
    import numpy as np

    # NumPy would read a number from a text of only blanks.
    return np.fromstring(text if text.strip() else b"", dtype=np.int64, sep=" ")


def _within_limits(
    head: SolitaireInput, colors: npt.NDArray[np.int64], values: npt.NDArray[np.int64]
) -> BulkInput | None:
    import numpy as np

    n = MOST if head.n is None else head.n
    c = MOST if head.c is None else head.c
    if not len(values) or values.min() < 1 or values.max() > n or colors.max() >= c:
        return None
    return BulkInput(
        Deck(()),
        head.hand_size,
        head.n,
        head.c,
        head.annotation,
        colors=colors.astype(np.intc),
        values=values.astype(np.intc),
    )


def move_pieces(
    positions: memoryview, actions: memoryview, names: tuple[str, ...]
) -> Iterator[str]:
    """Yield the text of a JSON array of the moves [position, name], piece by piece.

    `positions` is int32, at least 1; `actions` is int8, indices into `names`.

    >>> from array import array
    >>> columns = memoryview(array("i", [1, 12])), memoryview(array("b", [0, 1]))
    >>> print(*move_pieces(*columns, ("store", "play")), sep="")
    [[1, "store"], [12, "play"]]
    """
    import numpy as np

    endings = [f", {json.dumps(name)}]" for name in names]
    width = max(map(len, endings))
    tails = np.zeros((len(names), width), dtype=np.uint8)
    for row, ending in zip(tails, endings, strict=True):
        row[: len(ending)] = np.frombuffer(ending.encode(), dtype=np.uint8)
    yield "["
    for start in range(0, len(positions), _MOVES):
        numbers = np.asarray(positions)[start : start + _MOVES].copy()
        rows = np.zeros((len(numbers), 3 + _WIDTH + width), dtype=np.uint8)
        rows[:, :3] = np.frombuffer(b", [", dtype=np.uint8)
        for place in range(2 + _WIDTH, 2, -1):
            if not numbers.any():
                break
            higher, digits = np.divmod(numbers, 10)
            rows[:, place] = np.where(numbers > 0, digits + 48, 0)
            numbers = higher
        rows[:, 3 + _WIDTH :] = tails[np.asarray(actions)[start : start + _MOVES]]
        yield rows[rows != 0].tobytes().decode()[0 if start else 2 :]
    yield "]"
