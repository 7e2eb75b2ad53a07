"""Formulas to lay out as cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError, quote
from hanabi.hardness import Formula, to_three_sat
from hanabi.hardness import reduce as reduce_three_sat
from hanabi.session.inputs import Source, read

if TYPE_CHECKING:
    from hanabi.hardness import Reduction

__all__ = ["reduce"]


def reduce(
    formula: Formula | Source,
    *,
    variant: str = "paper",
    hand_size: int | None = None,
    multiplicity: int | None = None,
    players: int | None = None,
) -> Reduction:
    r"""Turn a formula into cards that can be won exactly if it is satisfiable [Baffier2017].

    Clauses are first brought to three different variables each; variables added for that come
    after the formula's own.

    Parameters
    ----------
    formula
        A formula, or a file or text in DIMACS form.
    variant, hand_size, multiplicity, players
        As for :func:`hanabi.hardness.reduce`, which has more options.

    Returns
    -------
    Reduction
        An instance of Solitaire Hanabi, which `solve` takes, with its `annotation`.

    Raises
    ------
    InvalidInputError
        If it is no formula, or the options do not fit.

    >>> reduce("p cnf 3 1\n1 -2 3 0\n")
    Instance(hand_size=2, N=121, n=10, c=7, r=2)
    """
    given = formula if isinstance(formula, Formula) else read(formula)
    if not isinstance(given, Formula):
        raise InvalidInputError(f"{quote(formula)} is no formula: DIMACS begins with `p cnf`")
    return reduce_three_sat(
        to_three_sat(given).formula,
        variant=variant,
        hand_size=hand_size,
        multiplicity=multiplicity,
        players=players,
    )
