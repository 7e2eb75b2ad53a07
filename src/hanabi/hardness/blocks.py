"""Stretches of a stream of cards as columns, and gadgets laid out row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.hardness.gadgets import Cards, Group, Keep

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

__all__ = ["CARDS_A_BLOCK", "Block", "Parts", "block_ranges", "gadget_block", "ramp"]

CARDS_A_BLOCK = 1 << 18
"""About how many cards are laid out at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What the cards of a stretch are for: rows of equal parts, one for each variable or clause.

    Attributes
    ----------
    roles
        What the parts of a row are for.
    lengths
        Shape (rows * parts,): the number of cards of each part, row by row.
    number
        The number of the first row's variable or clause, from 1; 0 if the part belongs to none.
    """

    roles: tuple[str, ...]
    lengths: npt.NDArray[np.int64]
    number: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A stretch of the stream.

    Attributes
    ----------
    values, colors, keeps
        One entry a card; `keeps` are `Keep` codes.
    parts
        What they are for.
    """

    values: Ints
    colors: Ints
    keeps: npt.NDArray[np.int8]
    parts: Parts

    def repeated(self, repeats: npt.NDArray[np.int64]) -> Block:
        """Return the stretch with card i `repeats[i]` times, 0 or more."""
        import numpy as np

        before = np.concatenate([[0], np.cumsum(repeats)])
        lengths = np.diff(before[np.cumsum(self.parts.lengths)], prepend=0)
        return Block(
            np.repeat(self.values, repeats),
            np.repeat(self.colors, repeats),
            np.repeat(self.keeps, repeats),
            Parts(self.parts.roles, lengths, self.parts.number),
        )


def simple_block(values: Ints | Sequence[int], colors: Ints | int, keep: Keep, role: str) -> Block:
    """Return a block of one part, all cards of the same `keep`."""
    import numpy as np

    columns = (np.asarray(values, dtype=np.int32), np.full(len(values), colors, dtype=np.int32))
    keeps = np.full(len(values), keep, dtype=np.int8)
    return Block(*columns, keeps, Parts((role,), np.array([len(values)], dtype=np.int64)))


def ramp(colors: Ints, starts: Ints, n: int) -> tuple[Ints, Ints]:
    """Return the columns of the cards starts[i] .. n of colors[i], color after color.

    >>> import numpy as np
    >>> ramp(np.array([7, 4]), np.array([3, 2]), 4)[0].tolist()
    [3, 4, 2, 3, 4]
    """
    import numpy as np

    lengths = np.maximum(n + 1 - starts, 0)
    before = np.cumsum(lengths) - lengths
    values = np.arange(lengths.sum(), dtype=np.int32)
    values += np.repeat(starts - before, lengths).astype(np.int32)
    return values, np.repeat(colors, lengths).astype(np.int32)


def block_ranges(total: int, width: int) -> Iterator[range]:
    """Cut rows of `width` cards into ranges of about a block."""
    size = max(1, CARDS_A_BLOCK // max(1, width))
    for start in range(0, total, size):
        yield range(start, min(start + size, total))


def gadget_block(
    gadget: Sequence[Cards], places: Mapping[Group, tuple[Ints, Ints]], number: int
) -> Block:
    """Lay a gadget out once for each row.

    Parameters
    ----------
    gadget
        Its cards.
    places
        For each group its colors, shape (rows, k), and what is added to its values, shape (rows, k)
        or (rows, 1). Of the dummies each hand reduction in turn takes a column.
    number
        Of the first row's variable or clause, from 1; 0 if there is none.
    """
    import numpy as np

    value_parts, color_parts, keep_parts = [], [], []
    widths: list[tuple[str, int]] = []
    dummies = 0  # two for each hand reduction
    for cards in gadget:
        color, base = places[cards.group]
        if cards.group is Group.DUMMY:
            color, base = color[:, dummies // 2, None], base[:, dummies // 2, None]
            dummies += 1
        values = np.array(cards.values, dtype=np.int32)
        shape = (*color.shape, len(values))
        width = shape[1] * shape[2]
        value = np.broadcast_to(base[:, :, None] + values, shape)
        value_parts.append(value.reshape(-1, width))
        color_parts.append(np.broadcast_to(color[:, :, None], shape).reshape(-1, width))
        keep_parts.append(np.tile(np.array(cards.keeps, dtype=np.int8), shape[1]))
        if widths and widths[-1][0] == cards.role:
            width += widths.pop()[1]
        widths.append((cards.role, width))
    rows = len(value_parts[0])
    roles, lengths = zip(*widths, strict=True)
    return Block(
        np.concatenate(value_parts, axis=1).ravel(),
        np.concatenate(color_parts, axis=1).ravel(),
        np.tile(np.concatenate(keep_parts), rows),
        Parts(roles, np.tile(np.array(lengths, dtype=np.int64), rows), number),
    )
