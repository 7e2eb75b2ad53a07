"""The paper's bijection between good sequences with two numbers of copies interchanged.

[Bergh2016, section 3]. A good sequence is cut into parts: up to the first 1, from there to the next
2, and so on; part i has no i in it. Interchange parts i and j and rename i to j and back in all
parts; the cutting cards stay. The result is good, has x_j copies of i and x_i of j, and doing it
twice gives the sequence back. So F is symmetric. The paper does it for 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.errors import InvalidInputError, quote

__all__ = ["parts", "swap"]


def parts(sequence: Sequence[int], k: int) -> list[tuple[int, ...]]:
    """Cut a good sequence into its k + 1 parts, without the cutting cards 1, 2, ..., k.

    Raises
    ------
    InvalidInputError
        If 1-2-...-k is no subsequence, or k < 1.

    >>> parts((2, 1, 1, 3, 2, 3, 1), 3)
    [(2,), (1, 3), (), (1,)]
    """
    if k < 1:
        raise InvalidInputError(f"k: {quote(k)} is not an integer >= 1")
    found: list[tuple[int, ...]] = []
    start = 0
    for index, value in enumerate(sequence):
        if value == len(found) + 1 <= k:
            found.append(tuple(sequence[start:index]))
            start = index + 1
    if len(found) < k:
        raise InvalidInputError(
            f"the sequence is bad: after 1 .. {len(found)} there is no {len(found) + 1}"
        )
    return [*found, tuple(sequence[start:])]


def swap(sequence: Sequence[int], i: int = 1, j: int = 2, *, k: int) -> tuple[int, ...]:
    """Return the image of a good sequence when the numbers of i's and j's are interchanged.

    Parameters
    ----------
    sequence
        Values 1 .. k with the subsequence 1-2-...-k.
    i, j
        Two values of 1 .. k.
    k
        Number of values.

    Raises
    ------
    InvalidInputError
        If the sequence is bad, or `i` or `j` is out of range.

    >>> swap((2, 1, 1, 3, 2, 3, 1), k=3)
    (2, 3, 1, 1, 2, 3, 2)
    >>> swap(swap((2, 1, 1, 3, 2, 3, 1), k=3), k=3)
    (2, 1, 1, 3, 2, 3, 1)
    """
    for name, value in (("i", i), ("j", j)):
        if not 1 <= value <= k:
            raise InvalidInputError(f"{name}: {quote(value)} is not in 1 .. {k}")
    cut = parts(sequence, k)
    cut[i - 1], cut[j - 1] = cut[j - 1], cut[i - 1]
    renamed = {i: j, j: i}
    result: list[int] = []
    for index, part in enumerate(cut, start=1):
        result += (renamed.get(value, value) for value in part)
        result += [index] if index <= k else []
    return tuple(result)
