"""One game of players who see the table through views."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.errors import IllegalActionError, InvalidInputError, quote
from hanabi.game import Action, Game
from hanabi.players.blame import blaming
from hanabi.players.protocol import Player
from hanabi.rng import Stream

__all__ = ["play_game"]


def play_game(players: Sequence[Player], game: Game, rng: Stream) -> Game:
    """Let players, one a seat, play a game until nobody can act, and return its end.

    They see the table through `Game.view`, and draw from `rng`.

    Raises
    ------
    InvalidInputError
        If there are not as many players as seats.
    IllegalActionError
        If a player does what it may not.
    PlayerError
        If a player that does not come with this package fails; names the place in its code.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import RandomLegal, RuleBased
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> end = play_game([RuleBased(), RandomLegal()], game, Stream(1))
    >>> end.is_over
    True
    """
    if len(players) != game.rules.seats:
        raise InvalidInputError(f"{len(players)} players for {game.rules.seats} seats")
    while game.can_act:
        seat = game.seat_to_act
        now, player = f"turn {game.turn}, seat {seat}: ", players[seat]
        with blaming(player, when=now):
            action = player.act(game.view(seat), rng)
        try:
            action = Action.from_code(int(action.code))
        except (AttributeError, TypeError, ValueError):
            raise IllegalActionError(f"{now}{quote(action)} is no action") from None
        game = game.apply(action)
    return game
