"""Bulk solving: which shuffled decks can be won with all cards face up, and who decides it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from hanabi.errors import InvalidInputError, SolverError, quote
from hanabi.game.config import Rules
from hanabi.lab.plan import Job
from hanabi.lab.store import Store
from hanabi.lab.work import JSON, key_of, rules_to_json
from hanabi.verdict import Status
from hanabi.winnable import solve

__all__ = ["METHODS", "DeckCounts", "Winnability", "deck_counts"]

METHODS = (
    "score", "merged hands", "greedy", "last round", "guided search", "search", "sat", "portfolio",
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
        records = bytearray()
        for index in range(first, first + count):
            deck = self.rules.spec.shuffle(self.seed, index)
            verdict = solve(deck, self.rules, seconds=self.seconds)
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


def deck_counts(store: Store, job: Job) -> DeckCounts:
    """Return the counts of a finished job of `Winnability`.

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
