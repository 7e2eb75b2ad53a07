"""A wrapper that makes any player search the deals that are possible for its seat.

While many cards are unseen, :class:`Endgame` acts as its player does. Once few enough deals agree
with everything that the seat knows, it tries each action in all of them and lets everybody follow
the player to the end. The average score is exact, provided that everybody does. It takes the action
with the best average, or the player's own if none is better. If there are too many deals, it can
search a uniform sample; then an action must be better by some standard errors.

The seat knows the hints and their meaning by the player's conventions. It does not try actions that
would be untruthful by these conventions, because the others would misread them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Self

from hanabi.ground import counted
from hanabi.rules import Game
from hanabi.rules import check_action, instead
from hanabi.rules import Action
from hanabi.rules import deed
from hanabi.rules import View
from hanabi.rules import say
from hanabi.players.compiled import borrow, decide, recall
from hanabi.rules import check_ranges, refuse_kinds, refuse_rules
from hanabi.players.protocol import (
    CompiledPlayer,
    Player,
    Wrapper,
    name_of,
    play_game,
    seated,
    why_of,
)
from hanabi.ground import Stream
from hanabi.worlds import Hidden, replayed

if TYPE_CHECKING:
    from hanabi.rules import Rules
    from hanabi.players.endgame.kernels import EndgamePolicy

__all__ = ["Endgame", "search_plainly"]

_MOST_WORLDS = 1_000_000
_MOST_KINDS = 62  # sets of cards are bits of a word


@dataclass(frozen=True, slots=True)
class Endgame(Wrapper):
    """Act as another player does, but search when little is unknown.

    If the player has a compiled policy (`CompiledPlayer`), the search is compiled, too. Otherwise
    the search calls the player for every decision of every deal, which is slow.

    Attributes
    ----------
    player
        The player to improve, which everybody is expected to follow.
    budget
        Most deals for a search of all of them, 0 to 1,000,000.
    samples
        Number of deals to draw if there are more than that, 0 to 1,000,000; 0 disables the search
        then.
    deck
        Most cards left to draw for a search, at least 0.
    caution
        Gain over the player's action that is required in drawn deals, in standard errors from 0 to
        100.

    Raises
    ------
    InvalidInputError
        If a number is out of range.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.players import RuleBased
    >>> rules = Rules.bergh2016()
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> player = Endgame(RuleBased(), budget=50)
    >>> player.act(game.view(0), Stream(1)) == RuleBased().act(game.view(0), Stream(1))
    True
    """

    player: Player
    budget: int = 100
    samples: int = 0
    deck: int = 3
    caution: float = 2.0

    def __post_init__(self) -> None:
        worlds = (0, _MOST_WORLDS)
        check_ranges(self, budget=worlds, samples=worlds, deck=(0, None), caution=(0, 100))

    @property
    def inner(self) -> Player:
        """The player to improve."""
        return self.player

    def around(self, player: Player, /) -> Self:
        """Return the same search around another player."""
        return replace(self, player=player)

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the action with the best average; `rng` supplies the seed of the search."""
        policy = self.compiled(view.rules)
        if policy is not None:
            return decide(policy, view, rng)

        return search_plainly(
            self.player, view, rng, (self.budget, self.samples, self.deck), self.caution
        )

    def why(self, view: View, action: Action, /) -> str:
        """Return why the player takes an action, in one sentence.

        These are the average scores in the deals that the search tries, always the same ones if
        they are drawn. While there is no search, it is the inner player's sentence, or says that
        the inner player has none. Takes about as long as a decision.

        Raises
        ------
        InvalidInputError
            If another seat is to act, or the player does not support the rules.
        IllegalActionError
            If the action is not legal.
        """
        check_action(view, action)
        found = self._compare(view, action)
        inner = why_of(self.player, view, action) or f"left to {name_of(self.player)}"
        if found.worlds == 0:
            return inner
        deals = counted(found.worlds, f"{'drawn' if found.is_sample else 'possible'} deal")
        points, own_points = found.points / found.worlds, found.own_points / found.worlds
        usual = f"{own_points:.2f} points on average in {deals}"
        if found.own == action:
            return say("{}; {}", inner, usual)
        if found.points < 0:
            reason = say("{}; the others would misread {}", usual, deed(view, action))
            return instead(view, found.own, reason)
        average = "{:.2f} points on average in {}, after {} {:.2f}"
        return say(average, points, deals, deed(view, found.own), own_points)

    def _compare(self, view: View, action: Action) -> _Comparison:
        policy, rng = self.compiled(view.rules), Stream(0)
        if policy is None:
            limits = (self.budget, self.samples, self.deck)
            own, games = _own_and_deals(self.player, view, rng, limits)
            return _Comparison(
                own,
                len(games.games),
                games.is_sample,
                sum(games.scores(own)),
                sum(games.scores(action)),
            )
        import numpy as np

        from hanabi.players.endgame.kernels import compare
        from hanabi.players.kernels.policy import scratch_size

        position, memory = recall(view, policy)
        scratch = np.empty(scratch_size(policy, position.rules), np.int64)
        found = np.empty(4, np.int64)
        with borrow(rng) as words:
            code = compare(policy, position, words, memory, scratch, action.code, found)
        worlds, is_sample, own_points, points = found.tolist()
        return _Comparison(Action.from_code(int(code)), worlds, is_sample > 0, own_points, points)

    def compiled(self, rules: Rules, /) -> EndgamePolicy | None:
        """Return the compiled search, or None if the player has no policy or searches itself.

        Raises
        ------
        InvalidInputError
            If the rules have more than 62 different cards, or the player does not support them.

        >>> from hanabi.rules import Rules
        >>> from hanabi.players import RuleBased
        >>> Endgame(RuleBased(), budget=50).compiled(Rules.official(2)).limits.tolist()
        [50, 0, 3, 200]
        """
        refuse_rules(rules, "endgame")
        if isinstance(self.player, Endgame) or not isinstance(self.player, CompiledPlayer):
            return None
        inner = self.player.compiled(rules)
        if inner is None:
            return None
        import numpy as np

        from hanabi.players.endgame.kernels import EndgamePolicy

        refuse_kinds(rules, "endgame", _MOST_KINDS)
        deck = min(self.deck, rules.deck_size)
        words = [self.budget, self.samples, deck, round(100 * self.caution)]
        return EndgamePolicy(inner, np.array(words, np.int64))


# The search in plain Python, for any player; the compiled search decides the same.


def search_plainly(
    player: Player, view: View, rng: Stream, limits: tuple[int, int, int], caution: float
) -> Action:
    """Return the action with the best average score; see `hanabi.players.endgame.Endgame`.

    `limits` are its budget, samples and deck.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> print(search_plainly(FirstLegal(), view, Stream(1), (10, 0, 3), 2.0))
    play slot 0
    """
    own, deals = _own_and_deals(player, view, rng, limits)
    before, best, best_gain = deals.scores(own), own, 0
    for action in view.legal_actions if deals.games else ():
        if action == own:
            continue
        gains = [after - score for after, score in zip(deals.scores(action), before, strict=True)]
        gain = sum(gains)
        spread = len(gains) * sum(each * each for each in gains) - gain * gain
        is_clear = 1e4 * len(gains) * gain * gain >= float(round(100 * caution) ** 2) * spread
        if gain > best_gain and (is_clear or not deals.is_sample):
            best, best_gain = action, gain
    return best


@dataclass(frozen=True, slots=True)
class _Deals:
    """The deals of a plain search, as games up to now; none if there is no search."""

    player: Player
    games: list[Game]
    is_sample: bool
    seed: int

    def scores(self, action: Action) -> list[int]:
        """Return the final score in each deal if the player follows an action at every seat."""
        ends = (
            play_game([self.player] * game.rules.seats, game.apply(action), Stream(self.seed, n))
            for n, game in enumerate(self.games)
        )
        return [end.score if end.is_over else 0 for end in ends]


def _own_and_deals(
    player: Player, view: View, rng: Stream, limits: tuple[int, int, int]
) -> tuple[Action, _Deals]:
    """Return the player's own action, and the deals to search."""
    budget, samples, deck = limits
    rng = Stream(rng.word())
    own, nothing = seated(player).act(view, rng), _Deals(player, [], is_sample=False, seed=0)
    if view.deck_left > deck or budget + samples == 0:
        return own, nothing
    hidden = Hidden.of(view)
    worlds = hidden.worlds(budget)
    is_sample = worlds is None
    if worlds is None:
        worlds = [world for _ in range(samples) if (world := hidden.draw(rng))]
    if len(worlds) < (samples if is_sample else 1):
        return own, nothing
    seed = rng.word()
    return own, _Deals(
        player, [replayed(view, hidden.deck(world)) for world in worlds], is_sample, seed
    )


class _Comparison(NamedTuple):
    """The points of two actions in the deals of a search.

    Attributes
    ----------
    own
        The inner player's action.
    worlds, is_sample
        Number of deals, 0 if there is no search; whether there are more.
    own_points, points
        The points in all deals after `own`, and after the action in question; negative if the
        others would misread it.
    """

    own: Action
    worlds: int
    is_sample: bool
    own_points: int
    points: int
