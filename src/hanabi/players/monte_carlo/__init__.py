"""Monte Carlo players, which try every action in possible deals and take the best.

`MonteCarlo` is the player of [Bergh2016, section 4]: random play-outs of a few turns. The paper
leaves much open. Each choice is an option here, and the defaults are the reading that reproduces
its results. `Rollouts` goes further and lets the rule-based player finish the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from hanabi.ground import counted
from hanabi.rules import Action
from hanabi.rules import deed
from hanabi.rules import View
from hanabi.rules import joined, say
from hanabi.players.compiled import PolicyPlayer, Thinking, borrow
from hanabi.rules import check_ranges, refuse_rules
from hanabi.players.rule_based import RuleBased
from hanabi.ground import Stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hanabi.rules import Rules
    from hanabi.players.monte_carlo.kernels.playouts import MonteCarloPolicy
    from hanabi.players.monte_carlo.kernels.search import RolloutsPolicy, UctPolicy

__all__ = ["MonteCarlo", "Rollouts", "Uct"]

_PLAYOUTS = (1, 10**6)
_SEARCH = MappingProxyType({"playouts": _PLAYOUTS, "caution": (0, 1000), "play": (0, 1)})
"""The ranges of the parameters that `Rollouts` and `Uct` share."""


@dataclass(frozen=True, slots=True)
class MonteCarlo(PolicyPlayer):
    """Take the action with the best random play-outs.

    The player draws equally likely deals that agree with its cards in view and the hints, and tries
    every action once in each. Then all seats play at random for some turns. They take any action
    except plays that hints show to fail, and play better known cards more often. Errors do not end
    a play-out. After each turn, the play-out is worth one point for each card played since the
    decision, and -k for the k-th error of the game. Its value is the sum over its turns, with turn
    t counted t times.

    Attributes
    ----------
    playouts
        Number of play-outs of each action.
    turns
        Number of turns of a play-out, including the action tried: the paper's D.
    favour
        How much each known attribute of a card, color or rank, adds to the weight of its play.
        Every action has a weight of 1 before that, and actions are drawn in proportion to their
        weights.
    narrow
        Whether a play's weight is instead 1 / (number of possible cards by hints)**2.
    redraw
        Whether all actions have the same weight, with the card of a play drawn anew by the plays'
        weights.
    cumulative
        Whether a turn's value counts all points and errors since now, not only the turn's own.
    linear
        Whether turn t counts t times, so that later turns count more.
    since
        Whether errors are counted from now instead of from the start of the game.

    Raises
    ------
    InvalidInputError
        If a number is out of range: `playouts` 1 to 1,000,000, `turns` 1 to 1,000, `favour` 0 to
        1,000,000.

    >>> from hanabi.rules import Game, Rules
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
        check_ranges(self, playouts=_PLAYOUTS, turns=(1, 1000), favour=(0, 10**6))

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

    def _explain(self, at: Thinking, action: Action) -> str:
        import numpy as np

        from hanabi.rules import layout as k
        from hanabi.players.monte_carlo.kernels.playouts import try_actions

        codes = np.empty(at.position.rules[k.MAX_ACTIONS], np.int64)
        worth = np.empty_like(codes)
        with borrow(Stream(0)) as rng:
            n = try_actions(at.policy, at.position, rng, codes, worth)
        if n == 1:
            return "the only legal action"
        tried = [
            (Action.from_code(code), total / self.playouts)
            for code, total in zip(codes[:n].tolist(), worth[:n].tolist(), strict=True)
        ]
        value = dict(tried)[action]
        turns = counted(int(self.turns), "turn")
        of = counted(int(self.playouts), "play-out")
        return say("worth {:.2f} in {} of {}{}", value, of, turns, _others(at.view, tried, action))


@dataclass(frozen=True, slots=True)
class Rollouts(PolicyPlayer):
    """Take the action with the best rule-based play-outs.

    The player tries all actions in the same deals, drawn as `MonteCarlo` draws them, and rule-based
    players at all seats finish each game. It halves the actions in rounds: each spends a share of
    the play-outs and drops the worse half, until one is left. It takes that action only if it beats
    the rule-based player's own by `caution` standard errors of the paired difference. Most of its
    strength comes from this caution: among many equally good actions, one always looks better by
    chance.

    Attributes
    ----------
    playouts
        Approximate number of play-outs per decision, over all actions together.
    caution
        Required gain over the rule-based player's action, in standard errors.
    play
        The probability from which the rule-based player plays a card; see `RuleBased`.

    Raises
    ------
    InvalidInputError
        If a number is out of range: `playouts` 1 to 1,000,000, `caution` 0 to 1,000, `play` 0 to 1.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.bergh2016()
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> Rollouts(playouts=50).act(game.view(0), Stream(1)) in game.legal_actions
    True
    """

    playouts: int = 1000
    caution: float = 2.0
    play: float = 0.6

    def __post_init__(self) -> None:
        check_ranges(self, **_SEARCH)

    def compiled(self, rules: Rules, /) -> RolloutsPolicy:
        """Return the compiled policy."""
        from hanabi.players.monte_carlo.kernels.search import UNIT, RolloutsPolicy

        return RolloutsPolicy(
            RuleBased(play=self.play).compiled(rules),
            int(self.playouts),
            round(self.caution * UNIT),
        )

    def _explain(self, at: Thinking, action: Action) -> str:
        from hanabi.players.monte_carlo.kernels.search import hold_contest

        with borrow(Stream(0)) as rng:
            held = hold_contest(at.policy, at.position, rng, at.memory, at.scratch)
        codes, worlds, gains, _ = (each.tolist() for each in held)
        if len(codes) == 1:
            return "the only action that makes a difference"
        actions = [Action.from_code(code) for code in codes]
        usual = say("the rule-based player's {}", deed(at.view, actions[0]))
        parts = [
            say("{} {:+.2f} in {}", deed(at.view, other), gain / n, counted(n, "play-out"))
            for other, n, gain in zip(actions[1:3], worlds[1:3], gains[1:3], strict=True)
            if other != action
        ]
        compared = say("; against it, {}", joined(", ", parts)) if parts else ""
        if action == actions[0]:
            return say("what the rule-based player does{}", compared)
        if action not in actions:
            against = compared or say(" against {}", usual)
            return say("has the prospects of an action that was tried{}", against)
        place = actions.index(action)
        gain, n = gains[place] / worlds[place], counted(worlds[place], "play-out")
        return say("{:+.2f} points against {} in {}{}", gain, usual, n, compared)


@dataclass(frozen=True, slots=True)
class Uct(PolicyPlayer):
    """Grow a tree of actions over possible deals, and take the best action.

    Each play-out has its own deal, drawn as `MonteCarlo` draws them. It descends the tree by the
    highest upper bound of the average score, adds one action, and lets rule-based players finish
    the game. Their action is tried first, and is taken unless the most tried action is better by
    `caution` standard errors of the difference. Choices in the tree depend only on the actions
    before them, so nobody acts on cards that the searching seat does not see; see
    `hanabi.players.monte_carlo.kernels.search` for the sources.

    Attributes
    ----------
    playouts
        Number of play-outs per decision.
    exploration
        The factor of the upper bounds' width, as a fraction of the highest score.
    caution
        Required gain over the rule-based player's action, in standard errors.
    play
        The probability from which the rule-based player plays a card; see `RuleBased`.

    Raises
    ------
    InvalidInputError
        If a number is out of range: `playouts` 1 to 1,000,000, `exploration` and `caution` 0 to
        1,000, `play` 0 to 1.

    >>> from hanabi.rules import Game, Rules
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
        check_ranges(self, exploration=(0, 1000), **_SEARCH)

    def compiled(self, rules: Rules, /) -> UctPolicy:
        """Return the compiled policy."""
        from hanabi.players.monte_carlo.kernels.search import UNIT, UctPolicy

        return UctPolicy(
            RuleBased(play=self.play).compiled(rules),
            int(self.playouts),
            round(self.exploration * UNIT),
            round(self.caution * UNIT),
        )

    def _explain(self, at: Thinking, action: Action) -> str:
        from hanabi.players.monte_carlo.kernels import search as k

        with borrow(Stream(0)) as rng:
            words = k.grow_tree(at.policy, at.position, rng, at.memory, at.scratch)
        nodes = words.reshape(-1, k.NODE).tolist()
        tried, visits = [], {}
        child = nodes[0][k.CHILD]
        while child:
            node = nodes[child]
            each = Action.from_code(node[k.ACTION])
            visits[each] = node[k.VISITS]
            tried.append((each, node[k.TOTAL] / node[k.VISITS]))
            child = node[k.NEXT]
        if action not in visits:
            return f"not among the actions that {counted(int(self.playouts), 'play-out')} tried"
        of = counted(int(self.playouts), "play-out")
        usual = Action.from_code(nodes[1][k.ACTION])  # the first node added
        head = "what the rule-based player does; " if action == usual else ""
        value, others = dict(tried)[action], _others(at.view, tried, action)
        return say("{}{:.2f} points in {:,} of {}{}", head, value, visits[action], of, others)


def _others(view: View, tried: Sequence[tuple[Action, float]], action: Action) -> str:
    """Return the best two other actions with their averages, in words."""
    others = [each for each in tried if each[0] != action]
    best = sorted(others, key=lambda each: -each[1])[:2]
    told = joined(", ", (say("{} {:.2f}", deed(view, other), value) for other, value in best))
    return say("; {}", told) if best else ""
