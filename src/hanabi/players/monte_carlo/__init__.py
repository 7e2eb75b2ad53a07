"""Monte Carlo players: every action is tried in possible deals, and the best is taken.

`MonteCarlo` is the player of [Bergh2016, section 4]: random play-outs of a few turns. The paper
leaves much open: each choice is an option here, and the defaults are the reading that gives its
results. `Rollouts` goes further: the rule-based player plays the rest of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.deck import Deck
from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import borrow, check_turn, complete_view, decide
from hanabi.players.parameters import check_ranges, refuse_rules
from hanabi.players.rule_based import RuleBased
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.game.config import Rules
    from hanabi.players.monte_carlo.kernels.playouts import MonteCarloPolicy
    from hanabi.players.monte_carlo.kernels.rollouts import RolloutsPolicy
    from hanabi.players.monte_carlo.kernels.uct import UctPolicy

__all__ = ["MonteCarlo", "Rollouts", "Uct", "draw_world"]

_MOST_PLAYOUTS = 10**6


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """Takes the action after which random play is worth most [Bergh2016].

    Every action is tried once in each of a number of deals that agree with what the player sees and
    has heard, all equally likely. Then the players play at random for some turns: any action, but
    no play that hints tell to fail, and plays of better known cards more often. Errors do not end a
    play-out. The worth after a turn is a point for each card played since now and -k for the k-th
    error of the game; the turns' worths are added up, the t-th t times.

    Attributes
    ----------
    playouts
        Play-outs of each action.
    turns
        Turns of a play-out, the action tried included: the paper's D.
    favour
        How much each known attribute of a card, color or rank, adds to the weight of its play:
        that and all other actions have a weight of 1, and are drawn accordingly.
    narrow
        Whether a play's weight is 1 / (cards that hints leave possible)**2 instead.
    redraw
        Whether all actions have the same weight, but if it is a play, the card is drawn anew by
        the plays' weights.
    cumulative
        Whether a turn's worth counts all points and errors since now, not only the turn's own.
    linear
        Whether later turns count more, turn t as t.
    since
        Whether errors are counted from now, not from the game's start.

    Raises
    ------
    InvalidInputError
        If a number is out of range: `playouts` 1 to 1,000,000, `turns` 1 to 1,000, `favour` 0 to
        1,000,000.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.bergh2016()
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> MonteCarlo(playouts=20).act(game.view(0), Stream(1)) in game.legal_actions
    True
    """

    playouts: int = 500
    turns: int = 5
    favour: int = 4
    narrow: bool = False
    redraw: bool = False
    cumulative: bool = True
    linear: bool = True
    since: bool = False

    def __post_init__(self) -> None:
        check_ranges(self, playouts=(1, _MOST_PLAYOUTS), turns=(1, 1000), favour=(0, 10**6))

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the best action; `rng` gives the seed of the decision."""
        return decide(self.compiled(view.rules), view, rng)

    def compiled(self, rules: Rules, /) -> MonteCarloPolicy:
        """Return the compiled policy."""
        refuse_rules(rules, "monte-carlo")
        import numpy as np

        from hanabi.players.monte_carlo.kernels import playouts as k
        from hanabi.players.monte_carlo.kernels.playouts import MonteCarloPolicy

        words = {
            k.PLAYOUTS: self.playouts,
            k.TURNS: self.turns,
            k.FAVOUR: self.favour,
            k.NARROW: self.narrow,
            k.REDRAW: self.redraw,
            k.CUMULATIVE: self.cumulative,
            k.LINEAR: self.linear,
            k.SINCE: self.since,
        }
        return MonteCarloPolicy(np.array([words[word] for word in range(k.OPTIONS)], np.int64))


@dataclass(frozen=True, slots=True)
class Rollouts:
    """Takes the action after which the rule-based player scores most.

    Actions are tried in the same deals, drawn as `MonteCarlo` draws them, and rule-based players at
    all seats play each to the end. After a share of the play-outs the worse half of the actions is
    given up, until one is left; it is taken if it is better than what the rule-based player would
    do by so many standard errors of the difference, deal by deal. This caution is most of its
    strength: of many actions that are as good as each other, one always looks better by chance.

    Attributes
    ----------
    playouts
        About how many play-outs a decision takes, of all actions together.
    caution
        How many standard errors better than the rule-based player's an action must be.
    play
        From which probability the rule-based player plays a card; see `RuleBased`.

    Raises
    ------
    InvalidInputError
        If a number is out of range: `playouts` 1 to 1,000,000, `caution` 0 to 1,000, `play` 0 to 1.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.bergh2016()
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> Rollouts(playouts=50).act(game.view(0), Stream(1)) in game.legal_actions
    True
    """

    playouts: int = 1000
    caution: float = 2.0
    play: float = 0.6

    def __post_init__(self) -> None:
        check_ranges(self, playouts=(1, _MOST_PLAYOUTS), caution=(0, 1000), play=(0, 1))

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the best action; `rng` gives the seed of the decision."""
        return decide(self.compiled(view.rules), view, rng)

    def compiled(self, rules: Rules, /) -> RolloutsPolicy:
        """Return the compiled policy."""
        import numpy as np

        from hanabi.players.monte_carlo.kernels.rollouts import CAUTION_UNIT, RolloutsPolicy

        options = np.array([self.playouts, round(self.caution * CAUTION_UNIT)], np.int64)
        return RolloutsPolicy(RuleBased(play=self.play).compiled(rules), options)


@dataclass(frozen=True, slots=True)
class Uct:
    """Grows a tree of actions over possible deals, and takes the best action.

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
        check_ranges(
            self,
            playouts=(1, _MOST_PLAYOUTS),
            exploration=(0, 1000),
            caution=(0, 1000),
            play=(0, 1),
        )

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the best action; `rng` gives the seed of the decision."""
        return decide(self.compiled(view.rules), view, rng)

    def compiled(self, rules: Rules, /) -> UctPolicy:
        """Return the compiled policy."""
        import numpy as np

        from hanabi.players.monte_carlo.kernels.uct import UNIT, UctPolicy

        words = [self.playouts, round(self.exploration * UNIT), round(self.caution * UNIT)]
        return UctPolicy(RuleBased(play=self.play).compiled(rules), np.array(words, np.int64))


def draw_world(view: View, rng: Stream) -> Deck:
    """Return a deck that agrees with all that the seat to act knows.

    All deals of the cards that it has not seen to its own hand and the rest of the deck that agree
    with what hints say have the same probability. O(deck size) if hints about different slots name
    only colors or only ranks; else a few times that.

    Raises
    ------
    InvalidInputError
        If the game is over, or another seat is to act.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> world = draw_world(game.view(0), Stream(1))
    >>> world[5:10] == game.deck[5:10], world[10:] == game.deck[10:]
    (True, False)
    """
    import numpy as np

    from hanabi.compiled.rng import split
    from hanabi.game.packing import unpack_deck
    from hanabi.players.monte_carlo.kernels import worlds

    check_turn(view)
    position = complete_view(view)
    rules, deck, state = position
    world, scratch = np.empty_like(deck), np.empty(worlds.worlds_size(rules), np.int64)
    worlds.prepare_worlds(position, world, scratch)
    with borrow(rng) as words:
        worlds.draw_world(rules, state, deck.size, split(words), world, scratch)
    return unpack_deck(world)
