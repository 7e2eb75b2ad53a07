"""What the cards of a reduced instance are for: gadget by gadget, color by color."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hanabi.errors import InvalidInputError, quote
from hanabi.hardness.formula import Formula

if TYPE_CHECKING:
    from hanabi.hardness.layout import Parts
    from hanabi.hardness.stream import Stream

__all__ = ["VARIABLE", "Annotation", "Span", "spans_of"]

VARIABLE = "variable"
"""The role of the cards of a variable gadget."""


class Span(NamedTuple):
    """Cards `first` .. `last` of the stream (from 1), what they are for, and for which.

    `number` is the number of the variable (role "variable") or of the clause, 0 if neither.
    """

    role: str
    number: int
    first: int
    last: int


def spans_of(stretches: Iterable[Parts]) -> Iterator[Span]:
    """Yield the spans of a stream that consists of these stretches, without empty ones.

    What belongs to no variable or clause and was cut into several blocks is one span.
    """
    before = None
    for span in _pieces(stretches):
        if before is not None:
            if span.role == before.role and span.number == before.number == 0:
                before = before._replace(last=span.last)
                continue
            yield before
        before = span
    if before is not None:
        yield before


def _pieces(stretches: Iterable[Parts]) -> Iterator[Span]:
    first = 1
    for parts in stretches:
        for index, length in enumerate(parts.lengths.tolist()):
            row, part = divmod(index, len(parts.roles))
            if length:
                number = parts.number + row if parts.number else 0
                yield Span(parts.roles[part], number, first, first + length - 1)
                first += length


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an instance was made from.

    Attributes
    ----------
    variant
        Name of the variant.
    formula
        The formula.
    colors
        For each color the literal it stands for, or "dummy", "reduction" (the hand reduction around
        everything) or "filler" (no part in the proof).
    spans
        The stream cut into gadgets: every card is in one span.
    """

    variant: str
    formula: Formula
    colors: tuple[int | str, ...]
    spans: tuple[Span, ...]

    def to_json(self) -> dict[str, object]:
        """Return the annotation ready for `json.dumps`; :meth:`from_json` reads it back."""
        return {
            **header_of(self.variant, self.formula, self.colors),
            "gadgets": [span._asdict() for span in self.spans],
        }

    @classmethod
    def from_json(cls, data: object) -> Annotation:
        """Read an annotation; O(size).

        Raises
        ------
        InvalidInputError
            If something is missing or of the wrong kind; names it.
        """
        if not isinstance(data, dict):
            raise InvalidInputError(f"annotation: {quote(data)} is not an object")
        try:
            formula = Formula(
                int(data["variables"]), tuple(tuple(map(int, clause)) for clause in data["clauses"])
            )
            colors = tuple(x if isinstance(x, str) else int(x) for x in data["colors"])
            spans = tuple(
                Span(str(s["role"]), int(s["number"]), int(s["first"]), int(s["last"]))
                for s in data["gadgets"]
            )
            return cls(str(data["variant"]), formula, colors, spans)
        except KeyError as error:
            raise InvalidInputError(f"annotation: {error.args[0]} is missing") from None
        except (TypeError, ValueError) as error:
            raise InvalidInputError(f"annotation: {error}") from None

    def check(self, n_cards: int, n_colors: int) -> None:
        """Check that the annotation fits an instance of `n_cards` cards in `n_colors` colors.

        Raises
        ------
        InvalidInputError
            Naming what does not fit.
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


def header_of(variant: str, formula: Formula, colors: tuple[int | str, ...]) -> dict[str, object]:
    """Return the annotation's JSON form but for the gadgets."""
    return {
        "variant": variant,
        "variables": formula.n_vars,
        "clauses": formula.clauses,
        "colors": colors,
    }


def annotate(stream: Stream, stretches: Iterable[Parts]) -> Annotation:
    """Return the annotation of a stream that consists of these stretches."""
    layout = stream.layout
    meanings = tuple(stream.color_meanings)
    spans = tuple(spans_of(stretches))
    return Annotation(layout.blueprint.name, layout.formula, meanings, spans)
