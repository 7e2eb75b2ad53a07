"""Where players play: one game, or many with the deals of a seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hanabi.errors import InvalidInputError, quote
from hanabi.game import EndReason, Game, Rules
from hanabi.players.protocol import CompiledPlayer, Player
from hanabi.players.tally import Tally
from hanabi.rng import Stream

__all__ = ["decision_seed", "play_game", "simulate"]


def decision_seed(seed: int, repeat: int = 0) -> int:
    """Return the seed of the decisions of games that are dealt by `seed`.

    The game of deal `index` draws its decisions from the stream of this seed and `index`: not from
    the one that shuffled, so that `repeat` can play the same deals again with other decisions.

    >>> decision_seed(1) != decision_seed(1, repeat=1)
    True
    """
    return Stream(~seed, repeat).word()


def play_game(players: Sequence[Player], game: Game, stream: Stream) -> Game:
    """Let players, one a seat, play a game to its end, and return the end.

    They see the table through `Game.view`, and draw from `stream`.

    Raises
    ------
    InvalidInputError
        If there are not as many players as seats.
    IllegalActionError
        If a player does what it may not.

    >>> from hanabi.players import RandomLegal, RuleBased
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> end = play_game([RuleBased(), RandomLegal()], game, Stream(1))
    >>> end.is_over
    True
    """
    if len(players) != game.rules.seats:
        raise InvalidInputError(f"{len(players)} players for {game.rules.seats} seats")
    while not game.is_over:
        seat = game.seat_to_act
        game = game.apply(players[seat].act(game.view(seat), stream))
    return game


def simulate(
    player: Player, rules: Rules, games: int, *, seed: int, first: int = 0, repeat: int = 0
) -> Tally:
    """Seat a player everywhere and play the deals `first` .. `first + games - 1` of `seed`.

    Deal number `index` is `rules.spec.shuffle(seed, index)`, and what happens in it depends on
    nothing else: parts of a run, added up, are the run. A compiled player takes some ten
    microseconds a game, one in plain Python some ten milliseconds.

    Parameters
    ----------
    player
        Who plays.
    rules
        The rules, seats included.
    games
        How many deals, at least 0.
    seed
        Which deals, and which decisions.
    first
        The number of the first deal, at least 0.
    repeat
        Other numbers play the same deals with other random decisions.

    Raises
    ------
    InvalidInputError
        If a number is negative.
    IllegalActionError
        If a player does what it may not.

    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(3)
    >>> parts = [simulate(FirstLegal(), rules, 2, seed=1, first=first) for first in (0, 2)]
    >>> parts[0] + parts[1] == simulate(FirstLegal(), rules, 4, seed=1)
    True
    """
    for name, number in (("games", games), ("first", first), ("repeat", repeat)):
        if number < 0:
            raise InvalidInputError(f"{name} = {quote(number)} is negative")
    decisions = decision_seed(seed, repeat)
    if isinstance(player, CompiledPlayer):
        return _play_compiled(player, rules, games, (seed, decisions), first)
    team = [player] * rules.seats
    return _count(rules, _play(team, rules, range(first, first + games), (seed, decisions)))


def _play(
    team: Sequence[Player], rules: Rules, deals: range, seeds: tuple[int, int]
) -> Iterable[tuple[int, bool]]:
    for index in deals:
        game = Game.start(rules, rules.spec.shuffle(seeds[0], index))
        end = play_game(team, game, Stream(seeds[1], index))
        yield end.score, end.end_reason is EndReason.BOMBED


def _play_compiled(
    player: CompiledPlayer, rules: Rules, games: int, seeds: tuple[int, int], first: int
) -> Tally:
    import numpy as np

    from hanabi.game.packing import pack_deck, pack_rules
    from hanabi.kernels.player_chances import MOST_CARDS
    from hanabi.kernels.players import play_games

    if rules.deck_size >= MOST_CARDS:
        raise InvalidInputError(f"a deck of {rules.deck_size:,} cards is too large to simulate")
    outcomes = np.empty(games, np.int64)
    play_games(
        pack_rules(rules),
        pack_deck(list(rules.spec.cards())),
        player.options(rules),
        np.array([seed & (1 << 64) - 1 for seed in seeds], np.uint64),
        first,
        outcomes,
    )
    return _count(rules, ((outcome >> 1, bool(outcome & 1)) for outcome in outcomes.tolist()))


def _count(rules: Rules, outcomes: Iterable[tuple[int, bool]]) -> Tally:
    histogram, n_bombed = [0] * (rules.max_score + 1), 0
    for score, is_bombed in outcomes:
        histogram[score] += 1
        n_bombed += is_bombed
    return Tally(tuple(histogram), n_bombed)
