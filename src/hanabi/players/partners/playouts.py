"""The value of each action by sampled deals and play-outs, at any turn of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from math import sqrt
from typing import NamedTuple

from hanabi.ground import Clock, InvalidInputError, Stream, counted
from hanabi.players.belief import Agreement, Belief, draw_beliefs
from hanabi.players.compiled import recall
from hanabi.players.partners.chances import misleads
from hanabi.players.partners.weighing import MOST_HANDS, is_search, recalling, weigh_hands
from hanabi.players.protocol import CompiledPlayer, Player, turns
from hanabi.rules import Action, Card, Deck, View, check_turn
from hanabi.worlds import replayed

__all__ = [
    "CLEAR",
    "MOST_GAMES",
    "Estimate",
    "InterruptedPlayOuts",
    "PlayOuts",
    "PlayedOut",
    "play_outs",
]

MOST_GAMES = 2_000
"""Most games to play after an action."""

CLEAR = 3.5
"""Standard errors by which an action must be worse to be dropped, whenever that is looked at.

After few games it takes more: as many as are as rare by Student's t as these by the normal law.
"""

_FIRST = 8  # games before an action is dropped
_CLOSE = 1.5  # standard errors by which an action is worse that is not played on in every deal
_RARELY = 4  # in one deal of so many it is
_TRIES = (
    20  # deals to examine for each one kept; and questions to a player that may choose at random
)
_HANDS = 200  # to weigh, if the player's decisions must be asked for one by one

Scores = dict[int, tuple[int, bool]]
"""By the number of the deal, the score of each game, and whether it is perfect."""

Play = Callable[[int, Action], tuple[int, bool] | None]
"""Plays on in a deal after an action, and returns the score, and whether it is perfect; None if the
time is over."""

Table = Callable[[Sequence[Deck], int], Play]
"""Opens deals, given the number of the first one."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and its standard error; None after a single game, which has none."""

    mean: float
    error: float | None

    def is_above(self, errors: float) -> bool:
        """Whether the mean is positive by so many errors, if it has one.

        >>> Estimate(0.5, 0.2).is_above(2), Estimate(0.5, 0.2).is_above(3)
        (True, False)
        """
        return self.error is not None and self.mean > 0 and self.mean >= errors * self.error


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """The value of an action, estimated by games.

    Attributes
    ----------
    action
        A legal action.
    perfect, points
        The chance of a perfect score, and the expected score.
    games
        Number of games played after it, each with another deal.
    behind
        By how many points the first action of `PlayOuts` is better, in the deals that both were
        played in; its error is smaller than that of the means.
    """

    action: Action
    perfect: Estimate
    points: Estimate
    games: int
    behind: Estimate


@dataclass(frozen=True, slots=True)
class PlayOuts:
    """The value of each action, estimated by games.

    Attributes
    ----------
    actions
        One for each legal action after which a game ended, the highest mean score first.
    untried
        The other legal actions: the time was over before.
    agrees
        Whether the deals agree with what the others did, if they act as the player does. If not,
        they agree with the hints, and are the likelier the fewer decisions contradict them.
    is_sample
        Whether not all possible hands of the seat were tried, because there are more or the time
        was over. Then others may agree although none of those tried did.
    decisions, contradicted
        Number of decisions that the others have made, and how many of them the player would not
        have made, as in `WeighedHands`.
    is_clear
        Whether every other action is worse than the first one, by `CLEAR` standard errors of the
        difference.
    is_cut
        Whether the time ended the games.
    seconds
        Wall-clock time.
    """

    actions: tuple[PlayedOut, ...]
    untried: tuple[Action, ...]
    agrees: bool
    is_sample: bool
    decisions: int
    contradicted: int
    is_clear: bool
    is_cut: bool
    seconds: float

    def __str__(self) -> str:
        first = self.actions[0]
        best = f"{first.points.mean:.3f} points, {first.perfect.mean:.3f} perfect"
        games, actions = counted(first.games, "game"), counted(len(self.actions), "action")
        return f"{best} at best, in {games}; {actions}"

    def __repr__(self) -> str:
        return f"<PlayOuts {self}>"


class InterruptedPlayOuts(KeyboardInterrupt):
    """An interrupt, with the estimates by the games that had ended.

    Attributes
    ----------
    found
        What `play_outs` would have returned if the time had ended.
    """

    def __init__(self, found: PlayOuts) -> None:
        super().__init__()
        self.found = found


def play_outs(
    player: Player,
    view: View,
    rng: Stream,
    *,
    known: Mapping[int, Collection[Card]] | None = None,
    among: Sequence[Action] | None = None,
    most: int = MOST_GAMES,
    seconds: float | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    tell: Callable[[PlayOuts], None] | None = None,
) -> PlayOuts:
    """Return the value of each action to the seat to act if everybody goes on as a player.

    Deals are drawn by what the player would have done at the other seats (`draw_beliefs`, or
    `weigh_hands`, which weighs deals even if none explains all of it). All actions are tried in the
    same deals, with the same random numbers, first in one. Each time the number of deals has
    doubled, from 8 on, actions are dropped that are clearly worse than the best one, and those that
    may be worse are tried only in every fourth deal; the rest is played until one is left.

    Parameters
    ----------
    player
        Any player.
    view
        The view of the seat to act.
    rng
        For the deals, and for the decisions of players that choose at random.
    known
        By slot, the cards that it may hold, if more is known than hints say.
    among
        The actions to try; None for all that are legal.
    most
        Most games to play after an action, at least 2.
    seconds
        Wall-clock time; None for no limit. When it is over, the game in progress is given up, after
        a decision of a player without a policy or of a search, or after a whole compiled game of
        any other, which takes far less than a millisecond. If that happens in the first deal, some
        actions have no value.
    progress
        Called after each game with a message, the number of deals in which all actions were tried,
        and `most`.
    tell
        Called with the estimates so far each time the number of deals has doubled.

    Raises
    ------
    InvalidInputError
        If the game is over, another seat is to act, or no hand fits.
    InterruptedPlayOuts
        If Ctrl-C interrupts the games; it has the estimates until then.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.players import Information
    >>> rules = Rules.hanab_live(3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> found = play_outs(Information(), game.view(0), Stream(1), most=32)
    >>> found.agrees, found.actions[0].games, len(found.actions) == len(game.legal_actions)
    (True, 32, True)
    """
    check_turn(view)
    if most < 2:
        raise InvalidInputError(f"{most} games: an error needs 2 or more")
    clock = Clock(seconds)
    deals = _deals(player, view, Stream(rng.word()), known or {}, most, clock)
    race = _Race(view.legal_actions if among is None else among, deals, clock)
    try:
        table = _table(player, view, rng.word(), deals.is_private, clock)
        race.run(table, most, progress, tell)
    except KeyboardInterrupt:
        raise InterruptedPlayOuts(race.found()) from None
    return race.found()


class _Race:
    """Games after each action, in the same deals, until one action is left."""

    def __init__(self, actions: Sequence[Action], deals: _Deals, clock: Clock) -> None:
        self._deals, self._clock, self._is_cut = deals, clock, False
        self._scores: dict[Action, Scores] = {action: {} for action in actions}
        self._left = self._close = list(actions)

    def run(
        self,
        table: Table,
        most: int,
        progress: Callable[[str, int, int], None] | None,
        tell: Callable[[PlayOuts], None] | None,
    ) -> None:
        """Play until one action is left, the games are played, or the time is over."""
        scores, n = self._scores, 0
        while n < most and (len(self._left) > 1 or not n):
            decks = self._deals.draw(min(max(n, 1), most - n))
            play = table(decks, n)
            for number in range(len(decks)):
                for action in self._close if (n + number) % _RARELY else self._left:
                    result = None if self._clock.is_over else play(number, action)
                    if result is None:
                        self._is_cut = True
                        return
                    scores[action][n + number] = result
                    if progress is not None:
                        games = sum(map(len, scores.values()))
                        progress(_told(games, len(self._left)), n + number, most)
            n += len(decks)
            self._compare()
            if tell is not None:
                tell(self.found())

    def _compare(self) -> None:
        """Drop what is clearly worse, and find what is close to the best."""
        scores = self._scores
        best = max(self._left, key=lambda action: _points(scores[action]).mean)
        gains = {each: _gain(scores[each], scores[best]) for each in self._left}

        def is_worse(action: Action) -> bool:
            games = len(scores[action])
            return games >= _FIRST and gains[action].is_above(_clear(games - 1))

        self._left = [each for each in self._left if not is_worse(each)]
        self._close = [each for each in self._left if not gains[each].is_above(_CLOSE)]

    def found(self) -> PlayOuts:
        """Return the estimates by the games that have ended."""
        means = {action: _points(played) for action, played in self._scores.items() if played}
        ranked = sorted(
            means, key=lambda action: (action in self._left, means[action].mean), reverse=True
        )
        return PlayOuts(
            tuple(
                PlayedOut(
                    action,
                    _estimate([perfect for _, perfect in self._scores[action].values()]),
                    means[action],
                    len(self._scores[action]),
                    _gain(self._scores[action], self._scores[ranked[0]]),
                )
                for action in ranked
            ),
            tuple(action for action, played in self._scores.items() if not played),
            self._deals.agrees,
            self._deals.is_sample,
            self._deals.decisions,
            self._deals.contradicted,
            is_clear=len(self._left) == 1,
            is_cut=self._is_cut,
            seconds=self._clock.elapsed,
        )


def _told(games: int, left: int) -> str:
    return f"{counted(games, 'game')}, {counted(left, 'action')} left"


class _Deals(NamedTuple):
    """The deals to play on in, and how they agree with what the others did."""

    draw: Callable[[int], Sequence[Deck]]
    agrees: bool
    is_sample: bool
    decisions: int
    contradicted: int
    is_private: bool  # whether seats may remember different things in them


def _deals(
    player: Player,
    view: View,
    rng: Stream,
    known: Mapping[int, Collection[Card]],
    most: int,
    clock: Clock,
) -> _Deals:
    policy = player.compiled(view.rules) if isinstance(player, CompiledPlayer) else None
    is_fast = policy is not None and bool(getattr(player, "draws_nothing", False))
    may_draw = policy is not None and is_fast and not known and not misleads(policy, view)
    if isinstance(player, CompiledPlayer) and may_draw:
        search = Belief(player, worlds=most, seats=0, slack=0.0, tries=_TRIES)
        beliefs = draw_beliefs(search, view, rng)
        if beliefs.agreement is Agreement.EXACT:
            seats, first = view.rules.seats, view.first_seat
            others = sum((first + turn) % seats != view.seat for turn in range(view.turn))
            rest = cycle(beliefs.decks)
            return _Deals(lambda n: list(islice(rest, n)), True, True, others, 0, False)
    hands = weigh_hands(
        player,
        view,
        rng,
        known=known,
        most=MOST_HANDS if is_fast else _HANDS,
        samples=_HANDS,
        tries=_TRIES if is_fast else 1,
        asks=_TRIES,
        seconds=None if clock.left is None else clock.left / 4,
    )
    return _Deals(
        lambda n: hands.draw(rng, n),
        hands.agrees,
        hands.is_sample,
        hands.decisions,
        hands.contradicted,
        True,
    )


def _estimate(values: Sequence[float]) -> Estimate:
    n, mean = len(values), sum(values) / len(values)
    if n == 1:
        return Estimate(mean, None)
    return Estimate(mean, sqrt(sum((each - mean) ** 2 for each in values) / (n - 1) / n))


def _points(scores: Scores) -> Estimate:
    return _estimate([points for points, _ in scores.values()])


def _gain(scores: Scores, best: Scores) -> Estimate:
    """Return by how many points the best scores are higher in the deals of both."""
    return _estimate([best[deal][0] - scores[deal][0] for deal in scores.keys() & best.keys()])


def _clear(free: int) -> float:
    """Return what `CLEAR` errors are by Student's t with so many degrees of freedom, nearly.

    >>> [round(_clear(free), 1) for free in (7, 31, 1000)]
    [5.9, 3.9, 3.5]
    """
    z = CLEAR  # the first terms of the expansion of its quantiles by those of the normal law
    return z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)


def _table(player: Player, view: View, seed: int, is_private: bool, clock: Clock) -> Table:
    """Return the games after an action; those of a number have the same random numbers."""
    if isinstance(player, CompiledPlayer):
        policy = player.compiled(view.rules)
        if policy is not None and not is_search(policy):
            return _compiled_table(player, view, seed, is_private)
    top, players = view.rules.max_score, [player] * view.rules.seats

    def table(decks: Sequence[Deck], first: int) -> Play:
        def play(number: int, action: Action) -> tuple[int, bool] | None:
            game = replayed(view, decks[number]).apply(action)
            if not game.is_over:
                for turn in turns(players, game, Stream(seed, first + number)):
                    game = turn.after
                    if clock.is_over and game.can_act:
                        return None
            return game.score, game.score == top

        return play

    return table


def _compiled_table(player: CompiledPlayer, view: View, seed: int, is_private: bool) -> Table:
    """Return the same games by a compiled policy, which takes some microseconds a turn."""
    import numpy as np

    from hanabi.players.kernels.trials import sum_scores
    from hanabi.players.partners import kernels
    from hanabi.rules import pack_deck

    policy = Belief(player, seats=0, slack=0.0).compiled(view.rules)
    if is_private:
        policy = recalling(policy)
    position, memory = recall(view, policy)
    places = np.array([place for place, card in enumerate(view.deck) if card is None], np.int64)

    def table(decks: Sequence[Deck], first: int) -> Play:
        cards = np.array([pack_deck(deck)[places] for deck in decks], np.int64)
        # Worlds are numbered from 0, and their random numbers follow from the seed and the number.
        worlds = kernels.open_deals(policy, position, memory, places, cards)
        worlds = worlds._replace(seed=np.uint64((seed + first) % 2**63))

        def play(number: int, action: Action) -> tuple[int, bool]:
            points, perfect = sum_scores(policy.inner, worlds, action.code, number, number + 1)
            return int(points), bool(perfect)

        return play

    return table
