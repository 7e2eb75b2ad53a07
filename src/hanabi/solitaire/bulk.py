"""Decide many streams of one shape in one compiled loop, for statistics over random decks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.ground import NO_LIMIT, Clock, InvalidInputError
from hanabi.solitaire import search
from hanabi.solitaire.instance import Instance

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["decide_many"]

_WIDTH = 256


def decide_many(
    hand_size: int,
    colors: npt.NDArray[np.integer],
    values: npt.NDArray[np.integer],
    *,
    n: int,
    c: int,
    memory: int | None = None,
    clock: Clock = NO_LIMIT,
) -> npt.NDArray[np.bool_]:
    """Return which streams are winnable with a hand of `hand_size`.

    `colors` (0..c-1) and `values` (1..n) are integer arrays of shape (streams, N). The answer has
    shape (streams,) and no witnesses: ask `solve` for one. `memory` is in bytes, for each of the
    few streams that a narrow search leaves open.

    Raises
    ------
    InvalidInputError
        If shapes or ranges do not fit, or if a stream stays open within `memory`.
    BudgetEndedError
        If the clock runs out.

    >>> import numpy as np
    >>> decide_many(0, np.zeros((2, 2), int), np.array([[1, 2], [2, 1]]), n=2, c=1)
    array([ True, False])
    """
    import numpy as np

    from hanabi.solitaire.kernels import search as kernel
    from hanabi.solitaire.layers import Layers

    given, suits = np.asarray(values), np.asarray(colors)
    if given.ndim != 2 or given.shape != suits.shape:
        raise InvalidInputError(
            f"colors and values: expected two arrays of shape (streams, N), got {suits.shape}"
            f" and {given.shape}"
        )
    if given.size and (given.min() < 1 or given.max() > n or suits.min() < 0 or suits.max() >= c):
        raise InvalidInputError(f"a card is outside colors 0 .. {c - 1}, values 1 .. {n}")
    outcomes = np.empty(len(given), np.int8)
    if len(given):
        # Any stream gives the shape; its cards are overwritten by each row in turn.
        first = Instance.from_arrays(hand_size, suits[0], given[0], n=n, c=c)
        layers = Layers(first, first.goal, _WIDTH, 2**24)
        streams = (suits * n + given - 1).astype(np.int32)
        layers.decide_many(streams, outcomes, clock)
    for i in np.flatnonzero(outcomes == kernel.FULL):
        instance = Instance.from_arrays(hand_size, suits[i], given[i], n=n, c=c)
        answer = search.solve(instance, memory=memory, seconds=clock.left).is_winnable
        if answer is None:
            clock.check()
            raise InvalidInputError(f"stream {i}: not decided within the memory given")
        outcomes[i] = kernel.WON if answer else kernel.EXHAUSTED
    won: npt.NDArray[np.bool_] = outcomes == kernel.WON
    return won
