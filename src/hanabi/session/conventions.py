"""A game by the H-Group's conventions: what hints meant, what was to come, what was not kept.

Each sentence follows from what one seat saw: a hint's meanings from its target's view, slips from
the view of the player before its move, and expectations from its view after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hanabi.errors import InvalidInputError, quote
from hanabi.game import Game
from hanabi.players.hgroup import Told, expected, readings, slips
from hanabi.players.hgroup.conventions import LEVELS
from hanabi.players.hgroup.explain import Expected, Slip
from hanabi.players.parameters import refuse_rules
from hanabi.players.protocol import with_names

__all__ = ["ConventionNotes", "convention_notes"]


@dataclass(frozen=True, slots=True)
class ConventionNotes:
    """What the conventions of a level say of one move.

    Attributes
    ----------
    move
        The number of the move, from 1.
    told
        The meanings of a hint for its target; None for other moves.
    slips
        The conventions that the move did not keep, by what its player knew.
    expected
        What its player may expect of the others next, in the order of their turns.
    """

    move: int
    told: Told | None
    slips: tuple[Slip, ...]
    expected: tuple[Expected, ...]

    def sentences(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the notes as sentences with names, and of expectations only the next player's.

        Slots count from the oldest card, from 0.
        """
        if self.told is not None:
            means = ", or ".join(each.says for each in self.told.meanings)
            yield with_names(
                f"{self.told.focus}: {means or 'no convention gives it a meaning'}", names
            )
        for slip in self.slips:
            yield with_names(f"perhaps a slip: {slip.says} ({slip.convention.name})", names)
        for each in self.expected[:1]:
            yield with_names(f"then seat {each.seat} {each.says}", names)


def convention_notes(positions: Sequence[Game], level: int) -> Iterator[ConventionNotes]:
    """Yield what the conventions of a level say of each move of a game. O(moves^2).

    Parameters
    ----------
    positions
        The deal, and the position after each move.
    level
        The highest level of the conventions.

    Raises
    ------
    InvalidInputError
        If there is no such level, the game does not begin with the deal, or the conventions do not
        cover its rules.

    >>> from hanabi import deal
    >>> from hanabi.game import hint_rank
    >>> game = deal(players=2, seed=1)
    >>> (notes,) = convention_notes([game, game.apply(hint_rank(1, 3))], level=1)
    >>> next(notes.sentences(("Alice", "Bob")))
    'focus is slot 0, the chop: no convention gives it a meaning'
    """
    if not 1 <= level <= LEVELS:
        raise InvalidInputError(f"conventions: {quote(level)} is not one of levels 1 to {LEVELS}")
    first = positions[0]
    refuse_rules(first.rules, "hgroup", needs_plain_clues=True)
    if not first.has_history or first.missing:
        raise InvalidInputError("conventions: they need the game from its deal, with all cards")
    for move, (before, after) in enumerate(pairwise(positions), start=1):
        seat, action = before.seat_to_act, after.known_actions[-1]
        yield ConventionNotes(
            move,
            readings(after.view(action.target), before.turn, level) if action.is_hint else None,
            slips(before.view(seat), action, level),
            expected(after.view(seat), level) if after.can_act else (),
        )
