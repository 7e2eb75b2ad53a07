"""A game by the H-Group's conventions: meanings of hints, expected moves, and slips.

Each sentence follows from what one seat saw. In a review this is the target for a hint's meanings,
the player before its move for slips, and the player after it for expectations. In a game that goes
on, and for someone who watches from a seat, it is always that seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hanabi.conventions.conventions import FOCUS, LEVELS
from hanabi.conventions.explain import Expected, Slip, Told, expected, readings, remark, slips
from hanabi.conventions.player import HGroup
from hanabi.conventions.variants import refuse_variant
from hanabi.ground import InvalidInputError, counted, quote
from hanabi.rules import Game, Rules, Said, Seat, View, joined, say, slot_of

__all__ = ["ConventionNotes", "convention_notes", "level_of", "move_notes", "seat_notes"]

_SHOWN = 3  # meanings of one hint that a sentence names
_NOTHING = say("")


@dataclass(frozen=True, slots=True)
class ConventionNotes:
    """One move by the conventions of a level.

    Attributes
    ----------
    move
        The number of the move, from 1.
    told
        The meanings of a hint for its target; None for other moves.
    slips
        The conventions that the move broke, by what its player knew.
    expected
        The moves that its player, or the seat that the notes are for, may expect of the others
        next, in the order of their turns.
    remark
        A sentence about a notable play or discard, or an empty one.
    """

    move: int
    told: Told | None
    slips: tuple[Slip, ...]
    expected: tuple[Expected, ...]
    remark: Said = _NOTHING

    def sentences(self) -> Iterator[Said]:
        """Yield the notes as sentences, and of expectations only the next player's."""
        yield from self.of_move()
        for each in self.ahead()[:1]:
            yield say("then {}", each)

    def of_move(self) -> Iterator[Said]:
        """Yield the sentences about the move itself."""
        told = self.told
        if told is not None:
            found = told.asks or told.meanings
            means = joined(", or ", (say("it {}", each.about) for each in found[:_SHOWN]))
            if len(found) > _SHOWN:
                others = counted(len(found) - _SHOWN, "other meaning")
                means = say("{}, and {}", means, others)
            yield say("{}: {}", told.focus, means or told.unsaid)
        if self.remark:
            yield self.remark
        for slip in self.slips:
            yield say("perhaps a slip: {} ({})", slip.says, slip.convention.name)

    def ahead(self) -> list[Said]:
        """Return what is expected of each seat next, as sentences."""
        return [say("{} {}", Seat(each.seat), each.says) for each in self.expected]


def _check(rules: Rules, level: int) -> None:
    """Raise an error unless there is such a level, and the conventions cover the rules."""
    if not 1 <= level <= LEVELS:
        raise InvalidInputError(f"conventions: {quote(level)} is not one of levels 1 to {LEVELS}")
    refuse_variant(rules)


def level_of(team: Iterable[object]) -> int:
    """Return the highest level of the conventions that one of these players keeps, or 0.

    >>> from hanabi.players import parse_player
    >>> level_of([parse_player("random"), parse_player("hgroup:level=3")])
    3
    """
    return max((each.level for each in team if isinstance(each, HGroup)), default=0)


def seat_notes(before: View, after: View, level: int) -> ConventionNotes:
    """Return the notes on a move that one seat can make; slips are those of its own moves.

    Parameters
    ----------
    before, after
        The views of the seat before and after the move.
    level
        The highest level of the conventions.

    Raises
    ------
    InvalidInputError
        If there is no such level, the views have no history, or the conventions do not cover the
        rules.

    >>> from hanabi import deal
    >>> from hanabi.rules import hint_rank
    >>> game = deal(players=3, seed=1)
    >>> after = game.apply(hint_rank(1, 1))
    >>> notes = seat_notes(game.view(2), after.view(2), level=1)
    >>> next(notes.of_move())
    'focus is slot 2, the only newly clued card: it is r1, y1, g1, b1 or p1 (Play Clue)'
    """
    _check(after.rules, level)
    action, is_own = after.known_actions[-1], before.seat_to_act == before.seat
    return ConventionNotes(
        after.turn,
        readings(after, before.turn, level) if action.is_hint else None,
        slips(before, action, level) if is_own else (),
        expected(after, level) if after.can_act else (),
        _NOTHING if is_own else remark(after, before.turn, level),
    )


def move_notes(before: Game, after: Game, level: int) -> ConventionNotes:
    """Return the notes on a move for the players that it concerns.

    Parameters and errors are those of `seat_notes`, with positions instead of views.
    """
    _check(after.rules, level)
    seat, action = before.seat_to_act, after.known_actions[-1]
    told, found = None, slips(before.view(seat), action, level)
    if action.is_hint:
        told, meant = (readings(after.view(at), before.turn, level) for at in (action.target, seat))
        if told.slot != meant.slot and meant.slot is not None:
            card = slot_of(action.target, meant.slot)
            says = say("{} takes another card than {} for the focus", Seat(action.target), card)
            found += (Slip(FOCUS, says),)
    return ConventionNotes(
        after.turn,
        told,
        found,
        expected(after.view(seat), level) if after.can_act else (),
        remark(after.view(seat), before.turn, level),
    )


def convention_notes(positions: Sequence[Game], level: int) -> Iterator[ConventionNotes]:
    """Yield the notes on each move of a game. O(moves^2).

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
    >>> from hanabi.rules import hint_rank
    >>> game = deal(players=2, seed=1)
    >>> (notes,) = convention_notes([game, game.apply(hint_rank(1, 3))], level=1)
    >>> next(notes.sentences())
    'focus is slot 0, the chop: no convention gives it a meaning'
    """
    first = positions[0]
    _check(first.rules, level)
    if not first.has_history or first.missing:
        raise InvalidInputError("conventions: they need the game from its deal, with all cards")
    for before, after in pairwise(positions):
        yield move_notes(before, after, level)
