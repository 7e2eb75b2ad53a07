"""A wrapper that searches over beliefs: deals in which the others would have done what they did."""

from __future__ import annotations

from hanabi.players.belief.player import Belief

__all__ = ["Belief"]
