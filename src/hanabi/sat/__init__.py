"""Satisfiability: formulas, cardinality constraints, DIMACS, and solvers in their own processes.

A formula is a :class:`Cnf`; :func:`decide` answers it.

>>> cnf = Cnf()
>>> boxes = cnf.new_vars((3, 2))  # three pigeons, two boxes
>>> cnf.add(boxes)
>>> at_most(cnf, boxes.T, 1)
>>> print(decide(cnf).status)
unsatisfiable
"""

from __future__ import annotations

from hanabi.errors import BudgetEndedError
from hanabi.sat.cardinality import at_most, merge_counts, sequential_counter, totalizer
from hanabi.sat.cnf import Cnf
from hanabi.sat.draft import Draft, Tally
from hanabi.sat.engine import Answer, Engine, Satisfiability, solve_here
from hanabi.sat.process import decide, race, solve

__all__ = [
    "Answer",
    "BudgetEndedError",
    "Cnf",
    "Draft",
    "Engine",
    "Satisfiability",
    "Tally",
    "at_most",
    "decide",
    "merge_counts",
    "race",
    "sequential_counter",
    "solve",
    "solve_here",
    "totalizer",
]
