"""Solitaire Hanabi [Baffier2017]: one player, every card known, a stream of cards."""

from __future__ import annotations

from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Action, BrokenRule, Move, Play, find_broken_rule, verify_play

__all__ = [
    "Action",
    "BrokenRule",
    "Instance",
    "Move",
    "Play",
    "find_broken_rule",
    "verify_play",
]
