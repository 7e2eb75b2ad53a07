"""Reductions of formulas to cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError, quote
from hanabi.hardness import Annotation, Formula, read_dimacs, to_three_sat
from hanabi.hardness import reduce as reduce_three_sat
from hanabi.notation import lines_of
from hanabi.notation.json_forms import solitaire_from_json
from hanabi.notation.strict_json import load
from hanabi.session.inputs import Source, instance_of, read
from hanabi.solitaire.instance import Instance

if TYPE_CHECKING:
    from hanabi.hardness import Reduction

__all__ = ["read_annotation", "read_reduction", "reduce"]


def reduce(
    formula: Formula | Source,
    *,
    variant: str = "paper",
    hand_size: int | None = None,
    multiplicity: int | None = None,
    players: int | None = None,
) -> Reduction:
    r"""Reduce a formula to cards that can be won exactly if it is satisfiable [Baffier2017].

    The formula is first rewritten with three different variables in each clause; the variables
    added for that come after its own.

    Parameters
    ----------
    formula
        A formula, or the name or text of a DIMACS file.
    variant, hand_size, multiplicity, players
        The same as for :func:`hanabi.hardness.reduce`, which has more options.

    Returns
    -------
    Reduction
        An instance of Solitaire Hanabi, for `solve`, with its `annotation`.

    Raises
    ------
    InvalidInputError
        If `formula` is no formula, or the options do not fit.

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


def read_reduction(text: str, *, variant: str) -> tuple[Instance, Annotation]:
    r"""Read cards that `hanabi reduce` made, or reduce a formula to cards.

    >>> read_reduction("p cnf 3 1\n1 -2 3 0\n", variant="constant_two")[0]
    Instance(hand_size=2, N=50, n=4, c=8, r=2)
    """
    if not text.lstrip().startswith("{"):
        reduction = reduce(read_dimacs(lines_of(text)), variant=variant)
        return reduction, reduction.annotation
    data = load(text)
    if not isinstance(data, dict) or "annotation" not in data:
        raise InvalidInputError("there is no annotation: not made by hanabi reduce")
    given = solitaire_from_json(data)
    instance = instance_of(given, given.hand_size or 0)
    return instance, read_annotation(given.annotation, instance)


def read_annotation(data: object, instance: Instance) -> Annotation:
    """Return the role of each card of an instance, from its JSON document. O(size)."""
    annotation = Annotation.from_json(data)
    annotation.check(instance.N, instance.c)
    return annotation
