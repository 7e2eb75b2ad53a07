"""`hanabi count` says how many shuffled decks can be won."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from hanabi.cli.input.options import Count, Json, Seconds, new_seed
from hanabi.cli.output.files import check_outputs, replaced
from hanabi.cli.output.terminal import ProgressLine, Screen, complain, print_json
from hanabi.counting.cost import refuse_absurd
from hanabi.counting.digits import approximate, format_integer
from hanabi.counting.vector import Vector, expand_groups, format_vector, multinomial, parse_groups
from hanabi.errors import InvalidInputError, counted, quote
from hanabi.session.counts import MOST_COLORS, count_decks
from hanabi.session.question import DEFAULT_SECONDS

if TYPE_CHECKING:
    from hanabi.counting.playability import Point

__all__ = ["count_command"]

_SAMPLES = 10_000
_BAR = 30

Text = Annotated[str, Parameter(allow_leading_hyphen=True)]


@dataclass(frozen=True, slots=True)
class _Deck:
    """What is counted: `colors` colors with copies `x` each."""

    x: Vector
    colors: int

    @property
    def rows(self) -> list[Vector]:
        return [self.x] * self.colors

    @property
    def total(self) -> int:
        return multinomial(self.x * self.colors)

    def to_json(self, *, is_plain: bool) -> dict[str, object]:
        data: dict[str, object] = {"x": list(self.x)}
        return data if is_plain else data | {"colors": self.colors}

    def __str__(self) -> str:
        k, N = len(self.x), sum(self.x) * self.colors
        colors = "" if self.colors == 1 else f", {self.colors:,} colors"
        return f"x = {format_vector(self.x)}{colors}: {counted(N, 'card')}, values 1 .. {k:,}"


@dataclass(frozen=True, slots=True)
class _Sampling:
    samples: int
    seed: int
    workers: int | None
    store: str | None


def count_command(
    x: Text,
    /,
    *,
    colors: Count = 1,
    hand_size: Annotated[Count | None, Parameter(name=("--hand-size", "--hand"))] = None,
    curve: bool = False,
    samples: Count | None = None,
    seed: Count | None = None,
    workers: Annotated[Count | None, Parameter(name=("--workers", "-j"))] = None,
    store: str | None = None,
    plot: str | None = None,
    time: Seconds | None = None,
    json: Json = False,
) -> int:
    """Count the shuffled decks that can be won.

    Parameters
    ----------
    x
        Copies of each value, as in 3,2,2,2,1, or 4x13 for 4 copies of each of 13 values.
    colors
        Number of colors with these copies each, by default 1.
    hand_size
        The most cards in hand; by default 0: a card is played at once or lost.
    curve
        The probability of winning for every hand size.
    samples
        Estimate from so many shuffled decks instead of counting.
    seed
        The same seed gives the same decks; by default a random one, printed.
    workers
        How many threads estimate the curve, by default one for each processor.
    store
        Keep the decks of an estimated curve in this file, and go on from what it has.
    plot
        Draw the curve into this file (.svg, .png or .pdf).
    time
        Refuse to count what is estimated to take more seconds, by default 60; 0 for no limit. With
        --samples for one hand size, estimate from the decks done by then; there is no limit by
        default.
    """
    if x.startswith("--"):
        raise InvalidInputError(f"unknown option {quote(x)}")
    check_outputs([], {"--plot": plot}, store=store)
    if plot is not None:
        from hanabi.report.canvas import open_figure

        open_figure(plot)  # before all the work, not after
    groups = parse_groups(x)
    seconds = (DEFAULT_SECONDS if time is None else time) or math.inf
    refuse_absurd(groups * min(colors, MOST_COLORS), seconds=seconds)
    if not 1 <= colors <= MOST_COLORS:
        raise InvalidInputError(f"colors: {colors} is not in 1 .. {MOST_COLORS:,}")
    deck = _Deck(expand_groups(groups), colors)
    is_curve = curve or plot is not None
    if is_curve and hand_size is not None:
        raise InvalidInputError("--curve and --plot are for all hand sizes, not for one")
    sampling = None
    if samples is not None or (is_curve and not _is_curve_exact(deck, seconds)):
        samples = _SAMPLES if samples is None else samples
        sampling = _Sampling(samples, new_seed(seed), workers, store)
    if is_curve:
        points = _curve(deck, sampling)
        if plot is not None:
            from hanabi.report.charts import plot_playability

            with replaced(plot) as path:
                plot_playability({str(deck): points}, path)
        _print_curve(deck, points, sampling, json=json)
    elif sampling is not None:
        _print_estimate(deck, hand_size or 0, sampling, time or math.inf, json=json)
    else:
        _print_count(deck, hand_size, seconds, json=json)
    return 0


def _print_count(deck: _Deck, hand_size: int | None, seconds: float, *, json: bool) -> None:
    with ProgressLine():
        counted_decks = count_decks(
            deck.x, colors=deck.colors, hand_size=hand_size or 0, seconds=seconds
        )
    total, good = counted_decks.total, counted_decks.good
    numbers = {"total": total, "bad": counted_decks.bad, "good": good}
    if not json:
        screen = Screen()
        screen.line(f"{deck}{'' if hand_size is None else f', hand {hand_size}'}")
        for name, number in numbers.items():
            screen.line(f"{name:12}{format_integer(number)}")
        screen.line(f"{'probability':12}{approximate(good, total, 12)}")
        return
    is_plain = hand_size is None and deck.colors == 1
    data = deck.to_json(is_plain=is_plain)
    if not is_plain:
        data["hand_size"] = hand_size or 0
    data |= {name: format_integer(number) for name, number in numbers.items()}
    print_json(data | {"probability": _probability(Fraction(good, total))})


def _print_estimate(
    deck: _Deck, hand_size: int, sampling: _Sampling, seconds: float, *, json: bool
) -> None:
    from hanabi.counting.playability import estimate_curve

    with ProgressLine() as progress:
        point = estimate_curve(
            deck.rows,
            samples=sampling.samples,
            seed=sampling.seed,
            hand_sizes=[hand_size],
            seconds=seconds,
            progress=progress,
        )[0]
    if point.decks < sampling.samples:
        complain(f"note: time was up after {point.decks:,} of {sampling.samples:,} decks")
    if json:
        data = deck.to_json(is_plain=False) | {"total": format_integer(deck.total)}
        print_json(data | {"samples": point.decks, "seed": sampling.seed} | _point(point))
        return
    screen = Screen()
    screen.line(f"{deck}, hand {hand_size}")
    screen.line(f"{'won':12}{point.won:,} of {counted(point.decks, 'deck')} (seed {sampling.seed})")
    screen.line(
        f"{'probability':12}{float(point.probability):.6f}, 95 % interval"
        f" {point.low:.6f} .. {point.high:.6f}"
    )


def _print_curve(
    deck: _Deck, points: Sequence[Point], sampling: _Sampling | None, *, json: bool
) -> None:
    if json:
        data = deck.to_json(is_plain=False) | {"total": format_integer(deck.total)}
        if sampling is not None:
            data |= {"samples": sampling.samples, "seed": sampling.seed}
        print_json(data | {"curve": [_point(point) for point in points]})
        return
    screen = Screen()
    screen.line(str(deck))
    if sampling is not None:
        screen.line(
            f"{counted(sampling.samples, 'deck')}, seed {sampling.seed}; where no interval, exact"
        )
    screen.line()
    screen.line("hand  probability  95 % interval")
    for point in points:
        p = float(point.probability)
        interval = "" if _is_exact(point) else f"{point.low:.6f} .. {point.high:.6f}"
        screen.line(f"{point.hand_size:4}  {p:11.6f}  {interval:22}{'#' * round(_BAR * p)}")


def _is_curve_exact(deck: _Deck, seconds: float) -> bool:
    """Whether the curve can be counted in time; with several colors nobody knows beforehand."""
    from hanabi.counting.hand_memory import estimate_seconds

    return deck.colors == 1 and seconds >= sum(
        estimate_seconds(deck.x, hand_size) for hand_size in range(len(deck.x))
    )


def _curve(deck: _Deck, sampling: _Sampling | None) -> list[Point]:
    from hanabi.counting.playability import exact_curve

    if sampling is None:
        with ProgressLine():
            return list(exact_curve(deck.rows, seconds=math.inf))
    # Without a hand the count is exact and quick; from the last hand on all decks are won.
    exact = next(exact_curve(deck.rows))
    points = [exact, *_estimate(deck, sampling)[1:]]
    last = next((i for i, point in enumerate(points) if point.won == point.decks), len(points))
    return points[: last + 1]


def _estimate(deck: _Deck, sampling: _Sampling) -> list[Point]:
    from hanabi.cli.work.games import carry_out, open_store
    from hanabi.lab import Job
    from hanabi.lab.playability import Playability, curve

    if not sampling.samples:
        raise InvalidInputError("--samples: at least one deck")
    job = Job(Playability(tuple(deck.rows), sampling.seed), sampling.samples)
    command = ["count", ",".join(map(str, deck.x)), "--colors", deck.colors, "--curve"]
    command += ["--samples", sampling.samples, "--seed", sampling.seed]
    with open_store(sampling.store) as store:
        carry_out([job], store, workers=sampling.workers, executor=None, command=command)
        return curve(store, job)


def _is_exact(point: Point) -> bool:
    return point.low == point.high


def _point(point: Point) -> dict[str, object]:
    data: dict[str, object] = {"hand_size": point.hand_size}
    if _is_exact(point):
        return data | {
            "good": format_integer(point.won),
            "probability": _probability(point.probability),
        }
    return data | {
        "won": point.won,
        "probability": {
            "float": float(point.probability),
            "low": point.low,
            "high": point.high,
            "confidence": 0.95,
        },
    }


def _probability(exact: Fraction) -> dict[str, object]:
    fraction = f"{format_integer(exact.numerator)}/{format_integer(exact.denominator)}"
    return {"fraction": fraction, "float": float(exact)}
