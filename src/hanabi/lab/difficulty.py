"""The former place of names that are now in `hanabi.lab.decks`."""

from hanabi.lab.decks import RenamedGames, renamed_games

__all__ = ["RenamedGames", "renamed_games"]
