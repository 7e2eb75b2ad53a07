"""Good and bad sequences one by one: listing, ranking and drawing, to inspect a count.

Sequences are in lexicographic order. The number of continuations of a prefix follows from `good`
and `bad`: the values already passed may lie anywhere among the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from hanabi.ground import InvalidInputError, Stream, counted, quote
from hanabi.solitaire.counting.generating import good
from hanabi.solitaire.counting.vector import Vector, check_vector, multinomial

__all__ = ["Kind", "Sequences"]

Kind = Literal["good", "bad"]
"""The kind of sequences: with ("good") or without ("bad") the subsequence 1-2-...-k."""


class Sequences:
    """All good, or all bad, sequences with x_i copies of value i, in lexicographic order.

    Iterating yields them one by one, as tuples; only counts are stored.

    Parameters
    ----------
    x
        k >= 1 counts >= 0.
    kind
        `"good"` or `"bad"`.

    Raises
    ------
    InvalidInputError
        If `x` is not such a vector, or `kind` is unknown.

    >>> [*Sequences((2, 1, 1), "good")]
    [(1, 1, 2, 3), (1, 2, 1, 3), (1, 2, 3, 1)]
    >>> Sequences((4,) * 13, "good").count
    50972203946555791528902451677555189167087762981
    """

    def __init__(self, x: Iterable[int], kind: Kind) -> None:
        if kind not in ("good", "bad"):
            raise InvalidInputError(f"kind: {quote(kind)} is neither 'good' nor 'bad'")
        self.x = check_vector(x)
        self.kind = kind
        self._known: dict[Vector, int] = {}

    @property
    def count(self) -> int:
        """Number of sequences."""
        return self._completions(0, self.x)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        prefix: list[int] = []
        waiting = [self._successors(0, self.x)]
        while waiting:
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                if prefix:
                    prefix.pop()
                continue
            value, passed, left = step
            prefix.append(value)
            if any(left):
                waiting.append(self._successors(passed, left))
            else:
                yield tuple(prefix)
                prefix.pop()
        if not any(self.x) and self.count:
            yield ()

    def rank(self, sequence: Sequence[int]) -> int:
        """Return the number of sequences before this one; O(N k) counts.

        Raises InvalidInputError if it is not one of the sequences.

        >>> Sequences((2, 1, 1), "good").rank((1, 2, 3, 1))
        2
        """
        passed, left, before = 0, self.x, 0
        for position, value in enumerate(sequence, start=1):
            for other, then, rest in self._successors(passed, left):
                if other == value:
                    passed, left = then, rest
                    break
                before += self._completions(then, rest)
            else:
                raise InvalidInputError(
                    f"position {position}: with {quote(value)} there this is not one of the"
                    f" {self.kind} sequences"
                )
        if any(left):
            raise InvalidInputError(f"the sequence is short of {counted(sum(left), 'card')}")
        if not sequence and not self.count:
            raise InvalidInputError(f"the empty sequence is not {self.kind}")
        return before

    def unrank(self, index: int) -> tuple[int, ...]:
        """Return the sequence that has `index` others before it; O(N k) counts.

        Raises InvalidInputError if `index` is out of range.

        >>> Sequences((2, 1, 1), "good").unrank(2)
        (1, 2, 3, 1)
        """
        if not 0 <= index < self.count:
            raise InvalidInputError(f"index: there is no {self.kind} sequence of that number")
        passed, left = 0, self.x
        result: list[int] = []
        while any(left):
            for value, then, rest in self._successors(passed, left):
                n_here = self._completions(then, rest)
                if index < n_here:
                    result.append(value)
                    passed, left = then, rest
                    break
                index -= n_here
        return tuple(result)

    def draw(self, seed: int, index: int = 0) -> tuple[int, ...]:
        """Return a sequence drawn uniformly by the random stream (`seed`, `index`).

        Raises InvalidInputError if there are no sequences.

        >>> len(Sequences((4,) * 13, "good").draw(seed=1))
        52
        """
        count = self.count
        if not count:
            raise InvalidInputError(f"there are no {self.kind} sequences to draw from")
        return self.unrank(_below(Stream(seed, index), count))

    def _successors(self, passed: int, left: Vector) -> Iterator[tuple[int, int, Vector]]:
        """Yield (next value, values passed, copies left) for each step that leads to a sequence."""
        for i, count in enumerate(left):
            if count:
                rest = (*left[:i], count - 1, *left[i + 1 :])
                then = passed + (i == passed)
                if self._is_open(then, rest):
                    yield i + 1, then, rest

    def _is_open(self, passed: int, left: Vector) -> bool:
        needed = left[passed:]
        if self.kind == "good":
            return all(needed)
        # Two or more values can always be put in falling order; a single one must not occur.
        return len(needed) > 1 or (len(needed) == 1 and not needed[0])

    def _completions(self, passed: int, left: Vector) -> int:
        """Return the number of sequences that continue from this state."""
        if not self._is_open(passed, left):
            return 0
        needed = left[passed:]
        spread = multinomial((*left[:passed], sum(needed)))
        if not needed:
            return spread
        key = tuple(sorted(needed))
        if key not in self._known:
            n_good = good(key)
            self._known[key] = n_good if self.kind == "good" else multinomial(key) - n_good
        return spread * self._known[key]


def _below(rng: Stream, bound: int) -> int:
    """Return a uniform integer of 0 .. bound - 1, of any size."""
    words = -(-bound.bit_length() // 64)
    limit = (1 << 64 * words) - (1 << 64 * words) % bound
    while True:
        drawn = 0
        for _ in range(words):
            drawn = drawn << 64 | rng.word()
        if drawn < limit:
            return drawn % bound
