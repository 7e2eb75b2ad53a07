"""The experiments that `hanabi paper` knows: players beside the scores that a paper prints.

[Bergh2016, section 4] plays games of three equal players. Its Table 1 compares the hint and discard
rules of the rule-based player, its Figure 2 that player's thresholds, and its Figure 3 the settings
of the Monte Carlo player. The printed numbers are kept only here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from hanabi.ground import InvalidInputError, did_you_mean, quote
from hanabi.lab.least_hand import LeastHandLaw, Threshold
from hanabi.lab.runner import outcomes
from hanabi.lab.stats import Summary, summarize
from hanabi.lab.work import Job, Simulation
from hanabi.rules import Rules

if TYPE_CHECKING:
    from hanabi.lab.stats import Outcomes
    from hanabi.lab.store import Store

__all__ = [
    "BEST",
    "EXPERIMENTS",
    "PLANES",
    "TABLE1",
    "AnyExperiment",
    "Experiment",
    "PaperPoint",
    "figure2",
    "figure3",
    "least_hand_law",
    "parse_experiment",
    "table1",
    "threshold",
]

TABLE1: Mapping[tuple[int, float], tuple[float, float, float, float]] = MappingProxyType(
    {
        (1, 0.7): (6.3, 13.5, 14.5, 11.9),
        (1, 0.6): (7.1, 13.9, 15.3, 12.7),
        (1, 0.5): (7.3, 13.8, 15.2, 12.5),
        (2, 0.7): (6.6, 13.8, 14.5, 12.0),
        (2, 0.6): (7.4, 14.4, 15.4, 12.7),
        (2, 0.5): (7.5, 14.2, 15.3, 12.6),
        (3, 0.7): (5.8, 13.1, 14.1, 11.5),
        (3, 0.6): (6.6, 13.5, 14.9, 12.3),
        (3, 0.5): (6.9, 13.4, 14.8, 12.3),
        (4, 0.7): (5.8, 13.0, 13.9, 11.5),
        (4, 0.6): (6.7, 13.7, 14.8, 12.3),
        (4, 0.5): (6.8, 13.5, 14.7, 12.2),
    }
)
"""Table 1 as printed: by discard rule and w_p, a mean score for each of the hint rules 1 to 4."""

BEST = MappingProxyType({"play": 0.6, "useless": 1.0, "hinting": 1.0})
"""The thresholds w_p, w_d and w_h that Figure 2 finds best, with 15.4 points."""

PLANES = (("play", "useless"), ("play", "hinting"), ("useless", "hinting"))
"""The planes of Figure 2: the two thresholds that vary; the third is at its best value."""

_GRID = tuple(tenth / 10 for tenth in range(11))
_SEATS = 3
_SEED = 2016


@dataclass(frozen=True, slots=True)
class PaperPoint:
    """One number of a table, or one point of a figure, with its player at all seats.

    `at` holds the coordinates by name; `printed` is the mean score that the paper prints, or None.
    """

    at: Mapping[str, float]
    player: str
    printed: float | None = None


@dataclass(frozen=True, slots=True)
class Experiment:
    """A published table or figure, with all points played on the same deals.

    Each of the `deals` is played `repeats` times with different random decisions; the seed
    determines both.
    """

    name: str
    title: str
    points: tuple[PaperPoint, ...]
    deals: int
    repeats: int
    seed: int = _SEED
    rules: Rules = field(default_factory=lambda: Rules.bergh2016(_SEATS))

    endings: ClassVar[tuple[str, ...]] = ("csv", "svg")

    @property
    def size(self) -> str:
        """How much is played."""
        times = "" if self.repeats == 1 else f" {self.repeats} times"
        return f"{self.deals:,} deals{times} a number, seed {self.seed}"

    def resized(
        self, *, deals: int | None = None, repeats: int | None = None, seed: int | None = None
    ) -> Experiment:
        """Return the experiment with the given numbers replaced.

        Raises
        ------
        InvalidInputError
            If a number is less than 1.

        >>> table1().resized(deals=50).games
        2400
        """
        given = {"deals": deals, "repeats": repeats, "seed": seed}
        changes = {name: value for name, value in given.items() if value is not None}
        for name in ("deals", "repeats"):
            if changes.get(name, 1) < 1:
                raise InvalidInputError(f"{name} = {quote(changes[name])} is less than 1")
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def games(self) -> int:
        """Total number of games."""
        return len(self.points) * self.deals * self.repeats

    def works(self, point: PaperPoint) -> list[Simulation]:
        """Return the work of one point: `deals` items for each repeat.

        >>> [work.repeat for work in table1().resized(repeats=3).works(table1().points[0])]
        [0, 1, 2]
        """
        return [
            Simulation((point.player,), self.rules, self.seed, repeat)
            for repeat in range(self.repeats)
        ]

    def all_works(self) -> Iterator[Simulation]:
        """Yield the works of all points, first repeats first: early results cover all points.

        >>> len([*table1().all_works()])
        48
        """
        for same_repeat in zip(*map(self.works, self.points), strict=True):
            yield from same_repeat

    def plan(self) -> list[Job]:
        """Return all of its work."""
        return [Job(work, self.deals) for work in self.all_works()]

    def results(self, store: Store) -> list[Summary]:
        """Return a summary of the games of each point; raises StoreError if the store lacks one."""
        return self.summaries(lambda work: outcomes(store, Job(work, self.deals)))

    def summaries(self, read: Callable[[Simulation], Outcomes]) -> list[Summary]:
        """Return a summary of the games of each point.

        Parameters
        ----------
        read
            Returns the outcomes of a finished work.

        >>> few = table1().resized(deals=2)
        >>> [each.games for each in few.summaries(lambda work: [50, 40])[:2]]
        [2, 2]
        """
        return [
            summarize([read(work) for work in self.works(point)], self.rules)
            for point in self.points
        ]


def table1(*, full: bool = False) -> Experiment:
    """Return Table 1: hint and discard rules of the rule-based player, at three values of w_p.

    The other thresholds are 1, and the player plays safely. With `full` each of 10,000 deals is
    played ten times, as in the paper; otherwise 2,000 deals are played once.

    >>> table1().points[-1].at, table1().points[-1].printed
    ({'discard': 4, 'play': 0.5, 'hint': 4}, 12.2)
    """
    points = tuple(
        PaperPoint(
            {"discard": discard, "play": play, "hint": hint},
            f"rule-based:hint={hint},discard={discard},play={play:g}",
            printed,
        )
        for (discard, play), row in TABLE1.items()
        for hint, printed in enumerate(row, start=1)
    )
    title = "Table 1: hint and discard rules of the rule-based player"
    return Experiment("table1", title, points, *((10_000, 10) if full else (2_000, 1)))


def figure2(*, full: bool = False) -> Experiment:
    """Return Figure 2: the thresholds of the rule-based player with hint rule 3, discard rule 2.

    The paper draws the scores over the thresholds w_p, w_d and w_h. Here are the three planes
    through its best point, on each of which two thresholds run over 0, 0.1, .. 1. Printed numbers
    exist only for the best point and for the points that are also in Table 1. Sizes are those of
    `table1`, but with 1,000 deals unless `full`.

    >>> len(figure2().points)
    331
    >>> [point.printed for point in figure2().points if point.at == BEST]
    [15.4]
    """
    places = dict.fromkeys(
        tuple({**BEST, first: x, second: y}.values())
        for first, second in PLANES
        for x in _GRID
        for y in _GRID
    )
    points = tuple(_threshold(dict(zip(BEST, place, strict=True))) for place in places)
    title = "Figure 2: thresholds of the rule-based player"
    return Experiment("figure2", title, points, *((10_000, 10) if full else (1_000, 1)))


def _threshold(at: Mapping[str, float]) -> PaperPoint:
    parameters = ",".join(f"{name}={value:g}" for name, value in at.items())
    is_in_table = (at["useless"], at["hinting"]) == (1, 1) and (2, at["play"]) in TABLE1
    printed = TABLE1[2, at["play"]][2] if is_in_table else None
    return PaperPoint(at, f"rule-based:hint=3,discard=2,{parameters}", printed)


def figure3(*, full: bool = False) -> Experiment:
    """Return Figure 3: the Monte Carlo player by play-out depth in turns (D), and by play-outs.

    One curve has 500 play-outs for each action, the other has D = 5. With `full` 100 deals are
    played, as in the paper; otherwise 20. The paper prints only its highest number, 14.5 with
    1,000 play-outs; the others are "around 14".

    >>> len(figure3().points)
    17
    """
    places = {(turns, 500): None for turns in range(1, 9)}
    places |= {(5, 100 * hundreds): None for hundreds in range(1, 11)}
    points = tuple(
        PaperPoint(
            {"turns": turns, "playouts": playouts},
            f"monte-carlo:turns={turns},playouts={playouts}",
            14.5 if playouts == 1000 else None,
        )
        for turns, playouts in places
    )
    title = "Figure 3: the Monte Carlo player"
    return Experiment("figure3", title, points, 100 if full else 20, 1)


def least_hand_law(*, full: bool = False) -> LeastHandLaw:
    """Return the law of the least hand, with ten thousand streams a number if `full`, else 1,000.

    >>> least_hand_law(full=True).deals
    10000
    """
    return LeastHandLaw(10_000) if full else LeastHandLaw()


def threshold(*, full: bool = False) -> Threshold:
    """Return the threshold of streams with copies, 500 a row if `full`, else 100.

    >>> threshold().deals
    100
    """
    return Threshold(500) if full else Threshold()


AnyExperiment: TypeAlias = Experiment | LeastHandLaw | Threshold
"""An experiment of games, or one on random streams of the solitaire."""

EXPERIMENTS: Mapping[str, Callable[..., AnyExperiment]] = MappingProxyType(
    {
        "table1": table1,
        "figure2": figure2,
        "figure3": figure3,
        "least-hand": least_hand_law,
        "threshold": threshold,
    }
)
"""The experiments by name; each takes `full`."""


def parse_experiment(name: str, *, full: bool = False) -> AnyExperiment:
    """Return the experiment of this name.

    Raises
    ------
    InvalidInputError
        If there is none.

    >>> parse_experiment("figure2").size
    '1,000 deals a number, seed 2016'
    """
    if name not in EXPERIMENTS:
        meant = did_you_mean(name, EXPERIMENTS, "there are")
        raise InvalidInputError(f"no experiment {quote(name)}{meant}")
    return EXPERIMENTS[name](full=full)
