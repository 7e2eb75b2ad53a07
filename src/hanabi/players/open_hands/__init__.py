"""A player that sees all hands, but not the deck, and searches."""

from __future__ import annotations

from hanabi.players.open_hands.player import OpenHands

__all__ = ["OpenHands"]
