"""UCT, a tree search that spends its play-outs where they count [Bergh2016, section 5].

The paper names it as further work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import play_compiled
from hanabi.players.monte_carlo.player import check_number, pack_playing
from hanabi.players.recall import open_stream, recall
from hanabi.players.rule_based import RuleBased
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.game.config import Rules

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
    >>> Uct(playouts=50).act(game.view(0), Stream(1)) in game.legal_actions()
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

    def act(self, view: View, stream: Stream, /) -> Action:
        """Return the best action; the stream gives the seed of the decision."""
        import numpy as np

        from hanabi.players.monte_carlo.kernels.uct import POLICY, choose, room_size

        options = self.options(view.rules)
        rules, deck, state, memory = recall(view, options[POLICY:])
        room = np.empty(room_size(rules, options), np.int64)
        code = choose(rules, deck, state, options, open_stream(stream), memory, room)
        return Action.from_code(int(code))

    def play_deals(
        self, rules: Rules, seeds: tuple[int, int], first: int, games: int, /
    ) -> npt.NDArray[np.int64]:
        """Play deals in compiled code; see `CompiledPlayer`."""
        from hanabi.players.monte_carlo.kernels.uct import play_games

        return play_compiled(play_games, rules, self.options(rules), seeds, first, games)

    def options(self, rules: Rules, /) -> npt.NDArray[np.int64]:
        """Return the options of `hanabi.players.monte_carlo.kernels.uct`."""
        from hanabi.players.monte_carlo.kernels.uct import UNIT

        numbers = (self.playouts, round(self.exploration * UNIT), round(self.caution * UNIT))
        return pack_playing(rules, numbers, self.play)
