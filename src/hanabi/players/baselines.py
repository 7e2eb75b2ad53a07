"""Trivial players, as baselines for others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.ground import Stream, counted
from hanabi.rules import Action, View, check_action, instead

if TYPE_CHECKING:
    from hanabi.players.kernels.games import RandomPolicy
    from hanabi.rules import Rules

__all__ = ["FirstLegal", "RandomLegal"]


def _choices(view: View) -> str:
    return counted(len(view.legal_actions), "legal action")


@dataclass(frozen=True, slots=True)
class FirstLegal:
    """Take the first legal action: play the first card, whatever it is.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> print(FirstLegal().act(view, Stream(1)))
    play slot 0
    """

    def act(self, view: View, _: Stream, /) -> Action:
        """Return the first legal action."""
        return view.legal_actions[0]

    def why(self, view: View, action: Action, /) -> str:
        """Return why the player takes an action, in one sentence."""
        check_action(view, action)
        first, reason = view.legal_actions[0], f"the first of {_choices(view)}"
        return reason if action == first else instead(view, first, reason)


@dataclass(frozen=True, slots=True)
class RandomLegal:
    """Take any legal action, all with the same probability.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> print(RandomLegal().act(view, Stream(1)))
    hint 5 to seat 1
    """

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return a legal action drawn from `rng`."""
        return view.legal_actions[rng.below(len(view.legal_actions))]

    def why(self, view: View, action: Action, /) -> str:
        """Return why the player takes an action, in one sentence."""
        check_action(view, action)
        return f"drawn at random from {_choices(view)}"

    def compiled(self, _: Rules, /) -> RandomPolicy:
        """Return the compiled policy."""
        from hanabi.players.kernels.games import RandomPolicy

        return RandomPolicy()
