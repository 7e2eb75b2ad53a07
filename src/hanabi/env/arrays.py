"""Arrays from callers, checked before compiled code sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from hanabi.errors import InvalidInputError, counted, quote
from hanabi.game import Rules
from hanabi.game.packing import pack_deck

__all__ = ["check_actions", "check_arrays", "check_whole", "deck_words"]


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
    if not isinstance(array, np.ndarray):
        raise InvalidInputError(f"{name}: {quote(type(array).__name__)} is no NumPy array")
    if array.dtype != wanted or array.shape != shape:
        raise InvalidInputError(f"{name}: {array.dtype} {array.shape}, not {wanted} {shape}")
    if is_written and not (array.flags.c_contiguous and array.flags.writeable):
        raise InvalidInputError(f"{name}: the array is not contiguous and writable")


def check_actions(actions: npt.ArrayLike, n: int) -> npt.NDArray[np.int32]:
    """Return numbers of actions as an int32 array of one axis.

    >>> check_actions([1, 2.5], 2)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: actions: float64 (2,), not whole numbers (2,)
    """
    given = np.asarray(actions)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise InvalidInputError(f"actions: {given.dtype} {given.shape}, not whole numbers ({n},)")
    if given.dtype != np.int32:
        limits = np.iinfo(np.int32)
        outside = (given < limits.min) | (given > limits.max)
        if outside.any():
            at = int(outside.argmax())
            raise InvalidInputError(f"actions[{at}] = {given[at]} is no action")
    given = np.ascontiguousarray(given, np.int32)
    # Kernels would be compiled once more for arrays that cannot be written to.
    return given if given.flags.writeable else given.copy()


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
    except (TypeError, ValueError):
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
