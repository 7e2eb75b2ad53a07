"""Fast counts of good and bad sequences: a sum over one index, from the generating function.

A sequence is good if it has the subsequence 1-2-...-k [Bergh2016, section 3]. Cut a good sequence
at the first 1, the next 2 after it, and so on. The part before the cut at i has no i's, and after
the last cut any cards may follow. So with z_i marking the copies of i and S = z_1 + ... + z_k, the
good sequences of all vectors x together are

    1/(1 - S) * product over i of z_i / (1 - S + z_i).

Expand each factor in powers of z_i/(1 - S), an alternating series (this is inclusion and
exclusion), and take the coefficient of z^x. With exponents q_i >= 1 and their sum Q,

    good(x) = N! * sum over Q of (-1)^(Q-k)/Q! * [t^Q] product over i of
                   sum over q = 1 .. x_i of t^q / (x_i - q)!

This is visibly symmetric in x. With Q as the index, only the coefficients of one product of
polynomials are summed. Multiplied by the (x_i - 1)!, all numbers are integers:

    good(x) = sum over j of (-1)^j c_j (k+j+1)(k+j+2)...N  /  product of (x_i - 1)!

where c_j are the coefficients of the product of the polynomials A_{x_i} (see `factor`). The sum is
evaluated by Horner's rule. For k = 1, x = (0) the printed theorem gives 0 bad sequences; this
module gives 1, since the empty sequence is bad (E19).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from hanabi.ground import Clock, InvalidInputError, quote
from hanabi.solitaire.counting.vector import check_vector, multinomial

if TYPE_CHECKING:
    from hanabi.solitaire.counting.vector import Groups

__all__ = [
    "MOST_MEMORY",
    "TOGETHER",
    "Budget",
    "Cost",
    "UncountedError",
    "bad",
    "estimate",
    "factor",
    "good",
    "load_flint",
    "power_product",
    "probability",
    "product",
    "refuse_absurd",
]

T = TypeVar("T")

# Products of the polynomials A_v(t), exactly.
#
# A_v(t) = sum over j = 0 .. v-1 of (v-1)(v-2)...(v-j) t^j: its coefficients are positive
# integers, the first is 1. The powers of the short polynomials take one pass over the coefficients
# of the result. The others are multiplied as integers, with coefficients too far apart to overlap
# (Kronecker substitution). With python-flint, it does all the work.

TOGETHER = 12
"""The largest v for which the powers of all A_v are computed together."""


def factor(v: int) -> list[int]:
    """Return the coefficients of A_v, from t^0 up. v >= 1.

    >>> factor(4)
    [1, 3, 6, 6]
    """
    coefficients = [1]
    for j in range(v - 1, 0, -1):
        coefficients.append(coefficients[-1] * j)
    return coefficients


def load_flint() -> Any:
    """Return the module of python-flint, or None if it is not installed.

    >>> module = load_flint()
    >>> module is None or int(module.fmpz(2) ** 100) == 2**100
    True
    """
    return None if find_spec("flint") is None else import_module("flint")


def power_product(
    factors: Mapping[int, int], check: Callable[[], None] = lambda: None
) -> list[int]:
    """Return the coefficients of the product of A_v ** factors[v], by a recurrence.

    The product B satisfies B'/B = sum of factors[v] A_v'/A_v. With D the product of the A_v, each
    once, and E = D times that sum, D B' = E B; comparing coefficients gives them in turn, in
    O(degree of D) products of a small and a large integer for each. `check` is called before each.

    >>> power_product({2: 4})
    [1, 4, 6, 4, 1]
    >>> power_product({2: 1, 3: 1})
    [1, 3, 4, 2]
    """
    D, E = [1], [0]
    for v, times in factors.items():
        a = factor(v)
        slope = [times * j * a[j] for j in range(1, v)]
        # E/D + slope/a over the common denominator.
        terms = zip_longest(_convolved(E, a), _convolved(slope, D), fillvalue=0)
        E = [x + y for x, y in terms]
        D = _convolved(D, a)
    steps = list(enumerate(zip(D[1:], [*E, *[0] * len(D)], strict=False), start=1))
    result = [1]
    for n in range(1, sum((v - 1) * times for v, times in factors.items()) + 1):
        check()
        acc = 0
        for i, (d, e) in steps[:n]:
            acc += (e - (n - i) * d) * result[n - i]
        result.append(acc // n)
    return result


def product(
    factors: Mapping[int, int], flint: Any = None, check: Callable[[], None] = lambda: None
) -> list[Any]:
    """Return the coefficients of the product of A_v ** factors[v], for at least one v >= 1.

    Parameters
    ----------
    factors
        Exponents by v.
    flint
        The module of python-flint, to use it; the coefficients are then of its type `fmpz`.
    check
        Called now and then; raises when the time is over.

    >>> product({2: 2, 1: 5})
    [1, 2, 1]
    """
    if flint is not None:
        result = flint.fmpz_poly([1])
        for v in sorted(factors):
            result *= flint.fmpz_poly(factor(v)) ** factors[v]
        coefficients: list[Any] = result.coeffs()
        return coefficients
    powers = [power_product({v: times}, check) for v, times in factors.items() if v > TOGETHER]
    short = {v: times for v, times in factors.items() if v <= TOGETHER}
    if short:
        powers.append(power_product(short, check))
    while len(powers) > 1:
        check()
        powers.sort(key=len, reverse=True)
        powers.append(_multiplied(powers.pop(), powers.pop()))
    return powers[0]


def _convolved(p: list[int], q: list[int]) -> list[int]:
    result = [0] * max(len(p) + len(q) - 1, 0)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return result


def _multiplied(p: list[int], q: list[int]) -> list[int]:
    """Multiply polynomials with coefficients >= 0 as integers in base 2**(8 width)."""
    width = (sum(p) * sum(q)).bit_length() // 8 + 1
    packed = [
        int.from_bytes(b"".join(a.to_bytes(width, "little") for a in given), "little")
        for given in (p, q)
    ]
    length = len(p) + len(q) - 1
    raw = (packed[0] * packed[1]).to_bytes(width * length, "little")
    return [int.from_bytes(raw[i : i + width], "little") for i in range(0, width * length, width)]


# Estimates of the cost of a count, before it starts.

MOST_MEMORY = 2**33
"""Default limit of a count, in bytes."""


class UncountedError(InvalidInputError):
    """A count that exceeds its budget; `playability` can estimate it from samples."""


class Budget:
    """Budget of seconds, starting now, and of bytes for one count.

    >>> Budget(60, memory=2**20).check(2**21)
    Traceback (most recent call last):
    hanabi.solitaire.counting.generating.UncountedError: not counted within 1 MiB of memory
    """

    def __init__(self, seconds: float = math.inf, memory: int = MOST_MEMORY) -> None:
        self._seconds, self._memory, self._clock = seconds, memory, Clock(seconds)

    def check(self, taken: float = 0, where: str = "") -> None:
        """Raise UncountedError if the time is over, or `taken` bytes exceed the budget."""
        if taken > self._memory:
            raise UncountedError(
                f"not counted within {self._memory / 2**20:.3g} MiB of memory{where}"
            )
        if self._clock.is_over:
            raise UncountedError(f"not counted within {self._seconds:g} seconds{where}")

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items, and check the clock before each."""
        for item in items:
            self.check()
            yield item


# Fitted to 4 x 100 ... 4 x 10,000, x = 1 .. 200 and 3 x 2,000 on one core; within a factor of 2.
_STEP = 0.7e-6
_DIGIT = 5e-9
_DIGIT_BITS = 30
_MOST_BITS = 1000  # of a number of cards whose cost is estimated
_KARATSUBA = math.log2(3)


@dataclass(frozen=True, slots=True)
class Cost:
    """Estimated cost for k values and N cards in plain Python, to within a factor of about three.

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
    """Estimate the cost of `good` and `bad` from the runs of a vector, without expanding it.

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
    """Return the estimated cost; raise if it exceeds these seconds or bytes.

    >>> refuse_absurd(((4, 13),)).N
    52
    >>> refuse_absurd(((4, 10**9),))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: x is too large to count: k = 1,000,000,000 values, ...
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


_FLINT_FROM = 0.3
"""Estimated seconds from which python-flint, if installed, is worth its import of 30 ms."""


def good(x: Iterable[int], *, use_flint: bool | None = None, budget: Budget | None = None) -> int:
    """Return the number of sequences with x_i copies of i that have 1-2-...-k as a subsequence.

    Parameters
    ----------
    x
        k >= 1 counts, each >= 0.
    use_flint
        Whether python-flint multiplies, if it is installed; by default only if it pays.
    budget
        Budget of the count; by default no limit on time.

    Raises
    ------
    InvalidInputError
        If `x` is not such a vector, or so large that the answer would not fit in memory.
    UncountedError
        If the budget is exceeded.

    Notes
    -----
    O(N) steps with integers of O(N log k) bits for equal x_i; [Bergh2016, section 3].

    >>> good((2, 1, 1)), good((1,) * 5), good((0, 3))
    (3, 1, 0)
    """
    vector = check_vector(x)
    if 0 in vector:
        return 0
    if len(vector) == 1:
        return 1
    groups = Counter(vector)
    cost = refuse_absurd(tuple(groups.items()))
    if use_flint is None:
        use_flint = cost.seconds > _FLINT_FROM
    flint = load_flint() if use_flint else None
    acc, k = flint.fmpz(0) if flint is not None else 0, len(vector)
    check = (budget or Budget()).check
    for j, coefficient in enumerate(product(groups, flint, check)):
        check()
        acc = acc * (k + j) + (-coefficient if j & 1 else coefficient)
    for v, times in groups.items():
        acc //= math.factorial(v - 1) ** times
    return int(acc)


def bad(x: Iterable[int]) -> int:
    """Return F(x): the number of sequences without the subsequence 1-2-...-k.

    See `good` for the parameters, errors and cost. [Bergh2016, section 3]

    >>> bad((4,) * 13)
    91973270026324484565579418350194489655582912237019
    >>> bad((0,)), bad((3,)), bad((1, 1, 1, 1))
    (1, 0, 23)
    """
    vector = check_vector(x)
    n_good = good(vector)  # refuses vectors that are too large before factorials are computed
    return multinomial(vector) - n_good


def probability(x: Iterable[int]) -> Fraction:
    """Return the exact probability that a shuffled sequence is good.

    >>> probability((2, 1, 1))
    Fraction(1, 4)
    >>> f"{float(probability((4,) * 13)):.8f}"
    '0.00055390'
    """
    vector = check_vector(x)
    n_good = good(vector)
    return Fraction(n_good, multinomial(vector))
