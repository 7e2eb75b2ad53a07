"""Conversion of an assignment to a winning play, and back.

The way there needs no search: the play follows the lemmas of [Baffier2017, section 5], in linear
time. The way back reads off each variable which of two copies was played, and off each counter of a
graph what it shows.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from hanabi.ground import Clock, InvalidInputError, SolverError, Status
from hanabi.solitaire import sat
from hanabi.solitaire.hardness.annotation import (
    COUNTERS,
    IF_FALSE,
    IF_TRUE,
    VARIABLE,
    Annotation,
)
from hanabi.solitaire.hardness.formula import Assignment, Formula
from hanabi.solitaire.hardness.graph import Graph
from hanabi.solitaire.hardness.layout import ALWAYS
from hanabi.solitaire.hardness.reduction import Reduction, normal_form, reduce
from hanabi.solitaire.play import DrawAction, Play, find_broken_rule, n_played, verify_play

if TYPE_CHECKING:
    from hanabi.ground import Verdict
    from hanabi.solitaire.hardness.reduction import Reduction
    from hanabi.solitaire.instance import Instance
    from hanabi.solitaire.play import Play

__all__ = [
    "DEFAULT_VARIANT",
    "Decision",
    "Reading",
    "assignment_of",
    "decide_by_cards",
    "partial_assignment_of",
    "read_play",
    "winning_play",
]


def winning_play(reduction: Reduction, assignment: Sequence[bool]) -> Play:
    """Return the winning play that belongs to a satisfying assignment. O(N), no search.

    Every playable card is played. Of the others, as long as there is room, the play stores those
    that the reduction marks as worth storing always or under this assignment, such as the dummies
    of a hand reduction. It discards the rest. The play is checked before it is returned.

    For a graph, `Graph.values_of` turns a clique into an assignment under the variant "clique", and
    `Graph.chosen_by` does under the others, from an independent set too. The play of an independent
    set does not win; it plays as many cards as the set promises.

    Raises
    ------
    InvalidInputError
        If the assignment makes a clause false; the message gives the clause.
    SolverError
        If the reduction follows a printed text whose slips make it unwinnable.

    >>> from hanabi.solitaire.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> play = winning_play(reduction, (False, False, False))
    >>> len(play), assignment_of(reduction, reduction.annotation, play)
    (133, (False, False, False))
    """
    false = reduction.formula.false_clause(assignment)
    if false is not None:
        clause = reduction.formula.clauses[false - 1]
        raise InvalidInputError(f"the assignment makes clause {false} {clause} false")
    play = _play_of(reduction, assignment)
    if reduction.annotation.asks_for_set:
        played, target = n_played(reduction, play), reduction.target(sum(assignment))
        if played < target:
            raise SolverError(f"the play of the set has {played} cards, not {target}")
        return play
    broken = find_broken_rule(reduction, play)
    if broken is not None:
        raise SolverError(f"the play of the assignment does not win: {broken}")
    return play


def _play_of(reduction: Reduction, assignment: Sequence[bool]) -> Play:
    n = reduction.n
    piles = [0] * reduction.c
    held: dict[int, int] = {}
    positions, actions = array("i"), array("b")
    left = reduction.goal
    stored = _stored(reduction, assignment)
    stream = zip(reduction.values, reduction.colors, stored, strict=True)
    for position, (value, color, is_stored) in enumerate(stream, start=1):
        if not left:
            break
        positions.append(position)
        if value == piles[color] + 1:
            actions.append(DrawAction.PLAY)
            piles[color] = value
            left -= 1
            while held and (kept := held.pop(color * n + piles[color], 0)):
                positions.append(kept)
                actions.append(DrawAction.PLAY)
                piles[color] += 1
                left -= 1
        elif (
            is_stored
            and len(held) < reduction.hand_size
            and value > piles[color]
            and color * n + value - 1 not in held
        ):
            actions.append(DrawAction.STORE)
            held[color * n + value - 1] = position
        else:
            actions.append(DrawAction.DISCARD)
    return Play.from_columns(memoryview(positions), memoryview(actions))


def _stored(reduction: Reduction, assignment: Sequence[bool]) -> list[bool]:
    """Return for each card whether an assignment's play stores it if there is room."""
    import numpy as np

    false = [not value for value in assignment]
    truth = np.array([False, *assignment, *reversed(false)])  # literal -x: x places from the end
    always = reduction.keeps == ALWAYS
    found: list[bool] = (always | truth[np.where(always, 0, reduction.keeps)]).tolist()
    return found


def assignment_of(
    instance: Instance, annotation: Annotation, play: Play, *, free: bool = False
) -> Assignment:
    """Return the satisfying assignment that a winning play represents. O(N).

    Variables that the play leaves open get the value `free`; any value works. (Such winning plays
    exist, contrary to the paper: E12.) Both the play and the assignment are checked.

    Raises
    ------
    IllegalActionError
        If the play does not win; the message gives the first broken rule.
    SolverError
        If the assignment does not satisfy the formula: the instance is then not a sound reduction.
    """
    verify_play(instance, play)
    found = partial_assignment_of(instance, annotation, play)
    assignment = tuple(free if value is None else value for value in found)
    false = annotation.formula.false_clause(assignment)
    if false is not None:
        raise SolverError(
            f"the winning play stands for an assignment that makes clause {false} false:"
            " the cards are no sound reduction of the formula"
        )
    return assignment


class Reading(NamedTuple):
    """The literals that a winning play makes true, and whether they satisfy the formula.

    Attributes
    ----------
    literals
        The literals that got ahead, ordered by variable; a variable without one may have any value.
    missed
        The number of the first clause without such a literal; None if they satisfy the formula.
    clique
        For the cards of a graph, the vertices that the literals show.
    independent
        The same where an independent set is asked for.
    """

    literals: tuple[int, ...]
    missed: int | None
    clique: tuple[int, ...] | None = None
    independent: tuple[int, ...] | None = None


def read_play(instance: Instance, annotation: Annotation, play: Play) -> Reading:
    """Read the true literals off a winning play. O(N + clauses).

    A clause is missed only if the cards are not a sound reduction, for example after a change of
    the hand size. Where an independent set is asked for, it is read off any play, and has at least
    as many vertices as the play's cards promise.

    >>> from hanabi.solitaire.hardness import Formula, reduce
    >>> reduction = reduce(Formula(3, ((1, -2, 3),)))
    >>> read_play(reduction, reduction.annotation, winning_play(reduction, (False, False, True)))
    Reading(literals=(-1, -2, 3), missed=None, clique=None, independent=None)
    """
    found = partial_assignment_of(instance, annotation, play)
    graph = annotation.graph
    if graph is not None and annotation.asks_for_set:
        chosen = graph.independent_in(x for x, value in enumerate(found, start=1) if value)
        return Reading(chosen, None, independent=chosen)
    literals = tuple(
        x if value else -x for x, value in enumerate(found, start=1) if value is not None
    )
    true = frozenset(literals)
    clauses = enumerate(annotation.formula.clauses, start=1)
    missed = next((x for x, clause in clauses if true.isdisjoint(clause)), None)
    clique = None
    if graph is not None:
        clique = (
            graph.clique_of([bool(value) for value in found])
            if annotation.variant == COUNTERS
            else tuple(x for members in graph.members for x in members if found[x - 1])
        )
    return Reading(literals, missed, clique)


def partial_assignment_of(
    instance: Instance, annotation: Annotation, play: Play
) -> tuple[bool | None, ...]:
    """Return each variable's value, by the copies that were played; None if it is open. O(N).

    Only the copies matter, not the time: a play may hold a playable card for a while. With a color
    for each literal, the true one played the copy of its 2 from the variable's gadget. Else the
    annotation marks the copies that are played only if the variable is true, or false.
    """
    played = {position for position, action in play if action is DrawAction.PLAY}
    if annotation.graph is not None and not annotation.asks_for_set:
        if annotation.variant == COUNTERS:
            return _counters(instance, annotation, annotation.graph, played)
        return _vertices(annotation, annotation.graph, played)
    found: list[bool | None] = [None] * annotation.formula.n_vars
    colors = {meaning: color for color, meaning in enumerate(annotation.colors)}
    for role, number, first, last in annotation.spans:
        if role not in (VARIABLE, IF_TRUE, IF_FALSE):
            continue
        for position in range(first, last + 1):
            if position not in played:
                continue
            if role != VARIABLE:
                found[number - 1] = role == IF_TRUE
            elif instance.values[position - 1] == 2:
                found[number - 1] = instance.colors[position - 1] == colors[number]
    return tuple(found)


def _counters(
    instance: Instance, annotation: Annotation, graph: Graph, played: set[int]
) -> Assignment:
    """Return what the counters show in the first round of clauses in which none of them falls.

    A card of a counter is written once and read once, at its last copy. The 2v of a writing is
    played from there exactly if the counter is v or more.
    """
    colors = {meaning: color for color, meaning in enumerate(annotation.colors)}
    last: dict[tuple[int, int], int] = {}
    written = set()
    for position, card in enumerate(zip(instance.colors, instance.values, strict=True), start=1):
        if last.get(card) in played:
            written.add(card)
        last[card] = position

    def shown(number: int, time: int) -> int:
        """Return a counter after it was written and copied `time` times."""
        size = len(graph.members[number])
        color = colors[f"class {number + 1} copy" if time % 2 else f"class {number + 1}"]
        base = (time // 2) * (2 * size + 1)
        return sum((color, base + 2 * v) in written for v in range(1, size + 1))

    classes, length = range(graph.n_classes), graph.formula.n_clauses
    rounds = range(0, (len(graph.classes) + 1) * length, length)
    at = next(
        (at for at in rounds if all(shown(i, at) == shown(i, at + length) for i in classes)), 0
    )
    return tuple(v < shown(i, at) for i in classes for v in range(len(graph.members[i])))


def _vertices(annotation: Annotation, graph: Graph, played: set[int]) -> Assignment:
    """Return the vertices whose tokens are held in the first round in which no class changes.

    The first copies of a vertex's token come once in each pass of its class.
    """
    held = [list[bool]() for _ in range(len(graph.classes) + 1)]
    for role, number, first, last in annotation.spans:
        if role == IF_TRUE:
            held[number].append(not played.isdisjoint(range(first, last + 1)))
    shown = []  # for each class the vertex in each pass, and how many passes a round has
    for members in graph.members:
        passes = zip(*(held[vertex] for vertex in members), strict=False)
        row = [next(compress(members, each), 0) for each in passes]
        shown.append((row, sum(graph.apart[vertex - 1] for vertex in members)))
    rounds = max(((len(row) - 1) // length for row, length in shown if length), default=1)
    at = next(
        (
            at
            for at in range(rounds)
            if all(len({*row[at * length : (at + 1) * length]}) <= 1 for row, length in shown)
        ),
        0,
    )
    return graph.chosen_by(
        vertex for row, length in shown for vertex in row[at * length : at * length + 1]
    )


# Satisfiability by cards: formula, cards, formula of the cards, model, play, assignment.

DEFAULT_VARIANT = "four_values"
"""The variant that is decided fastest; `docs/hardness.md` has the measurements."""


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The result of deciding a formula by cards.

    Attributes
    ----------
    reduction
        The cards.
    verdict
        Whether the cards can be won, with a winning play.
    assignment
        A checked satisfying assignment of the given formula; None unless winnable.
    seconds
        Total wall-clock time.
    """

    reduction: Reduction
    verdict: Verdict[Play]
    assignment: Assignment | None = field(repr=False)
    seconds: float

    @property
    def is_satisfiable(self) -> bool | None:
        """True or False, or None if a budget ran out."""
        return self.verdict.is_winnable


def decide_by_cards(
    formula: Formula,
    *,
    variant: str = DEFAULT_VARIANT,
    hand_size: int | None = None,
    multiplicity: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
) -> Decision:
    """Decide a formula by laying out cards, winning them by SAT, and reading the play.

    Parameters
    ----------
    formula
        Any formula in conjunctive normal form.
    variant, hand_size, multiplicity
        As for :func:`hanabi.solitaire.hardness.reduction.reduce`.
    seconds, memory
        Budgets of the solver (memory in bytes); if one runs out, the verdict is UNKNOWN.

    >>> decision = decide_by_cards(Formula(2, ((1, 2), (-1, 2), (1, -2))))
    >>> decision.assignment, decision.reduction.c
    ((True, True), 5)
    """
    clock = Clock(seconds)
    normal = normal_form(formula, variant)
    reduction = reduce(
        normal.formula, variant=variant, hand_size=hand_size, multiplicity=multiplicity
    )
    verdict = sat.solve(reduction, seconds=clock.left, memory=memory)
    assignment = None
    if verdict.status is Status.WINNABLE and verdict.witness is not None:
        assignment = normal.restore(assignment_of(reduction, reduction.annotation, verdict.witness))
    return Decision(reduction, verdict, assignment, clock.elapsed)
