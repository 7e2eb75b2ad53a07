"""Statistics of finished games: mean scores and their uncertainty.

All functions take outcomes, one integer a game: `points << 1 | is_bombed`. Both scorings of a
bombed game are always reported: `kept` keeps its points, `zeroed` scores 0. Sums are exact
integers; intervals use the normal distribution, which is accurate from some thirty deals on.

If deals are played several times, the games of one deal are correlated. Standard errors are
therefore taken over deals, not over games: a hundred repeats of one deal count as one deal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hanabi.ground import InvalidInputError, counted, quote
from hanabi.players import Scores, Tally
from hanabi.rules import Rules
from hanabi.solitaire import normal_reach, wilson

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Outcomes: TypeAlias = Sequence[int] | npt.NDArray[np.integer]
    Totals: TypeAlias = npt.NDArray[np.int64]

__all__ = [
    "Comparison",
    "Estimate",
    "Summary",
    "compare",
    "deals_needed",
    "find_worst",
    "summarize",
    "wilson",
]

CONFIDENCE = 0.95
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error and confidence interval; nan if they are undefined."""

    value: float
    standard_error: float
    low: float
    high: float

    def __str__(self) -> str:
        error = self.standard_error
        return f"{self.value:.3f}" + ("" if math.isnan(error) else f" +- {error:.3f}")


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a player's games: `deals` deals, each played `repeats` times; `str` is one line.

    Attributes
    ----------
    tally
        All games by points and by whether they were bombed.
    kept, zeroed
        The mean score if a bombed game keeps its points, and if it scores 0.
    bombed_scores_zero
        Whether the rules use `zeroed` (else `kept`).
    """

    deals: int
    repeats: int
    tally: Tally
    kept: Estimate
    zeroed: Estimate
    bombed_scores_zero: bool

    @property
    def games(self) -> int:
        """Number of games."""
        return self.tally.games

    @property
    def score(self) -> Estimate:
        """The mean score by the rules."""
        return self.zeroed if self.bombed_scores_zero else self.kept

    @property
    def scores(self) -> Scores:
        """All games by their scores, by the rules."""
        return self.tally.zeroed if self.bombed_scores_zero else self.tally.kept

    @property
    def deviation(self) -> float:
        """Standard deviation of the scores of single games, by the rules; nan for one game."""
        return self.scores.standard_error * math.sqrt(self.games)

    @property
    def perfect(self) -> float:
        """Share of games with the highest score."""
        return self.scores.perfect / self.games

    @property
    def bombed(self) -> float:
        """Share of games that ended with the last error."""
        return self.tally.n_bombed / self.games

    def __str__(self) -> str:
        found = f"mean {self.score} in {counted(self.games, 'game')}"
        return f"{found}: {self.scores.perfect:,} perfect, {self.tally.n_bombed:,} bombed"

    def __repr__(self) -> str:
        return f"<Summary {self}>"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two players on the same deals.

    Attributes
    ----------
    difference
        The mean score of the first player minus that of the second.
    better, worse
        Numbers of deals on which the first scored more, or less, than the second, on average over
        repeats.
    deals
        Total number of deals.
    """

    difference: Estimate
    better: int
    worse: int
    deals: int

    @property
    def equal(self) -> int:
        """Number of deals on which both scored the same."""
        return self.deals - self.better - self.worse

    def __str__(self) -> str:
        counts = f"{self.better:,} better, {self.equal:,} equal, {self.worse:,} worse"
        return f"difference {self.difference} in {counted(self.deals, 'deal')}: {counts}"


def _estimate(blocks: Iterable[Totals], repeats: int, confidence: float) -> Estimate:
    reach = normal_reach(confidence)
    n = total = squares = 0
    for block in blocks:
        n += len(block)
        total += int(block.sum())
        squares += int((block * block).sum())
    if not n:
        raise InvalidInputError("no games: there is no mean")
    mean = total / (n * repeats)
    # In integers until the end, so no precision is lost.
    error = math.nan
    if n > 1:
        error = math.sqrt((n * squares - total * total) / (n * n * (n - 1))) / repeats
    spread = reach * error
    return Estimate(mean, error, mean - spread, mean + spread)


def summarize(runs: Sequence[Outcomes], rules: Rules, *, confidence: float = CONFIDENCE) -> Summary:
    """Summarize the games of one player.

    Parameters
    ----------
    runs
        Outcomes of the same deals in the same order, once for each repeat.
    rules
        The rules of the games.
    confidence
        The probability that an interval holds the true mean, between 0 and 1.

    Raises
    ------
    InvalidInputError
        If there are no games, the runs differ in length, or the confidence is out of range.

    >>> games = summarize([[50, 40, 7]], Rules.official(3))
    >>> games.kept.value, games.zeroed.value, games.tally.n_bombed
    (16.0, 15.0, 1)
    """
    repeats, deals = len(runs), _deals(runs)
    kept, zeroed = (
        _estimate(_totals(runs, is_zeroed=is_zeroed), repeats, confidence)
        for is_zeroed in (False, True)
    )
    tally = sum((_count(run, rules) for run in runs), start=Tally.of(rules, ()))
    return Summary(deals, repeats, tally, kept, zeroed, rules.bombed_scores_zero)


def compare(
    first: Sequence[Outcomes],
    second: Sequence[Outcomes],
    rules: Rules,
    *,
    confidence: float = CONFIDENCE,
) -> Comparison:
    """Compare two players on the same deals, by the rules' scoring of a bombed game.

    Both players got the same cards, so most of the luck of the deal cancels in the difference. Its
    standard error is that of the differences by deal, not of the two means.

    The parameters and errors are those of `summarize`; both players need the same number of
    deals, but not of repeats.

    >>> ours, theirs = [[40, 42, 44]], [[38, 40, 44]]
    >>> both = compare(ours, theirs, Rules.official(3))
    >>> round(both.difference.value, 3), both.better, both.equal
    (0.667, 2, 1)
    """
    is_zeroed = rules.bombed_scores_zero
    if _deals(first) != _deals(second):
        raise InvalidInputError(f"{_deals(first)} deals cannot be paired with {_deals(second)}")

    def gains() -> Iterator[Totals]:
        pairs = zip(
            _totals(first, is_zeroed=is_zeroed), _totals(second, is_zeroed=is_zeroed), strict=True
        )
        # Weight each sum over repeats by the other player's number of repeats.
        return (ours * len(second) - theirs * len(first) for ours, theirs in pairs)

    return Comparison(
        _estimate(gains(), len(first) * len(second), confidence),
        better=sum(int((block > 0).sum()) for block in gains()),
        worse=sum(int((block < 0).sum()) for block in gains()),
        deals=_deals(first),
    )


POWER = 0.8
_HALF = 0.5


def deals_needed(
    deviation: float, difference: float, *, confidence: float = CONFIDENCE, power: float = POWER
) -> int:
    """Return how many deals show a difference of this size, by the normal distribution.

    Parameters
    ----------
    deviation
        Standard deviation of the differences by deal; the standard error times the square root of
        the deals.
    difference
        The true difference, not 0.
    confidence
        Of the two-sided test.
    power
        The probability that the test finds the difference, from 0.5.

    Raises
    ------
    InvalidInputError
        If the difference is not a number other than 0.

    >>> deals_needed(2.0, 0.5), deals_needed(2.0, 0.25)
    (126, 503)
    """
    if not (math.isfinite(difference) and difference):
        raise InvalidInputError(f"a difference of {quote(difference)} is none")
    reach = normal_reach(confidence) + (normal_reach(2 * power - 1) if power > _HALF else 0)
    return max(math.ceil((reach * deviation / difference) ** 2), 2)


def _deals(runs: Sequence[Outcomes]) -> int:
    """Return the number of deals, which is the same in all runs."""
    sizes = {len(run) for run in runs}
    if len(sizes) != 1:
        raise InvalidInputError("runs: one or more, each of the same deals")
    return sizes.pop()


def _totals(runs: Sequence[Outcomes], *, is_zeroed: bool) -> Iterator[Totals]:
    """Yield each deal's points over all runs, in blocks of deals to save memory."""
    import numpy as np

    deals = _deals(runs)
    for start in range(0, deals, _BLOCK):
        totals = np.zeros(min(_BLOCK, deals - start), np.int64)
        for run in runs:
            outcomes = np.asarray(run[start : start + _BLOCK], np.int64)
            points = outcomes >> 1
            totals += points * (1 - (outcomes & 1)) if is_zeroed else points
        yield totals


def _count(run: Outcomes, rules: Rules) -> Tally:
    import numpy as np

    size = 2 * rules.max_score + 2
    counts = np.zeros(size, np.int64)
    for start in range(0, len(run), _BLOCK):
        some = np.bincount(np.asarray(run[start : start + _BLOCK], np.int64), minlength=size)
        if len(some) > size:
            raise InvalidInputError(
                f"a score of {(len(some) - 1) // 2} with {rules.max_score} points at most"
            )
        counts += some
    return Tally(tuple(counts[::2].tolist()), tuple(counts[1::2].tolist()))


def find_worst(runs: Sequence[Outcomes], rules: Rules, most: int) -> list[tuple[int, int]]:
    """Return the deal and repeat of the `most` games with the lowest scores, lowest first.

    Ties are broken by fewer points on the piles, then by the earlier deal. O(n log n).

    Parameters
    ----------
    runs
        The outcomes of each repeat, by deal.
    rules
        The rules, which decide how a bombed game scores.
    most
        The number of games.

    >>> find_worst([[50, 8, 31], [50, 50, 6]], Rules.official(2), 3)
    [(2, 0), (2, 1), (1, 0)]
    """
    import numpy as np

    found: list[tuple[int, int, int]] = []
    for repeat, outcomes in enumerate(runs):
        for first in range(0, len(outcomes), _BLOCK):
            block = np.asarray(outcomes[first : first + _BLOCK], np.int64)
            points, is_bombed = block >> 1, block & 1
            scores = points * (1 - is_bombed) if rules.bombed_scores_zero else points
            ranks = scores << 32 | points
            lowest = np.argsort(ranks, kind="stable")[:most]
            found += [(int(ranks[each]), first + int(each), repeat) for each in lowest]
            found = sorted(found)[:most]
    return [(deal, repeat) for _, deal, repeat in found]
