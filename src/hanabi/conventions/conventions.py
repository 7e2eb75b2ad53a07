"""The conventions of the H-Group's guide [HGroup], read from `conventions.tsv`, by name.

A row of the file has a convention's level, class, name, page in the guide, and what it says in our
own words. Its rule, wherever it is, has a docstring or a comment that begins with the name. The
names below are all that other code asks for: mypy knows them, and a name that is not in the file
is an error on import.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

__all__ = ["CONVENTIONS", "GUIDE", "LEVELS", "TERMS", "VARIANT_CONVENTIONS", "Convention", "named"]

GUIDE = "https://hanabi.github.io/"


class Convention(NamedTuple):
    """A convention of the guide.

    Attributes
    ----------
    level
        The level at which the guide introduces it.
    kind
        `action` if it may be the reason for an action, `reading` if it only shapes how others are
        read, `variant` if it is for variants.
    name
        Its name in the guide.
    page
        The page of the guide, below `GUIDE`.
    says
        What it says, in one sentence.
    """

    level: int
    kind: str
    name: str
    page: str
    says: str

    @property
    def link(self) -> str:
        """The address of its page."""
        return GUIDE + self.page


def _rows(name: str) -> list[list[str]]:
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines]


_ALL = (Convention(int(level), *rest) for level, *rest in _rows("conventions.tsv"))
_BY_NAME = {each.name: each for each in _ALL}

CONVENTIONS = tuple(each for each in _BY_NAME.values() if each.kind != "variant")
"""All conventions of levels, by level."""

VARIANT_CONVENTIONS = tuple(each for each in _BY_NAME.values() if each.kind == "variant")
"""Those of variants, in the order of the guide's reference. They hold at all levels."""

LEVELS = max(each.level for each in CONVENTIONS)
"""The highest level that there is."""

TERMS = dict(_rows("terms.tsv")) | {each.name: each.says for each in _BY_NAME.values()}
"""What each convention, and each other term of players in `terms.tsv`, means."""


def named(name: str) -> Convention:
    """Return the convention with a name, as the file spells it; a KeyError if there is none.

    >>> named("5 Save").level
    1
    """
    return _BY_NAME[name]


FOCUS = named("Single Card Focus")
GOOD_TOUCH = named("Good Touch Principle")
CHOP = named("The Chop")
MINIMUM_VALUE = named("Minimum Clue Value Principle")
PLAY = named("Play Clue")
PROMPT = named("Prompt")
FINESSE = named("Finesse")
FIVE_STALL = named("5 Stall")
REVERSE_FINESSE = named("Reverse Finesse")
SELF_FINESSE = named("Self-Finesse")
DOUBLE = named("Double Prompt or Finesse")
WRONG_PROMPT = named("Wrong Prompt")
ORDER_OF_ONES = named("Playing Multiple 1s")
FIX = named("Fix Clue")
SARCASTIC = named("Sarcastic Discard")
TRASH_MOVE = named("Trash Chop Move")
FIVE_MOVE = named("5's Chop Move")
ORDER_MOVE = named("Order Chop Move")
HIDDEN_FINESSE = named("Hidden Finesse")
LAYERED_FINESSE = named("Layered Finesse")
AMBIGUOUS_FINESSE = named("Ambiguous Finesse")
TEMPO = named("Tempo Clue")
FOCUS_SHIFT = named("Focus Shifting")
VALUABLE_TEMPO = named("Valuable Tempo Clue")
TEMPO_STALL = named("Tempo Clue Stall")
TEMPO_MOVE = named("Tempo Clue Chop Move")
SCREAM = named("Scream Discard Chop Move")
TRASH_SCREAM = named("Scream Discard Chop Move (With Known-Trash)")
SHOUT = named("Shout Discard Chop Move")
GENERATION = named("Generation Discard")
NO_MOVES = named("No Chop Moves in the End-Game")
POSITIONAL_DISCARD = named("Positional Discard")
POSITIONAL_MISPLAY = named("Positional Misplay")
DISTRIBUTION = named("Distribution Clue")
BURN = named("Burning")
STALLS = named("Allowable Stall Clues")
DOUBLE_DISCARD = named("Double Discard Avoidance")
CLOSEST_FIVE = named("5 Stalls Closest to Chop")
FILL_IN = named("Fill-In Clue")
ANXIETY = named("Anxiety Play")
GENTLEMAN = named("Gentleman's Discard")
LAYERED_GENTLEMAN = named("Layered Gentleman's Discard")
BATON = named("Baton Discard")
BLUFF = named("Bluff")
PINK_PROMISE = named("Pink Promise")
COLOR_PROMISE = named("Color Promise")
