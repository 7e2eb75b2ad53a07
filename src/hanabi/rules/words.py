"""Sentences made of parts, so that each audience reads its own words.

`say` makes a sentence. Its parts are text, and seats, slots and the word for a hint. In Python and
JSON it reads "seat 1", "slot 0" and "hint"; a terminal prints the player's name, "card 5" and
"hint"; a page says "clue". The word shows how cards count: slots from the oldest, 0, and cards from
the newest, 1, as on hanab.live. A name enters only when a sentence is rendered, so no name is ever
taken for one of these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from hanabi.rules.table import Table

__all__ = [
    "PLAIN",
    "Audience",
    "Part",
    "Said",
    "Seat",
    "Slots",
    "Term",
    "heard",
    "joined",
    "listed",
    "say",
    "site",
    "slot_of",
    "terminal",
    "words_of",
]


class Seat(NamedTuple):
    """A seat of the table, from 0."""

    number: int


class Slots(NamedTuple):
    """Slots of one hand, one or more.

    Attributes
    ----------
    seat
        Whose hand; None if a text does not tell.
    numbers
        The slots, from the oldest card, 0.
    """

    seat: int | None
    numbers: tuple[int, ...]


class Term(StrEnum):
    """A word that audiences replace; its value is its field in a template of `say`."""

    HINT = "hint"
    HINTS = "hints"


Part: TypeAlias = str | Seat | Slots | Term
_PARTS = Seat, Slots, Term


class Audience(NamedTuple):
    """The words that readers know.

    Attributes
    ----------
    names
        The names of the seats; a seat without one is "seat 1".
    hint
        The word for a hint.
    hands
        The number of cards in each hand, if cards count from the newest, 1. If empty, slots count
        from the oldest card, 0.
    """

    names: Sequence[str] = ()
    hint: str = "hint"
    hands: tuple[int, ...] = ()

    def render(self, part: Part) -> str:
        """Return the text of a part."""
        if isinstance(part, Slots):
            places = self.places(part) if self.hands else None
            word, numbers = ("slot", part.numbers) if places is None else ("card", places)
            return f"{word}{'s' * (len(numbers) > 1)} {listed(map(str, numbers))}"
        if isinstance(part, Seat):
            number = part.number
            return self.names[number] if number < len(self.names) else f"seat {number}"
        return self.hint + "s" * (part is Term.HINTS) if isinstance(part, Term) else part

    def places(self, slots: Slots) -> tuple[int, ...] | None:
        """Return the places of cards, from the newest, 1; None if that cannot be told.

        It depends on how many cards the hand holds.

        >>> Audience(hands=(5, 5)).places(Slots(1, (0, 4))), Audience().places(Slots(1, (0, 4)))
        ((5, 1), None)
        """
        seat = slots.seat
        sizes = self.hands if seat is None else self.hands[seat : seat + 1]
        if len(set(sizes)) != 1 or max(slots.numbers) >= sizes[0]:
            return None
        return tuple(sizes[0] - number for number in slots.numbers)


PLAIN = Audience()
"""The words of Python and JSON: seats and slots by their numbers."""


def terminal(names: Sequence[str], table: Table) -> Audience:
    """Return the audience of a terminal: it says hints, and counts cards from the newest, 1.

    Parameters
    ----------
    names
        The names of the seats; a seat without one is "seat 1".
    table
        The position that the slots of a sentence belong to, or a view of it.
    """
    return Audience(names, hands=tuple(map(len, table.hands)))


def site(names: Sequence[str], table: Table) -> Audience:
    """Return the audience of a page: it counts cards as `terminal` does, and says clues."""
    return terminal(names, table)._replace(hint="clue")


class Said(str):
    """A sentence made of parts: a text in the words of `PLAIN`, and `to` for any others.

    Attributes
    ----------
    parts
        The parts, in order.

    >>> said = say("{} plays {} without a {hint}", Seat(1), slot_of(1, 0))
    >>> print(said)
    seat 1 plays slot 0 without a hint
    >>> said.to(Audience(("Alice", "hint 2"), "clue", hands=(5, 5)))
    'hint 2 plays card 5 without a clue'
    """

    __slots__ = ("parts",)
    parts: tuple[Part, ...]

    def __new__(cls, parts: Iterable[Part]) -> Said:
        """Make a sentence of its parts."""
        found = tuple(parts)
        said = super().__new__(cls, "".join(map(PLAIN.render, found)))
        said.parts = found
        return said

    def __getnewargs__(self) -> tuple[tuple[Part, ...]]:  # type: ignore[override]
        return (self.parts,)

    def to(self, audience: Audience) -> str:
        """Return the sentence in the words of an audience.

        If cards count from the newest, but it is not known how many a hand holds, it says how its
        slots count.
        """
        text = "".join(map(audience.render, self.parts))
        slots = [part for part in self.parts if isinstance(part, Slots)]
        is_told = not audience.hands or all(map(audience.places, slots))
        return text if is_told else f"{text} (slot 0 is the oldest card)"


def say(template: str, /, *given: object) -> Said:
    """Return a sentence: a template, each `{}` filled with the next value, as by `str.format`.

    Parts and sentences stay what they are; all other values become text. `{hint}` and `{hints}`
    are the audience's word for a hint.

    >>> say("{:.2f} points without {hints} by {}", 1.5, Seat(0)).parts
    ('1.50', ' points without ', <Term.HINTS: 'hints'>, ' by ', Seat(number=0))
    """
    parts, values = list[Part](), iter(given)
    for text, field, spec in _fields(template):
        if text:
            parts.append(text)
        if field:
            parts.append(Term(field))
        elif field is not None:
            value = next(values)
            if isinstance(value, Said):
                parts += value.parts
            elif isinstance(value, _PARTS):
                parts.append(value)
            else:
                parts.append(format(value, spec))
    return Said(parts)


@lru_cache(maxsize=1024)
def _fields(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return a template as texts, each with the field after it, None if there is none."""
    return tuple((text, name, spec or "") for text, name, spec, _ in Formatter().parse(template))


def joined(separator: str, sentences: Iterable[str]) -> Said:
    """Return sentences as one, as `str.join` does.

    >>> print(joined("; ", [say("a {hint}"), "", say("{} waits", Seat(2))]))
    a hint; ; seat 2 waits
    """
    each = tuple(sentences)
    return say(separator.join(["{}"] * len(each)), *each)


def words_of(error: Exception, audience: Audience) -> str:
    """Return the message of an error in the words of an audience, if it is a sentence of parts.

    >>> error = ValueError(say("cannot play {}", slot_of(0, 4)))
    >>> words_of(error, Audience(hands=(5, 5))), words_of(ValueError("no card"), PLAIN)
    ('cannot play card 1', 'no card')
    """
    said = error.args[0] if error.args else ""
    return said.to(audience) if isinstance(said, Said) else str(error)


def listed(texts: Iterable[str]) -> str:
    """Return texts with commas and "and" between them.

    >>> listed("123"), listed("1")
    ('1, 2 and 3', '1')
    """
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def slot_of(seat: int, number: int) -> Slots:
    """Return one slot of a seat's hand."""
    return Slots(seat, (number,))


_HEARD = re.compile(
    r"\bseat (?P<seat>[0-9]{1,9})\b"
    r"|\b(?:slots (?P<slots>[0-9]{1,9}(?:, [0-9]{1,9})*(?: and [0-9]{1,9})?)"
    r"|slot (?P<slot>[0-9]{1,9}))\b"
    r"|\b(?P<term>hints?)\b"
)


def heard(text: str) -> Said:
    """Return text that did not come with parts as a sentence: what other people's players say.

    It finds "seat 1", "slot 2", "slots 0, 1 and 3", "hint" and "hints". Call it before any name is
    put in.

    >>> heard("seat 1 plays slots 0 and 4").to(Audience(("Ann", "Ben"), "clue", (5, 5)))
    'Ben plays cards 5 and 1'
    """
    parts, end = list[Part](), 0
    for found in _HEARD.finditer(text):
        if found.start() > end:
            parts.append(text[end : found.start()])
        end = found.end()
        if found["seat"]:
            parts.append(Seat(int(found["seat"])))
        elif found["term"]:
            parts.append(Term(found["term"]))
        else:
            numbers = re.findall("[0-9]+", found["slots"] or found["slot"])
            parts.append(Slots(None, tuple(map(int, numbers))))
    return Said([*parts, text[end:]])
