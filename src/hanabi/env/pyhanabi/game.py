"""A game that states can be made of."""

from __future__ import annotations

from hanabi.env.pyhanabi.parameters import Parameters
from hanabi.env.pyhanabi.state import HanabiState

__all__ = ["HanabiGame"]


class HanabiGame(Parameters):
    """The parameters of a game, of which new games are made.

    >>> HanabiGame({"players": 4, "seed": 1}).new_initial_state().deck_size()
    50
    """

    def new_initial_state(self) -> HanabiState:
        """Return a new game, before the deal."""
        return HanabiState(self)
