"""Players that do not think, to measure others by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import play_compiled
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.game.config import Rules

__all__ = ["FirstLegal", "RandomLegal"]


@dataclass(frozen=True, slots=True)
class FirstLegal:
    """Takes the first legal action: plays its first card, whatever it is.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> print(FirstLegal().act(view, Stream(1)))
    play slot 0
    """

    def act(self, view: View, _: Stream, /) -> Action:
        """Return the first legal action."""
        return view.legal_actions[0]


@dataclass(frozen=True, slots=True)
class RandomLegal:
    """Takes any legal action, all with the same probability.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> print(RandomLegal().act(view, Stream(1)))
    hint 5 to seat 1
    """

    def act(self, view: View, stream: Stream, /) -> Action:
        """Return a legal action drawn from the stream."""
        return view.legal_actions[stream.below(len(view.legal_actions))]

    def play_deals(
        self, rules: Rules, seeds: tuple[int, int], first: int, games: int, /
    ) -> npt.NDArray[np.int64]:
        """Play whole deals in compiled code."""
        from hanabi.players.kernels.random_play import play_games

        return play_compiled(play_games, rules, self.policy(rules), seeds, first, games)

    def policy(self, _: Rules, /) -> npt.NDArray[np.int64]:
        """Return the options of the compiled policy: none but its number."""
        import numpy as np

        return np.zeros(1, np.int64)
