"""Experiments on random streams of the solitaire: the law of the least hand, and its threshold.

If no card repeats, the end of a stream says how large a hand it needs (`counting.least_hand`), so
that streams of ten million cards can be drawn by the thousand. If cards repeat, the program of
paths finds the least hand of each stream with a play and a proof, and the question is how sharply
the share of streams that can be won rises with the hand. `docs/least-hand.md` shows the results.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypeVar

from hanabi.ground import InvalidInputError, SolverError, quote
from hanabi.lab.store import Store
from hanabi.lab.work import JSON, Job, key_of
from hanabi.solitaire import (
    Instance,
    Point,
    exact_law,
    least_hand,
    mean_spare_of_one_color,
    sample_least_hands,
    sample_limits,
    share_held,
    share_held_of_two_values,
    shuffled_decks,
    verify_play,
    wilson,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]

__all__ = [
    "HandsWithCopies",
    "LawResults",
    "LeastHandLaw",
    "LeastHands",
    "Limits",
    "Sample",
    "Threshold",
    "ThresholdRow",
]

Law = TypeVar("Law", "LeastHandLaw", "Threshold")

_SEED = 2016
_MOST_DEALS = 1_000_000
_MOST_SEED = 2**63

COLORS = range(1, 11)
MANY_COLORS = (20, 50, 100, 200, 500, 1000)
LENGTHS = (1_000, 100_000, 10_000_000)
"""The lengths of the streams that are set beside the limit, in cards."""
FEW_VALUES = tuple((n, c) for n in (2, 3, 5, 10) for c in (100, 10_000, 1_000_000))
"""The values and colors (n, c) of the streams of few values in many colors."""
EXACT_CARDS = 24
"""The length of the streams that are counted."""
# Each row has a seed of its own, the experiment's and its number on, so that rows are independent.
_LIMITS_FROM, _FEW_VALUES_FROM = 100, 200
_LIMITS_A_DEAL = 100
_PLAYED = 20_000_000  # cards of a row that are played from beginning to end
_FEW_CARDS = 2_000_000  # cards of a row of few values, for each thousand deals


@dataclass(frozen=True, slots=True)
class LeastHands:
    """Random streams without repeated cards, numbered, each with its least hand.

    The record of a stream is its least hand, in four bytes, the low one first; see
    `hanabi.solitaire.counting.least_hand.sample_least_hands` for the parameters.

    >>> work = LeastHands(50, 2, seed=1)
    >>> work.run(0, 4) == work.run(0, 1) + work.run(1, 3)
    True
    """

    n: int
    c: int
    seed: int
    is_played: bool = False

    kind: ClassVar[str] = "least hands"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "streams"
    is_compiled: ClassVar[bool] = True

    def config(self) -> dict[str, JSON]:
        """Return the sizes, the seed, and whether streams are played or only their ends read."""
        return {"n": self.n, "c": self.c, "seed": self.seed, "is_played": self.is_played}

    def run(self, first: int, count: int, /) -> bytes:
        """Draw the streams `first` .. `first + count - 1`."""
        found = sample_least_hands(
            self.n, self.c, self.seed, first, count, is_played=self.is_played
        )
        return found.astype("<u4").tobytes()

    def spare(self, store: Store, items: int) -> Floats:
        """Return (N - h) / sqrt(N) of the first `items` streams."""
        import numpy as np

        N = self.n * self.c
        hands = np.frombuffer(store.payload(key_of(self), items, width=4), "<u4")
        return (N - hands.astype(np.float64)) / math.sqrt(N)


@dataclass(frozen=True, slots=True)
class Limits:
    """Samples of the limit L(c, r), numbered.

    See `hanabi.solitaire.counting.least_hand.sample_limits`.

    The record of a sample is a number of 64 bits, the low byte first.

    >>> work = Limits(3, seed=1)
    >>> work.run(0, 4) == work.run(0, 1) + work.run(1, 3)
    True
    """

    c: int
    seed: int
    r: int = 1

    kind: ClassVar[str] = "limits"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "streams"
    is_compiled: ClassVar[bool] = True

    def config(self) -> dict[str, JSON]:
        """Return the number of colors, the seed, and the copies if there are several."""
        copies: dict[str, JSON] = {} if self.r == 1 else {"r": self.r}
        return {"c": self.c, "seed": self.seed, **copies}

    def run(self, first: int, count: int, /) -> bytes:
        """Draw the samples `first` .. `first + count - 1`."""
        samples = sample_limits(self.c, self.seed, first, count, r=self.r)
        return samples.astype("<f8").tobytes()

    def samples(self, store: Store, items: int) -> Floats:
        """Return the first `items` samples."""
        import numpy as np

        return np.frombuffer(store.payload(key_of(self), items, width=8), "<f8")


@dataclass(frozen=True, slots=True)
class HandsWithCopies:
    """Random streams with r copies of each card, numbered, each with bounds on its least hand.

    The record of a stream is a lower and an upper bound, each in four bytes, the low one first. No
    hand below the lower one wins, by a certificate that was checked; the upper one wins, by a play
    that was replayed. They differ only if the time ended, so nothing else depends on the machine.

    Attributes
    ----------
    n, c, r
        Values, colors, and copies of each card.
    seed
        Stream `index` is shuffled by the random stream (`seed`, `index`); 0 .. 2**64 - 1.
    seconds
        Time limit of a stream.

    >>> HandsWithCopies(2, 2, 2, seed=1).run(0, 2).hex(" ", 4)
    '01000000 01000000 01000000 01000000'
    """

    n: int
    c: int
    r: int
    seed: int
    seconds: float = 60.0

    kind: ClassVar[str] = "least hands with copies"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "streams"
    is_compiled: ClassVar[bool] = False

    @property
    def N(self) -> int:
        """Length of a stream."""
        return self.n * self.c * self.r

    def config(self) -> dict[str, JSON]:
        """Return the sizes, the seed and the time limit."""
        sizes: dict[str, JSON] = {"n": self.n, "c": self.c, "r": self.r}
        return {**sizes, "seed": self.seed, "seconds": self.seconds}

    def run(self, first: int, count: int, /) -> bytes:
        """Solve the streams `first` .. `first + count - 1`."""
        import numpy as np

        rows = [(self.r,) * self.n] * self.c
        # The first, short search of `auto` decides few of these streams, and costs most.
        method = "auto" if self.c == 1 or self.r == 1 else "paths"
        bounds = []
        for stream in shuffled_decks(rows, self.seed, first, count):
            colors, values = np.divmod(stream, self.n)
            instance = Instance.from_arrays(0, colors, values + 1, n=self.n, c=self.c)
            found = least_hand(instance, method=method, seconds=self.seconds)
            upper = instance.goal if found.upper is None else found.upper
            if found.verdict.witness is not None:
                verify_play(instance.with_hand_size(upper), found.verdict.witness)
            bounds += [found.lower, upper]
        return np.array(bounds, "<u4").tobytes()

    def bounds(self, store: Store, items: int) -> npt.NDArray[np.int64]:
        """Return the bounds of the first `items` streams, shape (items, 2)."""
        import numpy as np

        payload = store.payload(key_of(self), items, width=8)
        return np.frombuffer(payload, "<u4").astype(np.int64).reshape(items, 2)


@dataclass(frozen=True, slots=True)
class Sample:
    """A row of the law: the mean of a sample, beside what it should tend to.

    Attributes
    ----------
    kind
        `limit` for samples of L(c); `streams` for (N - h) / sqrt(N) of streams; `held` for h / N of
        streams of few values.
    n, c
        Values (None for the limit) and colors.
    samples, mean, standard_error, deviation
        Their number, and what they show.
    expected, expected_error
        Of the limit: 2 sqrt(c), to which its mean is proportional for many colors, without error.
        Of streams: the mean of the samples of L(c) with its standard error. Of h / N: its limit.
    exact
        The exact mean, where a formula gives it (c = 1), else None.
    distance, level
        Of streams: the largest distance between the distribution functions of streams and limit,
        and what it exceeds in 5 % of equal laws (Kolmogorov and Smirnov).
    quantiles
        Those of 1 %, 2 %, ..., 99 %; of `limit` and `streams`.
    """

    kind: str
    n: int | None
    c: int
    samples: int
    mean: float
    standard_error: float
    deviation: float
    expected: float
    expected_error: float = 0.0
    exact: float | None = None
    distance: float | None = None
    level: float | None = None
    quantiles: tuple[float, ...] = ()

    @property
    def N(self) -> int | None:
        """Length of the streams."""
        return None if self.n is None else self.n * self.c

    @property
    def gap(self) -> float:
        """The difference from what is expected, in standard errors; nan if there is no error."""
        error = math.hypot(self.standard_error, self.expected_error)
        return (self.mean - self.expected) / error if error else math.nan


@dataclass(frozen=True, slots=True)
class LawResults:
    """What the law's experiment found.

    Attributes
    ----------
    rows
        All rows; see `Sample`.
    exact
        For streams of 24 cards, by the number of colors: the exact mean of (N - h) / sqrt(N).
    played
        Streams that were also played from beginning to end, each with the hand that its end tells.
    """

    rows: tuple[Sample, ...]
    exact: dict[int, float]
    played: int

    def of(self, kind: str) -> list[Sample]:
        """Return the rows of a kind."""
        return [row for row in self.rows if row.kind == kind]


@dataclass(frozen=True, slots=True)
class LeastHandLaw:
    """The law of the least hand for streams without repeated cards, beside its limit.

    For 1 to 10 colors and for each of three lengths up to ten million cards, `deals` streams, and
    `100 * deals` samples of the limit; the limit for up to 1,000 colors; and few values in many
    colors.

    >>> law = LeastHandLaw().resized(deals=20)
    >>> len(law.plan())
    88
    """

    deals: int = 1_000
    seed: int = _SEED
    lengths: Sequence[int] = LENGTHS
    few_values: Sequence[tuple[int, int]] = FEW_VALUES

    name: ClassVar[str] = "least-hand"
    title: ClassVar[str] = "The law of the least hand: streams in which no card repeats"
    endings: ClassVar[tuple[str, ...]] = ("csv", "json", "svg", "pdf")

    @property
    def size(self) -> str:
        """How much is drawn."""
        limits = f"{_LIMITS_A_DEAL * self.deals:,} samples of each limit"
        return f"{self.deals:,} streams a number, {limits}, seed {self.seed}"

    def resized(
        self, *, deals: int | None = None, repeats: int | None = None, seed: int | None = None
    ) -> LeastHandLaw:
        """Return the experiment with the given numbers replaced; see `Threshold.resized`."""
        return _resized(self, deals, repeats, seed)

    def plan(self) -> list[Job]:
        """Return all of its work."""
        jobs = [*self._limits(), *self._streams(), *self._few_values()]
        return jobs + [self._played(job) for job in self._streams()]

    def _limits(self) -> list[Job]:
        def items(c: int) -> int:  # many colors take long
            fewer = max(c / max(COLORS), 1.0) ** 2
            return max(int(_LIMITS_A_DEAL * self.deals / fewer), self.deals // 2, 2)

        return [
            Job(Limits(c, self.seed + row), items(c))
            for row, c in enumerate((*COLORS, *MANY_COLORS), _LIMITS_FROM)
        ]

    def _streams(self) -> list[Job]:
        sizes = [(N // c, c) for c in COLORS for N in self.lengths]
        return [
            Job(LeastHands(n, c, self.seed + row), self.deals) for row, (n, c) in enumerate(sizes)
        ]

    def _few_values(self) -> list[Job]:
        def items(N: int) -> int:
            return min(self.deals, max(self.deals * _FEW_CARDS // (1000 * N), 4))

        return [
            Job(LeastHands(n, c, self.seed + row), items(n * c))
            for row, (n, c) in enumerate(self.few_values, _FEW_VALUES_FROM)
        ]

    def _played(self, job: Job) -> Job:
        work = job.work
        assert isinstance(work, LeastHands)  # noqa: S101 - it comes from _streams
        items = min(job.items, max(_PLAYED // (work.n * work.c), 1))
        return Job(replace(work, is_played=True), items)

    def results(self, store: Store) -> LawResults:
        """Return what a finished run found.

        Raises
        ------
        SolverError
            If a stream that was played from beginning to end needs another hand than its end tells.
        StoreError
            If the store lacks an item.
        """
        rows, limits, played = [], {}, 0
        for job in self._limits():
            if isinstance(job.work, Limits):
                c, samples = job.work.c, job.work.samples(store, job.items)
                row = _row("limit", None, c, samples, 2 * math.sqrt(c))
                if c == 1:
                    row = replace(row, exact=math.sqrt(math.pi / 2))
                rows.append(row)
                limits[c] = samples, row
        for job in self._streams():
            if isinstance(job.work, LeastHands):
                rows.append(_beside(job, store, *limits[job.work.c]))
                played += _check_played(store, job, self._played(job))
        for job in self._few_values():
            if isinstance(job.work, LeastHands):
                n, c = job.work.n, job.work.c
                held = 1 - job.work.spare(store, job.items) / math.sqrt(n * c)
                rows.append(_row("held", n, c, held, share_held(n), quantiles=False))
        return LawResults(tuple(rows), _exact_means(), played)


def _row(
    kind: str, n: int | None, c: int, samples: Floats, expected: float, *, quantiles: bool = True
) -> Sample:
    import numpy as np

    deviation = float(samples.std(ddof=1)) if len(samples) > 1 else math.nan
    percents = np.quantile(samples, np.arange(1, 100) / 100 if quantiles else [])
    return Sample(
        kind, n, c, len(samples), float(samples.mean()), deviation / math.sqrt(len(samples)),
        deviation, expected, quantiles=tuple(map(float, percents)),
    )  # fmt: skip


def _beside(job: Job, store: Store, limits: Floats, limit: Sample) -> Sample:
    """Return the row of some streams, beside the samples of their limit."""
    import numpy as np

    work = job.work
    assert isinstance(work, LeastHands)  # noqa: S101 - the caller asked
    spare = np.sort(work.spare(store, job.items))
    row = _row("streams", work.n, work.c, spare, limit.mean)
    ordered = np.sort(limits)
    # Both distribution functions, just at and just before each jump of that of the streams.
    at = np.searchsorted(ordered, spare, "right") / len(ordered)
    before = np.searchsorted(ordered, spare, "left") / len(ordered)
    upper = np.searchsorted(spare, spare, "right") / len(spare)
    lower = np.searchsorted(spare, spare, "left") / len(spare)
    distance = max(float(np.abs(upper - at).max()), float(np.abs(before - lower).max()))
    level = math.sqrt(-math.log(0.025) / 2 * (1 / len(spare) + 1 / len(ordered)))
    exact = mean_spare_of_one_color(work.n) / math.sqrt(work.n) if work.c == 1 else None
    return replace(
        row, expected_error=limit.standard_error, exact=exact, distance=distance, level=level
    )


def _check_played(store: Store, job: Job, played: Job) -> int:
    """Return how many streams were played, all of them with the hand that their end tells."""
    by_end, by_play = (
        store.payload(key_of(work), played.items, width=4) for work in (job.work, played.work)
    )
    if by_end != by_play:
        raise SolverError(f"{played.work}: the end of a stream tells another hand than its play")
    return played.items


def _exact_means() -> dict[int, float]:
    """Return the exact mean of (N - h) / sqrt(N) for 24 cards, by the number of colors."""
    means = {}
    for c in COLORS:
        if EXACT_CARDS % c == 0:
            law = exact_law(EXACT_CARDS // c, c)
            total = sum((EXACT_CARDS - hand) * ways for hand, ways in enumerate(law))
            means[c] = total / math.factorial(EXACT_CARDS) / math.sqrt(EXACT_CARDS)
    return means


SHAPES = (
    *((2, c, 2) for c in (25, 100, 400, 1600)),
    *((3, c, 2) for c in (25, 100, 400)),
    *((5, c, 2) for c in (5, 10, 20, 40, 80, 160)),
    *((5, c, 3) for c in (10, 20, 40, 80)),
    *((n, 5, 2) for n in (10, 20, 40)),
    *((n, 2, 2) for n in (10, 20, 40)),
    *((n, 1, r) for r in (2, 3) for n in (1_000, 10_000)),
)
"""The values, colors and copies (n, c, r) of the threshold's streams."""


@dataclass(frozen=True, slots=True)
class ThresholdRow:
    """How sharply the share of streams that can be won rises with the hand, for one n, c and r.

    Attributes
    ----------
    n, c, r
        Values, colors, and copies of each card.
    points
        The share of streams won, at the hand sizes where it changes. `Point.low` and `high`
        enclose it with 95 % confidence, whatever the least hands of the open streams are.
    open
        Streams whose least hand is only bounded, because the time ended.
    mean, standard_error, deviation
        Of the least hand; of its upper bound where it is open.
    expected
        The limit of h / N as the number of colors grows, where it is known (n = 2).
    limit, limit_error
        If there are more values than colors: the mean of L(c, r), to which `spare` tends as the
        number of values grows, and its standard error.
    """

    n: int
    c: int
    r: int
    points: tuple[Point, ...]
    open: int
    mean: float
    standard_error: float
    deviation: float
    expected: float | None = None
    limit: float | None = None
    limit_error: float = 0.0

    @property
    def N(self) -> int:
        """Length of the streams."""
        return self.n * self.c * self.r

    @property
    def scale(self) -> float:
        """N**(r / (r + 1)), with which N / r - h grows for a fixed number of colors."""
        return float(self.N ** (self.r / (self.r + 1)))

    @property
    def spare(self) -> float:
        """The mean of N / r - h over `scale`."""
        return (self.N / self.r - self.mean) / self.scale

    @property
    def streams(self) -> int:
        """The number of streams."""
        return self.points[0].decks

    def hand_for(self, share: float) -> int:
        """Return the least hand that wins at least this share of the streams."""
        return next(point.hand_size for point in self.points if point.won >= share * point.decks)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The threshold for streams whose cards repeat: the share that can be won, by hand size.

    >>> threshold = Threshold().resized(deals=50)
    >>> len(threshold.plan()), threshold.size
    (31, '50 streams a row, seed 2016')
    """

    deals: int = 100
    seed: int = _SEED
    shapes: Sequence[tuple[int, int, int]] = SHAPES

    name: ClassVar[str] = "threshold"
    title: ClassVar[str] = "The threshold: streams in which each card has r copies"
    endings: ClassVar[tuple[str, ...]] = ("csv", "json", "svg", "pdf")

    @property
    def size(self) -> str:
        """How much is drawn."""
        return f"{self.deals:,} streams a row, seed {self.seed}"

    def resized(
        self, *, deals: int | None = None, repeats: int | None = None, seed: int | None = None
    ) -> Threshold:
        """Return the experiment with the given numbers replaced.

        Raises
        ------
        InvalidInputError
            If there are fewer than 2 streams or too many, or if repeats are asked for: a stream has
            one least hand.
        """
        return _resized(self, deals, repeats, seed)

    def plan(self) -> list[Job]:
        """Return all of its work."""
        hands = [Job(work, self.deals) for work in self._works()]
        return [*hands, *self._limits().values()]

    def _limits(self) -> dict[tuple[int, int], Job]:
        """Return the samples of the limits for few colors, by colors and copies."""
        few = dict.fromkeys((c, r) for n, c, r in self.shapes if n > c)
        seeds = enumerate(few, self.seed + _LIMITS_FROM)
        items = _LIMITS_A_DEAL * self.deals
        return {(c, r): Job(Limits(c, seed, r), items) for seed, (c, r) in seeds}

    def _works(self) -> list[HandsWithCopies]:
        # Each row has a seed of its own, so that rows are independent.
        return [HandsWithCopies(*shape, self.seed + i) for i, shape in enumerate(self.shapes)]

    def results(self, store: Store) -> list[ThresholdRow]:
        """Return what a finished run found; raises StoreError if the store lacks a stream."""
        limits = {}
        for shape, job in self._limits().items():
            if isinstance(job.work, Limits):
                samples = job.work.samples(store, job.items)
                mean, error = float(samples.mean()), float(samples.std(ddof=1))
                limits[shape] = mean, error / math.sqrt(len(samples))
        rows = []
        for work in self._works():
            row = _threshold(work.n, work.c, work.r, work.bounds(store, self.deals))
            if work.n > work.c:
                limit, error = limits[work.c, work.r]
                row = replace(row, limit=limit, limit_error=error)
            rows.append(row)
        return rows


def _threshold(n: int, c: int, r: int, bounds: npt.NDArray[np.int64]) -> ThresholdRow:
    lower, upper = bounds.T
    streams, points = len(bounds), []
    for hand in sorted({0, *lower.tolist(), *upper.tolist()}):
        won, perhaps = int((upper <= hand).sum()), int((lower <= hand).sum())
        low, high = wilson(won, streams)[0], wilson(perhaps, streams)[1]
        points.append(Point(hand, won, streams, low, high))
    deviation = float(upper.std(ddof=1))
    return ThresholdRow(
        n, c, r, tuple(points), int((lower < upper).sum()), float(upper.mean()),
        deviation / math.sqrt(streams), deviation,
        float(share_held_of_two_values(r)) if n == 2 else None,
    )  # fmt: skip


def _resized(law: Law, deals: int | None, repeats: int | None, seed: int | None) -> Law:
    if repeats not in (None, 1):
        raise InvalidInputError(f"repeats = {quote(repeats)}: a stream has one least hand")
    changes = {}
    if deals is not None:
        if not 2 <= deals <= _MOST_DEALS:
            raise InvalidInputError(f"deals = {quote(deals)} is not in 2 .. {_MOST_DEALS:,}")
        changes["deals"] = deals
    if seed is not None:
        if not 0 <= seed <= _MOST_SEED:
            raise InvalidInputError(f"seed = {quote(seed)} is not in 0 .. {_MOST_SEED:,}")
        changes["seed"] = seed
    return replace(law, **changes)  # type: ignore[arg-type]
