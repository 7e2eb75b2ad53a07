"""Reduction of 3-SAT to Solitaire Hanabi [Baffier2017, theorem 5.1]: satisfiable iff winnable."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from hanabi.hardness.annotation import spans_of
from hanabi.hardness.formula import Formula
from hanabi.hardness.stream import CardStream
from hanabi.solitaire.instance import Instance

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.hardness.annotation import Annotation
    from hanabi.hardness.layout import Ints, Parts
    from hanabi.hardness.stream import CardStream

__all__ = ["Reduction", "reduce", "stream_of", "write_json"]


class Reduction(Instance):
    """An instance made from a formula, with an `annotation` of each card's purpose."""

    __slots__ = ("_annotation", "_parts", "keeps", "stream")

    stream: CardStream
    """The source of the cards; it can be laid out again."""
    keeps: npt.NDArray[np.int8]
    """For each card, when an assignment's play stores it, as a `gadgets.Keep` code."""
    _annotation: Annotation | None
    _parts: list[Parts]

    @classmethod
    def of(cls, stream: CardStream) -> Reduction:
        """Return the instance with the cards of a stream."""
        import numpy as np

        blocks = list(stream.blocks())
        values, colors, keeps = (
            np.concatenate([np.zeros(0, dtype=kind), *(getattr(block, name) for block in blocks)])
            for name, kind in (("values", np.intc), ("colors", np.intc), ("keeps", np.int8))
        )
        reduction = cls.__new__(cls)
        reduction._set(stream.hand_size, values.data, colors.data, stream.n, stream.c)
        reduction.stream = stream
        reduction._parts = [block.parts for block in blocks]
        reduction._annotation = None
        reduction.keeps = keeps
        return reduction

    @property
    def annotation(self) -> Annotation:
        """The purpose of each card. O(gadgets) at the first use, then cached."""
        if self._annotation is None:
            self._annotation = self.stream.annotation(self._parts)
        return self._annotation

    @property
    def formula(self) -> Formula:
        """The formula."""
        return self.stream.layout.formula

    def with_hand_size(self, hand_size: int) -> Instance:
        """Return the stream with another hand size: a plain instance, no longer a reduction."""
        import numpy as np

        columns = np.asarray(self.colors), np.asarray(self.values)
        return Instance.from_arrays(hand_size, *columns, n=self.n, c=self.c)

    def __reduce__(self) -> tuple[object, tuple[CardStream]]:
        return Reduction.of, (self.stream,)


stream_of = CardStream
"""The stream of :func:`reduce` before layout, for instances too large for memory."""


def reduce(
    formula: Formula,
    *,
    variant: str = "paper",
    hand_size: int | None = None,
    multiplicity: int | None = None,
    copies: str = "beside",
    reduction_by: str = "fresh",
    step: int = 5,
    players: int | None = None,
    as_printed: bool = False,
) -> Reduction:
    """Return an instance of Solitaire Hanabi that is winnable exactly if `formula` is satisfiable.

    Parameters
    ----------
    formula
        A formula whose clauses have three different variables each; `to_three_sat` makes one.
    variant
        One of `VARIANTS`; the table in :mod:`hanabi.hardness.variants` gives h, r, n and c.
        "paper" with a hand of one card means "one_card_a".
    hand_size
        h, by default the variant's least. A larger hand is reduced throughout.
    multiplicity
        r, by default the variant's least.
    copies
        The way to a larger r: "beside" adds r - 2 (r - 3 for one card) copies right after the first
        appearance of each card; "exact" adds copies there until each card has exactly r.
    reduction_by
        The way to reduce a larger hand: with "fresh" dummy colors, completed to n at the end, or
        with values of the "same" dummy color above those that the gadgets use, which may raise n.
    step
        l, for the variant "slides".
    players
        If given, the deck is for this many players with `hand_size` cards each, all face up, with
        plenty of hint tokens. The instance has hand size players * hand_size - 1, and ends with
        players * hand_size useless cards, since the game ends a round after the last card is drawn.
        With these, the game can be won exactly if the instance can. (The paper's hand size,
        players * hand_size without these cards, is wrong: E18.)
    as_printed
        Whether to follow the source's text with its slips, for "paper" (E9, E10), "one_card_a"
        (E15) and "slides" (E16); values above the printed n are left out.

    Raises
    ------
    InvalidInputError
        If a clause does not have three different variables, or the options do not fit.

    Notes
    -----
    O(N) time, in array operations. N is at most 2 n c (3 n c for one card) before further copies.

    >>> formula = Formula(3, ((1, -2, 3), (1, 2, -3)))
    >>> reduce(formula)
    Instance(hand_size=2, N=183, n=15, c=7, r=2)
    >>> reduce(formula, variant="constant_two")
    Instance(hand_size=2, N=78, n=6, c=8, r=2)
    """
    return Reduction.of(
        CardStream(
            formula,
            variant=variant,
            hand_size=hand_size,
            multiplicity=multiplicity,
            copies=copies,
            reduction_by=reduction_by,
            step=step,
            players=players,
            as_printed=as_printed,
        )
    )


# A writer of reduced instances as JSON, block by block, for streams of any length.


def write_json(stream: CardStream, file: BinaryIO) -> int:
    """Write a stream in the solitaire JSON form with its annotation; return the number of cards.

    The output is one line, which `hanabi solve` and `hanabi explain` read:
    `{"hand_size": h, "n": n, "c": c, "cards": [[value,color],...], "annotation": {...}}`.
    Colors count from 0, values and positions from 1. Memory holds only one block of cards at a
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
    """A converter of cards to text that looks up both numbers in tables of padded strings."""

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
