"""Where the easy cases are solved: in plain loops over lists, or compiled ones over arrays.

Both run the algorithms of :mod:`hanabi.solitaire.kernels.linear`. Short streams take the plain
loops, which start at once.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from hanabi.ground import Clock
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.kernels import linear
from hanabi.solitaire.play import Play

__all__ = ["COMPILED_FROM", "Loops"]

COMPILED_FROM = 20_000
"""Length of stream from which compiled loops take over."""

_PLAIN_STRETCH = 20_000  # cards or values between two looks at the clock
_STRETCH = 2**20


class _Sparse(dict[int, int]):
    """A list of zeros, of which only other entries are kept."""

    def __missing__(self, _: int) -> int:
        return 0


class Loops:
    """The loops and their memory, for one stream of which the values 1..n count."""

    def __init__(self, instance: Instance, n: int, clock: Clock, *, compiled: bool) -> None:
        self.n, self.N, self.c, self.clock = n, instance.N, instance.c, clock
        self.is_compiled, self._dense = compiled, 8 * self.N + 1000
        values: Any = instance.values
        colors: Any = instance.colors
        if compiled:
            import numpy as np

            from hanabi.solitaire.kernels.fast import loops

            self.kernel: Any = loops
            values, colors = np.asarray(values), np.asarray(colors)
        else:
            self.kernel = linear
            values, colors = values.tolist(), colors.tolist()
        self.columns = linear.Columns(values, colors, n, instance.hand_size)

    def zeros(self, size: int, code: str = "i") -> Any:
        """Return memory for numbers, of a type code of `array` where they are compiled."""
        if not self.is_compiled:
            return [0] * size
        import numpy as np

        return np.zeros(size, code)

    def wide(self, size: int, code: str = "i") -> Any:
        """Return memory for a number of each card or color, however few of them occur."""
        return self.zeros(size, code) if self.is_compiled or size <= self._dense else _Sparse()

    def flags(self, size: int) -> Any:
        """Return memory for flags, none of which is set."""
        return self.zeros(size, "b") if self.is_compiled else bytearray(size)

    def view(self, numbers: Any, code: str = "i") -> memoryview:
        """Return numbers as a column that others may read."""
        column = numbers if self.is_compiled else array(code, numbers)
        return memoryview(column).toreadonly()

    def nonzero(self, numbers: Any) -> Any:
        """Return the indices of all numbers that are not 0, ascending."""
        if isinstance(numbers, _Sparse):
            return sorted(numbers)
        if not self.is_compiled:
            return [index for index, number in enumerate(numbers) if number]
        import numpy as np

        return np.flatnonzero(numbers)

    def stretches(self, stop: int) -> Iterator[tuple[int, int]]:
        """Yield stretches (first, stop), and look at the clock before each."""
        length = _STRETCH if self.is_compiled else _PLAIN_STRETCH
        for first in range(0, stop, length):
            self.clock.check()
            yield first, stop if stop - first <= length else first + length

    def play(self, wanted: Any, *, is_whole: bool = True) -> Play:
        """Return the play that takes exactly the wanted cards.

        It ends with the last of them if they are all that have to be built, else with the stream.
        """
        stop = self.kernel.last_mark(wanted, self.N + 1) if is_whole and self.N else self.N
        n_moves = stop + min(self.n * self.c, stop)
        line = linear.Line(
            self.zeros(n_moves),
            self.zeros(n_moves, "b"),
            wanted,
            self.wide(self.n * self.c),
            self.wide(self.c),
        )
        moves = 0
        for stretch in self.stretches(stop):
            moves = self.kernel.list_moves(self.columns, *stretch, line, moves)
        return Play.from_columns(
            self.view(line.positions[:moves]), self.view(line.actions[:moves], "b")
        )

    def play_chosen(self, chosen: Any) -> Play:
        """Return the play of the positions in `chosen`."""
        wanted = self.flags(self.N + 1)
        self.kernel.mark_chosen(chosen, wanted)
        return self.play(wanted)
