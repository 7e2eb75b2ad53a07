"""Tournaments: every player in self-play, and as a stranger in every other player's team.

Cross-play is that of ad-hoc teams [Bard2020]: one stranger joins a team of another kind of player.
With two seats, these are all pairs of players. The stranger sits at each seat in turn, always on
the same deals, so that neither the seat nor the luck of the deal favors a player.

At an open table, some players are only partners: one or two of them join every other player, who
has all other seats. Two that join sit side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from hanabi.ground import InvalidInputError, quote
from hanabi.lab.recorded import ORDERS, Gain, Gains, Recorded, compare_gains, summarize_gains
from hanabi.lab.stats import CONFIDENCE, Comparison, Estimate, Summary, compare, summarize
from hanabi.lab.work import Simulation
from hanabi.players import settle_player
from hanabi.rules import Rules
from hanabi.solitaire import normal_reach

if TYPE_CHECKING:
    from hanabi.lab.stats import Outcomes
    from hanabi.players import Player

__all__ = [
    "FIRST_LOOK",
    "Goal",
    "Results",
    "TeamGains",
    "Tournament",
    "clear_at",
    "deals_after",
    "looks",
]

R = TypeVar("R")
S = TypeVar("S")
C = TypeVar("C")
_Matrix: TypeAlias = tuple[tuple[S | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a tournament.

    Attributes
    ----------
    cells
        `cells[stranger][host]`: the score of one stranger in a team of hosts, or of self-play if
        both are the same. None if the two do not meet.
    alone
        For each pair `(a, b)` that meets, a < b: self-play of a compared with self-play of b on
        the same deals.
    welcome
        `welcome[stranger][host]`: the team with the stranger compared with self-play of the hosts;
        None if both are the same, or do not meet.
    """

    cells: tuple[tuple[Summary | None, ...], ...]
    alone: dict[tuple[int, int], Comparison]
    welcome: tuple[tuple[Comparison | None, ...], ...]

    def __str__(self) -> str:
        return f"mean scores alone: {_alone(self.cells, lambda cell: cell.score.value)}"

    def __repr__(self) -> str:
        return f"<Results {self}>"


@dataclass(frozen=True, slots=True)
class TeamGains:
    """The gains of all teams of a tournament over its baseline, with luck removed.

    Attributes
    ----------
    cells
        `cells[stranger][host]`, as in `Results`.
    alone, welcome
        The comparisons of `Results`, by the gains.
    """

    cells: tuple[tuple[Gain | None, ...], ...]
    alone: dict[tuple[int, int], Estimate]
    welcome: tuple[tuple[Estimate | None, ...], ...]

    def __str__(self) -> str:
        return f"gains alone: {_alone(self.cells, lambda cell: cell.points.value)}"

    def __repr__(self) -> str:
        return f"<TeamGains {self}>"


def _alone(cells: _Matrix[S], value: Callable[[S], float]) -> str:
    """Return the value of each player's self-play in words."""
    own = [(number, row[number]) for number, row in enumerate(cells)]
    return ", ".join(f"player {number + 1} {value(cell):.2f}" for number, cell in own if cell)


class OpenTeam(NamedTuple):
    """The scores of a player, by its number, at an open table: alone, or beside a partner.

    Attributes
    ----------
    player, partner
        The number of the player, and of the partner; the same alone.
    partners
        How many of the partner sit there, 0 alone.
    summary
        The scores.
    """

    player: int
    partner: int
    partners: int
    summary: Summary


@dataclass(frozen=True, slots=True)
class Tournament:
    """The players of a tournament, as in `Simulation`, with its rules and deals.

    Attributes
    ----------
    players
        Two or more.
    rules, seed
        The rules, seats included, and the seed of the deals and of random decisions.
    is_gauntlet
        Whether only the first player meets the others, and the others do not meet each other.
    is_recorded
        Whether the works keep all actions (`hanabi.lab.recorded.Recorded`).
    baseline, orders
        The player over which the works also keep the gains, and the orders of the deck for them
        (`hanabi.lab.recorded.Gains`); None for no gains.
    partners
        At an open table, how many of the players, the last ones, only join the others; else 0.

    Raises
    ------
    InvalidInputError
        If there are fewer than two players or seats, a player appears twice, or all are partners.

    >>> cup = Tournament(("random", "first-legal"), Rules.official(3), seed=1)
    >>> [work.players for work in cup.works(0, 1)][0]
    ('random', 'first-legal', 'first-legal')
    """

    players: tuple[str | Player | type[Player], ...]
    rules: Rules
    seed: int
    is_gauntlet: bool = False
    is_recorded: bool = False
    baseline: str | Player | type[Player] | None = None
    orders: int = ORDERS
    partners: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(map(settle_player, self.players)))
        if 0 < self.partners >= len(self.players):
            raise InvalidInputError("an open table is for a player or more beside partners")
        if len(self.players) < 2:
            raise InvalidInputError("a tournament is for two players or more")
        if self.rules.seats < 2:
            raise InvalidInputError("a tournament needs two seats or more: nobody meets at one")
        teams = [self.works(index, index)[0].team() for index in range(len(self.players))]
        for first, second in combinations(range(len(teams)), 2):
            if teams[first] == teams[second]:
                raise InvalidInputError(f"players {first + 1} and {second + 1} are the same")

    def works(self, stranger: int, host: int, count: int = 1) -> list[Simulation]:
        """Return the games of `count` of a stranger in a team: one work for each first seat.

        Self-play is a single work, because all seats are the same.
        """
        seats = self.rules.seats
        mine, others = self.players[stranger], self.players[host]
        if stranger == host:
            return [self._work((mine,))]
        team = (mine,) * count + (others,) * (seats - count)
        return [self._work(team[seats - seat :] + team[: seats - seat]) for seat in range(seats)]

    def _work(self, team: tuple[str | Player | type[Player], ...]) -> Simulation:
        if self.baseline is not None:
            return Gains(team, self.rules, self.seed, baseline=self.baseline, orders=self.orders)
        kind = Recorded if self.is_recorded else Simulation
        return kind(team, self.rules, self.seed)

    def meets(self, a: int, b: int) -> bool:
        """Whether a player joins another's team; every player plays with itself."""
        if self.partners:
            first = len(self.players) - self.partners
            return a == b or b < first <= a
        return a == b or not self.is_gauntlet or 0 in (a, b)

    @property
    def counts(self) -> range:
        """How many strangers join a team: one, or at an open table one and two, if they can."""
        return range(1, min(2, self.rules.seats - 1) + 1 if self.partners else 2)

    def all_works(self) -> Iterator[Simulation]:
        """Yield every work once, self-play first.

        >>> cup = Tournament(("random", "first-legal"), Rules.official(2), seed=1)
        >>> len([*cup.all_works()])
        4
        """
        n = range(len(self.players))
        pairs = [(a, a) for a in n] + [*permutations(n, 2)]
        works = (
            work
            for pair in pairs
            if self.meets(*pair)
            for count in self.counts
            for work in self.works(*pair, count)
        )
        # With two seats, a as b's stranger is the same team as b as a's.
        yield from dict.fromkeys(works)

    def results(self, read: Callable[[Simulation], Outcomes]) -> Results:
        """Summarize all games.

        Parameters
        ----------
        read
            Returns the outcomes of a finished work.

        >>> cup = Tournament(("random", "first-legal"), Rules.official(2), seed=1)
        >>> end = cup.results(lambda work: [10, 20] if len(work.players) == 1 else [0, 10])
        >>> end.cells[0][0].score.value, end.welcome[0][1].difference.value
        (7.5, -5.0)
        """
        cells, alone, welcome = self._compared(
            lambda a, b: [read(work) for work in self.works(a, b)],
            lambda runs: summarize(runs, self.rules),
            lambda ours, theirs: compare(ours, theirs, self.rules),
        )
        return Results(cells, alone, welcome)

    def open_teams(self, read: Callable[[Simulation], Outcomes]) -> Iterator[OpenTeam]:
        """Yield the teams of an open table: each player alone, and then beside its partners.

        Parameters
        ----------
        read
            Returns the outcomes of a finished work.

        >>> cup = Tournament(("random", "first-legal"), Rules.official(3), seed=1, partners=1)
        >>> teams = cup.open_teams(lambda work: [2 * work.players.count("random")])
        >>> [(*team[:3], team.summary.score.value) for team in teams]
        [(0, 0, 0, 1.0), (0, 1, 1, 2.0), (0, 1, 2, 1.0), (1, 1, 0, 0.0)]
        """
        n = range(len(self.players))
        for host, partner in product(n, n):
            if self.meets(partner, host):
                for count in self.counts if partner != host else [0]:
                    works = self.works(partner, host, count)
                    summary = summarize([read(work) for work in works], self.rules)
                    yield OpenTeam(host, partner, count, summary)

    def gains(self, read: Callable[[Gains], bytes]) -> TeamGains | None:
        """Summarize the gains over the baseline; None if there is none.

        A stranger's seats count as repeats of the deals.

        Parameters
        ----------
        read
            Returns the records of a finished work.

        >>> rules = Rules.official(2)
        >>> cup = Tournament(("random", "rule-based"), rules, 1, baseline="rule-based", orders=1)
        >>> found = cup.gains(lambda work: work.run(0, 4))
        >>> found.cells[1][1].points.value, found.cells[0][1].repeats, found.alone[0, 1].value < 0
        (0.0, 2, True)
        """
        if self.baseline is None:
            return None
        cells, alone, welcome = self._compared(
            lambda a, b: [
                (work, read(work)) for work in self.works(a, b) if isinstance(work, Gains)
            ],
            summarize_gains,
            compare_gains,
        )
        return TeamGains(cells, alone, welcome)

    def _compared(
        self,
        runs_of: Callable[[int, int], R],
        summed: Callable[[R], S],
        compared: Callable[[R, R], C],
    ) -> tuple[_Matrix[S], dict[tuple[int, int], C], _Matrix[C]]:
        """Return the cells, and the comparisons alone and with a stranger, of `Results`."""
        n = range(len(self.players))
        runs = {(a, b): runs_of(a, b) for a in n for b in n if self.meets(a, b)}
        return (
            tuple(tuple(summed(runs[a, b]) if (a, b) in runs else None for b in n) for a in n),
            {
                (a, b): compared(runs[a, a], runs[b, b])
                for a, b in combinations(n, 2)
                if self.meets(a, b)
            },
            tuple(
                tuple(
                    compared(runs[a, b], runs[b, b]) if a != b and self.meets(a, b) else None
                    for b in n
                )
                for a in n
            ),
        )


# Sequential tests: whether a difference is clear, for repeated looks at results that come in.
#
# Someone who looks repeatedly until a 95 % interval excludes zero stops far too often by chance.
# Here the probability of an error is spent: look k may use 1 / (k (k + 1)) of it, which adds up
# to at most all of it for any number of looks, and several comparisons share it equally
# (Bonferroni). So with a confidence of 95 %, the probability of calling any difference clear that
# is zero or has the other sign is at most 5 %. Each test uses the normal distribution.

FIRST_LOOK = 100
"""Deals before the first look: enough for the normal distribution."""


def looks(most: int) -> Iterator[int]:
    """Yield the numbers of deals after which to look: 100, 200, 400, ... and finally `most`.

    >>> [*looks(1000)], [*looks(50)]
    ([100, 200, 400, 800, 1000], [50])
    """
    goal = Goal(most, is_clear=True)
    deals: int | None = goal.first
    while deals is not None:
        yield deals
        deals = goal.after(deals, ())


def deals_after(deals: int, most: int, error: float, wanted: float) -> int:
    """Return the number of deals at which the standard error should be as small as wanted.

    It stops growing at `most`, grows by a tenth at least, and may be too few: then ask again.

    >>> deals_after(100, 10_000, error=0.4, wanted=0.1), deals_after(100, 10_000, 0.1, 0.1)
    (1680, 110)
    """
    ratio = (error / wanted) ** 2 if math.isfinite(error) else math.inf
    expected = deals * ratio * _SPARE
    return int(min(max(expected, deals + max(deals // 10, 1)), most))


_SPARE = 1.05
"""Errors vary: a few deals more save another look."""


@dataclass(frozen=True, slots=True)
class Goal:
    """When a run stops: after `most` deals, or before, as soon as what it is for is known.

    A run that stops at a standard error looks at the spread of the scores, not at their mean, so
    its intervals keep their level, as far as the normal distribution holds [Anscombe1952].

    Attributes
    ----------
    most
        The largest number of deals.
    error
        Stop once all standard errors are at most this.
    is_clear
        Stop once all signs are clear (`clear_at`), after 100, 200, 400, ... deals.

    Raises
    ------
    InvalidInputError
        If the error is not above 0, or both goals are given.

    >>> Goal(1_000).first, Goal(1_000, error=0.1).first
    (1000, 100)
    >>> goal = Goal(1_000, error=0.1)
    >>> goal.after(100, [0.2, 0.05]), goal.after(420, [0.098, 0.02])
    (420, None)
    """

    most: int
    error: float | None = None
    is_clear: bool = False

    def __post_init__(self) -> None:
        if self.error is not None and not 0 < self.error < math.inf:
            raise InvalidInputError(f"a standard error of {quote(self.error)} cannot be reached")
        if self.error is not None and self.is_clear:
            raise InvalidInputError("until an error is reached, or until all is clear, not both")

    @property
    def first(self) -> int:
        """The number of deals before the first look."""
        is_plain = self.error is None and not self.is_clear
        return self.most if is_plain else min(FIRST_LOOK, self.most)

    def after(self, deals: int, errors: Iterable[float], *, is_clear: bool = False) -> int | None:
        """Return the number of deals before the next look; None if the run stops.

        Parameters
        ----------
        deals
            Deals played so far.
        errors
            The standard errors; nan if unknown.
        is_clear
            Whether all signs are clear.
        """
        if deals >= self.most:
            return None
        if self.is_clear:
            return None if is_clear else min(2 * deals, self.most)
        if self.error is None:
            return None
        open_ones = [each for each in errors if not each <= self.error]
        if not open_ones:
            return None
        return max(deals_after(deals, self.most, each, self.error) for each in open_ones)


def clear_at(
    look: int, comparisons: Iterable[Comparison | Estimate], *, confidence: float = CONFIDENCE
) -> list[bool]:
    """Return for each comparison whether the sign of its difference is clear.

    Parameters
    ----------
    look
        The number of this look, from 1.
    comparisons
        All comparisons, or estimated differences, of this look; every look must have the same
        number of them.
    confidence
        The probability that no look makes an error.

    Raises
    ------
    InvalidInputError
        If the look is below 1, or the confidence is not between 0 and 1.

    >>> far = Comparison(Estimate(1.0, 0.1, 0.8, 1.2), better=60, worse=20, deals=100)
    >>> near = Comparison(Estimate(0.2, 0.1, 0.0, 0.4), better=45, worse=40, deals=100)
    >>> clear_at(1, [far, near])
    [True, False]
    """
    if look < 1:
        raise InvalidInputError(f"look {quote(look)} is below 1")
    given = [each if isinstance(each, Estimate) else each.difference for each in comparisons]
    spent = (1 - confidence) / (look * (look + 1) * max(1, len(given)))
    reach = normal_reach(1 - spent)
    return [abs(each.value) > reach * each.standard_error for each in given]
