"""A wrapper that makes any player search when little is unknown."""

from __future__ import annotations

from hanabi.players.endgame.player import Endgame

__all__ = ["Endgame"]
