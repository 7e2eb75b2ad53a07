"""Reduced instances written as JSON, block by block: streams of any length fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from hanabi.hardness.annotation import spans_of

if TYPE_CHECKING:
    from hanabi.hardness.blocks import Ints, Parts
    from hanabi.hardness.stream import CardStream

__all__ = ["write_json"]


def write_json(stream: CardStream, file: BinaryIO) -> int:
    """Write a stream in the solitaire JSON form with its annotation; return the number of cards.

    The form is one line, read by `hanabi solve` and `hanabi explain`:
    `{"hand_size": h, "n": n, "c": c, "cards": [[value,color],...], "annotation": {...}}`.
    Colors count from 0, values and positions from 1. Only one block of cards is in memory at a
    time, and the list of gadgets.

    >>> import io
    >>> from hanabi.hardness import Formula, stream_of
    >>> file = io.BytesIO()
    >>> write_json(stream_of(Formula(3, ((1, -2, 3),))), file)
    121
    >>> document = json.loads(file.getvalue())
    >>> sorted(document), document["annotation"]["gadgets"][1]
    (['annotation', 'c', 'cards', 'hand_size', 'n'],
     {'role': 'variable', 'number': 1, 'first': 2, 'last': 11})
    """
    head = {"hand_size": stream.hand_size, "n": stream.n, "c": stream.c}
    file.write(json.dumps(head)[:-1].encode() + b', "cards": [')
    cards = _CardTexts(stream.n, stream.c)
    total = 0
    stretches: list[Parts] = []
    for block in stream.blocks():
        if total:
            file.write(b",")
        file.write(cards.text(block.values, block.colors))
        stretches.append(block.parts)
        total += len(block.values)
    about = json.dumps(stream.annotation(()).to_json()).removesuffix("]}")
    file.write(b'], "annotation": ' + about.encode())
    file.write(", ".join(_span_texts(stretches)).encode())
    file.write(b"]}}\n")
    return total


def _span_texts(stretches: list[Parts]) -> Iterator[str]:
    heads: dict[str, str] = {}
    for role, number, first, last in spans_of(stretches):
        head = heads.get(role) or heads.setdefault(role, json.dumps({"role": role})[:-1])
        yield f'{head}, "number": {number}, "first": {first}, "last": {last}}}'


class _CardTexts:
    """Cards as text, by looking both halves of a card up in tables of padded strings."""

    def __init__(self, n: int, c: int) -> None:
        import numpy as np

        self.values = np.array([b"[%d," % value for value in range(n + 1)])
        self.colors = np.array([b"%d]," % color for color in range(max(c, 1))])

    def text(self, values: Ints, colors: Ints) -> bytes:
        """Return `[value,color],[value,color]`."""
        import numpy as np

        rows = np.empty(
            len(values), dtype=[("value", self.values.dtype), ("color", self.colors.dtype)]
        )
        rows["value"] = self.values[values]
        rows["color"] = self.colors[colors]
        return rows.tobytes().translate(None, b"\0")[:-1]
