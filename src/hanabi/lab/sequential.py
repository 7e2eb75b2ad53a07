"""Sequential tests: whether a difference is clear, for repeated looks at results that come in.

Someone who looks repeatedly until a 95 % interval excludes zero stops far too often by chance. Here
the probability of an error is spent: look k may use 1 / (k (k + 1)) of it, which adds up to at most
all of it for any number of looks, and several comparisons share it equally (Bonferroni). So with a
confidence of 95 %, the probability of calling any difference clear that is zero or has the other
sign is at most 5 %. Each test uses the normal distribution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hanabi.counting.playability import normal_reach
from hanabi.errors import InvalidInputError, quote
from hanabi.lab.stats import CONFIDENCE, Comparison

__all__ = ["FIRST_LOOK", "clear_at", "looks"]

FIRST_LOOK = 100
"""Deals before the first look: enough for the normal distribution."""


def looks(most: int) -> Iterator[int]:
    """Yield the numbers of deals after which to look: 100, 200, 400, ... and finally `most`.

    >>> [*looks(1000)], [*looks(50)]
    ([100, 200, 400, 800, 1000], [50])
    """
    deals = FIRST_LOOK
    while deals < most:
        yield deals
        deals *= 2
    yield most


def clear_at(
    look: int, comparisons: Iterable[Comparison], *, confidence: float = CONFIDENCE
) -> list[bool]:
    """Return for each comparison whether the sign of its difference is clear.

    Parameters
    ----------
    look
        The number of this look, from 1.
    comparisons
        All comparisons of this look; every look must have the same number of them.
    confidence
        The probability that no look makes an error.

    Raises
    ------
    InvalidInputError
        If the look is below 1, or the confidence is not between 0 and 1.

    >>> from hanabi.lab.stats import Estimate
    >>> far = Comparison(Estimate(1.0, 0.1, 0.8, 1.2), better=60, worse=20, deals=100)
    >>> near = Comparison(Estimate(0.2, 0.1, 0.0, 0.4), better=45, worse=40, deals=100)
    >>> clear_at(1, [far, near])
    [True, False]
    """
    if look < 1:
        raise InvalidInputError(f"look {quote(look)} is below 1")
    given = [each.difference for each in comparisons]
    spent = (1 - confidence) / (look * (look + 1) * max(1, len(given)))
    reach = normal_reach(1 - spent)
    return [abs(each.value) > reach * each.standard_error for each in given]
