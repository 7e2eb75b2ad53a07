"""NP-completeness as running code: from 3-SAT formulas to cards and back [Baffier2017, section 5].

>>> formula = Formula(3, ((1, -2, 3), (1, 2, -3)))
>>> reduction = reduce(formula)  # cards that can be won exactly if the formula is satisfiable
>>> play = winning_play(reduction, (True, False, False))
>>> assignment_of(reduction, reduction.annotation, play)
(True, False, False)
"""

from hanabi.solitaire.hardness.annotation import Annotation, Span
from hanabi.solitaire.hardness.approximation import (
    Approximation,
    approximation_table,
    classify_least_hand,
    classify_most_cards,
)
from hanabi.solitaire.hardness.certificates import (
    DEFAULT_VARIANT,
    Decision,
    Reading,
    assignment_of,
    decide_by_cards,
    partial_assignment_of,
    read_play,
    winning_play,
)
from hanabi.solitaire.hardness.complexity import Complexity, classify, complexity_tables
from hanabi.solitaire.hardness.formula import (
    Assignment,
    Formula,
    NormalForm,
    planted_formula,
    random_formula,
    read_dimacs,
    sparse_formula,
    to_three_sat,
    write_dimacs,
)
from hanabi.solitaire.hardness.graph import Graph, random_graph, read_graph
from hanabi.solitaire.hardness.reduction import (
    CLIQUE,
    GRAPH_VARIANTS,
    VARIANTS,
    Reduction,
    normal_form,
    reduce,
    stream_of,
    write_json,
)

__all__ = [
    "CLIQUE",
    "DEFAULT_VARIANT",
    "GRAPH_VARIANTS",
    "VARIANTS",
    "Annotation",
    "Approximation",
    "Assignment",
    "Complexity",
    "Decision",
    "Formula",
    "Graph",
    "NormalForm",
    "Reading",
    "Reduction",
    "Span",
    "approximation_table",
    "assignment_of",
    "classify",
    "classify_least_hand",
    "classify_most_cards",
    "complexity_tables",
    "decide_by_cards",
    "normal_form",
    "partial_assignment_of",
    "planted_formula",
    "random_formula",
    "random_graph",
    "read_dimacs",
    "read_graph",
    "read_play",
    "reduce",
    "sparse_formula",
    "stream_of",
    "to_three_sat",
    "winning_play",
    "write_dimacs",
    "write_json",
]
