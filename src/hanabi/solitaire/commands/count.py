"""`hanabi count` counts the shuffled decks that can be won."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from hanabi.ground import (
    DEFAULT_SECONDS,
    BudgetEndedError,
    Cell,
    Clock,
    InvalidInputError,
    counted,
    quote,
)
from hanabi.shell import (
    MOST_COLORS,
    STDOUT,
    Count,
    DeckCount,
    File,
    Form,
    Json,
    ProgressLine,
    Run,
    Screen,
    Seconds,
    check_figure,
    check_outputs,
    complain,
    count_decks,
    decimals,
    new_seed,
    print_json,
    replaced,
    typed,
    write_table,
)
from hanabi.solitaire.counting import vector
from hanabi.solitaire.counting.generating import MOST_MEMORY, UncountedError, refuse_absurd

if TYPE_CHECKING:
    from hanabi.solitaire.counting.playability import Point

__all__ = ["CountOptions", "count_command"]

_SAMPLES = 10_000
_DIGITS = 12
_COLUMNS = {
    "hand_size": "int64",
    "decks": "string",
    "won": "string",
    "probability": "string",
    "low": "double",
    "high": "double",
}
_BAR = 30

Text = Annotated[str, Parameter(allow_leading_hyphen=True)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CountOptions:
    """What `hanabi count` counts, or estimates.

    Parameters
    ----------
    colors
        Number of colors, each with these copies. Default: 1.
    hand_size
        The most cards in hand. Default: 0, so a card is played at once or lost.
    curve
        The probability of winning for every hand size.
    samples
        Estimate from this many shuffled decks instead of counting.
    seed
        The same seed gives the same decks. Default: a random seed, which is printed.
    workers
        Number of threads that estimate the curve. Default: one for each processor.
    store
        Store the decks of an estimated curve in this file, and continue from those it has.
    plot
        Draw the curve into this file (.svg, .png or .pdf).
    csv
        Write one line for each hand size into this file.
    time
        Refuse a count that is estimated to take more seconds, and stop one that does. Default: 60;
        0 for no limit. An estimate of the curve uses the decks decided by then, and has no limit
        by default.
    memory
        Stop a count that takes about this many MiB. Default: 8192.
    """

    colors: Count = 1
    hand_size: Annotated[Count | None, Parameter(name=("--hand-size", "--hand"))] = None
    curve: bool = False
    samples: Count | None = None
    seed: Count | None = None
    workers: Annotated[Count | None, Parameter(name=("--workers", "-j"))] = None
    store: str | None = None
    plot: File | None = None
    csv: File | None = None
    time: Seconds | None = None
    memory: Count | None = None
    json: Json = False


def count_command(x: Text, /, *, asked: CountOptions = CountOptions()) -> int:
    """Count the shuffled decks that can be won.

    Parameters
    ----------
    x
        Copies of each value, as in 3,2,2,2,1, or 4x13 for 4 copies of each of 13 values.
    """
    if x.startswith("--"):
        raise InvalidInputError(f"unknown option {quote(x)}")
    outputs = {"--plot": asked.plot, "--csv": asked.csv}
    check_outputs([], outputs, store=asked.store, forms={"--csv": Form.CSV})
    if asked.csv == STDOUT:
        raise InvalidInputError("--csv -: standard output has the answer; name a file")
    check_figure(asked.plot)
    groups, colors = vector.parse_groups(x), asked.colors
    seconds = (DEFAULT_SECONDS if asked.time is None else asked.time) or math.inf
    most = MOST_MEMORY if asked.memory is None else asked.memory << 20
    refuse_absurd(groups * min(colors, MOST_COLORS), seconds=seconds, memory=most)
    if not 1 <= colors <= MOST_COLORS:
        raise InvalidInputError(f"colors: {colors} is not in 1 .. {MOST_COLORS:,}")
    copies = vector.expand_groups(groups)
    title = f"x = {vector.format_vector(copies)}{'' if colors == 1 else f', {colors:,} colors'}:"
    title += f" {counted(sum(copies) * colors, 'card')}, values 1 .. {len(copies):,}"
    is_curve = asked.curve or asked.plot is not None
    if is_curve and asked.hand_size is not None:
        raise InvalidInputError("--curve and --plot are for all hand sizes, not for one")
    from hanabi.solitaire.counting.playability import Point, estimate_curve, exact_curve

    hand_size = asked.hand_size or 0
    if asked.samples is None and not is_curve:
        found = _count(copies, colors, hand_size, seconds, most)
        chance = float(found.probability)
        _write_csv(asked.csv, [Point(hand_size, found.good, found.total, chance, chance)])
        _print_count(copies, asked, found, title)
        return 0

    rows = [copies] * colors
    data: dict[str, Any] = {"x": list(copies), "colors": colors}
    if asked.json:
        data["total"] = vector.format_integer(vector.multinomial(copies * colors))
    if asked.samples is None and _is_curve_exact(copies, colors, seconds):
        with ProgressLine():
            points = list(exact_curve(rows, seconds=seconds, memory=most))
    else:
        samples, seed = asked.samples, new_seed(asked.seed)
        samples = _SAMPLES if samples is None else samples
        if is_curve:
            points, done = _estimated_curve(x, rows, samples, replace(asked, seed=seed))
        else:
            with ProgressLine() as progress:
                points = estimate_curve(
                    rows,
                    samples=samples,
                    seed=seed,
                    hand_sizes=[hand_size],
                    seconds=asked.time or math.inf,
                    progress=progress,
                )
            done = points[-1].decks
        if done < samples:
            complain(f"note: time was up after {done:,} of {samples:,} decks")
        data |= {"samples": done, "seed": seed}
    _write_csv(asked.csv, points)
    if asked.plot is not None:
        from hanabi.lab import plot_playability

        with replaced(asked.plot) as path:
            plot_playability({title: points}, path)
    if not is_curve:
        _print_estimate(points[0], data, title=f"{title}, hand {hand_size}", json=asked.json)
    elif asked.json:
        print_json(data | {"curve": [_point(point) for point in points]})
    else:
        _print_curve(points, data, title)
    return 0


def _count(
    copies: vector.Vector, colors: int, hand_size: int, seconds: float, memory: int
) -> DeckCount:
    try:
        with ProgressLine():
            return count_decks(
                copies, colors=colors, hand_size=hand_size, seconds=seconds, memory=memory
            )
    except UncountedError as error:
        message = f"{error}; --samples {_SAMPLES} estimates it"
        raise InvalidInputError(message) from None


def _write_csv(path: str | None, points: Sequence[Point]) -> None:
    if path is None:
        return
    rows: list[list[Cell]] = [
        [
            point.hand_size,
            vector.format_integer(point.decks),
            vector.format_integer(point.won),
            vector.approximate(point.won, point.decks, _DIGITS),
            *([point.low, point.high] if point.low < point.high else [None, None]),
        ]
        for point in points
    ]
    write_table(path, Form.CSV, _COLUMNS, rows)


def _print_count(copies: vector.Vector, asked: CountOptions, found: DeckCount, title: str) -> None:
    numbers = {
        name: vector.format_integer(number)
        for name, number in (("total", found.total), ("bad", found.bad), ("good", found.good))
    }
    if asked.json:
        data: dict[str, object] = {"x": list(copies)}
        if asked.hand_size is not None or asked.colors > 1:
            data |= {"colors": asked.colors, "hand_size": asked.hand_size or 0}
        print_json(data | numbers | {"probability": _probability(found.probability)})
        return
    screen = Screen()
    screen.line(f"{title}{'' if asked.hand_size is None else f', hand {asked.hand_size}'}")
    for name, number in numbers.items():
        screen.line(f"{name:12}{number}")
    screen.line(f"{'probability':12}{vector.approximate(found.good, found.total, _DIGITS)}")


def _print_estimate(point: Point, data: dict[str, Any], *, title: str, json: bool) -> None:
    if json:
        print_json(data | _point(point))
        return
    screen = Screen()
    screen.line(title)
    screen.line(f"{'won':12}{point.won:,} of {counted(point.decks, 'deck')} (seed {data['seed']})")
    digits = decimals(point.low, point.high)
    screen.line(
        f"{'probability':12}{float(point.probability):.{digits}f}, 95 % interval"
        f" {point.low:.{digits}f} .. {point.high:.{digits}f}"
    )


def _print_curve(points: Sequence[Point], data: dict[str, Any], title: str) -> None:
    screen = Screen()
    screen.line(title)
    if "samples" in data:
        decks = counted(data["samples"], "deck")
        screen.line(f"{decks}, seed {data['seed']}; where no interval, exact")
    screen.line()
    rows = []
    for point in points:
        p = float(point.probability)
        interval = "" if point.low == point.high else f"{point.low:.6f} .. {point.high:.6f}"
        rows.append([str(point.hand_size), f"{p:.6f}", interval, "#" * round(_BAR * p)])
    screen.table(["hand", "probability", "95 % interval", ""], rows, left=(2, 3))


def _is_curve_exact(copies: vector.Vector, colors: int, seconds: float) -> bool:
    """Whether the curve can be counted in time; unknown beforehand for several colors."""
    from hanabi.solitaire.counting.hands import estimate_seconds

    return colors == 1 and seconds >= sum(
        estimate_seconds(copies, hand_size) for hand_size in range(len(copies))
    )


def _estimated_curve(
    x: str, rows: Sequence[vector.Vector], samples: int, asked: CountOptions
) -> tuple[list[Point], int]:
    """Return the curve, and the number of decks decided in time that it is based on."""
    from hanabi.lab import Job, Playability, curve, key_of, missing
    from hanabi.shell import carry_out, open_store
    from hanabi.solitaire.counting.playability import exact_curve

    # Without a hand the count is exact and quick; from the largest hand on every deck is won.
    seconds = asked.time or None
    clock = Clock(seconds)
    exact = next(exact_curve(rows, seconds=seconds or math.inf))
    if not samples:
        raise InvalidInputError("--samples: at least one deck")
    work = Playability(tuple(rows), new_seed(asked.seed), clock)
    job = Job(work, samples)
    run = Run(store=asked.store, workers=asked.workers)
    with open_store(run.store) as store:
        try:
            carry_out([job], store, run, typed("count", x, groups=[asked]))
        except BudgetEndedError:
            # Without gaps: the choice of decks must not depend on how hard they are.
            [(done, _), *_] = missing(store.ranges(key_of(work)), samples)
            if not done:
                message = f"no deck was decided within {seconds:g} seconds"
                raise InvalidInputError(message) from None
            job = Job(work, done)
        points = [exact, *curve(store, job)[1:]]
    last = next((i for i, point in enumerate(points) if point.won == point.decks), len(points))
    return points[: last + 1], job.items


def _point(point: Point) -> dict[str, object]:
    if point.low == point.high:
        good, probability = vector.format_integer(point.won), _probability(point.probability)
        return {"hand_size": point.hand_size, "good": good, "probability": probability}
    probability = {"float": float(point.probability), "low": point.low, "high": point.high}
    return {
        "hand_size": point.hand_size,
        "won": point.won,
        "probability": probability | {"confidence": 0.95},
    }


def _probability(exact: Fraction) -> dict[str, object]:
    fraction = "/".join(map(vector.format_integer, exact.as_integer_ratio()))
    return {"fraction": fraction, "float": float(exact)}
