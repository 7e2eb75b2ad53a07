"""Errors that `hanabi` raises, and helpers for the text of messages.

An infeasible instance and an exhausted budget are results, never errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

__all__ = [
    "BudgetEndedError",
    "HanabiError",
    "IllegalActionError",
    "InvalidInputError",
    "MissingPackageError",
    "ParameterError",
    "PlayerError",
    "SolverError",
    "StoreError",
    "closest",
    "counted",
    "did_you_mean",
    "naming",
    "printable",
    "quote",
    "short_name",
    "without_package",
]

_QUOTE_LENGTH = 48
_MOST_BITS = 10_000
_WORD_LENGTH = 40  # of a word that is compared with known ones
_PARAMETER = re.compile(r"\{(\w+)(?::(\w+))?\}")

# Characters that control a terminal or that it cannot show: C0, DEL and C1 controls, line and
# paragraph separators, controls of the writing direction, the invisible byte order mark, halves of
# surrogate pairs.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


class HanabiError(Exception):
    """Base class of every error that this package raises on purpose."""


class InvalidInputError(HanabiError, ValueError):
    """Invalid input; the message quotes it and names its place."""


class ParameterError(InvalidInputError):
    """Parameters that do not fit an input, or each other; a command line calls them options.

    Parameters
    ----------
    words
        The message. `{players}` in it stands for the name of the parameter, and `{players:P}` for
        the name with a placeholder for a value.
    source
        The input that the message is about, if any. It comes first in the message.

    >>> error = ParameterError("no number of players: give {players:P}", "deck.txt")
    >>> print(error)
    deck.txt: no number of players: give players
    >>> error.spelled(lambda name, value: f"--{name} {value}")
    'deck.txt: no number of players: give --players P'
    """

    def __init__(self, words: str, source: str = "") -> None:
        super().__init__(words, source)
        self._words, self._source = words, source

    def __str__(self) -> str:
        return self.spelled(lambda name, _: name)

    def spelled(self, spell: Callable[[str, str], str]) -> str:
        """Return the message with each parameter spelled by `spell`, given its name and value."""
        text = _PARAMETER.sub(lambda match: spell(match[1], match[2] or ""), self._words)
        return f"{self._source}: {text}" if self._source else text

    def about(self, source: str) -> ParameterError:
        """Return the error with another source in front of its own."""
        both = f"{source}: {self._source}" if self._source else source
        return ParameterError(self._words, both)


class IllegalActionError(HanabiError):
    """A move or action that breaks a rule; the message names the first broken rule."""


class PlayerError(HanabiError):
    """A failure of a player from outside the package; the message names the place in its code."""


class SolverError(HanabiError):
    """A request that a solver does not support (for example `unique` with repeated cards)."""


class BudgetEndedError(SolverError):
    """The end of a budget of time or memory; solvers catch it and answer UNKNOWN."""


class StoreError(HanabiError):
    """A file that is not a store of results, or a store that cannot be read or written."""


class MissingPackageError(HanabiError):
    """A missing package that one of this package's extras installs.

    >>> print(MissingPackageError("plots need matplotlib", extra="plots"))
    plots need matplotlib: pip install '.[plots]' in a checkout of hanabi
    """

    def __init__(self, need: str, *, extra: str) -> None:
        super().__init__(f"{need}: pip install '.[{extra}]' in a checkout of hanabi")


def without_package(error: ImportError) -> str | None:
    """Return one line about a package that cannot be imported, or None if it is this one.

    >>> print(without_package(ImportError("No module named 'numba'", name="numba")))
    No module named 'numba': pip install . in a checkout of hanabi installs what is needed
    >>> without_package(ImportError("no name 'Game'", name="hanabi.rules"))
    """
    while isinstance(error.__cause__, ImportError):  # a module of ours that needs the package
        error = error.__cause__
    if (error.name or "").partition(".")[0] == "hanabi":
        return None
    what = printable(str(error).strip().rstrip("."))
    return f"{what}: pip install . in a checkout of hanabi installs what is needed"


@contextmanager
def naming(source: str) -> Iterator[None]:
    """Put `source`, if it is not empty, in front of messages about invalid input.

    >>> with naming("deck.json"):
    ...     raise InvalidInputError("it is empty")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: deck.json: it is empty
    """
    try:
        yield
    except InvalidInputError as error:
        if not source:
            raise
        if isinstance(error, ParameterError):
            raise error.about(source) from None
        raise InvalidInputError(f"{source}: {error}") from None


def quote(value: object) -> str:
    """Return `value` as a short quotation fit for a one-line message.

    Long values are cut and marked with an ellipsis, and control characters are escaped, so a 10 MB
    line of garbage still gives one readable line. This function never raises an error, even if the
    value's own `repr` does.

    >>> quote("q7")
    "'q7'"
    >>> len(quote("x" * 10_000_000))
    53
    >>> quote(10**5000)
    'an integer of 16,610 bits'
    """
    # Cut before repr(): escaping ten million characters to show forty would be slow.
    if isinstance(value, str | bytes):
        text = repr(value[:_QUOTE_LENGTH])
        return text if len(value) <= _QUOTE_LENGTH else text + "..."
    if isinstance(value, int) and _is_long(value):
        return f"an integer of {value.bit_length():,} bits"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 (lists within lists within lists, long integers, foreign code)
        return f"{type(value).__name__}(...)"
    return text if len(text) <= _QUOTE_LENGTH else text[:_QUOTE_LENGTH] + "..."


def _is_long(number: int) -> bool:
    """Return whether an integer may be too long for Python to write (more than 4,300 digits)."""
    return isinstance(number, int) and number.bit_length() > _MOST_BITS


def printable(text: str, limit: int | None = None) -> str:
    r"""Return text of any origin as one line that is safe to print on a terminal.

    Control characters become escapes as in Python's strings; all others are kept. O(length), or
    O(limit).

    Parameters
    ----------
    text
        Text from a file, a name or an option.
    limit
        The most characters to keep. Longer text is cut and marked with its length. None keeps all.

    >>> print(printable("Zo\u00eb \x1b[2J\u202e"))
    Zoë \x1b[2J\u202e
    >>> printable("x" * 1_000_000, limit=3)
    'xxx... (1,000,000 characters)'
    """
    if limit is not None and len(text) > limit:
        return f"{printable(text[:limit])}... ({len(text):,} characters)"
    return _UNPRINTABLE.sub(_escape, text)


def short_name(name: str, limit: int) -> str:
    """Return a name as `printable` cuts it; long names that differ stay different.

    A checksum follows the length, as names may agree at both ends.

    >>> short_name("Zoe", 8), short_name("Bartholomew 1", 8), short_name("Bartholomew 2", 8)
    ('Zoe', 'Bartholo... (13 characters, d0c431)', 'Bartholo... (13 characters, a194de)')
    """
    if len(name) <= limit:
        return printable(name)
    from hashlib import blake2b

    checksum = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=3).hexdigest()
    return f"{printable(name[:limit])}... ({len(name):,} characters, {checksum})"


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun in the singular or plural; the default plural adds an s.

    >>> counted(1, "state"), counted(1200, "state"), counted(2, "copy", "copies")
    ('1 state', '1,200 states', '2 copies')
    """
    shown = quote(number) if _is_long(number) else f"{number:,}"
    return f"{shown} {noun if number == 1 else plural or noun + 's'}"


def closest(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the known word that is most like a misspelled one, or None if none is.

    Parameters
    ----------
    word
        The word; only its beginning is compared.
    known
        The words that are understood.
    cutoff
        The least similarity, from 0 to 1, as `difflib` measures it.

    >>> closest("hand_sise", ["cards", "hand_size"]), closest("x", ["cards"])
    ('hand_size', None)
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:_WORD_LENGTH], known, n=1, cutoff=cutoff)), None)


def did_you_mean(word: str, known: Iterable[str], listing: str = "") -> str:
    """Return the end of a message about an unknown word: a question, or "" if none is like it.

    Parameters
    ----------
    word
        The word.
    known
        The words that are understood.
    listing
        If given, the list of all these words follows, introduced by it.

    >>> f"no player 'Rule-Basd'{did_you_mean('Rule-Basd', ['random', 'rule-based'])}"
    "no player 'Rule-Basd': did you mean 'rule-based'?"
    >>> f"no rule set 'hlee'{did_you_mean('hlee', ['hle', 'official'], 'there are')}"
    "no rule set 'hlee': did you mean 'hle'? There are hle, official"
    >>> f"no rule set 'x'{did_you_mean('x', ['hle', 'official'], 'there are')}"
    "no rule set 'x'; there are hle, official"
    """
    known = [*known]
    meant = closest(word, known) or closest(word.lower(), known)
    question = "" if meant is None else f": did you mean {quote(meant)}?"
    if not listing:
        return question
    start = f"{question} {listing[0].upper()}{listing[1:]}" if question else f"; {listing}"
    return f"{start} {', '.join(known)}"
