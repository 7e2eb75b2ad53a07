"""Players: agents that see a view and return an action, and the arena where they play.

Importing this package imports neither NumPy nor Numba.
"""

from hanabi.players.arena import Scores, Tally, outcomes, simulate
from hanabi.players.baselines import FirstLegal, RandomLegal
from hanabi.players.belief import Belief
from hanabi.players.cheating import Cheating
from hanabi.players.convention import Convention
from hanabi.players.endgame import Endgame
from hanabi.players.hgroup import HGroup
from hanabi.players.information import Information
from hanabi.players.monte_carlo import MonteCarlo, Rollouts, Uct
from hanabi.players.open_hands import OpenHands
from hanabi.players.protocol import Player, play_game, why
from hanabi.players.registry import PLAYERS, parse_player
from hanabi.players.rule_based import RuleBased
from hanabi.players.rule_lists import Flawed, Iggi, Outer, Piers, VanDenBergh
from hanabi.players.smart import Smart

__all__ = [
    "PLAYERS",
    "Belief",
    "Cheating",
    "Convention",
    "Endgame",
    "FirstLegal",
    "Flawed",
    "HGroup",
    "Iggi",
    "Information",
    "MonteCarlo",
    "OpenHands",
    "Outer",
    "Piers",
    "Player",
    "RandomLegal",
    "Rollouts",
    "RuleBased",
    "Scores",
    "Smart",
    "Tally",
    "Uct",
    "VanDenBergh",
    "outcomes",
    "parse_player",
    "play_game",
    "simulate",
    "why",
]
