"""A player that sees all hands and searches: how well anybody could play who does not see the deck."""

from __future__ import annotations

from hanabi.players.open_hands.player import OpenHands

__all__ = ["OpenHands"]
