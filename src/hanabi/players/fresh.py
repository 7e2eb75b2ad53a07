"""Checks that players decide by their views and streams alone, by asking fresh ones again.

One player sits at all seats and at all tables, so anything that it keeps from one decision would
change another one, and no game could be repeated.
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
    """Play a game as `play_game` does; in some, fresh players are asked again.

    Parameters
    ----------
    team, game, rng
        As for `play_game`.
    number
        How many games the caller has let them play. They are asked again in the first; players
        with a name, of which a fresh one can be had at any time, in the 1st, 10th, 100th, ... game
        of this process.

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
    _played[key] = number  # not if it was refused: so it is the next time
    return end


def play_and_ask_again(team: Sequence[Player], game: Game, rng: Stream) -> Game:
    """Play a game as `play_game` does, and ask fresh players for each decision, the last one first.

    So each of them has seen nothing of the game but its view.

    Raises
    ------
    PlayerError
        If one decides otherwise, or fails: names the turn. What a player keeps is no error as long
        as it decides the same. Else as `play_game`.

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
    """Return what a player does for the seat to act, if a fresh one does the same.

    Parameters
    ----------
    player, game, rng
        As for `decision`.
    unasked
        The same player, of which fresh ones are made: it is never asked itself.

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
    """Return a player that has not been asked yet, as far as one can be made.

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
