"""Hint partitions of thousands of hands, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError

if TYPE_CHECKING:
    from hanabi.compiled import Words


__all__ = ["partition_many"]


def partition_many(
    rows: Words, *, hints: int, touched: Words | None = None, unseen: Words | None = None
) -> tuple[Words, Words]:
    """Return a maximum partition for each of many hands, as `find_partition` without a budget.

    A quarter of a microsecond a hand for five hints, one or two for ten hints with copies. All
    arrays are int64, sets are bits.

    Parameters
    ----------
    rows
        Shape (hands, cards), at most 8 cards: what each card can be; 0 where there is no card.
    hints
        Number of hints, 1 to 12.
    touched
        Shape (identities,), at most 62: the hints that touch each identity; by default the
        identities are the hints themselves.
    unseen
        Shape (hands, identities): copies that each hand can hold; by default any number, which is
        the partition by rows.

    Returns
    -------
    tuple
        Numbers of parts, shape (hands,), -1 where no hand fits; and the parts, shape
        (hands, hints), zeros behind the last one.

    Raises
    ------
    InvalidInputError
        If a shape or a number is out of range.

    >>> import numpy as np
    >>> sizes, parts = partition_many(np.array([[0b01111, 0b00110, 0b01100, 0b00001]]), hints=5)
    >>> sizes.tolist(), [f"{part:05b}" for part in parts[0, :2]]
    ([2], ['11001', '00110'])
    """
    import numpy as np

    from hanabi.hints.kernels.partition import (
        MOST_CARDS,
        MOST_HINTS,
        MOST_IDENTITIES,
        partition_hands,
    )

    if not 1 <= hints <= MOST_HINTS:
        raise InvalidInputError(f"hints = {hints} is not in 1 .. {MOST_HINTS}")
    if touched is None:
        touched = np.left_shift(1, np.arange(hints, dtype=np.int64))
    if rows.ndim != 2 or rows.shape[1] > MOST_CARDS:
        raise InvalidInputError(f"rows: shape {rows.shape} is not (hands, up to {MOST_CARDS})")
    if touched.ndim != 1 or touched.size > MOST_IDENTITIES:
        raise InvalidInputError(f"touched: shape {touched.shape} is not (up to {MOST_IDENTITIES})")
    if unseen is None:
        unseen = np.zeros((rows.shape[0], 0), np.int64)
    elif unseen.shape != (rows.shape[0], touched.size):
        wanted = (rows.shape[0], touched.size)
        raise InvalidInputError(f"unseen: shape {unseen.shape} is not {wanted}")
    for name, masks, bits in (("rows", rows, touched.size), ("touched", touched, hints)):
        if masks.size and (masks.min() < 0 or int(masks.max()) >> bits):
            raise InvalidInputError(f"{name}: a mask has bits outside of 0 .. {bits - 1}")
    sizes = np.empty(rows.shape[0], np.int64)
    parts = np.empty((rows.shape[0], hints), np.int64)
    rows, unseen, touched = (
        np.ascontiguousarray(each, np.int64) for each in (rows, unseen, touched)
    )
    partition_hands(rows, unseen, touched, sizes, parts)
    return sizes, parts
