"""Players: agents that see a view and return an action, and the arena where they play.

Importing this package imports neither NumPy nor Numba.
"""

from __future__ import annotations

from hanabi.players.arena import outcomes, play_game, simulate
from hanabi.players.baselines import FirstLegal, RandomLegal
from hanabi.players.protocol import Player
from hanabi.players.registry import PLAYERS, parse_player
from hanabi.players.rule_based import RuleBased
from hanabi.players.tally import Scores, Tally

__all__ = [
    "PLAYERS",
    "FirstLegal",
    "Player",
    "RandomLegal",
    "RuleBased",
    "Scores",
    "Tally",
    "outcomes",
    "parse_player",
    "play_game",
    "simulate",
]
