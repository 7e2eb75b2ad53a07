"""The H-Group's conventions: what hints and discards mean, a player by them, practice."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.conventions.choice import expected_loss, loss_of, options
    from hanabi.conventions.clues import clue_of
    from hanabi.conventions.conventions import LEVELS, TERMS
    from hanabi.conventions.explain import Told, expected, readings, slips
    from hanabi.conventions.following import give
    from hanabi.conventions.notes import (
        ConventionNotes, convention_notes, level_of, move_notes, seat_notes,
    )
    from hanabi.conventions.player import HGroup, mind_of
    from hanabi.conventions.practice import draw_exercise, exercises
    from hanabi.conventions.suite import QUESTIONS, answer
    from hanabi.conventions.table import PRICE
    from hanabi.conventions.variants import refuse_variant

__all__ = [
    "HGroup",
    "Told",
    "expected",
    "readings",
    "slips",
]

open_door(__name__)
