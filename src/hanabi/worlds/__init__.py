"""Worlds: which deals a seat cannot exclude."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.worlds.hidden import (
        Hidden, arrange, arrangements, complete_deck, fill_deck, replayed,
    )
    from hanabi.worlds.kernels.chances import new_counting, write_posteriors
    from hanabi.worlds.kernels.deals import list_worlds, sample_worlds

__all__ = [
    "Hidden",
    "arrange",
    "arrangements",
    "complete_deck",
    "fill_deck",
    "replayed",
]

open_door(__name__)
