"""Every choice that a play of a small formula's cards can make, and where it gets stuck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from hanabi.ground import InvalidInputError
from hanabi.solitaire.hardness.annotation import IF_TRUE
from hanabi.solitaire.hardness.formula import Assignment
from hanabi.solitaire.hardness.reduction import Reduction
from hanabi.solitaire.windows import Window, ways_of

__all__ = ["Choice", "Closed", "choices_of", "sections_of"]

_VARIANT = "four_values"
_MOST_VARIABLES = 10


@dataclass(frozen=True, slots=True)
class Closed:
    """A window of a clause that cannot be used, and the window of a variable that forbids it."""

    window: Window
    by: Window


@dataclass(frozen=True, slots=True)
class Choice:
    """What a play comes to that gives each variable a value.

    Attributes
    ----------
    assignment
        The value of each variable.
    variables
        The window that each variable holds.
    used
        The first open window of each clause that has one, by its number.
    stuck
        The clauses without an open window, by number, each with all its windows.
    """

    assignment: Assignment
    variables: tuple[Window, ...]
    used: dict[int, Window]
    stuck: dict[int, tuple[Closed, ...]]

    @property
    def windows(self) -> tuple[Window, ...]:
        """All windows that are held, by their first card."""
        return tuple(sorted((*self.variables, *self.used.values()), key=lambda each: each.opens))


def choices_of(reduction: Reduction) -> Iterator[Choice]:
    """Yield every choice of a play, by the values of the variables, all true first.

    A play of these cards holds one of two windows of each variable, and at least one window of each
    clause; one card in hand forbids two at once. So the cards can be won exactly if a choice has no
    clause stuck. O(2**variables * literals).

    Raises
    ------
    InvalidInputError
        If the cards are not those of variant four_values with one card in hand, or if the formula
        has more than ten variables.

    >>> from hanabi.solitaire.hardness import Formula, reduce
    >>> lost = reduce(Formula(1, ((1,), (-1,))), variant="four_values")
    >>> [(choice.assignment, list(choice.stuck)) for choice in choices_of(lost)]
    [((True,), [2]), ((False,), [1])]
    """
    annotation = reduction.annotation
    formula = annotation.formula
    if annotation.variant != _VARIANT or reduction.hand_size != 1:
        raise InvalidInputError(f"choices are those of variant {_VARIANT} with one card in hand")
    if formula.n_vars > _MOST_VARIABLES:
        raise InvalidInputError(f"{formula.n_vars} variables: at most {_MOST_VARIABLES}")
    first = {span.number: span.first for span in annotation.spans if span.role == IF_TRUE}
    both: list[dict[bool, Window]] = []
    clauses: dict[int, tuple[Window, ...]] = {}
    for ways in ways_of(reduction):
        meaning = annotation.colors[ways.color]
        if isinstance(meaning, int):
            both.append({each.opens == first[meaning]: each for each in ways.windows})
        else:
            clauses[int(meaning.rpartition(" ")[2])] = ways.windows
    for assignment in product((True, False), repeat=len(both)):
        held = tuple(windows[value] for windows, value in zip(both, assignment, strict=True))
        used, stuck = {}, {}
        for number, windows in clauses.items():
            closed = [_closed(window, held) for window in windows]
            open_ones = [w for w, by in zip(windows, closed, strict=True) if by is None]
            if open_ones:
                used[number] = open_ones[0]
            else:
                stuck[number] = tuple(each for each in closed if each is not None)
        yield Choice(assignment, held, used, stuck)


def _closed(window: Window, held: tuple[Window, ...]) -> Closed | None:
    """Return what keeps a window from being held beside others, or None if nothing does."""
    for other in held:
        if other.opens < window.closes and window.opens < other.closes:
            return Closed(window, other)
    return None


def sections_of(reduction: Reduction) -> tuple[tuple[int, int, int], ...]:
    """Return the first and last card of each variable's section, after the variable's number.

    >>> from hanabi.solitaire.hardness import Formula, reduce
    >>> sections_of(reduce(Formula(2, ((1, -2),)), variant="four_values"))
    ((1, 1, 7), (2, 8, 15))
    """
    spans = reduction.annotation.spans
    starts = [(span.number, span.first) for span in spans if span.role == IF_TRUE]
    ends = [first - 1 for _, first in starts[1:]] + [reduction.N]
    return tuple((number, first, last) for (number, first), last in zip(starts, ends, strict=True))
