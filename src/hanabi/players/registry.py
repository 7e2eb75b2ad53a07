"""Players by name, with parameters: `rule-based:hint=3,discard=2,play=0.6`.

A wrapper, which improves another player, stands before it: `endgame:budget=50/rule-based`. A
player of one's own is named by its class: `./my_bot.py:MyPlayer`, `package.module:MyPlayer`, or as
the package that it is installed with names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from hanabi.errors import InvalidInputError, quote
from hanabi.players.baselines import FirstLegal, RandomLegal
from hanabi.players.belief import Belief
from hanabi.players.cheating import Cheating
from hanabi.players.convention import Convention
from hanabi.players.endgame import Endgame
from hanabi.players.information import Information
from hanabi.players.installed import installed_players
from hanabi.players.monte_carlo import MonteCarlo, Rollouts
from hanabi.players.monte_carlo.uct import Uct
from hanabi.players.open_hands import OpenHands
from hanabi.players.own import Own, check_acts, is_own, load_player, own_player
from hanabi.players.parameters import parameters_of, read_parameters, write_parameters
from hanabi.players.protocol import Player
from hanabi.players.rule_based import RuleBased

__all__ = [
    "PLAYERS",
    "WRAPPERS",
    "AnyPlayer",
    "as_player",
    "format_player",
    "parse_player",
    "settle_player",
]

AnyPlayer: TypeAlias = (
    FirstLegal
    | RandomLegal
    | RuleBased
    | MonteCarlo
    | Rollouts
    | Uct
    | Information
    | Convention
    | Cheating
    | OpenHands
    | Endgame
    | Belief
    | Own
)

PLAYERS: Mapping[str, Callable[..., AnyPlayer]] = MappingProxyType(
    {
        "first-legal": FirstLegal,
        "random": RandomLegal,
        "rule-based": RuleBased,
        "monte-carlo": MonteCarlo,
        "rollouts": Rollouts,
        "uct": Uct,
        "information": Information,
        "convention": Convention,
        "cheating": Cheating,
        "open-hands": OpenHands,
    }
)
"""The players that come with the package: each name's class, whose fields are its parameters."""

WRAPPERS: Mapping[str, Callable[..., AnyPlayer]] = MappingProxyType(
    {"endgame": Endgame, "belief": Belief}
)
"""Players that improve another one, their first field."""


def parse_player(text: str) -> AnyPlayer:
    """Return the player that a text names, with the parameters after a colon.

    Parameters that are not given have their defaults. Those that can be true or false are `yes` or
    `no`. The player that a wrapper improves comes after a slash; it is no wrapper itself, since
    nobody searches inside a search.

    Raises
    ------
    InvalidInputError
        If there is no such player, or a parameter that it has not, has twice, or cannot read, or a
        wrapper stands before a wrapper.

    >>> parse_player("rule-based:hint=2,safe=no").play
    0.6
    >>> parse_player("endgame:budget=50/rule-based:hint=2").player.hint
    2
    """
    own, slash, improved = text.partition("/")
    name, rest = _name(own), own.partition(":")[2]
    if name in WRAPPERS:
        if not slash:
            raise InvalidInputError(
                f"{quote(own)} improves a player: name it after a slash, as in {name}/rule-based"
            )
        if _name(improved) in WRAPPERS:
            raise InvalidInputError(
                f"{quote(text)}: nobody searches inside a search; name one player after {name}/"
            )
        kind = WRAPPERS[name]
        return kind(parse_player(improved), **read_parameters(name, kind, rest))
    if name in PLAYERS:
        if slash:
            raise InvalidInputError(f"{quote(name)} stands before no other player")
        return PLAYERS[name](**read_parameters(name, PLAYERS[name], rest))
    installed = installed_players()
    if name in installed:
        return load_player(f"{installed[name]}{text.removeprefix(name)}")
    if is_own(text):
        return load_player(text)
    names = ", ".join([*PLAYERS, *(f"{wrapper}/PLAYER" for wrapper in WRAPPERS), *installed])
    raise InvalidInputError(
        f"no player {quote(text)}; there are {names}, and your own, as ./my_bot.py:MyPlayer"
    )


def _name(text: str) -> str:
    """Return the name that a player's text begins with."""
    return text.partition("/")[0].partition(":")[0]


def as_player(given: str | Player | type[Player]) -> Player:
    """Return the player that a text names, that a class makes without arguments, or itself.

    Raises
    ------
    InvalidInputError
        As `parse_player`, or if it is no player.

    >>> as_player(FirstLegal)
    FirstLegal()
    """
    if isinstance(given, str):
        return parse_player(given)
    check_acts(given, getattr(given, "__name__", None) or repr(given))
    return given() if isinstance(given, type) else given


def settle_player(given: str | Player | type[Player]) -> str | Player:
    """Return what stands for a player from now on, in other processes too.

    A text is kept if the player comes with this package. Others are loaded, so that their sources
    may be edited meanwhile, and bring along what they are called.

    >>> settle_player("random")
    'random'
    """
    player = as_player(given)
    if isinstance(player, Endgame | Belief):
        improved = settle_player(player.player)
        if not isinstance(improved, Own):
            return given if isinstance(given, str) else player
        return replace(player, player=improved)
    if isinstance(player, Own):
        return player
    if type(player) in PLAYERS.values():
        return given if isinstance(given, str) else player
    return own_player(player)


def format_player(player: Player) -> str:
    """Return the text that names a player, with all its parameters.

    Raises
    ------
    InvalidInputError
        If it does not come with the package, and is not an `Own` either.

    >>> format_player(parse_player("rule-based:play=0.7"))[:40]
    'rule-based:hint=3,discard=2,play=0.7,use'
    """
    if isinstance(player, Own):
        return player.name
    names = {**PLAYERS, **WRAPPERS}
    name = next((name for name, kind in names.items() if kind is type(player)), None)
    if name is None:
        raise InvalidInputError(f"{quote(player)} has no name")
    values = {each: getattr(player, each) for each in parameters_of(type(player))}
    own = f"{name}{write_parameters(values)}"
    return f"{own}/{format_player(player.player)}" if isinstance(player, Endgame | Belief) else own
