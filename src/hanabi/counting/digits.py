"""Integers written out in full, whatever their length, and their quotients in short."""

from __future__ import annotations

import decimal

__all__ = ["approximate", "format_integer"]

_SHORT_BITS = 10_000
"""Up to here `str` is quick, and below Python's limit of 4,300 digits."""


def format_integer(number: int) -> str:
    """Return all decimal digits of an integer.

    `str` refuses more than 4,300 digits (`sys.set_int_max_str_digits`) and takes quadratic time.
    Here the number is halved again and again and put together in `decimal`, which multiplies fast:
    a million digits take about a second. No global setting is touched.

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
    """Return a quotient of integers >= 0 with so many significant digits, at most 50.

    Unlike a float it never becomes 0 by being small.

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
