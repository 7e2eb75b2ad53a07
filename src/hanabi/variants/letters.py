"""The letters by which text names the suits of a variant, no two alike."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase

__all__ = ["letters_of"]

# Of the last word of a name, where its first letter is not what people write.
_USUAL = {"Black": "k", "Rainbow": "m", "Pink": "i", "Brown": "n", "Null": "u"}


@lru_cache(maxsize=256)
def letters_of(names: tuple[str, ...]) -> str:
    """Return a letter for each suit, in order; it depends on nothing but their names.

    A suit gets the first letter of its name's last word, or k for black, m for rainbow, i for pink,
    n for brown and u for null; if a suit before it has that letter, the first letter of its name
    that is free, or of the alphabet. That it is built downwards does not count.

    >>> letters_of(("Red", "Green", "Gray", "Dark Rainbow Reversed", "Muddy Rainbow"))
    'rgamu'
    """
    letters = ""
    for name in names:
        words = name.removesuffix(" Reversed").removesuffix(" EA")
        last = words.split()[-1]
        wanted = (_USUAL.get(last) or last[0]) + words + ascii_lowercase
        letters += next(x for x in wanted.lower() if x.isalpha() and x not in letters)
    return letters
