"""What a step shows, and the arrays that it is written to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.env.arrays import check_arrays, check_flag
from hanabi.env.layout import Layout
from hanabi.errors import InvalidInputError, quote

if TYPE_CHECKING:
    from hanabi.env.kernels.batch import Outputs

__all__ = ["AUTORESETS", "Format", "Step"]

AUTORESETS = ("disabled", "next_step", "same_step")
"""When a game that is over is dealt anew, in the words of Gymnasium."""


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


@dataclass(frozen=True)
class Format:
    """What an environment shows, and the types and shapes of its arrays.

    Attributes
    ----------
    layout
        What they hold.
    n
        Number of games.
    autoreset
        One of `AUTORESETS`.
    is_packed
        Whether observations are eight entries to a byte.
    all_seats
        Whether every seat observes.

    Raises
    ------
    InvalidInputError
        If an option is none of these.
    """

    layout: Layout
    n: int
    autoreset: str
    is_packed: bool
    all_seats: bool

    def __post_init__(self) -> None:
        if not isinstance(self.autoreset, str) or self.autoreset not in AUTORESETS:
            raise InvalidInputError(
                f"autoreset = {quote(self.autoreset)} is none of {', '.join(AUTORESETS)}"
            )
        check_flag("packed", self.is_packed)
        check_flag("all_seats", self.all_seats)

    def options(self) -> npt.NDArray[np.int64]:
        """Return the options of the kernels."""
        from hanabi.env.kernels import batch as k

        words = np.zeros(k.N_OPTIONS, np.int64)
        words[k.AUTORESET] = AUTORESETS.index(self.autoreset)
        words[k.KIND] = self.layout.kind
        words[k.IS_PACKED] = bool(self.is_packed)
        words[k.N_BITS] = self.layout.size
        return words

    @cached_property
    def _arrays(self) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        """Shape and type of each array of a step."""
        layout, n = self.layout, self.n
        columns = layout.packed_size if self.is_packed else layout.size
        shape = (layout.rules.seats, columns) if self.all_seats else (columns,)
        return {
            "observations": ((n, *shape), np.dtype(np.uint8)),
            "masks": ((n, layout.actions), np.dtype(np.bool_)),
            "rewards": ((n,), np.dtype(np.float32)),
            "dones": ((n,), np.dtype(np.bool_)),
            "seats": ((n,), np.dtype(np.int32)),
            "finals": ((n if self.autoreset == "same_step" else 0, *shape), np.dtype(np.uint8)),
        }

    def new_arrays(self) -> Step:
        """Return arrays of these types and shapes."""
        return Step(**{name: np.zeros(*each) for name, each in self._arrays.items()})

    def check(self, out: object) -> Step:
        """Return a caller's arrays.

        Raises
        ------
        InvalidInputError
            If they are none, or one of them cannot be written to.
        """
        if not isinstance(out, Step):
            raise InvalidInputError(f"out: {quote(out)} is no Step, as new_arrays makes them")
        for name, (shape, dtype) in self._arrays.items():
            check_arrays(name, getattr(out, name), shape, dtype, is_written=True)
        return out

    def outputs(self, step: Step) -> Outputs:
        """Return arrays as the kernels take them, with the observers as an axis of their own."""
        from hanabi.env.kernels.batch import Outputs

        seen, finals = step.observations, step.finals
        if not self.all_seats:
            seen, finals = seen[:, None], finals[:, None]
        return Outputs(seen, finals, step.masks, step.rewards, step.dones, step.seats)
