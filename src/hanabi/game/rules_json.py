"""Rule sets of the full game from a preset's name or a JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from hanabi.deck import DeckSpec
from hanabi.errors import InvalidInputError, printable, quote
from hanabi.game.config import PRESETS, Rules
from hanabi.notation.strict_json import as_integer, as_object, as_text, refuse_typos, show

__all__ = ["DEFAULT_PRESET", "check_seats", "choose_rules", "rules_of_json"]

DEFAULT_PRESET = "hanab_live"

_KEY_LENGTH = 30

_READ_APART = ("spec", "seats", "variant")
_CHANGES = {each.name: str(each.type) for each in fields(Rules) if each.name not in _READ_APART}


def rules_of_json(value: object, seats: int, spec: DeckSpec) -> tuple[str, Rules]:
    """Return the preset's name and the rules that `value` describes, for `seats` and `spec`.

    `value` is None for `DEFAULT_PRESET`, a preset's name, or an object. The object's entry `preset`
    names a preset, and its other entries change attributes of `Rules`. Its entry `variant` names
    one of hanab.live's variants, whose cards and rules then replace `spec` and the preset's.

    >>> spec = DeckSpec.uniform(colors=2, ranks=3, copies=2)
    >>> name, rules = rules_of_json({"preset": "hle", "hand_size": 2, "hints": 3}, 2, spec)
    >>> name, rules.hints, rules.empty_hints
    ('hle', 3, False)
    """
    data = {} if value is None else {"preset": value} if isinstance(value, str) else value
    changes = dict(as_object(data, "rules"))
    name = as_text(changes.pop("preset", DEFAULT_PRESET), "rules.preset")
    if name not in PRESETS:
        raise InvalidInputError(
            f"rules: {quote(name)} is not a rule set; there are {', '.join(PRESETS)}"
        )
    variant = changes.pop("variant", None)
    refuse_typos(changes, ("preset", "variant", *_CHANGES))
    for key, given in changes.items():
        _check(key, given)
    try:
        typed: dict[str, Any] = {**changes}
        if variant is not None:
            return name, replace(_rules_of_variant(name, seats, variant), **typed)
        return name, replace(PRESETS[name](seats), spec=spec, **typed)
    except InvalidInputError as error:
        raise InvalidInputError(f"rules: {error}") from None


def _rules_of_variant(preset: str, seats: int, variant: object) -> Rules:
    if preset != DEFAULT_PRESET:
        raise InvalidInputError(f"a variant goes with {DEFAULT_PRESET}, not {preset}")
    return Rules.hanab_live(seats, variant=as_text(variant, "variant"))


def choose_rules(choice: object, seats: int | None) -> Rules:
    """Return the rules that a preset's name or an object describes; `Rules` are returned as is.

    Unlike in `rules_of_json`, the cards are always those of the preset.

    Raises
    ------
    InvalidInputError
        If there are no such rules, `seats` is missing, or `seats` differs from the rules' number.

    >>> choose_rules("multicolor", 3).max_score, choose_rules({"hints": 3}, 2).hints
    (30, 3)
    """
    if isinstance(choice, Rules):
        check_seats(choice, seats)
        return choice
    if seats is None:
        raise InvalidInputError("no number of players, and no rules that say it")
    name = choice.get("preset", DEFAULT_PRESET) if isinstance(choice, Mapping) else choice
    # rules_of_json refuses an unknown name.
    preset = PRESETS.get(name, Rules.hanab_live) if isinstance(name, str) else Rules.hanab_live
    return rules_of_json(choice, seats, preset(seats).spec)[1]


def check_seats(rules: Rules, seats: int | None) -> None:
    """Raise an error if rules are not for the requested number of players (None: any).

    >>> check_seats(Rules.official(3), 4)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: players: 4 are asked for, the rules are for 3
    """
    if seats not in (None, rules.seats):
        raise InvalidInputError(
            f"players: {quote(seats)} are asked for, the rules are for {rules.seats}"
        )


def _check(key: str, value: object) -> None:
    path = f"rules.{printable(key, _KEY_LENGTH)}"
    if key not in _CHANGES:
        raise InvalidInputError(
            f"{path}: there is no such rule; there are {', '.join(_CHANGES)}, variant"
        )
    if _CHANGES[key] == "bool":
        if not isinstance(value, bool):
            raise InvalidInputError(f"{path}: {show(value)} is not true or false")
    elif value is not None or "None" not in _CHANGES[key]:
        as_integer(value, path)
