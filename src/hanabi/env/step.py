"""What a step shows, and the arrays that it is written to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.env.arrays import check_arrays
from hanabi.env.layout import Layout

if TYPE_CHECKING:
    from hanabi.env.kernels.batch import Outputs

__all__ = ["Format", "Step"]


class Step(NamedTuple):
    """What a step shows, n games at a time; each array belongs to who gave it.

    Attributes
    ----------
    observations
        uint8 (n, size), 0 or 1: what the seat to act sees; (n, packed_size) if packed, the first
        entry in the lowest bit; (n, seats, ...) if all seats observe.
    masks
        bool (n, actions): which actions are legal; none of a game that is over.
    rewards
        float32 (n,): points that the step brought, the same for all seats.
    dones
        bool (n,): whether the step, or the deal, ended the game. No game is cut short.
    seats
        int32 (n,): who is to act.
    finals
        As `observations`, of the games that have just ended and whose row there is a new game's;
        other rows mean nothing. No rows unless games are reset at the same step.
    """

    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int32]
    finals: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Format:
    """Types and shapes of the arrays of an environment.

    Attributes
    ----------
    layout
        What they hold.
    n
        Number of games.
    is_packed
        Whether observations are eight entries to a byte.
    all_seats
        Whether every seat observes.
    has_finals
        Whether games that have just ended are kept beside their successors.
    """

    layout: Layout
    n: int
    is_packed: bool
    all_seats: bool
    has_finals: bool

    def new_arrays(self) -> Step:
        """Return arrays of these types and shapes."""
        layout, n = self.layout, self.n
        columns = layout.packed_size if self.is_packed else layout.size
        shape = (layout.rules.seats, columns) if self.all_seats else (columns,)
        return Step(
            np.zeros((n, *shape), np.uint8),
            np.zeros((n, layout.actions), np.bool_),
            np.zeros(n, np.float32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int32),
            np.zeros((n if self.has_finals else 0, *shape), np.uint8),
        )

    def check(self, out: Step | None, own: Step) -> Step:
        """Return a caller's arrays, or the environment's own if there are none.

        Raises
        ------
        InvalidInputError
            If one of them cannot be written to.
        """
        if out is None or out is own:
            return own
        for name in Step._fields:
            expected: npt.NDArray[np.generic] = getattr(own, name)
            given = getattr(out, name)
            check_arrays(name, given, expected.shape, expected.dtype, is_written=True)
        return out

    def outputs(self, step: Step) -> Outputs:
        """Return arrays as the kernels take them, with the observers as an axis of their own."""
        from hanabi.env.kernels.batch import Outputs

        seen, finals = step.observations, step.finals
        if not self.all_seats:
            seen, finals = seen[:, None], finals[:, None]
        return Outputs(seen, finals, step.masks, step.rewards, step.dones, step.seats)
