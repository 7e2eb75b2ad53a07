"""Players by name, with parameters: `rule-based:hint=3,discard=2,play=0.6`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, TypeAlias

from hanabi.errors import InvalidInputError, quote
from hanabi.players.baselines import FirstLegal, RandomLegal
from hanabi.players.rule_based import RuleBased

__all__ = ["PLAYERS", "AnyPlayer", "format_player", "parse_player"]

AnyPlayer: TypeAlias = FirstLegal | RandomLegal | RuleBased

PLAYERS: Mapping[str, Callable[..., AnyPlayer]] = MappingProxyType(
    {"first-legal": FirstLegal, "random": RandomLegal, "rule-based": RuleBased}
)
"""The players that come with the package: each name's class, whose fields are its parameters."""

_YES_OR_NO = {"yes": True, "no": False}


def parse_player(text: str) -> AnyPlayer:
    """Return the player that a text names, with the parameters after a colon.

    Parameters that are not given have their defaults. Those that can be true or false are `yes` or
    `no`.

    Raises
    ------
    InvalidInputError
        If there is no such player, or a parameter that it has not, has twice, or cannot read.

    >>> parse_player("rule-based:hint=2,safe=no").play
    0.6
    """
    name, _, rest = text.partition(":")
    if name not in PLAYERS:
        raise InvalidInputError(f"no player {quote(name)}; there are {', '.join(PLAYERS)}")
    player = PLAYERS[name]
    kinds = {each.name: str(each.type) for each in fields(player())}
    given: dict[str, Any] = {}
    for part in rest.split(",") if rest else ():
        key, _, value = part.partition("=")
        if key not in kinds:
            has = f"its parameters are {', '.join(kinds)}" if kinds else "it has none"
            raise InvalidInputError(f"{name} has no parameter {quote(key)}; {has}")
        if key in given:
            raise InvalidInputError(f"{name}: {key} is given twice")
        given[key] = _read(f"{name}: {key}", kinds[key], value)
    return player(**given)


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


def format_player(player: AnyPlayer) -> str:
    """Return the text that names a player, with all its parameters.

    >>> format_player(parse_player("rule-based:play=0.7"))[:40]
    'rule-based:hint=3,discard=2,play=0.7,use'
    """
    name = next(name for name, kind in PLAYERS.items() if kind is type(player))
    parts = []
    for each in fields(player):
        value = getattr(player, each.name)
        text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
        parts.append(f"{each.name}={text}")
    return f"{name}:{','.join(parts)}" if parts else name
