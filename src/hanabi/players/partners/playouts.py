"""The value of each action by sampled deals and play-outs, at any turn of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from math import sqrt
from typing import NamedTuple

from hanabi.cards import Card
from hanabi.clock import Clock
from hanabi.deck import Deck
from hanabi.errors import InvalidInputError, counted
from hanabi.game import Action, Game
from hanabi.game.view import View
from hanabi.players.belief import Agreement, Belief, draw_beliefs
from hanabi.players.compiled import check_turn, recall
from hanabi.players.partners import weigh_hands
from hanabi.players.protocol import CompiledPlayer, Player, play_game
from hanabi.rng import Stream

__all__ = ["CLEAR", "MOST_GAMES", "Estimate", "PlayOuts", "PlayedOut", "play_outs"]

MOST_GAMES = 2_000
"""Most games to play after an action."""

CLEAR = 3.5
"""Standard errors by which an action must be worse to be dropped, whenever that is looked at."""

_FIRST = 32  # games before any action is dropped
_TRIES = (
    20  # deals to examine for each one kept; and questions to a player that may choose at random
)
_HANDS = 200  # to weigh, if the player's decisions must be asked for one by one

Scores = list[tuple[int, bool]]
"""The score of each game, and whether it is perfect."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and its standard error."""

    mean: float
    error: float


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
    """

    action: Action
    perfect: Estimate
    points: Estimate
    games: int


@dataclass(frozen=True, slots=True)
class PlayOuts:
    """The value of each action, estimated by games.

    Attributes
    ----------
    actions
        One for each legal action, the highest mean score first.
    agrees
        Whether the deals agree with what the others did, if they act as the player does. If not,
        they agree with the hints alone.
    decisions, contradicted
        Number of decisions that the others have made, and how many of them the player would never
        have made: the least number among the deals that were tried.
    is_clear
        Whether every other action is worse than the first one, by `CLEAR` standard errors of the
        difference.
    seconds
        Wall-clock time.
    """

    actions: tuple[PlayedOut, ...]
    agrees: bool
    decisions: int
    contradicted: int
    is_clear: bool
    seconds: float

    def __str__(self) -> str:
        first = self.actions[0]
        best = f"{first.points.mean:.3f} points, {first.perfect.mean:.3f} perfect"
        games, actions = counted(first.games, "game"), counted(len(self.actions), "action")
        return f"{best} at best, in {games}; {actions}"

    def __repr__(self) -> str:
        return f"<PlayOuts {self}>"


def play_outs(
    player: Player,
    view: View,
    rng: Stream,
    *,
    known: Mapping[int, Collection[Card]] | None = None,
    most: int = MOST_GAMES,
    seconds: float | None = None,
) -> PlayOuts:
    """Return the value of each action to the seat to act if everybody goes on as a player.

    Deals are drawn by what the player would have done at the other seats (`draw_beliefs`, or
    `weigh_hands`); if that contradicts what was done, by hints alone. All actions are tried in the
    same deals, with the same random numbers. Each time the number of deals has doubled, actions are
    dropped that are clearly worse than the best one; the rest is played until one is left.

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
    most
        Most games to play after an action, at least 2.
    seconds
        Wall-clock time; None for no limit. At least 32 games are played after each action.

    Raises
    ------
    InvalidInputError
        If the game is over, another seat is to act, or no hand fits.

    >>> from hanabi.game import Rules
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
    play = _table(player, view, rng.word())
    scores: dict[Action, Scores] = {action: [] for action in view.legal_actions}
    left, n = list(scores), 0
    while len(left) > 1 and n < most and not (n and clock.is_over):
        decks = deals.draw(min(max(n, _FIRST), most - n))
        for action in left:
            scores[action] += play(decks, action, n)
        n += len(decks)
        best = max(left, key=lambda action: sum(points for points, _ in scores[action]))
        left = [each for each in left if each == best or not _is_worse(scores[each], scores[best])]
    if not n:  # a single action
        scores[left[0]] = play(deals.draw(min(_FIRST, most)), left[0], 0)
    found = [
        PlayedOut(
            action,
            _estimate([perfect for _, perfect in played]),
            _estimate([points for points, _ in played]),
            len(played),
        )
        for action, played in scores.items()
    ]
    found.sort(key=lambda each: (each.action in left, each.points.mean), reverse=True)
    return PlayOuts(
        tuple(found),
        deals.agrees,
        deals.decisions,
        deals.contradicted,
        is_clear=len(left) == 1,
        seconds=clock.elapsed,
    )


class _Deals(NamedTuple):
    """The deals to play on in, and how they agree with what the others did."""

    draw: Callable[[int], Sequence[Deck]]
    agrees: bool
    decisions: int
    contradicted: int


def _deals(
    player: Player,
    view: View,
    rng: Stream,
    known: Mapping[int, Collection[Card]],
    most: int,
    clock: Clock,
) -> _Deals:
    believed = () if known else _believed(player, view, rng, most)
    if believed:
        seats, first = view.rules.seats, view.first_seat
        others = sum((first + turn) % seats != view.seat for turn in range(view.turn))
        rest = cycle(believed)
        return _Deals(lambda n: list(islice(rest, n)), True, others, 0)
    limit = None if clock.left is None else clock.left / 2
    hands = weigh_hands(
        player,
        view,
        rng,
        known=known,
        most=_HANDS,
        samples=_HANDS,
        tries=1,
        asks=_TRIES,
        seconds=limit,
    )
    return _Deals(lambda n: hands.draw(rng, n), hands.agrees, hands.decisions, hands.contradicted)


def _believed(player: Player, view: View, rng: Stream, most: int) -> Sequence[Deck]:
    """Return deals in which a compiled, deterministic player would have acted as the others did."""
    if not isinstance(player, CompiledPlayer) or player.compiled(view.rules) is None:
        return ()
    if not getattr(player, "draws_nothing", False):
        return ()
    search = Belief(player, worlds=most, seats=0, slack=0.0, tries=_TRIES)
    beliefs = draw_beliefs(search, view, rng)
    return beliefs.decks if beliefs.agreement is Agreement.EXACT else ()


def _estimate(values: Sequence[float]) -> Estimate:
    n, mean = len(values), sum(values) / len(values)
    return Estimate(mean, sqrt(sum((each - mean) ** 2 for each in values) / (n - 1) / n))


def _is_worse(scores: Scores, best: Scores) -> bool:
    """Whether scores of the same deals are clearly lower."""
    gain = _estimate([high - low for (high, _), (low, _) in zip(best, scores, strict=True)])
    return gain.mean > 0 and gain.mean >= CLEAR * gain.error


def _table(
    player: Player, view: View, seed: int
) -> Callable[[Sequence[Deck], Action, int], Scores]:
    """Return a function that plays on in deals after an action, from a number of a deal on."""
    policy = player.compiled(view.rules) if isinstance(player, CompiledPlayer) else None
    if isinstance(player, CompiledPlayer) and policy is not None:
        return _compiled_table(player, view, seed)
    top = view.rules.max_score

    def play(decks: Sequence[Deck], action: Action, first: int) -> Scores:
        found = []
        for number, deck in enumerate(decks, first):
            game = Game.start(view.rules, deck, first_seat=view.first_seat)
            for each in (*view.actions, action):
                game = game.apply(each)
            if not game.is_over:
                players = [player] * view.rules.seats
                game = play_game(players, game, Stream(seed, number))
            found.append((game.score, game.score == top))
        return found

    return play


def _compiled_table(
    player: CompiledPlayer, view: View, seed: int
) -> Callable[[Sequence[Deck], Action, int], Scores]:
    """Return the same function by compiled games, which takes some microseconds a turn."""
    import numpy as np

    from hanabi.game.packing import pack_deck
    from hanabi.players.partners import kernels

    policy = Belief(player, seats=0, slack=0.0).compiled(view.rules)
    position, memory = recall(view, policy)
    places = np.array([place for place, card in enumerate(view.deck) if card is None], np.int64)

    def play(decks: Sequence[Deck], action: Action, first: int) -> Scores:
        cards = np.array([pack_deck(deck)[places] for deck in decks], np.int64)
        # Worlds are numbered from 0, and their random numbers follow from the seed and the number.
        worlds = kernels.open_deals(policy, position, memory, places, cards)
        worlds = worlds._replace(seed=np.uint64((seed + first) % 2**63))
        found = []
        for world in range(len(decks)):
            perfect, points = kernels.try_action(policy, worlds, action.code, world, world + 1)
            found.append((int(points), bool(perfect)))
        return found

    return play
