"""UCT, a tree search that spends its play-outs where they count [Bergh2016, section 5].

The paper names it as further work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import decide
from hanabi.players.monte_carlo.player import check_number
from hanabi.players.rule_based import RuleBased
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.game.config import Rules
    from hanabi.players.monte_carlo.kernels.uct import UctPolicy

__all__ = ["Uct"]

_MOST_PLAYOUTS = 10**6


@dataclass(frozen=True, slots=True)
class Uct:
    """Grows a tree of actions over deals that can be, and takes the best action.

    Each play-out has a deal of its own, drawn as `MonteCarlo` draws them. It goes down the tree by
    the highest upper bound of the average score, adds one action, and lets rule-based players go on
    to the end. What they would do is tried first, and is done unless the action that was tried most
    is better by so many standard errors of the difference. The seats' choices in the tree depend on
    the actions before them alone, so nobody acts on cards that the searching seat does not see; see
    `hanabi.players.monte_carlo.kernels.uct` for the sources.

    Attributes
    ----------
    playouts
        Play-outs of a decision.
    exploration
        The factor of the upper bounds' width, in parts of the highest score.
    caution
        How many standard errors better than the rule-based player's an action must be.
    play
        From which probability the rule-based player plays a card; see `RuleBased`.

    Raises
    ------
    InvalidInputError
        If a number is out of range: `playouts` 1 to 1,000,000, `exploration` and `caution` 0 to
        1,000, `play` 0 to 1.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.bergh2016()
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> Uct(playouts=50).act(game.view(0), Stream(1)) in game.legal_actions
    True
    """

    playouts: int = 1000
    exploration: float = 0.03
    caution: float = 1.0
    play: float = 0.6

    def __post_init__(self) -> None:
        check_number("playouts", self.playouts, 1, _MOST_PLAYOUTS)
        check_number("exploration", self.exploration, 0, 1000)
        check_number("caution", self.caution, 0, 1000)
        RuleBased(play=self.play)

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the best action; `rng` gives the seed of the decision."""
        return decide(self.compiled(view.rules), view, rng)

    def compiled(self, rules: Rules, /) -> UctPolicy:
        """Return the compiled policy."""
        import numpy as np

        from hanabi.players.monte_carlo.kernels.uct import UNIT, UctPolicy

        words = [self.playouts, round(self.exploration * UNIT), round(self.caution * UNIT)]
        return UctPolicy(RuleBased(play=self.play).compiled(rules), np.array(words, np.int64))
