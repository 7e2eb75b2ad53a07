"""What a player is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.game.config import Rules

__all__ = ["CompiledPlayer", "Player", "Policy"]

Policy: TypeAlias = tuple[object, ...]
"""A record whose class says what a compiled player does; see `hanabi.players.kernels.policy`."""


class Player(Protocol):
    """An agent. It decides by its view, which holds the whole history, and its stream alone.

    The same player sits at every seat, and at many tables at once; what it kept would be another
    seat's. Fresh ones are asked again to find that out: see `hanabi.players.fresh`.
    """

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`.

        Parameters
        ----------
        view
            What the seat to act may know.
        rng
            Where all randomness comes from, so that games can be repeated. The seats of a game
            draw from the same stream.
        """
        ...


@runtime_checkable
class CompiledPlayer(Protocol):
    """A player whose decisions a compiled policy takes, too."""

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""
        ...

    def compiled(self, rules: Rules, /) -> Policy | None:
        """Return the policy, which decides as `act` does, or None: there is none.

        Raises
        ------
        InvalidInputError
            If the player does not play by these rules.
        """
        ...
