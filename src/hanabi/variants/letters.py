"""The letters by which text names the suits of a variant, no two alike: hanab.live's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from string import ascii_lowercase

__all__ = ["former_letters_of", "letters_of"]

# By the last word of a name, where a suit's letter is not its first one.
_FORMER = {"black": "k", "rainbow": "m", "pink": "i", "brown": "n", "null": "u"}
_USUAL = _FORMER | {"gray": "a", "prism": "i"}
# The site keeps these for notes. It has no suit that is left without another letter.
_RESERVED = "fx"


@lru_cache(maxsize=256)
def letters_of(names: tuple[str, ...]) -> str:
    """Return a letter for each suit, in order; it depends on nothing but their names.

    A suit gets the first letter of its name's last word, or k for black, m for rainbow, i for pink
    and prism, n for brown, u for null and a for gray. If a suit before it has that letter, it gets
    the leftmost one of its name without "Dark" that is free and neither f nor x, or else of the
    alphabet. That it is built downwards does not count.

    >>> letters_of(("Red", "Prism", "Gray", "Dark Rainbow Reversed", "Muddy Rainbow", "Dark Pink"))
    'riamup'
    """
    return _letters(tuple(name.removeprefix("Dark ") for name in names), _USUAL, _RESERVED)


@lru_cache(maxsize=256)
def former_letters_of(names: tuple[str, ...]) -> str:
    """Return the letters that this library gave to suits before it took those of the site.

    >>> former_letters_of(("Red", "Prism", "Gray", "Dark Rainbow Reversed", "Dark Pink"))
    'rpgmi'
    """
    return _letters(names, _FORMER, "")


def _letters(names: tuple[str, ...], usual: Mapping[str, str], reserved: str) -> str:
    letters = ""
    for name in names:
        words = name.removesuffix(" Reversed").removesuffix(" EA").lower()
        last = words.split()[-1]
        others = [x for x in words + ascii_lowercase if x.isalpha() and x not in reserved]
        wanted = [usual.get(last) or last[0], *others, *reserved]
        letters += next(x for x in wanted if x not in letters)
    return letters
