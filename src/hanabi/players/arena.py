"""Series of games between players, with the deals of a seed."""

from __future__ import annotations

import logging
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from hanabi.ground import IllegalActionError, InvalidInputError, PlayerError, Stream, quote
from hanabi.players.compiled import keep_game, new_record, play_deals, record_deals
from hanabi.players.own import Own, play_watched
from hanabi.players.protocol import ForfeitError, Player, PlaysMany, Policy, blaming_policy
from hanabi.players.registry import as_player, compile_team
from hanabi.rules import RULES_OF_2026, VARIANT_OF_2026, EndReason, Game, Rules, Understanding

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.players.kernels.games import Record

__all__ = [
    "UNDERSTOOD",
    "Scores",
    "Tally",
    "decision_seed",
    "outcome_of",
    "outcomes",
    "play_deal",
    "play_team",
    "record_team",
    "simulate",
    "team_of",
]

_LOG = logging.getLogger("hanabi")

UNDERSTOOD = Understanding("the count of points", RULES_OF_2026, VARIANT_OF_2026)
"""The rules under which points and bombing determine the score."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Number of games by final score, from 0 to the maximum of the rules.

    >>> scores = Scores((1, 0, 6, 1))
    >>> scores.games, scores.mean, scores.perfect
    (8, 1.875, 1)
    """

    histogram: tuple[int, ...]

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(self.histogram)

    @property
    def perfect(self) -> int:
        """Number of games with the highest score."""
        return self.histogram[-1]

    @property
    def mean(self) -> float:
        """Average score, nan without games."""
        points = sum(score * n for score, n in enumerate(self.histogram))
        return points / self.games if self.games else math.nan

    @property
    def median(self) -> float:
        """Median score, nan without games.

        >>> Scores((1, 0, 6, 1)).median, Scores((1, 1)).median
        (2.0, 0.5)
        """
        games, totals = self.games, [*accumulate(self.histogram)]
        middle = (bisect_right(totals, rank) for rank in ((games - 1) // 2, games // 2))
        return sum(middle) / 2 if games else math.nan

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, from the sample variance; nan with fewer than two games."""
        games = self.games
        if games < 2:
            return math.nan
        total = sum(score * n for score, n in enumerate(self.histogram))
        squares = sum(score * score * n for score, n in enumerate(self.histogram))
        # Integers until the last step avoid cancellation.
        return math.sqrt((games * squares - total * total) / (games * games * (games - 1)))


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of games by points, which are the cards on the piles.

    Tallies of parts add up to the tally of the whole. Bombed games are counted separately, since it
    depends on the rules whether the last error costs all points.

    Attributes
    ----------
    ended
        Games that were not bombed, counted by points.
    bombed
        Games that ended with the last error, counted by the points until then.

    >>> tally = Tally((0, 0, 2, 1), (0, 1, 0, 0)) + Tally((0, 0, 4, 0), (0, 0, 0, 0))
    >>> tally.games, tally.n_bombed, tally.kept.mean, tally.zeroed.mean
    (8, 1, 2.0, 1.875)
    """

    ended: tuple[int, ...]
    bombed: tuple[int, ...]

    @classmethod
    def of(cls, rules: Rules, outcomes: Iterable[int]) -> Tally:
        """Count outcomes, each `points << 1 | is_bombed`.

        Raises
        ------
        InvalidInputError
            If an outcome does not determine the score under these rules.

        >>> Tally.of(Rules.official(2), [50, 50, 3]).kept.mean
        17.0
        """
        UNDERSTOOD.check(rules)
        counts = ([0] * (rules.max_score + 1), [0] * (rules.max_score + 1))
        for outcome in outcomes:
            counts[outcome & 1][outcome >> 1] += 1
        return cls(tuple(counts[0]), tuple(counts[1]))

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(self.ended) + self.n_bombed

    @property
    def n_bombed(self) -> int:
        """Number of games that ended with the last error."""
        return sum(self.bombed)

    @property
    def kept(self) -> Scores:
        """The scores if a bombed game keeps its points."""
        return Scores(tuple(a + b for a, b in zip(self.ended, self.bombed, strict=True)))

    @property
    def zeroed(self) -> Scores:
        """The scores if a bombed game scores 0."""
        return Scores((self.ended[0] + self.n_bombed, *self.ended[1:]))

    def scored(self, rules: Rules) -> Scores:
        """Return the scores under these rules."""
        return self.zeroed if rules.bombed_scores_zero else self.kept

    def __add__(self, other: Tally) -> Tally:
        if len(self.ended) != len(other.ended):
            raise InvalidInputError(
                f"tallies up to {len(self.ended) - 1} and {len(other.ended) - 1} points"
                " cannot be added"
            )
        return Tally(
            tuple(a + b for a, b in zip(self.ended, other.ended, strict=True)),
            tuple(a + b for a, b in zip(self.bombed, other.bombed, strict=True)),
        )


Seated: TypeAlias = Player | type[Player]


def decision_seed(seed: int, repeat: int = 0) -> int:
    """Return the seed of decisions in games dealt with `seed`.

    The game of deal `index` draws its decisions from the stream of this seed and `index`. This is
    not the stream that shuffled, so `repeat` can play the same deals with other decisions.

    >>> decision_seed(1) != decision_seed(1, repeat=1)
    True
    """
    return Stream(~seed, repeat).word()


def outcomes(
    players: Seated | Sequence[Seated],
    rules: Rules,
    games: int,
    *,
    seed: int,
    first: int = 0,
    repeat: int = 0,
) -> list[int]:
    """Play the deals `first` .. `first + games - 1` of `seed`, and return one outcome per deal.

    Deal `index` is `rules.spec.shuffle(seed, index)`. Its game depends on nothing else, so
    consecutive parts of a run add up to the run. A compiled player takes some ten microseconds per
    game, one in plain Python some milliseconds. A team of different players is played in compiled
    code if all have compiled policies (see `hanabi.players.registry`).

    Parameters
    ----------
    players
        One player for all seats, or a sequence with one per seat. A class stands for the player
        that it makes without arguments.
    rules
        The rules, seats included.
    games
        Number of deals, at least 0.
    seed
        The seed of deals and decisions.
    first
        The number of the first deal, at least 0.
    repeat
        Other numbers play the same deals with other random decisions.

    Returns
    -------
    list of int
        `points << 1 | is_bombed`. Points are the cards on the piles, even in a bombed game; 0 if
        `all_or_nothing` or `speedrun` takes them.

    Raises
    ------
    InvalidInputError
        If a number is negative, there are not as many players as seats, one is not a player, or an
        outcome does not determine the score under these rules.
    IllegalActionError
        If a player chooses an illegal action; names the game.
    PlayerError
        If a player that does not come with this package fails, or a fresh one decides differently
        (`hanabi.players.own`); names the place and the game.

    >>> from hanabi.players import FirstLegal, RandomLegal
    >>> outcomes([FirstLegal(), RandomLegal()], Rules.official(2), 3, seed=1)
    [1, 1, 7]
    """
    UNDERSTOOD.check(rules)
    for name, number in (("games", games), ("first", first), ("repeat", repeat)):
        if number < 0:
            raise InvalidInputError(f"{name} = {quote(number)} is negative")
    team = team_of(players, rules)
    seeds = seed, decision_seed(seed, repeat)
    members = [each.player if isinstance(each, Own) else each for each in team]
    many = next((each for each in members if isinstance(each, PlaysMany)), None)
    found = None
    if many is not None:
        found = many.play_many(members, rules, seeds, first, games).tolist()
    return play_team(
        team,
        rules,
        games,
        lambda policy: play_deals(policy, rules, seeds, first, games),
        lambda place, number: play_deal(
            team, rules, first + place, seed=seed, repeat=repeat, number=number
        ),
        found=found,
    )


def team_of(players: Seated | Sequence[Seated], rules: Rules) -> list[Player]:
    """Return the player of each seat, as `outcomes` takes them.

    Raises
    ------
    InvalidInputError
        If there are not as many players as seats, or one is not a player.

    >>> from hanabi.players import FirstLegal
    >>> team_of(FirstLegal, Rules.official(2))
    [FirstLegal(), FirstLegal()]
    """
    given = players if isinstance(players, Sequence) else [players]
    team = [as_player(each) for each in given]
    if not isinstance(players, Sequence):
        team *= rules.seats
    if len(team) != rules.seats:
        raise InvalidInputError(f"{len(team)} players for {rules.seats} seats")
    return team


def record_team(
    team: Sequence[Player], rules: Rules, games: int, *, seed: int, first: int = 0, repeat: int = 0
) -> Record:
    """Play the games of `outcomes`, and return their decks and actions; see `Record`.

    A forfeited game has no turns. Raises the errors of `outcomes`.

    >>> from hanabi.players import FirstLegal
    >>> record = record_team([FirstLegal()] * 2, Rules.official(2), 3, seed=1)
    >>> record.turns.tolist()
    [3, 3, 4]
    """
    UNDERSTOOD.check(rules)
    seeds = seed, decision_seed(seed, repeat)
    record = new_record(rules, games)

    def play_and_record(place: int, number: int) -> Game:
        record.turns[place] = 0
        index = first + place
        end = play_deal(team, rules, index, seed=seed, repeat=repeat, number=number)
        keep_game(record, place, end)
        return end

    play_team(
        team,
        rules,
        games,
        lambda policy: record_deals(policy, rules, seeds, first, record),
        play_and_record,
    )
    return record


def play_team(
    team: Sequence[Player],
    rules: Rules,
    games: int,
    compiled: Callable[[Policy], npt.NDArray[np.int64]],
    plain: Callable[[int, int], Game],
    *,
    found: list[int] | None = None,
) -> list[int]:
    """Return the outcomes of games, played by compiled code where possible.

    A forfeited game scores 0, and is logged as a warning.

    Parameters
    ----------
    team, rules, games
        The players, one per seat, the rules and the number of games.
    compiled
        Plays all games with the team's policy; returns -1 for games that it cannot play.
    plain
        Plays a game from views and returns its end, given its place among the games and the number
        of games already played from views.
    found
        The outcomes that are known already, -1 for others; None if there are none.

    >>> from hanabi.players import FirstLegal
    >>> team, rules = [FirstLegal()] * 2, Rules.official(2)
    >>> play_team(team, rules, 2, list, lambda place, _: play_deal(team, rules, place, seed=1))
    [1, 1]
    """
    policy = None if found is not None else compile_team(team, rules)
    found = [-1] * games if found is None else found
    if policy is not None:
        with blaming_policy(team):
            found = compiled(policy).tolist()
    places = [place for place, outcome in enumerate(found) if outcome < 0]
    for number, place in enumerate(places):
        try:
            found[place] = outcome_of(plain(place, number))
        except ForfeitError as error:
            _LOG.warning("hanabi: note: %s; the game is forfeited, and scores 0", error)
            found[place] = 0
    return found


def outcome_of(end: Game) -> int:
    """Return the outcome of a finished game, `points << 1 | is_bombed`.

    >>> rules = Rules.official(2)
    >>> outcome_of(Game.start(rules, rules.spec.shuffle(seed=1)))
    0
    """
    from hanabi.rules import layout as k
    from hanabi.rules import score

    position = end.packed
    rules = position.rules.copy()
    rules[k.BOMBED_SCORES_ZERO] = 0  # bombed games are counted separately
    points = int(score(rules, position.state))
    return points << 1 | (end.end_reason is EndReason.BOMBED)


def play_deal(
    team: Sequence[Player],
    rules: Rules,
    index: int,
    *,
    seed: int,
    repeat: int = 0,
    number: int = 0,
) -> Game:
    """Return the end of one game of `outcomes`, played through views.

    `number` is the number of games that the team has already played; see `hanabi.players.own`.

    Raises
    ------
    IllegalActionError, PlayerError
        As `outcomes`.

    >>> from hanabi.players import RandomLegal
    >>> team, rules = [RandomLegal()] * 2, Rules.official(2)
    >>> end = play_deal(team, rules, 7, seed=1)
    >>> outcomes(team, rules, 1, seed=1, first=7) == [outcome_of(end)]
    True
    """
    game = Game.start(rules, rules.spec.shuffle(seed, index))
    try:
        return play_watched(team, game, Stream(decision_seed(seed, repeat), index), number)
    except (IllegalActionError, PlayerError) as error:
        again = f", repeat {repeat}" if repeat else ""
        raise type(error)(f"seed {seed}, deal {index}{again}: {error}") from error


def simulate(
    players: Seated | Sequence[Seated],
    rules: Rules,
    games: int,
    *,
    seed: int,
    first: int = 0,
    repeat: int = 0,
) -> Tally:
    """Play the games of `outcomes`, and return their tally.

    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(3)
    >>> parts = [simulate(FirstLegal(), rules, 2, seed=1, first=first) for first in (0, 2)]
    >>> parts[0] + parts[1] == simulate(FirstLegal(), rules, 4, seed=1)
    True
    """
    played = outcomes(players, rules, games, seed=seed, first=first, repeat=repeat)
    return Tally.of(rules, played)
