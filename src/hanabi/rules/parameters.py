"""Parameters of players: their texts (`hint=3,safe=no`), their ranges, and support of rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from hanabi.ground import InvalidInputError, did_you_mean, quote
from hanabi.rules.config import Rules
from hanabi.rules.understanding import RULES_OF_2026, Understanding
from hanabi.rules.variants.variant import VARIANT_OF_2026

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "check_ranges",
    "defaults_of",
    "missing_parameters",
    "need_open_hands",
    "parameters_of",
    "read_parameters",
    "refuse_kinds",
    "refuse_rules",
    "takes_text",
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
    """Return a class's parameters that texts can set: truth values, numbers and texts.

    The type of a parameter is its annotation, or the type of its default.

    >>> from hanabi.players import Endgame
    >>> [*parameters_of(Endgame)]
    ['budget', 'samples', 'deck', 'caution']
    """
    found = signature(kind).parameters
    return {name: each for name, each in found.items() if _kind(each) in _READERS}


def defaults_of(kind: Callable[..., object]) -> dict[str, object]:
    """Return the defaults of these parameters.

    >>> from hanabi.players import Endgame
    >>> defaults_of(Endgame)
    {'budget': 100, 'samples': 0, 'deck': 3, 'caution': 2.0}
    """
    return {name: each.default for name, each in parameters_of(kind).items()}


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
    """Return the parameter values that a text gives for a class.

    Raises
    ------
    InvalidInputError
        If the class has no such parameter, or the text gives one twice or a value of another type.

    >>> from hanabi.players import RuleBased
    >>> read_parameters("rule-based", RuleBased, "hint=2,safe=no")
    {'hint': 2, 'safe': False}
    """
    parameters = parameters_of(kind)
    given: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        key, _, value = part.partition("=")
        if key not in parameters:
            listing = "its parameters are" if parameters else ""
            meant = did_you_mean(key, parameters, listing) or "; it has none"
            raise InvalidInputError(f"{name} has no parameter {quote(key)}{meant}")
        if key in given:
            raise InvalidInputError(f"{name}: {key} is given twice")
        read, what = _READERS[_kind(parameters[key])]
        try:
            given[key] = read(value)
        except (KeyError, ValueError):
            raise InvalidInputError(f"{name}: {key} = {quote(value)} is not {what}") from None
    return given


def takes_text(kind: Callable[..., object], text: str) -> bool:
    """Whether the last parameter that a text gives for a class is a text.

    >>> from hanabi.people import People
    >>> takes_text(People, "temperature=2,weights=.."), takes_text(People, "temperature=..")
    (True, False)
    """
    parameter = parameters_of(kind).get(text.rpartition(",")[2].partition("=")[0])
    return parameter is not None and _kind(parameter) == "str"


def write_parameters(values: Mapping[str, object]) -> str:
    """Return the text that sets parameters, in the form that follows a player's name.

    >>> write_parameters({"hint": 2, "safe": False}), write_parameters({})
    (':hint=2,safe=no', '')
    """
    parts = [
        f"{name}={('no', 'yes')[value] if isinstance(value, bool) else value}"
        for name, value in values.items()
    ]
    return f":{','.join(parts)}" if parts else ""


def check_ranges(player: DataclassInstance, **ranges: tuple[float, float | None]) -> None:
    """Check a player's numbers, each by its least and greatest value (None: no greatest).

    Raises
    ------
    InvalidInputError
        If a number is out of its range or nan, or is not an integer although its annotation is
        `int`.

    >>> from hanabi.players import Rollouts
    >>> Rollouts(playouts=0)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: playouts = 0 is not in 1 .. 1,000,000
    >>> Rollouts(playouts=2.5)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: playouts = 2.5 is not a whole number
    """
    types = {field.name: field.type for field in fields(player)}
    for name, (least, most) in ranges.items():
        value = getattr(player, name)
        if not (value >= least and (most is None or value <= most)):  # also catches nan
            limits = f"{least:,} or more" if most is None else f"in {least:,} .. {most:,}"
            raise InvalidInputError(f"{name} = {quote(value)} is not {limits}")
        if types[name] == "int" and value % 1 != 0:
            raise InvalidInputError(f"{name} = {quote(value)} is not a whole number")


def refuse_rules(
    rules: Rules,
    player: str,
    how: str = "",
    *,
    unless: frozenset[str] = frozenset(),
    needs_plain_clues: bool = False,
) -> None:
    """Raise an error if a player does not support a rule.

    Parameters
    ----------
    rules
        The rules of the table.
    player, how
        The player's name, and the parameter that causes the restriction.
    unless
        Rules that this player does not support, although others do.
    needs_plain_clues
        Whether the player infers more from a hint than which cards it touches.

    Raises
    ------
    InvalidInputError
        If the rules have an unsupported rule; names it.

    >>> from hanabi.rules import Rules
    >>> black, white = (Rules.hanab_live(3, variant=f"{c} (5 Suits)") for c in ("Black", "White"))
    >>> refuse_rules(black, "information", needs_plain_clues=True)
    >>> refuse_rules(white, "information", needs_plain_clues=True)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: the information player does not play White (5 Suits):
        it needs
    clues and piles as in the plain game
    """
    who = f"the {player} player {how}".rstrip()
    Understanding(who, RULES_OF_2026 - unless, VARIANT_OF_2026, needs_plain_clues).check(rules)


def refuse_kinds(rules: Rules, player: str, most: int) -> None:
    """Raise an error if a player does not support so many different cards.

    >>> refuse_kinds(Rules.official(2), "endgame", 24)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: 25 kinds of cards are too many for the endgame player:
        at most
    24
    """
    kinds = rules.colors * rules.ranks
    if kinds > most:
        raise InvalidInputError(
            f"{kinds} kinds of cards are too many for the {player} player: at most {most}"
        )


def need_open_hands(rules: Rules, player: str) -> None:
    """Raise an error if a player that must see its own cards does not see them.

    >>> need_open_hands(Rules.official(2), "cheating")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: the cheating player sees its own cards: it needs
    open_hands=True
    """
    if not rules.open_hands:
        raise InvalidInputError(f"the {player} player sees its own cards: it needs open_hands=True")
