"""The conventions, each a rule in one place: its name, level, page, and what a hint may mean by it.

The guide is the H-Group's [HGroup]; the statements here are in our own words. A rule answers for a
`Clue`, a hint as its target's hand was before. `hanabi.players.hgroup.reading` asks the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from hanabi.game.actions import Action, Kind
from hanabi.players.hgroup.table import UNSEEN, Mind, bits

__all__ = ["CONVENTIONS", "GUIDE", "LEVELS", "SAVES", "Clue", "Convention", "clue_of"]

GUIDE = "https://hanabi.github.io/"
LEVELS = 1
"""The highest level that there is."""


class Convention(NamedTuple):
    """A convention of the guide.

    Attributes
    ----------
    name
        Its name in the guide.
    level
        The level at which the guide introduces it.
    page
        The page of the guide, below `GUIDE`.
    says
        What it says, in one sentence.
    """

    name: str
    level: int
    page: str
    says: str

    @property
    def link(self) -> str:
        """The address of its page."""
        return GUIDE + self.page


class Clue(NamedTuple):
    """A hint, as conventions read it.

    Attributes
    ----------
    giver, target, action
        Who gives which hint to whom.
    touched
        The cards that it touches, by deck number.
    fresh
        Those that had no mark before.
    focus
        The card that the hint is about.
    on_chop
        Whether the focus was the chop.
    turn
        The turn of the hint.
    """

    giver: int
    target: int
    action: Action
    touched: tuple[int, ...]
    fresh: tuple[int, ...]
    focus: int
    on_chop: bool
    turn: int

    @property
    def rank(self) -> int:
        """The rank that it names; 0 for a color."""
        return self.action.value if self.action.kind is Kind.HINT_RANK else 0


def clue_of(mind: Mind, action: Action, touched: Sequence[int]) -> Clue | None:
    """Return a hint by the seat to act, before it is taken in; None if it touches nothing.

    The focus is the only fresh card, else the chop if it is among them, else the newest one; if
    none is fresh, the newest card touched.
    """
    if not touched:
        return None
    marked = mind.touched | mind.blind | mind.moved
    fresh = tuple(order for order in touched if not marked >> order & 1)
    chop = mind.chop(action.target)
    focus = chop if chop is not None and chop in fresh else max(fresh or touched)
    return Clue(
        mind.seat, action.target, action, tuple(touched), fresh, focus, focus == chop, mind.turn
    )


CHOP_FOCUS = Convention(
    "Single Card Focus",
    1,
    "beginner/single-card-focus",
    "a hint is about one card: a fresh one, the chop first, else the newest",
)
GOOD_TOUCH = Convention(
    "Good Touch Principle",
    1,
    "beginner/good-touch-principle",
    "hints touch only cards that will still be played, and each card once",
)
PLAY = Convention(
    "Play Clue",
    1,
    "beginner/play-clues",
    "the focus can be played now, or after cards that are already on their way",
)
FIVE_SAVE = Convention(
    "5 Save", 1, "beginner/5-save", "number 5 keeps a 5 on chop from being discarded"
)
TWO_SAVE = Convention(
    "2 Save",
    1,
    "beginner/2-save",
    "number 2 keeps a 2 on chop, unless its other copy is in sight in another hand",
)
CRITICAL_SAVE = Convention(
    "Critical Save",
    1,
    "beginner/critical-save",
    "a color or a number keeps the last copy of a card on chop",
)
PROMPT = Convention(
    "Prompt",
    1,
    "beginner/prompt",
    "the focus is one too high: the newest touched card that can be the missing one is it",
)
FINESSE = Convention(
    "Finesse",
    1,
    "beginner/finesse",
    "the focus is one too high: the newest untouched card of the next player is the missing one",
)

CONVENTIONS = (
    CHOP_FOCUS,
    GOOD_TOUCH,
    PLAY,
    FIVE_SAVE,
    TWO_SAVE,
    CRITICAL_SAVE,
    PROMPT,
    FINESSE,
)

Save: TypeAlias = Callable[[Mind, Clue], int]


def five_save(mind: Mind, clue: Clue) -> int:
    """Return every 5 for number 5."""
    return mind.deal.ranks[5] if clue.rank == 5 and mind.deal.height >= 5 else 0


def two_save(mind: Mind, clue: Clue) -> int:
    """Return the 2s for number 2 whose other copy neither the giver nor the target sees."""
    if clue.rank != 2:
        return 0
    seen = 0
    for seat, hand in enumerate(mind.hands):
        if seat in (clue.giver, clue.target):
            continue
        chop = mind.chop(seat)
        for order in hand:
            kind = mind.sees(clue.target, order)
            if kind != UNSEEN and order != chop:
                seen |= 1 << kind
    return mind.deal.ranks[2] & ~seen


def critical_save(mind: Mind, _: Clue) -> int:
    """Return the cards of which one copy is left and another was discarded."""
    return sum(1 << kind for kind in bits(mind.critical) if mind.deal.copies[kind] > 1)


SAVES: tuple[tuple[Convention, Save], ...] = (
    (FIVE_SAVE, five_save),
    (TWO_SAVE, two_save),
    (CRITICAL_SAVE, critical_save),
)
