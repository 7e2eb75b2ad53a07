"""Work of the laboratory: numbered items, each with a result fixed by configuration and number."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeAlias, runtime_checkable

from hanabi.ground import InvalidInputError, quote
from hanabi.players import (
    Player,
    as_player,
    compile_team,
    format_player,
    outcomes,
    play_deal,
    settle_player,
)
from hanabi.rules import Game, Rules, rules_from_json, rules_to_json

__all__ = [
    "JSON",
    "Job",
    "Pace",
    "Range",
    "Simulation",
    "Work",
    "key_of",
    "key_of_text",
    "merged",
    "missing",
    "points_of",
    "rules_from_json",
    "rules_to_json",
]

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"
"""Any value that JSON can hold."""

_KEY_LENGTH = 16


@runtime_checkable
class Work(Protocol):
    """A frozen, picklable dataclass that computes the results of numbered items.

    The result of an item is a record of bytes, of one length for all items. It depends only on
    `config()` and the item's number. So `run(a, m) + run(a + m, n) == run(a, m + n)`, and it does
    not matter which worker computes which items.
    """

    kind: ClassVar[str]
    """The name of this kind of work."""

    version: ClassVar[int]
    """Raise it whenever the same configuration gives different results than before."""

    noun: ClassVar[str]
    """The plural noun for the items."""

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code does the work, so that threads run it in parallel."""
        ...

    def config(self) -> dict[str, JSON]:
        """Return everything that determines the results, except the number of items."""
        ...

    def run(self, first: int, count: int, /) -> bytes:
        """Return the concatenated records of the items `first` .. `first + count - 1`."""
        ...


def key_of(work: Work) -> str:
    """Return the key of some work, which is equal for equal kinds, versions and configurations.

    It is the first 16 hexadecimal digits of the SHA-256 of all three in JSON.

    >>> key_of(Simulation(("random",), Rules.official(3), seed=1))
    '...'
    >>> len(_)
    16
    """
    return key_of_text(work.kind, work.version, canonical(work.config()))


def key_of_text(kind: str, version: int, config: str) -> str:
    """Return the key of work with this kind, version and configuration (as JSON text)."""
    # The canonical JSON text of all three.
    text = f'{{"config":{config},"kind":{canonical(kind)},"version":{canonical(version)}}}'
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_KEY_LENGTH]


def canonical(data: JSON) -> str:
    """Return the canonical JSON text of some data: keys sorted, no spaces.

    >>> canonical({"b": [1, 2], "a": None})
    '{"a":null,"b":[1,2]}'
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class Simulation:
    """Games of players, numbered by their deals; see `hanabi.players.arena.outcomes`.

    The record of a game is its outcome, `points << 1 | is_bombed`, in two bytes, the low one first.

    Attributes
    ----------
    players
        One player for all seats, or one for each seat: texts that `parse_player` reads, players,
        or player classes. Players from outside this package are kept as `settle_player` returns
        them.
    rules
        The rules, seats included.
    seed
        Determines the deals and the players' random decisions.
    repeat
        From 0. Each number plays the same deals with different random decisions.

    Raises
    ------
    InvalidInputError
        If a player does not exist, the number of players does not fit the seats, or a number is
        out of range.

    >>> work = Simulation(("random",), Rules.official(3), seed=1)
    >>> work.run(0, 4) == work.run(0, 1) + work.run(1, 3)
    True
    """

    players: tuple[str | Player | type[Player], ...]
    rules: Rules
    seed: int
    repeat: int = 0

    kind: ClassVar[str] = "games"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "games"

    def __post_init__(self) -> None:
        if len(self.players) not in (1, self.rules.seats):
            raise InvalidInputError(
                f"{len(self.players)} players for {self.rules.seats} seats: give one, or one a seat"
            )
        object.__setattr__(self, "players", tuple(map(settle_player, self.players)))
        if self.repeat < 0:
            raise InvalidInputError(f"repeat = {quote(self.repeat)} is negative")

    def team(self) -> tuple[str, ...]:
        """Return the players' full names, with all parameters; one name if all seats have the same.

        >>> Simulation(("random",) * 3, Rules.official(3), seed=1).team()
        ('random',)
        """
        team = tuple(map(format_player, self._seated()))
        return team[:1] if len(set(team)) == 1 else team

    def _seated(self) -> list[Player]:
        """Return the player at each seat."""
        players = [as_player(each) for each in self.players]
        return players if len(players) > 1 else players * self.rules.seats

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code alone plays the games."""
        return compile_team(self._seated(), self.rules) is not None

    def config(self) -> dict[str, JSON]:
        """Return the players' full names, the rules, the seed and the repeat.

        Players that play differently than in an earlier release add their revision.
        """
        return {
            "players": list(self.team()),
            "rules": rules_to_json(self.rules),
            "seed": self.seed,
            "repeat": self.repeat,
            **points_of(self.rules),
            **revisions_of(*self._seated()),
        }

    def play(self, deal: int) -> Game:
        """Return the finished game with this number, with all its actions."""
        seats = self._seated()
        return play_deal(seats, self.rules, deal, seed=self.seed, repeat=self.repeat)

    @property
    def width(self) -> int:
        """Number of bytes of a record, which begins with the outcome."""
        return 2

    def run(self, first: int, count: int, /) -> bytes:
        """Play the deals `first` .. `first + count - 1`."""
        import numpy as np

        played = outcomes(
            self._seated(),
            self.rules,
            count,
            seed=self.seed,
            first=first,
            repeat=self.repeat,
        )
        return np.array(played, "<u2").tobytes()


def revisions_of(*players: Player) -> dict[str, JSON]:
    """Return the configuration entry for the revisions of this package's players.

    Players that a player improves upon are included. The entry is empty if no player has a
    revision: their games are those of the first release.
    """
    found: dict[str, JSON] = {}
    each: object
    for each in players:
        while type(each).__module__.startswith("hanabi."):
            if (revision := getattr(each, "revision", None)) is not None:
                found[type(each).__name__] = revision
            each = getattr(each, "player", None)
    return {"revisions": found} if found else {}


def points_of(rules: Rules) -> dict[str, JSON]:
    """Return the configuration entry for a scoring that the first release did not have.

    In the first release an outcome under `all_or_nothing` was the points on the piles, complete
    or not.

    >>> points_of(Rules.official(2))
    {}
    """
    return {"points": "none unless all"} if rules.all_or_nothing else {}


# Jobs, and how they are cut into chunks for the workers.
#
# Chunks end at multiples of powers of two (or of a given size), so that a longer run continues
# where a shorter one ended. Results do not depend on the cut, and finished items are found whatever
# the chunk sizes were.

Range: TypeAlias = tuple[int, int]
"""The first item and the number of items."""

_LEAST_SECONDS, _MOST_SECONDS = 0.125, 1.0
_GROWTH = 16
_PARTS_A_WORKER = 2


@dataclass(frozen=True, slots=True)
class Job:
    """The items `first` .. `items - 1` of some work, all by default.

    `chunk` of them are computed and stored together. By default a chunk takes about a second; its
    size is found while the job runs. Raises InvalidInputError if `items` is negative, `chunk` is
    less than 1, or `first` is not one of 0 .. `items`.
    """

    work: Work
    items: int
    chunk: int | None = None
    first: int = 0

    def __post_init__(self) -> None:
        if self.items < 0:
            raise InvalidInputError(f"items = {quote(self.items)} is negative")
        if self.chunk is not None and self.chunk < 1:
            raise InvalidInputError(f"chunk = {quote(self.chunk)} is less than 1")
        if not 0 <= self.first <= self.items:
            raise InvalidInputError(f"first = {quote(self.first)} is not in 0 .. {self.items}")

    def part(self, number: int, of: int) -> Job:
        """Return one of `of` parts of the job, `number` from 1; together they are the whole.

        Raises InvalidInputError if there is no such part.

        >>> job = Job(Simulation(("random",), Rules.official(2), seed=1), items=10)
        >>> [(part.first, part.items) for part in (job.part(i, 3) for i in (1, 2, 3))]
        [(0, 3), (3, 6), (6, 10)]
        """
        if not 1 <= number <= of:
            raise InvalidInputError(f"part {quote(number)} of {quote(of)}: they count from 1")
        count = self.items - self.first
        first, end = (self.first + count * each // of for each in (number - 1, number))
        return replace(self, first=first, items=end)


def merged(ranges: Iterable[Range]) -> list[Range]:
    """Return disjoint ranges, in order and with gaps between them, that cover the same items.

    >>> merged([(4, 4), (0, 2), (1, 3), (9, 1)])
    [(0, 8), (9, 1)]
    """
    result: list[Range] = []
    for first, count in sorted(ranges):
        if result and first <= sum(result[-1]):
            start, length = result[-1]
            result[-1] = start, max(length, first + count - start)
        else:
            result.append((first, count))
    return result


def missing(done: Iterable[Range], items: int) -> list[Range]:
    """Return the ranges of the items 0 .. `items - 1` that are not done.

    >>> missing([(2, 3), (7, 1)], 10)
    [(0, 2), (5, 2), (8, 2)]
    """
    result, first = [], 0
    for start, count in [*merged(done), (items, 0)]:
        end = min(start, items)
        if end > first:
            result.append((first, end - first))
        first = max(first, start + count)
    return result


class Pace:
    """The chunk size of a job: a power of two, for about a second of work.

    It starts at one and grows in steps while chunks turn out to be quick; the very first may be
    slow because of compilation. Towards the end chunks become smaller, so that all workers finish
    at about the same time.
    """

    def __init__(self, job: Job, workers: int) -> None:
        self._job, self._workers = job, workers
        self._size = 1
        self._rate = 0.0

    def learn(self, count: int, seconds: float) -> None:
        """Record that a chunk of `count` items took `seconds`."""
        if 2 * count >= self._size:  # smaller chunks, cut earlier, tell little
            self._rate = count / max(seconds, 1e-6)
            self._size = _floor_power(min(self._rate * _MOST_SECONDS, count * _GROWTH))

    def size(self, first: int, left: int) -> int:
        """Return how many of the `left` items from `first` on to do next."""
        size = self._job.chunk
        if size is None:
            share = (self._job.items - first) / (self._workers * _PARTS_A_WORKER)
            size = min(self._size, _floor_power(max(share, self._rate * _LEAST_SECONDS)))
        return min(left, size - first % size)


def _floor_power(number: float) -> int:
    """Return the greatest power of two up to `number`, or 1 if there is none."""
    return 1 << (max(math.floor(number), 1).bit_length() - 1)
