"""Satisfiability: formulas, cardinality constraints, DIMACS, and solvers in their own processes.

A formula is a :class:`Cnf`; :func:`decide` decides whether it is satisfiable.

>>> cnf = Cnf()
>>> boxes = cnf.new_vars((3, 2))  # three pigeons, two boxes
>>> cnf.add(boxes)
>>> at_most(cnf, boxes.T, 1)
>>> print(decide(cnf).status)
unsatisfiable
"""

from hanabi.ground.errors import BudgetEndedError
from hanabi.ground.sat.cardinality import IncrementalTotalizer, at_most
from hanabi.ground.sat.cnf import ClauseBuilder, Cnf
from hanabi.ground.sat.engine import Engine, Satisfiability, SatResult, solve_here
from hanabi.ground.sat.process import decide, race, solve

__all__ = [
    "BudgetEndedError",
    "ClauseBuilder",
    "Cnf",
    "Engine",
    "IncrementalTotalizer",
    "SatResult",
    "Satisfiability",
    "at_most",
    "decide",
    "race",
    "solve",
    "solve_here",
]
