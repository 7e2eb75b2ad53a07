"""The full game: rule sets, immutable positions, and the views of single seats.

:mod:`hanabi.game.replay` reads recorded games. Importing this package imports neither NumPy nor
Numba.
"""

from hanabi.game.actions import (
    Action,
    Kind,
    discard,
    discard_deck,
    hint_color,
    hint_rank,
    play,
    play_deck,
)
from hanabi.game.config import PRESETS, Rules
from hanabi.game.events import Event, Hint
from hanabi.game.state import Game, perft
from hanabi.game.table import EndReason, Knowledge, Rating, Table, rating
from hanabi.game.view import View

__all__ = [
    "PRESETS",
    "Action",
    "EndReason",
    "Event",
    "Game",
    "Hint",
    "Kind",
    "Knowledge",
    "Rating",
    "Rules",
    "Table",
    "View",
    "discard",
    "discard_deck",
    "hint_color",
    "hint_rank",
    "perft",
    "play",
    "play_deck",
    "rating",
]
