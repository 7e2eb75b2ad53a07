"""Rule sets of the full game as they are asked for: a preset's name, or a JSON object."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from hanabi.deck import DeckSpec
from hanabi.errors import InvalidInputError, printable, quote
from hanabi.game import PRESETS, Rules
from hanabi.notation.strict_json import as_integer, as_object, as_text, refuse_typos, show

__all__ = ["DEFAULT_PRESET", "rules_of_json"]

DEFAULT_PRESET = "hanab_live"

_KEY_LENGTH = 30

_GIVEN_BY_THE_DECK = ("spec", "seats")
_CHANGES = {
    each.name: str(each.type) for each in fields(Rules) if each.name not in _GIVEN_BY_THE_DECK
}


def rules_of_json(value: object, seats: int, spec: DeckSpec) -> tuple[str, Rules]:
    """Return the preset's name and the rules for so many seats and these cards.

    `value` is None for `DEFAULT_PRESET`, a preset's name, or an object whose entry `preset` names
    one and whose others are attributes of `Rules` to change.

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
    refuse_typos(changes, ("preset", *_CHANGES))
    for key, given in changes.items():
        _check(key, given)
    try:
        typed: dict[str, Any] = {"spec": spec, **changes}
        return name, replace(PRESETS[name](seats), **typed)
    except InvalidInputError as error:
        raise InvalidInputError(f"rules: {error}") from None


def _check(key: str, value: object) -> None:
    path = f"rules.{printable(key, _KEY_LENGTH)}"
    if key not in _CHANGES:
        raise InvalidInputError(f"{path}: there is no such rule; there are {', '.join(_CHANGES)}")
    if _CHANGES[key] == "bool":
        if not isinstance(value, bool):
            raise InvalidInputError(f"{path}: {show(value)} is not true or false")
    elif value is not None or "None" not in _CHANGES[key]:
        as_integer(value, path)
