"""Monte Carlo players: play-outs in deals that can be, flat, by rules, and in a tree."""

from __future__ import annotations

from hanabi.players.monte_carlo.player import MonteCarlo, Rollouts
from hanabi.players.monte_carlo.uct import Uct

__all__ = ["MonteCarlo", "Rollouts", "Uct"]
