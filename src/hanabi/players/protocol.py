"""What a player is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.game.config import Rules

__all__ = ["CompiledPlayer", "Player"]


class Player(Protocol):
    """An agent. It keeps nothing between turns: the view holds the whole history.

    The same player may sit at every seat, and at many tables at once.
    """

    def act(self, view: View, stream: Stream, /) -> Action:
        """Return one of `view.legal_actions`.

        Parameters
        ----------
        view
            What the seat to act may know.
        stream
            Where all randomness comes from, so that games can be repeated. The seats of a game
            draw from the same stream.
        """
        ...


@runtime_checkable
class CompiledPlayer(Protocol):
    """A player that also plays whole games in compiled code, with the same decisions."""

    def act(self, view: View, stream: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""
        ...

    def options(self, rules: Rules, /) -> npt.NDArray[np.int64]:
        """Return the `options` that make `hanabi.kernels.players.play_games` play like this."""
        ...
