"""The playability curve from shuffled decks, computed by any number of workers into a store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from hanabi.ground import NO_LIMIT, Clock, InvalidInputError, quote
from hanabi.lab.store import Store
from hanabi.lab.work import JSON, Job, key_of
from hanabi.solitaire import Point, curve_of, least_hands, sure_hand

__all__ = ["Playability", "curve"]


@dataclass(frozen=True, slots=True)
class Playability:
    """Shuffled decks, numbered, each with the smallest hand size that wins it.

    The record of a deck is that hand size, in four bytes, the low one first: `NEVER` if none wins.

    Attributes
    ----------
    copies
        For each color, the copies of each value, at least one; all of the same length.
    seed
        Deck `index` is shuffled by the random stream (`seed`, `index`); 0 .. 2**64 - 1.
    clock
        When it runs out, undecided decks raise BudgetEndedError. It is not in the configuration,
        as results do not depend on it.

    Raises
    ------
    InvalidInputError
        If the copies form no deck.

    >>> Playability(((2, 1, 1),), seed=1).run(0, 4)
    b'...'
    """

    copies: tuple[tuple[int, ...], ...]
    seed: int
    clock: Clock = field(default=NO_LIMIT, compare=False)

    kind: ClassVar[str] = "playability"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "decks"
    is_compiled: ClassVar[bool] = True

    def __post_init__(self) -> None:
        sure_hand(self.copies)

    def config(self) -> dict[str, JSON]:
        """Return the copies and the seed."""
        return {"copies": [list(row) for row in self.copies], "seed": self.seed}

    def run(self, first: int, count: int, /) -> bytes:
        """Decide the decks `first` .. `first + count - 1` with hands of rising size."""
        hands = range(sure_hand(self.copies) + 1)
        least = least_hands(self.copies, hands, self.seed, first, count, self.clock)
        return least.astype("<u4").tobytes()


def curve(store: Store, job: Job, *, confidence: float = 0.95) -> list[Point]:
    """Return the estimated probability of winning for every hand size up to one that always wins.

    The points equal those of `hanabi.solitaire.counting.playability.estimate_curve`.

    Raises
    ------
    StoreError
        If the store lacks one of its decks.

    >>> from hanabi.lab import open_executor, run
    >>> job, store = Job(Playability(((2, 1, 1),), seed=1), 2000), Store.memory()
    >>> with open_executor("serial") as pool:
    ...     run([job], store, executor=pool)
    >>> [round(float(point.probability), 2) for point in curve(store, job)]
    [0.25, 0.84, 1.0]
    """
    import numpy as np

    work = job.work
    if not isinstance(work, Playability):
        raise InvalidInputError(f"{quote(work)} is no work on playability")
    least = np.frombuffer(store.payload(key_of(work), job.items, width=4), "<u4")
    sizes = range(sure_hand(work.copies) + 1)
    return curve_of({h: int((least <= h).sum()) for h in sizes}, job.items, confidence)
