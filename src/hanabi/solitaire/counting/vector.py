"""Vectors x = (x_1, ..., x_k) of copies: reading, checks, and the number of sequences."""

from __future__ import annotations

import decimal
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from hanabi.ground import InvalidInputError, quote

__all__ = [
    "Groups",
    "Vector",
    "approximate",
    "check_hand",
    "check_rows",
    "check_vector",
    "expand_groups",
    "format_integer",
    "format_vector",
    "multinomial",
    "parse_groups",
    "parse_vector",
    "total",
]

Vector = tuple[int, ...]
"""x_i >= 0 copies of value i, for i = 1 .. k with k >= 1."""

Groups = tuple[tuple[int, int], ...]
"""A vector in runs: pairs of an entry and the number of times that it is repeated."""

MOST_VALUES = 10_000_000
"""Largest k for which runs are expanded to a vector."""

_ITEM = re.compile(r"([0-9]{1,18})(?:[xX*]([0-9]{1,18}))?")


def check_vector(x: Iterable[int]) -> Vector:
    """Return `x` as a tuple of at least one integer, none negative.

    Raises InvalidInputError if it is empty, or an entry is not an integer >= 0; the message gives
    its 1-based index.

    >>> check_vector([3, 2, 2])
    (3, 2, 2)
    >>> check_vector([3, -2])
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: x_2: -2 is not an integer >= 0
    """
    vector = tuple(x)
    if not vector:
        raise InvalidInputError("x: an empty vector; at least one value is needed (k >= 1)")
    for index, count in enumerate(vector, start=1):
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise InvalidInputError(f"x_{index}: {quote(count)} is not an integer >= 0")
    return vector


def check_rows(copies: Sequence[Iterable[int]]) -> list[Vector]:
    """Return the vectors of one or more colors, all of equal length; raises like `check_vector`."""
    rows = [check_vector(row) for row in copies]
    if len({len(row) for row in rows}) != 1:
        raise InvalidInputError("copies: one or more colors, each with the same number of values")
    return rows


def check_hand(hand_size: int) -> None:
    """Raise InvalidInputError unless `hand_size` is an integer >= 0."""
    if not isinstance(hand_size, int) or isinstance(hand_size, bool) or hand_size < 0:
        raise InvalidInputError(f"hand size: {quote(hand_size)} is not an integer >= 0")


def parse_groups(text: str) -> Groups:
    """Read `"3,2,2"`, `"4x13"` (4 copies of each of 13 values) or a mix, as runs.

    Raises InvalidInputError if an item is neither a count nor COUNTxTIMES; the message quotes it.

    >>> parse_groups("3,2x3,1")
    ((3, 1), (2, 3), (1, 1))
    """
    if not text.strip():
        raise InvalidInputError("x: an empty vector; write 3,2,2 or 4x13")
    groups = []
    for index, item in enumerate(text.split(","), start=1):
        match = _ITEM.fullmatch(item.strip())
        if match is None:
            raise InvalidInputError(
                f"x: item {index}: {quote(item)} is neither a number of copies nor like 4x13"
            )
        groups.append((int(match[1]), int(match[2] or 1)))
    if not any(times for _, times in groups):
        raise InvalidInputError(f"x: {quote(text)} has no values at all (k = 0)")
    return tuple(groups)


def expand_groups(groups: Groups) -> Vector:
    """Return the vector of the runs.

    Raises InvalidInputError if k would be more than ten million.

    >>> expand_groups(((3, 1), (2, 3)))
    (3, 2, 2, 2)
    """
    k = sum(times for _, times in groups)
    if k > MOST_VALUES:
        raise InvalidInputError(f"x: {k:,} values are more than {MOST_VALUES:,}")
    return tuple(count for count, times in groups for _ in range(times))


def parse_vector(text: str) -> Vector:
    """Read a vector: `"3,2,2"`, `"4x13"`, or a mix; see `parse_groups` and `expand_groups`.

    >>> parse_vector("3,2x3,1")
    (3, 2, 2, 2, 1)
    """
    return expand_groups(parse_groups(text))


def format_vector(x: Sequence[int]) -> str:
    """Format a vector for `parse_vector`, with runs of three or more shortened.

    >>> format_vector((3, 2, 2, 2, 1)), format_vector((4,) * 13), format_vector((2, 2))
    ('3,2x3,1', '4x13', '2,2')
    """
    items: list[str] = []
    for count, run in groupby(x):
        times = len([*run])
        items += [f"{count}x{times}"] if times > 2 else [str(count)] * times
    return ",".join(items)


def multinomial(counts: Iterable[int]) -> int:
    """Return (sum of counts)! / product of count!, the number of orders of a multiset.

    >>> multinomial((3, 2, 1)), multinomial(())
    (60, 1)
    """
    divisors = Counter(counts)
    N = sum(count * times for count, times in divisors.items())
    largest = max(divisors, default=0)
    result = math.perm(N, N - largest)
    divisors[largest] -= 1
    for count, times in divisors.items():
        if times > 0:  # never the factorial of the largest, which may be huge
            result //= math.factorial(count) ** times
    return result


def total(x: Iterable[int]) -> int:
    """Return the number of sequences with x_i copies of value i, good and bad together.

    >>> total((2, 1, 1))
    12
    """
    return multinomial(check_vector(x))


# Integers of any length in full, and quotients of integers in short.

_SHORT_BITS = 10_000
"""Up to this size `str` is fast, and below Python's limit of 4,300 digits."""


def format_integer(number: int) -> str:
    """Return all decimal digits of an integer.

    `str` refuses more than 4,300 digits (`sys.set_int_max_str_digits`) and takes quadratic time.
    This function splits the number in halves recursively and combines them in `decimal`, which
    multiplies fast: a million digits take about a second. No global setting is changed.

    >>> format_integer(-42)
    '-42'
    >>> len(format_integer(10**5000))
    5001
    """
    if number.bit_length() <= _SHORT_BITS:
        return str(number)
    with decimal.localcontext() as context:
        context.prec = decimal.MAX_PREC
        context.Emax, context.Emin = decimal.MAX_EMAX, decimal.MIN_EMIN
        context.traps[decimal.Inexact] = True
        powers: dict[int, decimal.Decimal] = {}
        return str(_as_decimal(number, number.bit_length(), powers))


def _as_decimal(number: int, bits: int, powers: dict[int, decimal.Decimal]) -> decimal.Decimal:
    if bits <= _SHORT_BITS:
        return decimal.Decimal(number)
    half = bits // 2
    if half not in powers:
        powers[half] = decimal.Decimal(2) ** half
    high, low = number >> half, number & ((1 << half) - 1)
    upper = _as_decimal(high, bits - half, powers)
    return upper * powers[half] + _as_decimal(low, half, powers)


def approximate(numerator: int, denominator: int, digits: int = 6) -> str:
    """Return a quotient of integers >= 0 with `digits` significant digits, at most 50.

    Unlike a float, a small quotient never becomes 0.

    >>> approximate(1, 3), approximate(0, 5), approximate(7, 10**400)
    ('0.333333', '0', '7.00000e-400')
    """
    if numerator == 0:
        return "0"
    shift = [max(number.bit_length() - 256, 0) for number in (numerator, denominator)]
    with decimal.localcontext() as context:
        context.prec = 60
        quotient = decimal.Decimal(numerator >> shift[0]) / (denominator >> shift[1])
        quotient *= decimal.Decimal(2) ** (shift[0] - shift[1])
        return f"{quotient:.{digits}g}"
