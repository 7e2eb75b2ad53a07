"""The convention player: hints that mean more than they say."""

from __future__ import annotations

from hanabi.players.convention.player import Convention

__all__ = ["Convention"]
