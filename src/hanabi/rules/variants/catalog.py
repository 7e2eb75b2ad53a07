"""The catalog of hanab.live's variants, by name or number; it is read once.

`suits.tsv` and `variants.tsv` hold facts from the site's public repository (August 2026), in its
own words: names, clue colors and options.
"""

from __future__ import annotations

import re
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from hanabi.ground import InvalidInputError, did_you_mean, quote
from hanabi.rules.deck import DeckSpec
from hanabi.rules.variants.variant import Suit, Variant

__all__ = ["VARIANT_COUNT", "find_variant", "plain_variant", "variant_names"]

VARIANT_COUNT = 2426
"""Number of variants in the table."""

_PLAIN = ("No Variant", "6 Suits", "4 Suits", "3 Suits")
_NUMBERS = {"specialRank": "special_rank", "criticalRank": "critical_rank", "stackSize": "ranks"}
_FLAGS = {each.name for each in fields(Variant) if each.type == "bool"}


@lru_cache(maxsize=256)
def find_variant(key: str | int) -> Variant:
    """Return the variant with this name or number.

    Raises
    ------
    InvalidInputError
        If there is none; the message lists similar names.

    >>> find_variant(0).name, find_variant("Black (5 Suits)").id
    ('No Variant', 21)
    """
    rows, by_id = _rows()
    name = by_id.get(key) if isinstance(key, int) else key
    if name is None or name not in rows:
        what = f"number {quote(key)}" if isinstance(key, int) else quote(key)
        meant = did_you_mean(key, variant_names()) if isinstance(key, str) else ""
        raise InvalidInputError(f"{what} is not a variant of hanab.live{meant}")
    number, suits, options = rows[name]
    return Variant(name=name, id=number, suits=tuple(map(_suit, suits)), **_options(options))


def plain_variant(spec: DeckSpec) -> Variant | None:
    """Return the plain variant with these cards, or None if there is none.

    >>> plain_variant(DeckSpec.standard(6))
    <Variant 6 Suits>
    """
    return next((each for each in map(find_variant, _PLAIN) if each.spec == spec), None)


def variant_names() -> tuple[str, ...]:
    """Return the names of all variants, in the order of their numbers.

    >>> len(variant_names()) == VARIANT_COUNT
    True
    """
    return tuple(_rows()[1].values())


@lru_cache(maxsize=1)
def _rows() -> tuple[dict[str, tuple[int, list[str], str]], dict[int, str]]:
    """Return the number, suits and options of each variant by name, and each name by number."""
    rows = {}
    for line in _lines("variants.tsv"):
        number, name, suits, options = line.split("\t")
        rows[name] = int(number), suits.split("/"), options
    return rows, {row[0]: name for name, row in rows.items()}


@lru_cache(maxsize=1)
def _suits() -> dict[str, Suit]:
    suits = {}
    for line in _lines("suits.tsv"):
        name, colors, properties = line.split("\t")
        flags: dict[str, Any] = {_snake(word): True for word in properties.split()}
        suits[name] = Suit(name=name, clue_colors=_split(colors), **flags)
    return suits


def _suit(name: str) -> Suit:
    base = name.removesuffix(" Reversed")
    suit = _suits()[base]
    return suit if name == base else suit.reverse()


def _options(text: str) -> dict[str, Any]:
    """Return the attributes of `Variant` for a cell of options."""
    result: dict[str, Any] = {}
    for word in text.split():
        option, is_given, value = word.partition("=")
        if option in _NUMBERS:
            result[_NUMBERS[option]] = int(value)
        elif option == "clueRanks":
            result["named_clue_ranks"] = tuple(map(int, _split(value)))
        elif option == "clueColors":
            result["named_clue_colors"] = _split(value)
        elif is_given or _snake(option) not in _FLAGS:
            raise InvalidInputError(f"{quote(word)} is not an option of a variant")
        else:
            result[_snake(option)] = True
    return result


def _lines(name: str) -> list[str]:
    return Path(__file__).with_name(name).read_text("utf-8").splitlines()[1:]


def _split(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("/")) if cell else ()


def _snake(word: str) -> str:
    """Return `oneOfEach` as `one_of_each`."""
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), word)
