"""Annotation of a reduced instance: the purpose of its cards by gadget, and of its colors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hanabi.errors import InvalidInputError, naming, printable
from hanabi.hardness.formula import Formula
from hanabi.notation.record import MOST
from hanabi.notation.strict_json import as_integer, as_items, as_object, as_text

if TYPE_CHECKING:
    from hanabi.hardness.layout import Parts

__all__ = ["VARIABLE", "Annotation", "Span", "spans_of"]

VARIABLE = "variable"
"""The role of the cards of a variable gadget."""

_LENGTH = 40  # of a name in the input
_KEYS = ("variables", "clauses", "colors", "gadgets", "variant")


class Span(NamedTuple):
    """Cards `first` .. `last` of the stream (from 1), with their role.

    `number` is the number of their variable (role "variable") or clause, or 0 if they have neither.
    """

    role: str
    number: int
    first: int
    last: int


def spans_of(stretches: Iterable[Parts]) -> Iterator[Span]:
    """Yield the non-empty spans of a stream whose blocks have these parts.

    Cards of one role that belong to no variable or clause form one span, even across blocks.
    """
    before = Span("", 0, 1, 0)
    for parts in stretches:
        for index, length in enumerate(parts.lengths.tolist()):
            if not length:
                continue
            row, part = divmod(index, len(parts.roles))
            role, number = parts.roles[part], parts.number + row if parts.number else 0
            last = before.last + length
            if role == before.role and number == before.number == 0:
                before = before._replace(last=last)
                continue
            if before.role:
                yield before
            before = Span(role, number, before.last + 1, last)
    if before.role:
        yield before


@dataclass(frozen=True, slots=True)
class Annotation:
    """The origin of a reduced instance.

    Attributes
    ----------
    variant
        Name of the variant.
    formula
        The formula.
    colors
        For each color the literal that it represents, or "dummy", "reduction" (the hand reduction
        around everything) or "filler" (no part in the proof).
    spans
        The stream divided into gadgets; every card is in one span.
    """

    variant: str
    formula: Formula
    colors: tuple[int | str, ...] = field(repr=False)
    spans: tuple[Span, ...] = field(repr=False)

    def to_json(self) -> dict[str, object]:
        """Return the annotation ready for `json.dumps`; :meth:`from_json` reads it back."""
        return {
            "variant": self.variant,
            "variables": self.formula.n_vars,
            "clauses": self.formula.clauses,
            "colors": self.colors,
            "gadgets": [span._asdict() for span in self.spans],
        }

    @classmethod
    def from_json(cls, data: object) -> Annotation:
        """Read an annotation; O(size).

        Raises
        ------
        InvalidInputError
            If an entry is missing or has the wrong type; the message names it.
        """
        entries = _entries(data, "annotation", _KEYS)
        clauses = tuple(
            tuple(as_integer(literal, at, -MOST) for literal, at in as_items(clause, path))
            for clause, path in as_items(entries["clauses"], "annotation.clauses")
        )
        n_vars = as_integer(entries["variables"], "annotation.variables")
        with naming("annotation"):
            formula = Formula(n_vars, clauses)
        colors = tuple(
            printable(meaning, _LENGTH)
            if isinstance(meaning, str)
            else as_integer(meaning, path, -MOST)
            for meaning, path in as_items(entries["colors"], "annotation.colors")
        )
        spans = tuple(_span(*span) for span in as_items(entries["gadgets"], "annotation.gadgets"))
        return cls(_name(entries["variant"], "annotation.variant"), formula, colors, spans)

    def check(self, n_cards: int, n_colors: int) -> None:
        """Check that the annotation fits an instance of `n_cards` cards in `n_colors` colors.

        Raises
        ------
        InvalidInputError
            If it does not fit; the message names the mismatch.
        """
        if len(self.colors) != n_colors:
            raise InvalidInputError(
                f"annotation: {len(self.colors)} colors are explained, the cards have {n_colors}"
            )
        end = 0
        for span in self.spans:
            if span.first != end + 1 or span.last < span.first:
                raise InvalidInputError(
                    f"annotation: gadget {span.first} .. {span.last} does not follow card {end}"
                )
            end = span.last
        if end != n_cards:
            raise InvalidInputError(f"annotation: it ends with card {end} of {n_cards}")


def _entries(data: object, path: str, keys: Sequence[str]) -> dict[str, object]:
    entries = as_object(data, path)
    for key in keys:
        if key not in entries:
            raise InvalidInputError(f"{path}: {key} is missing")
    return entries


def _name(value: object, path: str) -> str:
    name = as_text(value, path)
    if not name:
        raise InvalidInputError(f"{path}: it is empty")
    return printable(name, _LENGTH)


def _span(data: object, path: str) -> Span:
    entries = _entries(data, path, Span._fields)
    number, first, last = (
        as_integer(entries[key], f"{path}.{key}") for key in ("number", "first", "last")
    )
    return Span(_name(entries["role"], f"{path}.role"), number, first, last)
