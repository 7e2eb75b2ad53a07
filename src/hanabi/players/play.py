"""One game of players who see the table through views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from hanabi.errors import IllegalActionError, InvalidInputError
from hanabi.game import Action, Game
from hanabi.players.blame import blaming, shown
from hanabi.players.protocol import Player
from hanabi.rng import Stream

__all__ = ["Turn", "decision", "play_game", "turns"]


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
    for turn in turns(players, game, rng):
        game = turn.after
    return game


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision: where the game and the random stream stood, what was done, and what came of it.

    Attributes
    ----------
    before, after
        The game.
    state
        Of the stream, before the player drew from it.
    action
        What the player did.
    """

    before: Game
    state: int
    action: Action
    after: Game


def turns(players: Sequence[Player], game: Game, rng: Stream) -> Iterator[Turn]:
    """Yield the turns of a game as `play_game` plays it.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(next(turns([FirstLegal()] * 2, game, Stream(1))).action)
    play slot 0
    """
    if len(players) != game.rules.seats:
        raise InvalidInputError(f"{len(players)} players for {game.rules.seats} seats")
    while game.can_act:
        before, state = game, rng.state
        action = decision(players[game.seat_to_act], game, rng)
        game = game.apply(action)
        yield Turn(before, state, action, game)


def decision(player: Player, game: Game, rng: Stream) -> Action:
    """Return what a player does for the seat to act; errors are those of `play_game`.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(decision(FirstLegal(), game, Stream(1)))
    play slot 0
    """
    seat = game.seat_to_act
    now = f"turn {game.turn}, seat {seat}: "
    with blaming(player, when=now):
        action = player.act(game.view(seat), rng)
    code = None
    with suppress(Exception):  # whatever theirs raises
        code = Action.from_code(int(action.code))
    if code is None:
        raise IllegalActionError(f"{now}{shown(action)} is no action")
    return code
