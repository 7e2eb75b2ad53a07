"""Bulk solving: which shuffled decks can be won with all cards face up, and who decides it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from hanabi.deck import Deck
from hanabi.errors import InvalidInputError, SolverError, quote
from hanabi.game.config import Rules
from hanabi.lab.plan import Job
from hanabi.lab.store import Store
from hanabi.lab.work import JSON, key_of, rules_to_json
from hanabi.seeds.many import parse_range
from hanabi.variants import find_variant
from hanabi.verdict import Status
from hanabi.winnable import solve

__all__ = ["METHODS", "DeckCounts", "SeedWinnability", "Winnability", "deck_counts", "lost_items"]

METHODS = (
    "score", "merged hands", "greedy", "last round", "guided search", "search", "sat", "portfolio",
    "all lines",
)  # fmt: skip
"""The parts of `hanabi.winnable.solve` that decide, by the number that is stored."""

_STATUSES = tuple(Status)
_WIDTH = 2
_DEFAULT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Winnability:
    """Shuffled decks of a rule set, numbered, each solved by `hanabi.winnable.solve`.

    The record of a deck is two bytes: its verdict's place in `Status`, and its method's in
    `METHODS`. Only what is left open, and the part that decides the hardest decks, can depend on
    how fast the machine is.

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

    Raises
    ------
    InvalidInputError
        If there is no such table, or the limit is not above 0.

    >>> work = SeedWinnability("No Variant", 3)
    >>> [METHODS[number] for number in work.run(0, 3)[1::2]]
    ['greedy', 'greedy', 'greedy']
    """

    variant: str
    players: int
    seconds: float = _DEFAULT_SECONDS

    kind: ClassVar[str] = "winnability of seeds"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "decks"
    is_compiled: ClassVar[bool] = False

    def __post_init__(self) -> None:
        Rules.hanab_live(self.players, variant=self.variant)
        if not self.seconds > 0:
            raise InvalidInputError(f"seconds = {quote(self.seconds)} is not above 0")

    def config(self) -> dict[str, JSON]:
        """Return the table and the limit."""
        return {"variant": self.variant, "players": self.players, "seconds": self.seconds}

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
        rules = Rules.hanab_live(self.players, variant=self.variant)
        return _records((deck for _, deck in seeds.deals()), rules, self.seconds)


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
    """How many decks got which verdict, by which method, and which are open."""

    statuses: Counter[Status]
    methods: Counter[str]
    open: tuple[int, ...]

    @property
    def decks(self) -> int:
        """How many decks there are."""
        return self.statuses.total()


def lost_items(store: Store, job: Job) -> tuple[int, ...]:
    """Return the numbers, from 0, of the decks of a finished job that cannot be won."""
    payload = store.payload(key_of(job.work), job.items, width=_WIDTH)
    lost = _STATUSES.index(Status.UNWINNABLE)
    return tuple(index for index, status in enumerate(payload[::_WIDTH]) if status == lost)


def deck_counts(store: Store, job: Job) -> DeckCounts:
    """Return the counts of a finished job of `Winnability` or `SeedWinnability`.

    Raises
    ------
    StoreError
        If a deck of it is not in the store.

    >>> from hanabi.lab import open_executor, run
    >>> job, store = Job(Winnability(Rules.hanab_live(3), seed=2026), 20), Store.memory()
    >>> with open_executor("serial") as pool:
    ...     run([job], store, executor=pool)
    >>> deck_counts(store, job).methods
    Counter({'greedy': 20})
    """
    payload = store.payload(key_of(job.work), job.items, width=_WIDTH)
    statuses = [_STATUSES[number] for number in payload[::_WIDTH]]
    return DeckCounts(
        Counter(statuses),
        Counter(METHODS[number] for number in payload[1::_WIDTH]),
        tuple(index for index, status in enumerate(statuses) if status is Status.UNKNOWN),
    )
