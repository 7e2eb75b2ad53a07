"""Reduced instances as pictures: the paper's figures 1 and 2, drawn from the cards."""

from __future__ import annotations

from bisect import bisect_right

from hanabi.cards import format_color
from hanabi.hardness.annotation import Annotation
from hanabi.hardness.explain import columns, meaning_name, title_of
from hanabi.solitaire.instance import Instance
from hanabi.svg.looks import SuitLook, hue_color
from hanabi.svg.records import SmallCard, Strip, StripGroup
from hanabi.svg.shapes import SHAPES

__all__ = ["gadget_at", "gadgets_of", "looks_of_reduction"]

_LIGHT, _DARK = 0.78, 0.3
_NO_LITERAL = ("#e6e6ea", "#c9c9d2", "#f4f4f0")


def looks_of_reduction(instance: Instance, annotation: Annotation) -> tuple[SuitLook, ...]:
    """Return what the colors look like: a hue and a shape for each variable. O(c).

    A positive literal is light, its negation dark with a line above the value; what is no literal
    is grey, with the letter "d" if it is a dummy.

    >>> from hanabi.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> [look.name for look in looks_of_reduction(reduction, reduction.annotation)][1:3]
    ['not x1', 'x2']
    """
    others = [each for each in dict.fromkeys(annotation.colors) if isinstance(each, str)]
    return tuple(
        _look(meaning, format_color(color, instance.c), others)
        for color, meaning in enumerate(annotation.colors)
    )


def _look(meaning: int | str, name: str, others: list[str]) -> SuitLook:
    words = meaning_name(meaning)
    if isinstance(meaning, str):
        color = _NO_LITERAL[others.index(meaning) % len(_NO_LITERAL)]
        return SuitLook(words, "d" if meaning == "dummy" else name, "", (color,))
    variable = abs(meaning) - 1
    color = hue_color(variable, _LIGHT if meaning > 0 else _DARK)
    return SuitLook(words, name, SHAPES[variable % len(SHAPES)], (color,), meaning < 0)


def gadgets_of(
    instance: Instance, annotation: Annotation, *, first: int = 1, last: int | None = None
) -> Strip:
    """Return the cards `first` .. `last` as a strip, gadget by gadget, with a legend.

    Raises
    ------
    InvalidInputError
        If the range is not within the stream.

    >>> from hanabi.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> [group.title for group in gadgets_of(reduction, reduction.annotation, last=11).groups]
    ['hand reduction opens', 'V1 variable']
    """
    looks = looks_of_reduction(instance, annotation)
    shown = columns(instance, annotation, first, last)
    at, groups = first, []
    for column in shown:
        places = range(at - 1, at - 1 + len(column.cells))
        cards = tuple(
            SmallCard(look=looks[instance.colors[n]], rank=str(instance.values[n])) for n in places
        )
        groups.append(StripGroup(title=column.title, cards=cards))
        at += len(cards)
    drawn = {cell.meaning for column in shown for cell in column.cells}
    meanings = dict(zip(annotation.colors, looks, strict=True))  # one look each will do
    legend = tuple(look for meaning, look in meanings.items() if meaning in drawn)
    words = f"Cards {first} to {at - 1} of {instance.N}, gadget by gadget"
    return Strip(groups=tuple(groups), legend=legend, words=words + ".")


def gadget_at(annotation: Annotation, position: int) -> str:
    """Return the title of the gadget that a card, from 1, belongs to. O(log gadgets).

    >>> from hanabi.hardness import Formula, reduce
    >>> gadget_at(reduce(Formula(3, ((1, -2, 3),))).annotation, 2)
    'V1 variable'
    """
    spans = annotation.spans
    return title_of(spans[bisect_right(spans, position, key=lambda span: span.first) - 1])
