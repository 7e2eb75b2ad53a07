"""The former place of names that are now in `hanabi.players.registry`."""

from hanabi.players.registry import GROUP, installed_players

__all__ = ["GROUP", "installed_players"]
