"""The full game with all cards face up: decide whether a deck or a position can be won.

Importing this package imports neither NumPy nor Numba.
"""

from hanabi.solvers.winnable.pace import Refutation, refute
from hanabi.solvers.winnable.position import Goal, Line, Position, replay
from hanabi.solvers.winnable.reasons import explain
from hanabi.solvers.winnable.solver import best, solve, solve_game

__all__ = [
    "Goal",
    "Line",
    "Position",
    "Refutation",
    "best",
    "explain",
    "refute",
    "replay",
    "solve",
    "solve_game",
]
