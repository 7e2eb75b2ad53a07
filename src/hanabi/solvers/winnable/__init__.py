"""The full game with all cards face up: decide whether a deck or a position can be won.

Importing this package imports neither NumPy nor Numba.
"""

from hanabi.solvers.winnable.fewest import FewestTurns, fewest_turns, turns_lost
from hanabi.solvers.winnable.pace import Refutation, refute
from hanabi.solvers.winnable.position import Goal, Line, Position, replay
from hanabi.solvers.winnable.reasons import explain
from hanabi.solvers.winnable.solver import best, solve, solve_game

__all__ = [
    "FewestTurns",
    "Goal",
    "Line",
    "Position",
    "Refutation",
    "best",
    "explain",
    "fewest_turns",
    "refute",
    "replay",
    "solve",
    "solve_game",
    "turns_lost",
]
