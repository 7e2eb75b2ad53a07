"""Hands by common knowledge, and the number of messages that a hint for a hand can carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.ground import InvalidInputError, naming
from hanabi.rules import Game, load
from hanabi.shell.session.inputs import Source, text_of
from hanabi.solvers import hints

if TYPE_CHECKING:
    from hanabi.solvers import Method, Side

__all__ = ["known_hand", "partition", "seat_after", "table_of"]


def partition(
    hand: hints.PossibilityTable | Game | Source,
    *,
    seat: int | None = None,
    side: Side = "joint",
    by_rows: bool = False,
    seconds: float | None = None,
    method: Method = "search",
) -> hints.Partition:
    r"""Split the hints for a hand into as many sets as possible, each sure to hold a legal hint.

    Parameters
    ----------
    hand
        A table of possibilities, or the name or text of a file with one; or a position of a game.
    seat
        The seat that holds the hand, from 0; by default the one after the seat to act.
    side
        Which hints of the game to split: "colors", "ranks" or both ("joint").
    by_rows, seconds, method
        The same as for :func:`hanabi.solvers.hints.find_partition`.

    Raises
    ------
    InvalidInputError
        If there is no such table or seat.

    >>> partition("r y g\n1 1 0\n0 0 1\n").parts
    ((0, 1), (2,))
    >>> from hanabi import deal
    >>> partition(deal(3, seed=7)).size  # whether it tells colors or ranks
    2
    """
    if isinstance(hand, Game):
        table = known_hand(hand, seat).table(side)
        empty_hints = hand.rules.empty_hints
    else:
        if seat is not None:
            raise InvalidInputError("seat: only a game has seats")
        empty_hints = False
        if isinstance(hand, hints.PossibilityTable):
            table = hand
        else:
            text, name = text_of(hand)
            with naming(name):
                table = table_of(text)
    return hints.find_partition(
        table, by_rows=by_rows, empty_hints=empty_hints, seconds=seconds, method=method
    )


def known_hand(game: Game, seat: int | None = None) -> hints.Possibilities:
    """Return the common knowledge of a hand, by default the one after the seat to act."""
    seat = seat_after(game) if seat is None else seat
    return hints.possibilities_of(game.view(game.seat_to_act), seat)


def seat_after(game: Game) -> int:
    """Return the seat after the one to act, which gets most hints."""
    return (game.seat_to_act + 1) % game.rules.seats


def table_of(text: str) -> hints.PossibilityTable:
    r"""Read a table of possibilities in either form, text or JSON.

    >>> table_of('{"colors": 2, "rows": [[0], [0, 1]]}') == table_of("r y\n1 0\n1 1\n")
    False
    """
    is_json = text.lstrip().startswith(("{", "["))
    return hints.table_from_json(load(text)) if is_json else hints.parse_table(text)
