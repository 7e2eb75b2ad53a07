"""Instances of Solitaire Hanabi [Baffier2017, section 1.3].

Letters as in the paper: N cards in the stream, values 1..n, c colors (0..c-1 here), at most r
copies of a card, h cards in hand. A card is a pair (color, rank) as everywhere in the package; its
rank is what the paper calls its value. The files of a stream write the value first.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hanabi.ground import NO_LIMIT, Clock, InvalidInputError, Pictured, quote
from hanabi.rules import Card, Deck, format_card

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Instance"]

_MOST = 2**31 - 1
_STRETCH = 2**20  # cards between two looks at the clock


class Instance(Pictured):
    """A hand size and a stream of cards.

    The two columns are kept as read-only 32-bit memory views: NumPy reads them without a copy
    (`numpy.asarray(instance.values)`), and small instances never import NumPy.

    Parameters
    ----------
    hand_size
        h >= 0: the most cards stored at any time. A card can be played straight from the stream.
    cards
        The stream in drawing order, pairs (color, value), 0 <= color, 1 <= value; a `Deck`, say.
    n, c
        Number of values and colors that have to be built; by default the largest that occur.

    Raises
    ------
    InvalidInputError
        If a number is out of range or not an integer; names the card's 1-based position.

    >>> instance = Instance(2, [(0, 2), (0, 1), (1, 1), (1, 2), (1, 1)])
    >>> instance
    Instance(hand_size=2, N=5, n=2, c=2, r=2)
    >>> instance.cards
    <Deck of 5 cards: r2 r1 y1 y2 y1>
    """

    _drawn_by = "hanabi.solitaire.picture"
    __slots__ = ("_hash", "_r", "c", "colors", "hand_size", "n", "values")

    hand_size: int
    """The most cards that may be stored at any time (the paper's h)."""
    n: int
    """Number of values of every color."""
    c: int
    """Number of colors."""
    values: memoryview
    """Values of the stream, int32, shape (N,), 1-based."""
    colors: memoryview
    """Colors of the stream, int32, shape (N,), 0-based."""

    def __init__(
        self,
        hand_size: int,
        cards: Iterable[tuple[int, int]],
        *,
        n: int | None = None,
        c: int | None = None,
    ) -> None:
        values, colors = array("i"), array("i")
        for position, card in enumerate(cards, start=1):
            try:
                color, value = card
                colors.append(color)
                values.append(value)
            except (TypeError, ValueError, OverflowError):
                raise InvalidInputError(
                    f"card {position}: {quote(card)} is not a pair (color, value) of integers"
                ) from None
        self._set(hand_size, memoryview(values), memoryview(colors), n, c)

    @classmethod
    def from_arrays(
        cls,
        hand_size: int,
        colors: npt.NDArray[np.integer],
        values: npt.NDArray[np.integer],
        *,
        n: int | None = None,
        c: int | None = None,
    ) -> Instance:
        """Return the instance whose columns are two integer arrays of shape (N,).

        Contiguous int32 arrays are shared, not copied; do not write to them afterwards. O(N).
        """
        import numpy as np

        columns = []
        for name, column in (("colors", colors), ("values", values)):
            given = np.asarray(column)
            if given.ndim != 1 or given.dtype.kind not in "iu" or given.shape != np.shape(colors):
                raise InvalidInputError(
                    f"{name}: expected an integer array of shape (N,) as long as the other,"
                    f" got {given.dtype} of shape {given.shape}"
                )
            if given.size and (given.min() < -1 or given.max() > _MOST):
                raise InvalidInputError(f"{name}: a number is outside 0 .. {_MOST}")
            columns.append(np.ascontiguousarray(given, dtype=np.intc).data)
        instance = cls.__new__(cls)
        instance._set(hand_size, columns[1], columns[0], n, c)
        return instance

    def _set(
        self,
        hand_size: int,
        values: memoryview,
        colors: memoryview,
        n: int | None,
        c: int | None,
    ) -> None:
        for name, number in (("hand size", hand_size), ("n", n), ("c", c)):
            if (number is not None or name == "hand size") and (
                not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= _MOST
            ):
                raise InvalidInputError(f"{name}: {quote(number)} is not an integer >= 0")
        low_value, high_value = _extremes(values, (1, 0))
        low_color, high_color = _extremes(colors, (0, -1))
        self.n = high_value if n is None else n
        self.c = high_color + 1 if c is None else c
        if low_value < 1 or high_value > self.n or low_color < 0 or high_color >= self.c:
            raise InvalidInputError(_first_bad_card(values, colors, self.n, self.c))
        if self.n * self.c > _MOST:
            raise InvalidInputError(f"n x c = {self.n} x {self.c} cards to build: more than 2**31")
        self.hand_size = hand_size
        self.values = values.toreadonly()
        self.colors = colors.toreadonly()
        self._hash: int | None = None
        self._r: int | None = None

    @property
    def N(self) -> int:
        """Length of the stream."""
        return len(self.values)

    @property
    def r(self) -> int:
        """Most copies of any card in the stream (0 if empty). O(N) once, then remembered."""
        if self._r is None:
            if self.N < 4096:
                counts = Counter(zip(self.values, self.colors, strict=True))
                self._r = max(counts.values(), default=0)
            else:
                import numpy as np

                index = np.multiply(self.colors, self.n, dtype=np.int64)
                index += np.asarray(self.values)
                # Counting needs an array as long as the goal, which may be far longer than N.
                counted = self.goal <= 8 * self.N
                self._r = int(
                    (
                        np.bincount(index) if counted else np.unique(index, return_counts=True)[1]
                    ).max()
                )
        return self._r

    @property
    def cards(self) -> Deck:
        """The stream, card by card. O(N) each time."""
        return Deck(zip(self.colors, self.values, strict=True))

    @property
    def goal(self) -> int:
        """Number of cards that a winning play puts on the piles: n * c."""
        return self.n * self.c

    def card_name(self, color: int, value: int) -> str:
        """Return how a card of the stream is written; with more than six colors by numbers alone.

        >>> Instance(1, [(0, 1)]).card_name(0, 1), Instance(1, [(6, 1)]).card_name(0, 1)
        ('r1', '0:1')
        """
        return format_card(color, value, self.c)

    def with_hand_size(self, hand_size: int) -> Instance:
        """Return the same stream with another hand size. The columns are shared."""
        copy = type(self).__new__(type(self))
        copy._set(hand_size, self.values, self.colors, self.n, self.c)
        copy._r = self._r
        return copy

    def first(self, cards: int) -> Instance:
        """Return the beginning of the stream. The columns are shared.

        >>> Instance(1, [(0, 2), (0, 1), (0, 2)]).first(2)
        Instance(hand_size=1, N=2, n=2, c=1, r=1)
        """
        copy = type(self).__new__(type(self))
        copy._set(self.hand_size, self.values[:cards], self.colors[:cards], self.n, self.c)
        return copy

    def missing_card(self, clock: Clock = NO_LIMIT) -> Card | None:
        """Return a needed card that never occurs, or None. O(N + nc).

        Raises BudgetEndedError when the clock runs out.
        """
        if self.N < 4096:
            present = set(zip(self.colors, self.values, strict=True))
            for color in range(self.c):
                for value in range(1, self.n + 1):
                    if (color, value) not in present:
                        return Card(color, value)
            return None
        import numpy as np

        # One of the first N + 1 cards is missing if any is and there are more than N.
        seen = np.zeros(min(self.goal, self.N + 1), dtype=np.bool_)
        for start in range(0, self.N, _STRETCH):
            clock.check()
            stretch = slice(start, start + _STRETCH)
            index = np.multiply(self.colors[stretch], self.n, dtype=np.int64)
            index += np.asarray(self.values[stretch])
            index -= 1
            seen[index[index < seen.size] if seen.size < self.goal else index] = True
        first = int(seen.argmin()) if seen.size else 0
        if seen.size == 0 or seen[first]:
            return None
        return Card(first // self.n, first % self.n + 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instance) and self._key() == other._key()

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self._key())
        return self._hash

    def _key(self) -> tuple[int, int, int, bytes, bytes]:
        return self.hand_size, self.n, self.c, bytes(self.values), bytes(self.colors)

    def __getstate__(self) -> tuple[int, int, int, bytes, bytes]:
        return self._key()

    def __setstate__(self, state: tuple[int, int, int, bytes, bytes]) -> None:
        hand_size, n, c, values, colors = state
        self._set(hand_size, memoryview(values).cast("i"), memoryview(colors).cast("i"), n, c)

    def __repr__(self) -> str:
        return (
            f"Instance(hand_size={self.hand_size}, N={self.N}, n={self.n}, c={self.c}, r={self.r})"
        )


def _extremes(column: memoryview, empty: tuple[int, int]) -> tuple[int, int]:
    if len(column) == 0:
        return empty
    if len(column) < 4096:
        return min(column), max(column)
    import numpy as np

    numbers = np.asarray(column)
    return int(numbers.min()), int(numbers.max())


def _first_bad_card(values: memoryview, colors: memoryview, n: int, c: int) -> str:
    for position, (value, color) in enumerate(zip(values, colors, strict=True), start=1):
        if not 1 <= value <= n:
            return f"card {position}: value {value} is not in 1 .. {n}"
        if not 0 <= color < c:
            return f"card {position}: color {color} is not in 0 .. {c - 1}"
    return "the stream is valid"
