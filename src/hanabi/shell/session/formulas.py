"""Reductions of formulas and graphs to cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.ground import InvalidInputError, naming, quote
from hanabi.rules import is_dimacs, is_graph, lines_of, load, solitaire_from_json
from hanabi.shell.session.inputs import Source, instance_of, text_of
from hanabi.solitaire import (
    GRAPH_VARIANTS,
    SETS,
    Annotation,
    Formula,
    Graph,
    Instance,
    normal_form,
    read_dimacs,
    read_graph,
)
from hanabi.solitaire import reduce as reduce_problem

if TYPE_CHECKING:
    from hanabi.solitaire import Reduction

__all__ = ["normal_problem", "parse_problem", "read_annotation", "read_reduction", "reduce"]


def reduce(
    formula: Formula | Graph | Source,
    *,
    variant: str = "paper",
    hand_size: int | None = None,
    multiplicity: int | None = None,
    values: int | None = None,
    players: int | None = None,
) -> Reduction:
    r"""Reduce a formula to cards that can be won exactly if it is satisfiable [Baffier2017].

    The formula is first rewritten as the variant takes it, most often with three different
    variables in each clause; the variables added for that come after its own. The variants "clique"
    and "two_colors_by_hand" reduce a graph to cards that can be won exactly if it has a clique with
    a vertex of each class, "most_cards_two_copies" and "most_cards_one_copy" to cards of which as
    many more can be played as an independent set has vertices.

    Parameters
    ----------
    formula
        A formula or graph, or the name or text of a DIMACS file.
    variant, hand_size, multiplicity, values, players
        The same as for :func:`hanabi.solitaire.hardness.reduce`, which has more options.

    Returns
    -------
    Reduction
        An instance of Solitaire Hanabi, for `solve`, with its `annotation`.

    Raises
    ------
    InvalidInputError
        If `formula` is neither, or the options do not fit.

    >>> reduce("p cnf 3 1\n1 -2 3 0\n")
    Instance(hand_size=2, N=121, n=10, c=7, r=2)
    >>> reduce("p edge 2 1\nn 1 1\nn 2 2\ne 1 2\n", variant="clique")
    Instance(hand_size=1, N=220, n=32, c=6, r=2)
    """
    given = formula
    if not isinstance(given, Formula | Graph):
        text, name = text_of(given)
        with naming(name):
            if not (is_dimacs(text) or is_graph(text)):
                raise InvalidInputError(
                    f"{quote(formula)} is no formula and no graph: DIMACS begins with `p cnf` or"
                    " `p edge`"
                )
            given = parse_problem(text, variant)
    return reduce_problem(
        normal_problem(given, variant),
        variant=variant,
        hand_size=hand_size,
        multiplicity=multiplicity,
        values=values,
        players=players,
    )


def normal_problem(problem: Formula | Graph, variant: str) -> Formula | Graph:
    """Return a problem as a variant takes it.

    >>> normal_problem(Formula(2, ((1, 2), (1, -1))), "three_values").clauses
    ((1, 2),)
    """
    return problem if isinstance(problem, Graph) else normal_form(problem, variant).formula


def parse_problem(text: str, variant: str) -> Formula | Graph:
    r"""Read the formula or graph that a variant takes from the text of a DIMACS file.

    >>> parse_problem("p edge 1 0\nn 1 1\n", "clique")
    Graph(classes=(1,), edges=())
    """
    if is_graph(text):
        if variant not in GRAPH_VARIANTS:
            known = " or ".join(f"'{name}'" for name in GRAPH_VARIANTS)
            raise InvalidInputError(f"it is a graph, which is for variant {known}")
    elif variant not in GRAPH_VARIANTS:
        return read_dimacs(lines_of(text))
    elif is_dimacs(text):
        raise InvalidInputError(f"it is a formula, and variant '{variant}' takes a graph")
    return read_graph(lines_of(text), has_classes=variant not in SETS)


def read_reduction(text: str, *, variant: str) -> tuple[Instance, Annotation]:
    r"""Read cards that `hanabi reduce` made, or reduce a formula or graph to cards.

    >>> read_reduction("p cnf 3 1\n1 -2 3 0\n", variant="constant_two")[0]
    Instance(hand_size=2, N=50, n=4, c=8, r=2)
    """
    if not text.lstrip().startswith("{"):
        reduction = reduce(parse_problem(text, variant), variant=variant)
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
