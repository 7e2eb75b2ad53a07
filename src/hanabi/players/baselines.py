"""Trivial players, as baselines for others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.game.config import Rules
    from hanabi.players.kernels.games import RandomPolicy

__all__ = ["FirstLegal", "RandomLegal"]


@dataclass(frozen=True, slots=True)
class FirstLegal:
    """Take the first legal action: play the first card, whatever it is.

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
    """Take any legal action, all with the same probability.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> print(RandomLegal().act(view, Stream(1)))
    hint 5 to seat 1
    """

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return a legal action drawn from `rng`."""
        return view.legal_actions[rng.below(len(view.legal_actions))]

    def compiled(self, _: Rules, /) -> RandomPolicy:
        """Return the compiled policy."""
        from hanabi.players.kernels.games import RandomPolicy

        return RandomPolicy()
