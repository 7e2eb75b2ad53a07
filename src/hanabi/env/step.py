"""What a step shows, and the arrays that it is written to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout
from hanabi.errors import IllegalActionError, InvalidInputError, counted, quote
from hanabi.game import Game, Rules
from hanabi.game.packing import pack_deck

if TYPE_CHECKING:
    from hanabi.env.kernels.batch import Outputs

__all__ = [
    "AUTORESETS",
    "Format",
    "Step",
    "array_of",
    "check_actions",
    "check_arrays",
    "check_flag",
    "check_whole",
    "deck_words",
    "raise_illegal",
]

# Arrays from callers, checked before compiled code sees them.


def check_whole(name: str, value: int, low: int | None) -> None:
    """Refuse what is no whole number, or below `low`.

    >>> check_whole("n", 0, 1)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: n = 0 is not 1 or more
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidInputError(f"{name} = {quote(value)} is not a whole number")
    if low is not None and value < low:
        raise InvalidInputError(f"{name} = {quote(value)} is not {low} or more")


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither a truth value nor a number that stands for one.

    >>> check_flag("packed", "yes")
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: packed = 'yes' is neither true nor false
    """
    if not isinstance(value, int | np.integer | np.bool_):
        raise InvalidInputError(f"{name} = {quote(value)} is neither true nor false")


def array_of(name: str, given: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return what a caller gave as an array; refuse what is none.

    >>> array_of("mask", [[1], [1, 2]])
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: mask: [[1], [1, 2]] is no array
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
    """Refuse an array of another shape or type, or that kernels cannot write to.

    >>> check_arrays("masks", np.zeros(3), (2,), np.bool_)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: masks: float64 (3,), not bool (2,)
    """
    wanted = np.dtype(dtype)
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise InvalidInputError(f"{name}: {quote(type(array).__name__)} is no NumPy array")
    if array.dtype != wanted or array.shape != shape:
        raise InvalidInputError(f"{name}: {array.dtype} {array.shape}, not {wanted} {shape}")
    if is_written and not array.flags.carray:  # aligned, too
        raise InvalidInputError(f"{name}: the array is not contiguous and writable")


def check_actions(actions: npt.ArrayLike, n: int) -> npt.NDArray[np.int32]:
    """Return numbers of actions as an int32 array of one axis, which is nobody else's.

    >>> check_actions([1, 2.5], 2)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: actions: float64 (2,), not whole numbers (2,)
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
    # A copy, for another thread may write to theirs after the actions were found to be legal.
    return np.array(given, np.int32, order="C")


def raise_illegal(layout: Layout, game: Game, index: int, number: int) -> NoReturn:
    """Raise IllegalActionError for the number of an action that is illegal in a game."""
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
    """Return decks as the kernels' card codes, a row each.

    Raises
    ------
    InvalidInputError
        Naming the deck and the card that is not one of the rules.
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
