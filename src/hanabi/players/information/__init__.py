"""The information player: hints that tell all seats something at once."""

from __future__ import annotations

from hanabi.players.information.player import Information, weights_of

__all__ = ["Information", "weights_of"]
