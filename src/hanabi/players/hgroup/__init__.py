"""The H-Group's conventions."""

from hanabi.players.hgroup.explain import Told, expected, readings, slips
from hanabi.players.hgroup.player import HGroup

__all__ = ["HGroup", "Told", "expected", "readings", "slips"]
