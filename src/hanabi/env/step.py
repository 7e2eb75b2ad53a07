"""The result of a step, and the arrays to which it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import KNOWLEDGE, Layout, ObservationKind
from hanabi.ground import IllegalActionError, InvalidInputError, counted, quote
from hanabi.rules import Game, Rules, pack_deck

if TYPE_CHECKING:
    from hanabi.env.kernels import Outputs

__all__ = [
    "AUTORESETS",
    "Format",
    "Prepared",
    "Step",
    "array_of",
    "check_actions",
    "check_arrays",
    "check_flag",
    "check_whole",
    "deck_words",
    "illegal_reward_of",
    "raise_illegal",
]

# Checks of callers' arrays, before compiled code uses them.


def check_whole(name: str, value: int, low: int | None) -> None:
    """Raise an error unless `value` is a whole number of at least `low` (None: any).

    >>> check_whole("n", 0, 1)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: n = 0 is not 1 or more
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidInputError(f"{name} = {quote(value)} is not a whole number")
    if low is not None and value < low:
        raise InvalidInputError(f"{name} = {quote(value)} is not {low} or more")


def check_flag(name: str, value: object) -> None:
    """Raise an error unless `value` is a truth value or an integer.

    >>> check_flag("packed", "yes")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: packed = 'yes' is neither true nor false
    """
    if not isinstance(value, int | np.integer | np.bool_):
        raise InvalidInputError(f"{name} = {quote(value)} is neither true nor false")


def illegal_reward_of(value: float | None) -> float | None:
    """Return the reward of an illegal action as a float; None if there is none.

    >>> illegal_reward_of("much")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: illegal_reward = 'much' is no number
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise InvalidInputError(f"illegal_reward = {quote(value)} is no number")
    return float(value)


def array_of(name: str, given: npt.ArrayLike) -> npt.NDArray[Any]:
    """Convert a caller's argument to an array, or raise an error if it is not one.

    >>> array_of("mask", [[1], [1, 2]])
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: mask: [[1], [1, 2]] is no array
    """
    try:
        return np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInputError(f"{name}: {quote(given)} is no array") from None


def check_arrays(
    name: str,
    array: object,
    shape: tuple[int, ...],
    dtype: npt.DTypeLike,
    *,
    is_written: bool = False,
) -> None:
    """Raise an error for an array of the wrong shape or type, or one that kernels cannot write to.

    >>> check_arrays("masks", np.zeros(3), (2,), np.bool_)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: masks: float64 (3,), not bool (2,)
    """
    wanted = np.dtype(dtype)
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise InvalidInputError(f"{name}: {quote(type(array).__name__)} is no NumPy array")
    if array.dtype != wanted or array.shape != shape:
        raise InvalidInputError(f"{name}: {array.dtype} {array.shape}, not {wanted} {shape}")
    if is_written and not array.flags.carray:  # aligned, too
        raise InvalidInputError(f"{name}: the array is not contiguous and writable")


def check_actions(actions: npt.ArrayLike, n: int) -> npt.NDArray[np.int32]:
    """Return a private copy of action numbers as a one-dimensional int32 array.

    >>> check_actions([1, 2.5], 2)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: actions: float64 (2,), not whole numbers (2,)
    """
    given = array_of("actions", actions)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise InvalidInputError(f"actions: {given.dtype} {given.shape}, not whole numbers ({n},)")
    if given.dtype != np.int32:
        limits = np.iinfo(np.int32)
        outside = (given < limits.min) | (given > limits.max)
        if outside.any():
            at = int(outside.argmax())
            raise InvalidInputError(f"actions[{at}] = {given[at]} is no action")
    # A copy, because another thread may write to the caller's array after the legality check.
    return np.array(given, np.int32, order="C")


def raise_illegal(layout: Layout, game: Game, index: int, number: int) -> NoReturn:
    """Raise IllegalActionError for an illegal action number in a game."""
    if not 0 <= number < layout.actions:
        raise IllegalActionError(
            f"game {index}: action {number} is not in 0 .. {layout.actions - 1}"
        )
    try:
        game.apply(layout.action(number, game.seat_to_act))
    except IllegalActionError as error:
        raise IllegalActionError(f"game {index}, action {number}: {error}") from None
    raise AssertionError(f"game {index}: action {number} is legal")


def deck_words(
    rules: Rules, decks: Sequence[Iterable[tuple[int, int]]] | npt.ArrayLike, games: int
) -> npt.NDArray[np.int64]:
    """Return decks as the kernels' card codes, one deck a row.

    Raises InvalidInputError if the decks do not fit the rules; the message names the first wrong
    deck and card.
    """
    try:
        if not isinstance(decks, np.ndarray):
            decks = [*map(list, decks)]  # type: ignore[arg-type]
        cards = np.asarray(decks)
    except (TypeError, ValueError, OverflowError):
        cards = np.empty(0)
    wanted = (games, rules.deck_size, 2)
    if cards.shape != wanted or cards.dtype.kind not in "iu":
        raise InvalidInputError(
            f"decks: not {counted(games, 'deck')} of {rules.deck_size} pairs (color, rank)"
        )
    ranks, copies = rules.ranks, np.zeros(rules.colors * rules.ranks, np.int64)
    for color, row in enumerate(rules.spec.copies):
        copies[color * ranks : color * ranks + len(row)] = row
    rows = cards.tolist()
    for number, deck in enumerate(rows):
        left = copies.copy()
        for place, (color, rank) in enumerate(deck):
            is_card = 0 <= color < rules.colors and 1 <= rank <= ranks
            if not is_card or left[color * ranks + rank - 1] == 0:
                card = quote((color, rank))
                raise InvalidInputError(
                    f"decks[{number}][{place}]: {card} is one too many for the rules"
                )
            left[color * ranks + rank - 1] -= 1
    return np.array([pack_deck(deck) for deck in rows], np.int64).reshape(wanted[:2])


AUTORESETS = ("disabled", "next_step", "same_step")
"""The times at which a finished game is replaced by a new deal, by Gymnasium's names."""


class Step(NamedTuple):
    """The result of a step of n games; each array belongs to whoever allocated it.

    Attributes
    ----------
    observations
        uint8 (n, size), 0 or 1: the observation of the seat to act. The shape is (n, packed_size)
        if packed, with the first entry in the lowest bit, and (n, seats, ...) if all seats observe.
    masks
        bool (n, actions): whether each action is legal; all False once a game is over.
    rewards
        float32 (n,): points that the step brought, the same for all seats.
    dones
        bool (n,): whether the step, or the deal, ended the game. Games are never truncated.
    seats
        int32 (n,): the seat to act.
    finals
        The last observations, in the format of `observations`, of games that have just ended and
        whose row in `observations` already shows a new game. Other rows are meaningless. There are
        no rows unless `autoreset` is "same_step".
    """

    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int32]
    finals: npt.NDArray[np.uint8]


class Prepared(NamedTuple):
    """Arrays for results that were checked once, as whoever holds them gives others only views.

    Attributes
    ----------
    step, outputs
        The same arrays, for callers and for kernels.
    """

    step: Step
    outputs: Outputs


@dataclass(frozen=True)
class Format:
    """The format of an environment's results: the types and shapes of its arrays.

    Attributes
    ----------
    layout
        The meaning of their entries.
    n
        Number of games.
    autoreset
        One of `AUTORESETS`.
    is_packed
        Whether observations have eight entries to a byte.
    all_seats
        Whether every seat observes.

    Raises
    ------
    InvalidInputError
        If an option has an invalid value.
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
        """Return the array of options for the kernels."""
        from hanabi.env import kernels as k

        words = np.zeros(k.N_OPTIONS, np.int64)
        words[k.AUTORESET] = AUTORESETS.index(self.autoreset)
        words[k.KIND] = self.layout.kind
        words[k.IS_PACKED] = bool(self.is_packed)
        words[k.N_BITS] = self.layout.size
        words[k.N_HAND] = self.layout.sections[0].stop // (self.layout.rules.seats - 1)
        if self.layout.kind != ObservationKind.MINIMAL:
            known = self.layout.section(KNOWLEDGE)
            words[k.N_KNOWN] = (known.stop - known.start) // self.layout.rules.seats
        others = (self.layout.rules.seats - 1) * words[k.N_HAND]
        words[k.N_TABLE] = self.layout.size - others - self.layout.rules.seats * words[k.N_KNOWN]
        return words

    @cached_property
    def _arrays(self) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        """The shape and type of each array of a step."""
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

    def prepare(self) -> Prepared:
        """Return new arrays, with what kernels take."""
        step = self.new_arrays()
        return Prepared(step, self.outputs(step))

    def check(self, out: object) -> Step:
        """Return a caller's arrays after checking them.

        Raises InvalidInputError if `out` is not a `Step`, or one of its arrays does not fit or
        cannot be written to.
        """
        if not isinstance(out, Step):
            raise InvalidInputError(f"out: {quote(out)} is no Step, as new_arrays makes them")
        for name, (shape, dtype) in self._arrays.items():
            check_arrays(name, getattr(out, name), shape, dtype, is_written=True)
        return out

    def outputs(self, step: Step) -> Outputs:
        """Return arrays as the kernels take them, with a separate axis for the observers."""
        from hanabi.env.kernels import Outputs

        seen, finals = step.observations, step.finals
        if not self.all_seats:
            seen, finals = seen[:, None], finals[:, None]
        return Outputs(seen, finals, step.masks, step.rewards, step.dones, step.seats)
