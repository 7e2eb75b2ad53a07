"""Strict JSON reader: refuses repeated keys and NaN, and raises none of Python's own errors.

The checkers below give the path of the wrong piece, as in `deck[12].rank`.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
from collections.abc import Container, Iterable, Iterator
from typing import NoReturn

from hanabi.ground import InvalidInputError, closest, quote
from hanabi.rules.notation.record import MOST

__all__ = [
    "COMMENTS",
    "as_array",
    "as_integer",
    "as_items",
    "as_object",
    "as_text",
    "is_integer",
    "is_object",
    "load",
    "refuse_missing",
    "refuse_other_spellings",
    "refuse_typos",
    "show",
]

COMMENTS = ("//", "/*")
"""The beginnings of comments, as people write them into JSON."""

_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxlist, _SHORT.maxdict, _SHORT.maxstring = 2, 4, 2, 20


def load(text: str) -> object:
    """Return the value of a JSON document.

    Raises InvalidInputError if it is not JSON (with line and column), repeats a key, holds NaN, an
    infinity or a number too large for a float, or is nested too deeply.

    >>> load('{"players": 3}')
    {'players': 3}
    """
    try:
        value: object = json.loads(text) if text.startswith("\ufeff") else _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise InvalidInputError(_explain(error)) from None
    except RecursionError:
        raise InvalidInputError(f"{quote(text)}: the JSON is nested too deeply") from None
    except InvalidInputError:
        raise
    except ValueError:  # Python refuses to convert integers of several thousand digits
        raise InvalidInputError(_explain_long_integer(text)) from None
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InvalidInputError(f"key {quote(key)} is given twice in one JSON object")
            seen.add(key)
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInputError(f"{name} is not a number that JSON allows")


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise InvalidInputError(f"the number {quote(digits)} is too large")
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_float
)


def is_object(text: str | bytes) -> bool:
    r"""Return whether a text is one JSON object, even one that `load` refuses.

    >>> is_object('{"id": 1}'), is_object("[]"), is_object('{"id": 1'), is_object(b"\xff")
    (True, False, False, False)
    """
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _explain(error: json.JSONDecodeError) -> str:
    where = f"line {error.lineno}, column {error.colno}"
    rest = error.doc[error.pos : error.pos + 200]
    if rest.startswith(COMMENTS):
        return f"{where}: JSON has no comments: remove {quote(rest.splitlines()[0].rstrip())}"
    if not rest.strip():
        return f"{where}: the JSON ends too early"
    if error.msg.startswith("Unterminated string"):
        return f"{where}: the JSON ends inside the string {quote(rest)}"
    if error.msg == "Extra data":
        return f"{where}: {quote(rest)} follows the end of the JSON"
    return f"{where}: not JSON at {quote(rest)} ({error.msg[0].lower()}{error.msg[1:]})"


def _explain_long_integer(text: str) -> str:
    digits = re.search(r"[0-9]{4300,}", text)
    if digits is None:
        return "the JSON holds an integer that is too long"
    line = text.count("\n", 0, digits.start()) + 1
    column = digits.start() - text.rfind("\n", 0, digits.start())
    return f"line {line}, column {column}: the integer {quote(digits.group())} is too long"


def show(value: object) -> str:
    """Return a JSON value shortened for messages, however large or deep it is.

    >>> show(None), show(1.5), show([[[[]]]])
    ('null', '1.5', '[[[...]]]')
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | dict):
        return _SHORT.repr(value)
    return quote(value)


def as_integer(value: object, path: str, low: int = 0, high: int = MOST) -> int:
    """Return `value` if it is an integer in `low` .. `high`, else raise, naming `path`.

    >>> as_integer(True, "players")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: players: true is not an integer
    """
    if type(value) is not int:  # bool is a subclass of int
        raise InvalidInputError(f"{path}: {show(value)} is not an integer")
    if not low <= value <= high:
        raise InvalidInputError(f"{path}: {show(value)} is not in {low} .. {high}")
    return value


def is_integer(value: object, wanted: int) -> bool:
    """Return whether a JSON value is this integer; 1.0 and true are not 1.

    >>> is_integer(1, 1), is_integer(1.0, 1), is_integer(True, 1)
    (True, False, False)
    """
    return type(value) is int and value == wanted


def as_text(value: object, path: str) -> str:
    """Return `value` if it is a string, else raise, naming `path`."""
    if not isinstance(value, str):
        raise InvalidInputError(f"{path}: {show(value)} is not a string")
    return value


def as_array(value: object, path: str) -> list[object]:
    """Return `value` if it is an array, else raise, naming `path`."""
    if not isinstance(value, list):
        raise InvalidInputError(f"{path}: {show(value)} is not an array")
    return value


def as_items(value: object, path: str) -> Iterator[tuple[object, str]]:
    """Return the items of an array, each with its path; raise, naming `path`, if it is none.

    >>> list(as_items(["b5"], "deck"))
    [('b5', 'deck[0]')]
    """
    return ((item, f"{path}[{index}]") for index, item in enumerate(as_array(value, path)))


def as_object(value: object, path: str, *keys: str) -> dict[str, object]:
    """Return `value` if it is an object that has these keys, else raise, naming `path`.

    >>> as_object({"rank": 5}, "deck[0]", "suitIndex")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: deck[0].suitIndex: missing
    """
    if not isinstance(value, dict):
        raise InvalidInputError(f"{path}: {show(value)} is not an object")
    for key in keys:
        if key not in value:
            raise InvalidInputError(f"{path}.{key}: missing")
    return value


def refuse_missing(keys: Container[str], *needed: str) -> None:
    """Raise if a needed key of the whole document is missing."""
    for key in needed:
        if key not in keys:
            raise InvalidInputError(f"{key}: missing")


# Words that people use instead of a key, too different from it for a spelling check.
_SYNONYMS = {
    "h": "hand_size",
    "hand": "hand_size",
    "handsize": "hand_size",
    "values": "n",
    "ranks": "n",
    "colors": "c",
    "colours": "c",
    "suits": "c",
    "stream": "cards",
    "numplayers": "players",
    "moves": "play",
}


def refuse_typos(keys: Iterable[str], known: tuple[str, ...]) -> None:
    """Raise if one of `keys` looks like a misspelling of a known key.

    >>> refuse_typos(["cards", "comment"], ("hand_size", "cards"))
    >>> refuse_typos(["hand_sise"], ("hand_size", "cards"))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: unknown key 'hand_sise': did you mean 'hand_size'?
    """
    unknown = [key for key in keys if key not in known]
    if not unknown:
        return
    refuse_other_spellings(unknown, known)
    for key in unknown:
        meant = _SYNONYMS.get(_plain(key))
        close = meant if meant in known else closest(key, known, cutoff=0.75)
        if close is not None:
            raise _unknown(key, close)


def refuse_other_spellings(keys: Iterable[str], known: Iterable[str], path: str = "") -> None:
    """Raise if one of `keys` differs from a known key only in case, blanks and dashes.

    Use this for objects that may have any other keys: `refuse_typos` would refuse too many.

    >>> refuse_other_spellings(["deckPlays", "deckplay"], ["deckPlays"])
    >>> refuse_other_spellings(["DeckPlays"], ["deckPlays"], "options.")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: unknown key 'options.DeckPlays': did you mean
        'deckPlays'?
    """
    meant = {_plain(name): name for name in known}
    for key in keys:
        name = meant.get(_plain(key), key)
        if name != key:
            raise _unknown(f"{path}{key}", name)


def _plain(key: str) -> str:
    return key[:40].lower().replace("-", "").replace("_", "").replace(" ", "")


def _unknown(key: str, meant: str) -> InvalidInputError:
    return InvalidInputError(f"unknown key {quote(key)}: did you mean {quote(meant)}?")
