"""What the laboratory does: numbered items of work whose results depend on nothing else."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Protocol, TypeAlias, runtime_checkable

from hanabi.deck import DeckSpec
from hanabi.errors import InvalidInputError, quote
from hanabi.game import Game
from hanabi.game.config import Rules
from hanabi.players.arena import outcomes, play_deal
from hanabi.players.protocol import Player
from hanabi.players.registry import as_player, compile_team, format_player, settle_player
from hanabi.variants import Variant, find_variant

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
"""What JSON can hold."""

_KEY_LENGTH = 16
_ALWAYS_STATED = ("seats", "hand_size")


@runtime_checkable
class Work(Protocol):
    """A frozen, picklable dataclass that says how to work out the results of numbered items.

    The results of an item are a record of bytes, of one length for all items; they depend on
    `config()` and the item's number alone. So `run(a, m) + run(a + m, n) == run(a, m + n)`, and it
    does not matter who works on which items.
    """

    kind: ClassVar[str]
    """The name of this kind of work."""

    version: ClassVar[int]
    """To be raised when the same configuration gives other results than before."""

    noun: ClassVar[str]
    """What the items are called, in the plural."""

    @property
    def is_compiled(self) -> bool:
        """Whether the work is done in compiled code, so that threads do it side by side."""
        ...

    def config(self) -> dict[str, JSON]:
        """Return all that determines the results, apart from how many items there are."""
        ...

    def run(self, first: int, count: int, /) -> bytes:
        """Return the records of the items `first` .. `first + count - 1`, one after the other."""
        ...


def key_of(work: Work) -> str:
    """Return the name of a piece of work: equal for equal kinds, versions and configurations.

    It is the start of the SHA-256 of all three in JSON, as 16 hexadecimal digits.

    >>> key_of(Simulation(("random",), Rules.official(3), seed=1))
    '...'
    >>> len(_)
    16
    """
    return key_of_text(work.kind, work.version, canonical(work.config()))


def key_of_text(kind: str, version: int, config: str) -> str:
    """Return the key of the work of this kind and version, its configuration given as JSON."""
    # The canonical JSON text of all three.
    text = f'{{"config":{config},"kind":{canonical(kind)},"version":{canonical(version)}}}'
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_KEY_LENGTH]


def canonical(data: JSON) -> str:
    """Return the one JSON text of some data: keys sorted, no spaces.

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
        One for all seats, or one for each: texts as `parse_player` reads them, players, or classes
        of such. Those that do not come with this package are kept as `settle_player` returns them.
    rules
        The rules, seats included.
    seed
        Which deals, and which decisions.
    repeat
        Other numbers, from 0, play the same deals with other random decisions.

    Raises
    ------
    InvalidInputError
        If there is no such player, or there are not as many as seats, or a number is out of range.

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
        """Return what the players are called, with all parameters; the same at all seats only once.

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
        """Return what the players are called, the rules, the seed and the repeat.

        Of players that play otherwise than in an earlier release also their revision.
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
        """Return the end of the game with this number, with all its actions."""
        seats = self._seated()
        return play_deal(seats, self.rules, deal, seed=self.seed, repeat=self.repeat)

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
    """Return for a configuration the revisions of players of this package, and whom they improve.

    Nothing if none has one: their games are those of the first release.
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
    """Return for a configuration how points are counted, if otherwise than in the first release.

    Until then an outcome under `all_or_nothing` was the points on the piles, complete or not.

    >>> points_of(Rules.official(2))
    {}
    """
    return {"points": "none unless all"} if rules.all_or_nothing else {}


def rules_to_json(rules: Rules) -> dict[str, JSON]:
    """Return what a rule set says, apart from what the printed rules say too.

    >>> rules_to_json(Rules.hle(2))["empty_hints"]
    False
    >>> rules_from_json(rules_to_json(Rules.hle(2))) == Rules.hle(2)
    True
    """
    data: dict[str, JSON] = {"copies": [list(row) for row in rules.spec.copies]}
    for field in fields(rules):
        value = getattr(rules, field.name)
        if field.name == "final_round":
            if value != rules.seats:
                data[field.name] = value
        elif field.name == "variant":
            if value is not None:
                data[field.name] = _name_of(value)
        elif field.name in _ALWAYS_STATED or field.default not in (MISSING, value):
            data[field.name] = value
    return data


def _name_of(variant: Variant) -> str:
    if variant.id is None:
        raise InvalidInputError(f"{quote(variant.name)} is no variant that a name stands for")
    return variant.name


def rules_from_json(data: dict[str, Any]) -> Rules:
    """Return the rule set that `rules_to_json` has described.

    Raises
    ------
    InvalidInputError
        If it describes none.
    """
    given = dict(data)
    try:
        spec = DeckSpec(tuple(tuple(row) for row in given.pop("copies")))
        if "variant" in given:
            given["variant"] = find_variant(given["variant"])
        return Rules(spec=spec, **given)
    except (KeyError, TypeError) as error:
        raise InvalidInputError(f"rules {quote(data)}: {error}") from None


# What is to be done: jobs, and how they are cut into the chunks that are handed to workers.
#
# Chunks end at multiples of powers of two (or of a size that is given), so that a longer run goes
# on where a shorter one ended. Results do not depend on the cut, and what is done is found
# whatever the sizes were.

Range: TypeAlias = tuple[int, int]
"""The first item and the number of items."""

_LEAST_SECONDS, _MOST_SECONDS = 0.125, 1.0
_GROWTH = 16
_PARTS_A_WORKER = 2


@dataclass(frozen=True, slots=True)
class Job:
    """The items 0 .. `items - 1` of some work; `chunk` of them are done and stored together.

    By default these are as many as take about a second, found while it goes on. Raises
    InvalidInputError if there are fewer than 0 items, or than 1 in a chunk.
    """

    work: Work
    items: int
    chunk: int | None = None

    def __post_init__(self) -> None:
        if self.items < 0:
            raise InvalidInputError(f"items = {quote(self.items)} is negative")
        if self.chunk is not None and self.chunk < 1:
            raise InvalidInputError(f"chunk = {quote(self.chunk)} is less than 1")


def merged(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges that cover the same items, apart from each other and in order.

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
    """Return what is left of the items 0 .. `items - 1`.

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
    """How many items of a job to hand over together: a power of two, for about a second of work.

    It starts with one, and grows by steps while they turn out to be quick: the first of all may
    be slow because it is compiled. Towards the end chunks become smaller, so that all workers end
    at about the same time.
    """

    def __init__(self, job: Job, workers: int) -> None:
        self._job, self._workers = job, workers
        self._size = 1
        self._rate = 0.0

    def learn(self, count: int, seconds: float) -> None:
        """Take note that a chunk of so many items took so long."""
        if 2 * count >= self._size:  # chunks that were cut before say little now
            self._rate = count / max(seconds, 1e-6)
            self._size = _floor_power(min(self._rate * _MOST_SECONDS, count * _GROWTH))

    def size(self, first: int, left: int) -> int:
        """Return how many items to do next of those that are left from `first` on."""
        size = self._job.chunk
        if size is None:
            share = (self._job.items - first) / (self._workers * _PARTS_A_WORKER)
            size = min(self._size, _floor_power(max(share, self._rate * _LEAST_SECONDS)))
        return min(left, size - first % size)


def _floor_power(number: float) -> int:
    """Return the greatest power of two that is at most `number`, but at least 1."""
    return 1 << (max(math.floor(number), 1).bit_length() - 1)
