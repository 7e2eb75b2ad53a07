"""Bulk solving: which shuffled decks can be won face up, and which method decides each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hanabi.ground import InvalidInputError, SolverError, Status, Stream, quote
from hanabi.lab.store import Store
from hanabi.lab.work import JSON, Job, key_of, points_of, revisions_of, rules_to_json
from hanabi.players import as_player, compile_team, format_player, renamed_outcomes
from hanabi.rules import (
    DEFAULT_PRESET,
    Deck,
    Rules,
    find_variant,
    parse_range,
    read_rules,
    rules_for_variant,
    rules_of_json,
)
from hanabi.solvers import solve

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "METHODS",
    "DeckCounts",
    "OpenSeeds",
    "RenamedGames",
    "SeedWinnability",
    "Winnability",
    "deck_counts",
    "renamed_games",
]

METHODS = (
    "score", "merged hands", "greedy", "last round", "guided search", "search", "sat", "portfolio",
    "all lines",
)  # fmt: skip
"""The methods of `hanabi.solvers.winnable.solve` that decide decks, by the number that is
stored."""

_STATUSES = tuple(Status)
_WIDTH = 2
_DEFAULT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Winnability:
    """Shuffled decks of a rule set, numbered, each solved by `hanabi.solvers.winnable.solve`.

    The record of a deck is two bytes: the index of its verdict in `Status`, and of its method in
    `METHODS`. Only two things can depend on the speed of the machine: which decks stay undecided,
    and which method decides the hardest ones.

    Attributes
    ----------
    rules
        The rules, seats included.
    seed
        Deck `index` is `rules.spec.shuffle(seed, index)`.
    seconds
        Limit for each deck, above 0.

    Raises
    ------
    InvalidInputError
        If the limit is not above 0.

    >>> work = Winnability(Rules.hanab_live(3), seed=2026)
    >>> [METHODS[number] for number in work.run(0, 3)[1::2]]
    ['greedy', 'greedy', 'greedy']
    """

    rules: Rules
    seed: int
    seconds: float = _DEFAULT_SECONDS

    kind: ClassVar[str] = "winnability"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "decks"
    is_compiled: ClassVar[bool] = False  # the solvers prepare each deck in Python

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise InvalidInputError(f"seconds = {quote(self.seconds)} is not above 0")

    def config(self) -> dict[str, JSON]:
        """Return the rules, the seed and the limit."""
        return {"rules": rules_to_json(self.rules), "seed": self.seed, "seconds": self.seconds}

    def run(self, first: int, count: int, /) -> bytes:
        """Solve the decks `first` .. `first + count - 1`."""
        spec, indices = self.rules.spec, range(first, first + count)
        decks = (spec.shuffle(self.seed, index) for index in indices)
        return _records(decks, self.rules, self.seconds)


@dataclass(frozen=True, slots=True)
class SeedWinnability:
    """The deals p{players}v{variant}s1, s2, ... of hanab.live, each solved.

    Records are those of `Winnability`.

    Attributes
    ----------
    variant
        The name of a variant.
    players
        2 to 6.
    seconds
        Limit for each deck, above 0.
    rules
        A preset's name, or a JSON object that changes rules; the cards are always the variant's.

    Raises
    ------
    InvalidInputError
        If there is no such table, the rules do not fit it, or the limit is not above 0.

    >>> work = SeedWinnability("No Variant", 3)
    >>> [METHODS[number] for number in work.run(0, 3)[1::2]]
    ['greedy', 'greedy', 'greedy']
    """

    variant: str
    players: int
    seconds: float = _DEFAULT_SECONDS
    rules: str = DEFAULT_PRESET

    kind: ClassVar[str] = "winnability of seeds"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "decks"
    is_compiled: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.table_rules()
        if not self.seconds > 0:
            raise InvalidInputError(f"seconds = {quote(self.seconds)} is not above 0")

    def config(self) -> dict[str, JSON]:
        """Return the table and the limit, and the rules unless they are the site's."""
        data: dict[str, JSON] = {"variant": self.variant, "players": self.players}
        data["seconds"] = self.seconds
        table = self.table_rules()
        if table != Rules.hanab_live(self.players, variant=self.variant):
            data["rules"] = rules_to_json(table)
        return data

    def table_rules(self) -> Rules:
        """Return the rules of the table.

        >>> SeedWinnability("6 Suits", 2, rules='{"hints": 7}').table_rules().hints
        7
        """
        variant = find_variant(self.variant)
        chosen = rules_for_variant(read_rules(self.rules), variant)
        found = rules_of_json(chosen, self.players, variant.spec)[1]
        if found.spec != variant.spec or found.variant != (None if variant.is_plain else variant):
            raise InvalidInputError(f"rules: the cards are those of {variant.name}")
        return found

    def seed(self, index: int) -> str:
        """Return the seed of a deck.

        >>> SeedWinnability("Rainbow (5 Suits)", 2).seed(0)
        'p2v16s1'
        """
        return f"p{self.players}v{find_variant(self.variant).id}s{index + 1}"

    def run(self, first: int, count: int, /) -> bytes:
        """Solve the decks `first` .. `first + count - 1`."""
        if not count:
            return b""
        seeds = parse_range(f"{self.seed(first)}..{first + count}")
        return _records((deck for _, deck in seeds.deals()), self.table_rules(), self.seconds)


@dataclass(frozen=True, slots=True)
class OpenSeeds:
    """The undecided deals of a table of hanab.live, solved again with more time for each.

    Attributes
    ----------
    table
        The deals, and the limit for each.
    numbers
        The indices of the deals in the table, from 0: item i of this work is deal `numbers[i]`.
    """

    table: SeedWinnability
    numbers: tuple[int, ...]

    kind: ClassVar[str] = "winnability of open seeds"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "decks"
    is_compiled: ClassVar[bool] = False

    def config(self) -> dict[str, JSON]:
        """Return the table, the limit and the numbers."""
        return {**self.table.config(), "numbers": list(self.numbers)}

    def run(self, first: int, count: int, /) -> bytes:
        """Solve the deals `numbers[first]` .. `numbers[first + count - 1]`."""
        return b"".join(self.table.run(n, 1) for n in self.numbers[first : first + count])


def _records(decks: Iterable[Deck], rules: Rules, seconds: float) -> bytes:
    records = bytearray()
    for deck in decks:
        verdict = solve(deck, rules, seconds=seconds)
        records += bytes((_STATUSES.index(verdict.status), _number_of(verdict.method)))
    return bytes(records)


def _number_of(method: str) -> int:
    if method not in METHODS:
        raise SolverError(f"the method {quote(method)} has no number: add it to METHODS")
    return METHODS.index(method)


@dataclass(frozen=True, slots=True)
class DeckCounts:
    """The verdicts on decks, and the methods that decided them.

    Attributes
    ----------
    records
        Two bytes a deck, as in `Winnability`.
    """

    records: bytes

    @property
    def decks(self) -> int:
        """The number of decks."""
        return len(self.records) // _WIDTH

    @property
    def statuses(self) -> Counter[Status]:
        """The number of decks by verdict."""
        return Counter(_STATUSES[number] for number in self.records[::_WIDTH])

    @property
    def methods(self) -> Counter[str]:
        """The number of decks by the method that decided each, or was running when time ran out."""
        return Counter(METHODS[number] for number in self.records[1::_WIDTH])

    @property
    def lost(self) -> tuple[int, ...]:
        """The numbers, from 0, of the decks that cannot be won."""
        return self._having(Status.UNWINNABLE)

    @property
    def open(self) -> tuple[int, ...]:
        """The numbers, from 0, of the undecided decks."""
        return self._having(Status.UNKNOWN)

    def _having(self, status: Status) -> tuple[int, ...]:
        wanted = _STATUSES.index(status)
        return tuple(n for n, each in enumerate(self.records[::_WIDTH]) if each == wanted)

    def settled(self, again: DeckCounts) -> DeckCounts:
        """Return the counts after the undecided decks were solved again, in their order."""
        records = bytearray(self.records)
        for place, number in enumerate(self.open):
            record = again.records[_WIDTH * place :][:_WIDTH]
            records[_WIDTH * number : _WIDTH * (number + 1)] = record
        return DeckCounts(bytes(records))


def deck_counts(store: Store, job: Job) -> DeckCounts:
    """Return the counts of a finished job of one of the works of this module.

    Raises
    ------
    StoreError
        If the store lacks one of its decks.

    >>> from hanabi.lab import open_executor, run
    >>> job, store = Job(Winnability(Rules.hanab_live(3), seed=2026), 20), Store.memory()
    >>> with open_executor("serial") as pool:
    ...     run([job], store, executor=pool)
    >>> deck_counts(store, job).methods
    Counter({'greedy': 20})
    """
    return DeckCounts(store.payload(key_of(job.work), job.items, width=_WIDTH))


# Outcomes of random decks of a table, each played several times, to compare a deck with.


@dataclass(frozen=True, slots=True)
class RenamedGames:
    """Shuffled decks, numbered, each played several times; see `hanabi.players.renamed`.

    The record of a deck is the outcome of each of its games, in two bytes, the low one first.

    Attributes
    ----------
    player
        The player at every seat.
    rules
        The rules, seats included.
    seed
        Deck `index` is `rules.spec.shuffle(seed, index)`; `seed` and `index` also determine the
        random decisions of its games.
    games
        The number of games of each deck.

    Raises
    ------
    InvalidInputError
        If there is no such player, or `games` is less than 1.

    >>> work = RenamedGames("random", Rules.hanab_live(3), seed=1, games=5)
    >>> work.run(0, 4) == work.run(0, 1) + work.run(1, 3)
    True
    """

    player: str
    rules: Rules
    seed: int
    games: int

    kind: ClassVar[str] = "renamed games"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "decks"

    def __post_init__(self) -> None:
        as_player(self.player)
        if self.games < 1:
            raise InvalidInputError(f"games = {quote(self.games)} is not 1 or more")

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code alone plays the games."""
        return compile_team([as_player(self.player)] * self.rules.seats, self.rules) is not None

    def config(self) -> dict[str, JSON]:
        """Return the player with all parameters, the rules, the seed and the number of games."""
        player = as_player(self.player)
        return {
            "player": format_player(player),
            "rules": rules_to_json(self.rules),
            "seed": self.seed,
            "games": self.games,
            **points_of(self.rules),
            **revisions_of(player),
        }

    def run(self, first: int, count: int, /) -> bytes:
        """Play the decks `first` .. `first + count - 1`."""
        import numpy as np

        played = [
            renamed_outcomes(
                self.player,
                self.rules,
                self.rules.spec.shuffle(self.seed, index),
                self.games,
                seed=Stream(self.seed, index).word(),
            )
            for index in range(first, first + count)
        ]
        return np.array(played, "<u2").tobytes()


def renamed_games(store: Store, job: Job) -> npt.NDArray[np.int64]:
    """Return the outcomes of a finished job, a row a deck.

    Raises
    ------
    StoreError
        If the store lacks one of its decks.
    """
    import numpy as np

    work = job.work
    if not isinstance(work, RenamedGames):
        raise InvalidInputError(f"{quote(work)} is no work on renamed games")
    payload = store.payload(key_of(work), job.items, width=2 * work.games)
    return np.frombuffer(payload, "<u2").reshape(job.items, work.games).astype(np.int64)
