"""Checks that players keep no state, by repeating their decisions with fresh players.

Decisions must depend on views and streams alone. One player sits at all seats and at all tables, so
state kept from one decision would change another one, and no game could be repeated.
"""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.errors import IllegalActionError, PlayerError
from hanabi.game import Action, Game, Rules
from hanabi.players.own import Own, fresh_copy
from hanabi.players.protocol import (
    Player,
    Turn,
    Wrapper,
    comes_with_package,
    decision,
    inner_of,
    name_of,
    play_game,
    turns,
)
from hanabi.rng import Stream

__all__ = ["decide_watched", "fresh_player", "play_and_ask_again", "play_watched"]

_played: dict[tuple[tuple[Player, ...], Rules], int] = {}


def play_watched(team: Sequence[Player], game: Game, rng: Stream, number: int) -> Game:
    """Play a game as `play_game` does, and check some games with fresh players.

    Parameters
    ----------
    team, game, rng
        As for `play_game`.
    number
        Number of games that the caller has played with the team. The first game is checked. If all
        players of your own have names, so that fresh ones can be made at any time, the check covers
        the 1st, 10th, 100th, ... game of this process instead.

    Raises
    ------
    IllegalActionError, PlayerError
        As `play_and_ask_again`.

    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> play_watched([FirstLegal()] * 2, game, Stream(1), 0).is_over
    True
    """
    theirs = [each for each in team if not comes_with_package(each)]
    if not theirs:
        return play_game(team, game, rng)
    if not all(isinstance(inner_of(each), Own) for each in theirs):
        return (play_game if number else play_and_ask_again)(team, game, rng)
    key = tuple(team), game.rules
    number = _played.get(key, 0) + 1
    is_due = str(number).strip("0") == "1"
    end = (play_and_ask_again if is_due else play_game)(team, game, rng)
    _played[key] = number  # not after an error, so that the next game is checked again
    return end


def play_and_ask_again(team: Sequence[Player], game: Game, rng: Stream) -> Game:
    """Play a game as `play_game` does, then repeat its decisions, last first, with fresh players.

    In this order, a fresh player has seen nothing of the game except its view.

    Raises
    ------
    PlayerError
        If a fresh player decides differently or fails; names the turn. A player may keep state as
        long as its decisions do not change. Other errors are those of `play_game`.

    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> play_and_ask_again([FirstLegal()] * 2, game, Stream(1)).is_over
    True
    """
    fresh = {key: fresh_player(each) for key, each in {id(each): each for each in team}.items()}
    played = list(turns(team, game, rng))
    for turn in reversed(played):
        player = team[turn.before.seat_to_act]
        if not comes_with_package(player):
            _ask_again(fresh[id(player)], turn)
    return played[-1].after if played else game


def decide_watched(player: Player, game: Game, rng: Stream, unasked: Player) -> Action:
    """Return a player's action for the seat to act, and check it with a fresh player.

    Parameters
    ----------
    player, game, rng
        As for `decision`.
    unasked
        The same player, from which fresh ones are made; it never decides itself.

    Raises
    ------
    IllegalActionError, PlayerError
        As `play_and_ask_again`.

    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(decide_watched(FirstLegal(), game, Stream(1), FirstLegal()))
    play slot 0
    """
    turn = next(turns([player] * game.rules.seats, game, rng))
    if not comes_with_package(player):
        _ask_again(fresh_player(unasked), turn)
    return turn.action


def fresh_player(player: Player) -> Player:
    """Return a player that has made no decision yet, if possible.

    >>> from hanabi.players import FirstLegal
    >>> fresh_player(FirstLegal())
    FirstLegal()
    """
    if comes_with_package(player):
        return player
    if isinstance(player, Wrapper):
        return player.around(fresh_player(player.inner))
    return player.fresh() if isinstance(player, Own) else fresh_copy(player)


def _ask_again(player: Player, turn: Turn) -> None:
    cause: Exception | None = None
    stream = Stream(0)
    stream.state = turn.state
    try:
        action = decision(player, turn.before, stream)
    except (PlayerError, IllegalActionError) as error:
        again, cause = f"a fresh one fails ({error})", error
    else:
        if action == turn.action:
            return
        again = f"a fresh one chose {action}"
    name = name_of(inner_of(player))
    raise PlayerError(
        f"turn {turn.before.turn}, seat {turn.before.seat_to_act}: {name} chose {turn.action},"
        f" and {again}, asked with the same view and rng: a player may keep nothing between turns,"
        " and draw from nothing but rng"
    ) from cause
