"""A player that sees all hands: a yardstick for those that do not."""

from __future__ import annotations

from hanabi.players.cheating.player import Cheating

__all__ = ["Cheating"]
