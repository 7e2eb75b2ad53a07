"""Parameters of players as text: `hint=3,safe=no`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any

from hanabi.errors import InvalidInputError, quote
from hanabi.game.config import Rules
from hanabi.game.understanding import RULES_OF_2026, Understanding
from hanabi.variants.variant import VARIANT_OF_2026

__all__ = [
    "missing_parameters",
    "parameters_of",
    "read_parameters",
    "refuse_rules",
    "write_parameters",
]

_YES_OR_NO = {"yes": True, "no": False}
_READERS: Mapping[str, tuple[Callable[[str], object], str]] = {
    "bool": (_YES_OR_NO.__getitem__, "yes or no"),
    "int": (int, "a whole number"),
    "float": (float, "a number"),
    "str": (str, "a text"),
}


def parameters_of(kind: Callable[..., object]) -> dict[str, Parameter]:
    """Return the parameters of a class that texts can set: truth values, numbers and texts.

    What a parameter is, its annotation says, or its default.

    >>> from hanabi.players import Endgame
    >>> [*parameters_of(Endgame)]
    ['budget', 'samples', 'deck', 'caution']
    """
    found = signature(kind).parameters
    return {name: each for name, each in found.items() if _kind(each) in _READERS}


def missing_parameters(kind: Callable[..., object], given: Mapping[str, object]) -> list[str]:
    """Return the parameters of a class that have no default and are not given."""
    return [
        name
        for name, each in signature(kind).parameters.items()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        if name not in given
    ]


def _kind(parameter: Parameter) -> str:
    kind = parameter.annotation
    if kind is parameter.empty:
        kind = type(parameter.default)
    return kind if isinstance(kind, str) else getattr(kind, "__name__", "")


def read_parameters(name: str, kind: Callable[..., object], text: str) -> dict[str, Any]:
    """Return what a text sets, by parameter; nothing else of it has a default.

    Raises
    ------
    InvalidInputError
        If the class has no such parameter, or the text gives it twice, or something else.

    >>> from hanabi.players import RuleBased
    >>> read_parameters("rule-based", RuleBased, "hint=2,safe=no")
    {'hint': 2, 'safe': False}
    """
    parameters = parameters_of(kind)
    given: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        key, _, value = part.partition("=")
        if key not in parameters:
            has = f"its parameters are {', '.join(parameters)}" if parameters else "it has none"
            raise InvalidInputError(f"{name} has no parameter {quote(key)}; {has}")
        if key in given:
            raise InvalidInputError(f"{name}: {key} is given twice")
        read, what = _READERS[_kind(parameters[key])]
        try:
            given[key] = read(value)
        except (KeyError, ValueError):
            raise InvalidInputError(f"{name}: {key} = {quote(value)} is not {what}") from None
    return given


def write_parameters(values: Mapping[str, object]) -> str:
    """Return the text that sets these parameters, as it follows a player's name.

    >>> write_parameters({"hint": 2, "safe": False}), write_parameters({})
    (':hint=2,safe=no', '')
    """
    parts = [
        f"{name}={('no', 'yes')[value] if isinstance(value, bool) else value}"
        for name, value in values.items()
    ]
    return f":{','.join(parts)}" if parts else ""


def refuse_rules(
    rules: Rules,
    player: str,
    how: str = "",
    *,
    unless: frozenset[str] = frozenset(),
    needs_plain_clues: bool = False,
) -> None:
    """Raise if a player does not play by some rules.

    Parameters
    ----------
    rules
        The rules.
    player, how
        Its name, and with which parameter that is so.
    unless
        Rules that this player does not know, though others do.
    needs_plain_clues
        Whether it reads more out of a hint than what the hint touches.

    Raises
    ------
    InvalidInputError
        Naming what it does not know.

    >>> from hanabi.game import Rules
    >>> black, white = (Rules.hanab_live(3, variant=f"{c} (5 Suits)") for c in ("Black", "White"))
    >>> refuse_rules(black, "information", needs_plain_clues=True)
    >>> refuse_rules(white, "information", needs_plain_clues=True)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: the information player does not play White (5 Suits): it needs
    clues and piles as in the plain game
    """
    who = f"the {player} player {how}".rstrip()
    Understanding(who, RULES_OF_2026 - unless, VARIANT_OF_2026, needs_plain_clues).check(rules)
