"""Players by name, with parameters: `rule-based:hint=3,discard=2,play=0.6`.

A wrapper, which improves another player, stands before it: `endgame:budget=50/rule-based`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from types import MappingProxyType
from typing import Any, TypeAlias

from hanabi.errors import InvalidInputError, quote
from hanabi.players.baselines import FirstLegal, RandomLegal
from hanabi.players.cheating import Cheating
from hanabi.players.convention import Convention
from hanabi.players.endgame import Endgame
from hanabi.players.information import Information
from hanabi.players.monte_carlo import MonteCarlo, Rollouts
from hanabi.players.monte_carlo.uct import Uct
from hanabi.players.protocol import Player
from hanabi.players.rule_based import RuleBased

__all__ = ["PLAYERS", "WRAPPERS", "AnyPlayer", "format_player", "parse_player"]

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
    | Endgame
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
    }
)
"""The players that come with the package: each name's class, whose fields are its parameters."""

WRAPPERS: Mapping[str, Callable[..., AnyPlayer]] = MappingProxyType({"endgame": Endgame})
"""Players that improve another one, their first field."""

_YES_OR_NO = {"yes": True, "no": False}


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
        inner, player = [parse_player(improved)], WRAPPERS[name]
    elif name in PLAYERS:
        if slash:
            raise InvalidInputError(f"{quote(name)} stands before no other player")
        inner, player = [], PLAYERS[name]
    else:
        names = ", ".join([*PLAYERS, *(f"{wrapper}/PLAYER" for wrapper in WRAPPERS)])
        raise InvalidInputError(f"no player {quote(name)}; there are {names}")
    kinds = {each.name: str(each.type) for each in _parameters(player)}
    given: dict[str, Any] = {}
    for part in rest.split(",") if rest else ():
        key, _, value = part.partition("=")
        if key not in kinds:
            has = f"its parameters are {', '.join(kinds)}" if kinds else "it has none"
            raise InvalidInputError(f"{name} has no parameter {quote(key)}; {has}")
        if key in given:
            raise InvalidInputError(f"{name}: {key} is given twice")
        given[key] = _read(f"{name}: {key}", kinds[key], value)
    return player(*inner, **given)


def _name(text: str) -> str:
    """Return the name that a player's text begins with."""
    return text.partition("/")[0].partition(":")[0]


def _parameters(player: Any) -> list[Field[Any]]:
    """Return the fields of a class or player that texts set: a wrapped player is not one."""
    return [each for each in fields(player) if each.type != "Player"]


def _read(where: str, kind: str, text: str) -> bool | int | float:
    try:
        match kind:
            case "bool":
                return _YES_OR_NO[text]
            case "int":
                return int(text)
        return float(text)
    except (KeyError, ValueError):
        wanted = {"bool": "yes or no", "int": "a whole number"}.get(kind, "a number")
        raise InvalidInputError(f"{where} = {quote(text)} is not {wanted}") from None


def format_player(player: Player) -> str:
    """Return the text that names a player, with all its parameters.

    Raises
    ------
    InvalidInputError
        If it does not come with the package.

    >>> format_player(parse_player("rule-based:play=0.7"))[:40]
    'rule-based:hint=3,discard=2,play=0.7,use'
    """
    names = {**PLAYERS, **WRAPPERS}
    name = next((name for name, kind in names.items() if kind is type(player)), None)
    if name is None:
        raise InvalidInputError(f"{quote(player)} has no name")
    parts = []
    for each in _parameters(player):
        value = getattr(player, each.name)
        text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
        parts.append(f"{each.name}={text}")
    own = f"{name}:{','.join(parts)}" if parts else name
    return f"{own}/{format_player(player.player)}" if isinstance(player, Endgame) else own
