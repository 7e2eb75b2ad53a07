"""Explanations of a reduced instance: in words, and as the rows of the paper's figures 1 and 2."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from hanabi.ground import (
    SHAPES,
    InvalidInputError,
    SmallCard,
    Strip,
    StripGroup,
    SuitLook,
    counted,
    hue_color,
)
from hanabi.rules import format_color
from hanabi.solitaire.hardness.annotation import IF_FALSE, IF_TRUE, VARIABLE, Annotation, Span
from hanabi.solitaire.instance import Instance

__all__ = [
    "Cell",
    "Column",
    "columns",
    "describe",
    "gadget_at",
    "gadgets_of",
    "looks_of_reduction",
    "meaning_name",
    "title_of",
    "title_of_cards",
]

_PURPOSE = {
    VARIABLE: "the 2s of x and of not x come before their 1s, and there is room for one of them:"
    " only one of the two colors gets ahead, and it is the true literal",
    "hand reduction opens": "dummies that must stay in hand until the reduction closes",
    "hand reduction closes": "the dummy that frees the hand again",
    "hand dump": "the dummies fill the hand for a moment, so nothing gets past them",
    "true literals advance": "the next cards of the clause's literals; only high colors, those of"
    " true literals, can play them",
    "other literals advance": "high and low colors outside the clause move up to the next high and"
    " low level",
    "false literals advance, but not three": "low colors of the clause need a card in hand to"
    " catch up; there is no room for three, so one literal must be true",
    "last cards": "the rest of every color, in order: a color that was left behind does not finish",
    "dummy completed": "the rest of the dummy color",
    "outer hand reduction opens": "dummies that make the larger hand as small as the proof needs",
    "outer hand reduction closes": "the dummy that gives the hand back",
    "filler": "colors played at once, so that copies of them are of no use later",
    "no use": "cards that nobody needs: they give all players their turns before the game ends",
    IF_TRUE: "a card, often one of two copies, that the play uses only if the variable is true, or"
    " the vertex chosen",
    IF_FALSE: "of two copies of a card, the one that the play uses only if the variable is false,"
    " or the vertex not chosen",
    "variable turns": "from here on the hand holds another card of the variable, if any",
    "variable completed": "the last card of the variable, which fits in any case",
    "pair": "a window of the clause: to hold its first card until the second puts the clause's"
    " color ahead, which must happen once; the hand is free for it only if the literal is true",
    "empty clause": "two cards that would have to wait for the third, so no play wins",
    "first window": "a choice, which holds its 2 here or its 3 in its second window, and a filler"
    " around it; if the hand is taken here, the choice must hold later",
    "second window opens": "the 3 waits for the second 2 if the choice did not hold before: its"
    " literal is false",
    "second window closes": "the second 2 of a choice",
    "exits together": "the exits of false literals hold their 3s together until their 2s; there is"
    " room for two, so one literal must be true",
    "places for a clause": "cards that wait until the clause's first literal was tested",
    "places for a variable": "cards that wait for the variable's trigger, so that its section"
    " begins with one place for each occurrence",
    "true and false cards": "of each occurrence, one of two cards is held from here to its clause,"
    " by the value of the variable; there is no room for both",
    "first literal": "if neither card of the occurrence is held, two cards must wait, and there is"
    " no room for both",
    "second literal": "the same for the second literal; z2 can be held only if one of the first two"
    " literals is true",
    "third literal": "the same for the third, which must be true if z2 is not held",
    "places filled": "cards that wait to the end, so that every clause finds the hand as full",
    "places freed": "the card that ends all waiting",
    "counter set": "writes which vertex the class contributes: each step up holds a card",
    "counter copied": "reads the counter and writes it in another color; it can fall, never rise",
    "counter read": "the last reading of the counter",
    "blank unit": "two cards that must wait for one that comes last, so the hand has only two more"
    " places than cards that wait already",
    "unit": "a token must come before its second and third card; if it is not in hand, they must"
    " wait for it, which leaves no room for the gate",
    "gate": "a block of cards that must all be held at once; that happens at one gate of a section",
    "place held": "a card that waits until a token takes its place",
    "place freed": "the card for which that one waits",
    "before offered": "a token that can be held only if the class has another vertex",
    "after offered": "the token to be held if it has this one",
    "before again": "the second copy of a token",
    "after again": "the second copy of a token",
    "further token offered": "a token that can be held only if the other class has another vertex",
    "further token again": "its second copy; it must be held where the first class has this vertex",
    "first values": "cards that can be played when they are drawn",
    "edge": "two cards of an edge: its color is completed if the hand is free at one of its ends",
    "stretch ends": "ends the stretch over which the vertex holds its 3, or leaves it out",
    "first interval": "opens the first of two intervals, which are held for a vertex of the set",
    "interval ends": "closes an interval; those of adjacent vertices overlap",
    "vertex filled": "two cards of a color that is completed if the first interval is not held",
    "gap filled": "2s that take the further places of the hand over one gap",
    "gap ends": "their 1s",
}

_LETTERS = {
    **dict.fromkeys((VARIABLE, IF_TRUE, IF_FALSE, "variable turns", "variable completed"), "V"),
    **dict.fromkeys(("places for a variable", "true and false cards"), "V"),
    **dict.fromkeys(("edge", "stretch ends"), "V"),
    **dict.fromkeys(("first interval", "interval ends", "vertex filled"), "V"),
    **dict.fromkeys(("counter set", "counter copied", "counter read"), "K"),
    **dict.fromkeys(("blank unit", "unit"), "K"),
}
"""What the number of a span counts: V variables or vertices, K classes; else C, clauses."""


def meaning_name(meaning: int | str) -> str:
    """Return the meaning of a color in words.

    >>> meaning_name(1), meaning_name(-2), meaning_name("dummy")
    ('x1', 'not x2', 'dummy')
    """
    if isinstance(meaning, str):
        return meaning
    return f"x{meaning}" if meaning > 0 else f"not x{-meaning}"


def title_of(span: Span) -> str:
    """Return the title of a gadget: the number of its variable, clause or class, then its role."""
    if not span.number:
        return span.role
    return f"{_LETTERS.get(span.role, 'C')}{span.number} {span.role}"


def title_of_cards(annotation: Annotation) -> str:
    """Return the title of pictures and pages that show the cards."""
    return "A formula as cards" if annotation.graph is None else "A graph as cards"


def describe(instance: Instance, annotation: Annotation, *, most: int = 12) -> Iterator[str]:
    """Yield sentences on the problem, the numbers, the colors, and the effect of each gadget.

    At most `most` clauses and colors are listed.

    >>> from hanabi.solitaire.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> for sentence in list(describe(reduction, reduction.annotation))[:3]:
    ...     print(sentence)
    The cards can be won exactly if (x1 or not x2 or x3) is satisfiable.
    Variant paper: N = 121 cards, n = 10 values, c = 7 colors, r = 2 copies at most, hand h = 2.
    Colors: 0 is x1, 1 is not x1, 2 is x2, 3 is not x2, 4 is x3, 5 is not x3, 6 is dummy.
    """
    if annotation.asks_for_set:
        yield (
            f"At least {annotation.target(instance, 0):,} + s cards can be played exactly if"
            f" {_condition(annotation, most)}."
        )
    else:
        yield f"The cards can be won exactly if {_condition(annotation, most)}."
    yield (
        f"Variant {annotation.variant}: N = {instance.N:,} cards, n = {instance.n:,} values,"
        f" c = {instance.c:,} colors, r = {instance.r} copies at most, hand h ="
        f" {instance.hand_size}."
    )
    names = [
        f"{format_color(color, instance.c)} is {meaning_name(meaning)}"
        for color, meaning in enumerate(annotation.colors[:most])
    ]
    more = f", and {len(annotation.colors) - most:,} more" if len(annotation.colors) > most else ""
    yield f"Colors: {', '.join(names)}{more}."
    count: dict[str, int] = {}
    for span in annotation.spans:
        count[span.role] = count.get(span.role, 0) + 1
    for role, number in count.items():
        times = "once" if number == 1 else f"{number:,} times"
        yield f"{role[0].upper()}{role[1:]} ({times}): {_PURPOSE.get(role, 'of unknown use')}."


def _condition(annotation: Annotation, most: int) -> str:
    graph = annotation.graph
    if graph is not None:
        edges = f"{counted(len(graph.classes), 'vertex', 'vertices')} and"
        edges += f" {counted(len(graph.edges), 'edge')}"
        if annotation.asks_for_set:
            return f"the graph of {edges} has an independent set of s vertices"
        classes = counted(graph.n_classes, "class", "classes")
        return f"the graph of {edges} has a clique with one vertex of each of its {classes}"
    clauses = annotation.formula.clauses
    shown = (f"({' or '.join(map(meaning_name, clause))})" for clause in clauses[:most])
    text = " and ".join(shown) or "the empty formula"
    more = f" and {counted(len(clauses) - most, 'more clause')}" if len(clauses) > most else ""
    return f"{text}{more} is satisfiable"


@dataclass(frozen=True, slots=True)
class Cell:
    """A card in a picture: its value, its color (or "d"), and the color's meaning."""

    value: str
    color: str
    meaning: int | str


@dataclass(frozen=True, slots=True)
class Column:
    """A gadget in a picture: its title and its cards."""

    title: str
    cells: tuple[Cell, ...]


def columns(
    instance: Instance, annotation: Annotation, first: int = 1, last: int | None = None
) -> list[Column]:
    """Return the cards `first` .. `last` as in the paper's figures: values above, colors below.

    Colors count from 0, as everywhere here, while the paper counts from 1; "d" is a dummy.
    O(gadgets + cards shown).

    Raises
    ------
    InvalidInputError
        If the range is not within the stream.

    >>> from hanabi.solitaire.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> variable = columns(reduction, reduction.annotation, 2, 11)[0]
    >>> variable.title, " ".join(cell.value for cell in variable.cells)
    ('V1 variable', '2 2 1 3 4 5 1 3 4 5')
    """
    end = instance.N if last is None else last
    if not 1 <= first <= end + 1 <= instance.N + 1:
        raise InvalidInputError(f"cards {first} .. {end} are not within 1 .. {instance.N}")
    found = []
    for span in annotation.spans:
        low, high = max(span.first, first), min(span.last, end)
        if low <= high:
            cells = tuple(_cell(instance, annotation, i) for i in range(low - 1, high))
            found.append(Column(title_of(span), cells))
    return found


def _cell(instance: Instance, annotation: Annotation, index: int) -> Cell:
    color = instance.colors[index]
    meaning = annotation.colors[color]
    name = "d" if meaning == "dummy" else format_color(color, instance.c)
    return Cell(str(instance.values[index]), name, meaning)


# Reduced instances as pictures: the paper's figures 1 and 2, drawn from the cards.

_LIGHT, _DARK = 0.78, 0.3
_NO_LITERAL = ("#e6e6ea", "#c9c9d2", "#f4f4f0")


def looks_of_reduction(instance: Instance, annotation: Annotation) -> tuple[SuitLook, ...]:
    """Return the appearance of each color: a hue and a shape for each variable. O(c).

    A positive literal is light, and its negation is dark with a line above the value. All other
    colors are grey; dummies have the letter "d".

    >>> from hanabi.solitaire.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> [look.name for look in looks_of_reduction(reduction, reduction.annotation)][1:3]
    ['not x1', 'x2']
    """
    words = dict.fromkeys(each for each in annotation.colors if isinstance(each, str))
    others = {each: index for index, each in enumerate(words)}
    return tuple(
        _look(meaning, format_color(color, instance.c), others)
        for color, meaning in enumerate(annotation.colors)
    )


def _look(meaning: int | str, name: str, others: dict[str, int]) -> SuitLook:
    words = meaning_name(meaning)
    if isinstance(meaning, str):
        color = _NO_LITERAL[others[meaning] % len(_NO_LITERAL)]
        return SuitLook(words, "d" if meaning == "dummy" else name, "", (color,))
    variable = abs(meaning) - 1
    color = hue_color(variable, _LIGHT if meaning > 0 else _DARK)
    return SuitLook(words, name, SHAPES[variable % len(SHAPES)], (color,), meaning < 0)


def gadgets_of(
    instance: Instance, annotation: Annotation, *, first: int = 1, last: int | None = None
) -> Strip:
    """Return the cards `first` .. `last` as a strip, grouped by gadget, with a legend.

    Raises
    ------
    InvalidInputError
        If the range is not within the stream.

    >>> from hanabi.solitaire.hardness import Formula, reduce
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
    meanings = dict(zip(annotation.colors, looks, strict=True))  # one look for each meaning
    legend = tuple(look for meaning, look in meanings.items() if meaning in drawn)
    words = f"Cards {first} to {at - 1} of {instance.N}, gadget by gadget"
    return Strip(groups=tuple(groups), legend=legend, words=words + ".")


def gadget_at(annotation: Annotation, position: int) -> str:
    """Return the title of the gadget at a position, counted from 1. O(log gadgets).

    >>> from hanabi.solitaire.hardness import Formula, reduce
    >>> gadget_at(reduce(Formula(3, ((1, -2, 3),))).annotation, 2)
    'V1 variable'
    """
    spans = annotation.spans
    return title_of(spans[bisect_right(spans, position, key=lambda span: span.first) - 1])
