"""What counting a vector takes, estimated before it is begun."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.counting.polynomials import TOGETHER
from hanabi.errors import InvalidInputError, quote

if TYPE_CHECKING:
    from hanabi.counting.vector import Groups

__all__ = ["MOST_MEMORY", "Budget", "Cost", "UncountedError", "estimate", "refuse_absurd"]

MOST_MEMORY = 2**33
"""Bytes that a count may take, by default."""


class UncountedError(InvalidInputError):
    """Counting takes too long, and there is no formula: `playability` estimates from samples."""


class Budget:
    """Seconds and bytes for one count, from now on.

    >>> Budget(60, memory=2**20).check(2**21)
    Traceback (most recent call last):
    hanabi.counting.cost.UncountedError: not counted within 1 MiB of memory
    """

    def __init__(self, seconds: float = math.inf, memory: int = MOST_MEMORY) -> None:
        self._seconds, self._memory, self._clock = seconds, memory, Clock(seconds)

    def check(self, taken: float = 0, where: str = "") -> None:
        """Raise UncountedError if the time is over, or about so many bytes are too much."""
        if taken > self._memory:
            raise UncountedError(
                f"not counted within {self._memory / 2**20:.3g} MiB of memory{where}"
            )
        if self._clock.is_over:
            raise UncountedError(f"not counted within {self._seconds:g} seconds{where}")


# Fitted to 4 x 100 ... 4 x 10,000, x = 1 .. 200 and 3 x 2,000 on one core; within a factor of 2.
_STEP = 0.7e-6
_DIGIT = 5e-9
_DIGIT_BITS = 30
_MOST_BITS = 1000  # of a number of cards whose cost is worth a formula
_KARATSUBA = math.log2(3)


@dataclass(frozen=True, slots=True)
class Cost:
    """An estimate for k values and N cards, in plain Python, good to a factor of about three.

    `seconds` on one core, bytes of `memory`, and decimal `digits` of the number of sequences.
    """

    k: int
    N: int
    seconds: float
    memory: float
    digits: float

    def __str__(self) -> str:
        return (
            f"k = {self.k:,} values, N = {self.N:,} cards: about {_in_time(self.seconds)}"
            f" and {_in_bytes(self.memory)} for numbers of {_rounded(self.digits)} digits"
        )


def estimate(groups: Groups) -> Cost:
    """Estimate the cost of `good` and `bad` from the runs of a vector, without writing it out.

    >>> str(estimate(((4, 10**9),)))
    'k = 1,000,000,000 values, N = 4,000,000,000 cards: about ... years and ... for ... digits'
    """
    k, N = sum(times for _, times in groups), sum(v * times for v, times in groups)
    if k == 1:
        return Cost(1, N, _STEP, 1e3, 1.0)
    counts: dict[int, int] = {}
    for v, times in groups:
        counts[v] = counts.get(v, 0) + times
    total_bits = (_log_factorial(N) - sum(t * _log_factorial(v) for v, t in groups)) / math.log(2)
    sum_bits = _log_factorial(N) / math.log(2)
    shape = {v: t for v, t in counts.items() if v and t}
    seconds = N * (_STEP + _DIGIT / 3 * sum_bits / 2 / _DIGIT_BITS)
    coefficient_bits, powers = 0.0, 0
    for parts in (
        {v: t for v, t in shape.items() if v <= TOGETHER},
        *({v: t} for v, t in shape.items() if v > TOGETHER),
    ):
        bits = sum(t * (_log_factorial(v - 1) + 1) for v, t in parts.items()) / math.log(2)
        coefficient_bits += bits
        powers += bool(parts)
        length, width = sum(t * (v - 1) for v, t in parts.items()), sum(v - 1 for v in parts)
        seconds += length * width * (_STEP + _DIGIT * bits / 2 / _DIGIT_BITS)
    packed = (N - k + 1) * coefficient_bits
    if powers > 1:
        seconds += 1e-9 * 3 * (packed / _DIGIT_BITS) ** _KARATSUBA
    memory = 3 * packed / 8 + 4 * sum_bits / 8 + 100 * (N - k) + 8 * k
    return Cost(k, N, seconds, memory, max(1.0, total_bits * math.log10(2)))


def refuse_absurd(groups: Groups, *, seconds: float = math.inf, memory: int = MOST_MEMORY) -> Cost:
    """Return the estimate; raise if it says more than these bytes or seconds.

    >>> refuse_absurd(((4, 13),)).N
    52
    >>> refuse_absurd(((4, 10**9),))
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: x is too large to count: k = 1,000,000,000 values, ...
    """
    N = sum(count * times for count, times in groups)
    if N.bit_length() > _MOST_BITS:
        raise InvalidInputError(f"x is too large to count: {quote(N)} is its number of cards")
    cost = estimate(groups)
    if cost.memory > memory or cost.seconds > seconds:
        raise InvalidInputError(f"x is too large to count: {cost}")
    return cost


def _log_factorial(n: int) -> float:
    return math.lgamma(n + 1)


def _rounded(number: float) -> str:
    return f"{number:,.0f}" if number < 1e7 else f"{number:.1e}"


def _in_time(seconds: float) -> str:
    for unit, length in (("years", 3.2e7), ("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{_rounded(seconds / length)} {unit}"
    return f"{seconds:.2g} seconds"


def _in_bytes(memory: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if memory >= size:
            return f"{_rounded(memory / size)} {unit}"
    return f"{memory / 1e3:.2g} kB"
