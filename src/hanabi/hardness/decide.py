"""Satisfiability by way of cards: formula, cards, formula of the cards, model, play, assignment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.hardness.certificates import assignment_of
from hanabi.hardness.formula import Assignment, Formula, to_three_sat
from hanabi.hardness.reduction import Reduction, reduce
from hanabi.solitaire import sat
from hanabi.verdict import Status

if TYPE_CHECKING:
    from hanabi.solitaire.play import Play
    from hanabi.verdict import Verdict

__all__ = ["DEFAULT_VARIANT", "Decision", "decide_by_cards"]

DEFAULT_VARIANT = "constant_two"
"""The fastest variant to decide; `docs/hardness.md` has the measurements."""


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What the cards say about a formula.

    Attributes
    ----------
    reduction
        The cards.
    verdict
        Whether they can be won, with a winning play.
    assignment
        A satisfying assignment of the formula given, checked; None unless winnable.
    seconds
        Wall-clock time of everything.
    """

    reduction: Reduction
    verdict: Verdict[Play]
    assignment: Assignment | None = field(repr=False)
    seconds: float

    @property
    def is_satisfiable(self) -> bool | None:
        """True, False, or None if a budget ended."""
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
        As for :func:`hanabi.hardness.reduction.reduce`.
    seconds, memory
        Budgets of the solver (memory in bytes); when one ends the verdict is UNKNOWN.

    >>> decision = decide_by_cards(Formula(2, ((1, 2), (-1, 2), (1, -2))))
    >>> decision.assignment, decision.reduction.c
    ((True, True), 13)
    """
    clock = Clock(seconds)
    three = to_three_sat(formula)
    reduction = reduce(
        three.formula, variant=variant, hand_size=hand_size, multiplicity=multiplicity
    )
    verdict = sat.solve(reduction, seconds=clock.left, memory=memory)
    assignment = None
    if verdict.status is Status.WINNABLE and verdict.witness is not None:
        assignment = three.restore(assignment_of(reduction, reduction.annotation, verdict.witness))
    return Decision(reduction, verdict, assignment, clock.elapsed)
