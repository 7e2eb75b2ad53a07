"""Actions of the seat to act: plays, discards and hints."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from hanabi.ground import InvalidInputError, quote
from hanabi.rules.cards import COLOR_NAMES

__all__ = [
    "Action",
    "Kind",
    "action_of",
    "discard",
    "discard_deck",
    "hint_color",
    "hint_rank",
    "play",
    "play_deck",
]

_MOST_TARGETS = 1 << 48  # so that codes fit into the 64-bit words of compiled code


class Kind(IntEnum):
    """The kind of an action; the first four numbers are hanab.live's types.

    >>> print(Kind.HINT_COLOR)
    hint color
    """

    PLAY = 0
    DISCARD = 1
    HINT_COLOR = 2
    HINT_RANK = 3
    PLAY_DECK = 4
    DISCARD_DECK = 5

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


class Action(NamedTuple):
    """One action of the seat to act.

    Attributes
    ----------
    kind
        Play, discard or hint.
    target
        Slot of the card to play or discard, from 0, oldest first; or the seat that gets a hint.
        0 if the deck's last card is played or discarded.
    value
        The hinted color (from 0) or rank (from 1), else 0.

    >>> print(Action(Kind.HINT_RANK, target=1, value=5))
    hint 5 to seat 1
    """

    kind: Kind
    target: int = 0
    value: int = 0

    @property
    def code(self) -> int:
        """The action as one non-negative integer, the same for all rule sets.

        Raises
        ------
        InvalidInputError
            If the target is negative or takes more than 48 bits, or the value is not in 0..31.

        >>> Action.from_code(play(3).code)
        Action(kind=<Kind.PLAY: 0>, target=3, value=0)
        """
        if not 0 <= self.target < _MOST_TARGETS or not 0 <= self.value < 32:
            raise InvalidInputError(f"{quote(tuple(self))} is not an action")
        return self.kind | self.value << 3 | self.target << 8

    @classmethod
    def from_code(cls, code: int) -> Action:
        """Return the action with this code.

        Raises
        ------
        InvalidInputError
            If `code` is not the code of an action.

        >>> print(Action.from_code(0))
        play slot 0
        """
        if not 0 <= code < _MOST_TARGETS << 8 or code & 7 > Kind.DISCARD_DECK:
            raise InvalidInputError(f"{quote(code)} is the code of no action")
        return cls(Kind(code & 7), code >> 8, code >> 3 & 31)

    @property
    def is_hint(self) -> bool:
        """Whether the action is a hint."""
        return self.kind in (Kind.HINT_COLOR, Kind.HINT_RANK)

    @property
    def is_from_deck(self) -> bool:
        """Whether the action plays or discards the deck's last card."""
        return self.kind in (Kind.PLAY_DECK, Kind.DISCARD_DECK)

    def __str__(self) -> str:
        target, value = quote(int(self.target)), quote(int(self.value))
        match self.kind:
            case Kind.PLAY | Kind.DISCARD:
                return f"{self.kind} slot {target}"
            case Kind.HINT_COLOR:
                named = 0 <= self.value < len(COLOR_NAMES)
                color = COLOR_NAMES[self.value] if named else f"color {value}"
                return f"hint {color} to seat {target}"
            case Kind.HINT_RANK:
                return f"hint {value} to seat {target}"
        verb = "play" if self.kind is Kind.PLAY_DECK else "discard"
        return f"{verb} the deck's last card"


action_of = lru_cache(maxsize=4096)(Action.from_code)
"""`Action.from_code` for codes of the kernels, which come again and again."""


def play(slot: int) -> Action:
    """Return the action of playing the card in `slot` (from 0, oldest first).

    >>> print(play(4))
    play slot 4
    """
    return Action(Kind.PLAY, slot)


def discard(slot: int) -> Action:
    """Return the action of discarding the card in `slot` (from 0, oldest first).

    >>> print(discard(0))
    discard slot 0
    """
    return Action(Kind.DISCARD, slot)


def hint_color(seat: int, color: int) -> Action:
    """Return the action of telling `seat` all its cards of `color` (from 0).

    >>> print(hint_color(2, 1))
    hint yellow to seat 2
    """
    return Action(Kind.HINT_COLOR, seat, color)


def hint_rank(seat: int, rank: int) -> Action:
    """Return the action of telling `seat` all its cards of `rank` (from 1).

    >>> print(hint_rank(0, 1))
    hint 1 to seat 0
    """
    return Action(Kind.HINT_RANK, seat, rank)


def play_deck() -> Action:
    """Return the action of playing the last card of the deck unseen, where the rules allow it.

    >>> print(play_deck())
    play the deck's last card
    """
    return Action(Kind.PLAY_DECK)


def discard_deck() -> Action:
    """Return the action of discarding the last card of the deck unseen.

    It is legal where that card may be played and some suit is inverted: nobody knows whether a
    play or a discard would send the card to the discard pile.

    >>> print(discard_deck())
    discard the deck's last card
    """
    return Action(Kind.DISCARD_DECK)
