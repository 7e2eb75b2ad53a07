"""The former place of names that are now in `hanabi.lab.tournament`."""

from hanabi.lab.tournament import FIRST_LOOK, clear_at, looks

__all__ = ["FIRST_LOOK", "clear_at", "looks"]
