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

__all__ = ["CompiledPlayer", "Player", "PolicyPlayer"]


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

    def play_deals(
        self, rules: Rules, seeds: tuple[int, int], first: int, games: int, /
    ) -> npt.NDArray[np.int64]:
        """Play deals, seated everywhere, and return one outcome each.

        Parameters
        ----------
        rules
            The rules, seats included.
        seeds
            Deal `index` is `rules.spec.shuffle(seeds[0], index)`, and its decisions are drawn from
            `Stream(seeds[1], index)`.
        first, games
            The first index, and how many.

        Returns
        -------
        ndarray
            Shape (games,): `points << 1 | is_bombed`, points being the cards on the piles, those
            of a bombed game too.
        """
        ...


@runtime_checkable
class PolicyPlayer(Protocol):
    """A player whose decisions are one of the policies of `hanabi.players.kernels.policies`.

    Nobody else has a method `policy`: it is how these players are told apart.
    """

    def act(self, view: View, stream: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""
        ...

    def policy(self, rules: Rules, /) -> npt.NDArray[np.int64]:
        """Return the options of the policy; the first word says which policy."""
        ...
