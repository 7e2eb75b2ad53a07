"""Reading files, links and text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from hanabi.ground import InvalidInputError, naming, printable, quote
from hanabi.rules import (
    BulkInput,
    DeckInput,
    GameRecord,
    PositionInput,
    SolitaireInput,
    decode,
    export_needed,
    is_dimacs,
    is_link,
    is_range,
    is_seed,
    lines_of,
    parse_input,
    rest_of,
    unpacked,
)
from hanabi.solitaire import Instance

if TYPE_CHECKING:
    from hanabi.solitaire import Formula

__all__ = [
    "Input",
    "Source",
    "instance_of",
    "is_its_text",
    "is_text",
    "name_of",
    "opened",
    "read",
    "text_of",
]

Input: TypeAlias = "GameRecord | DeckInput | PositionInput | SolitaireInput | Formula"
"""A recorded game, a dealt deck, a position, a stream of cards for one player, or a formula."""

Source: TypeAlias = "str | os.PathLike[str]"
"""The name of a file, a link, or the input itself as text."""

_LINK_LENGTH, _NAME_LENGTH = 60, 250


def read(source: Source) -> Input:
    r"""Read a game, a deck, a position, a stream or a formula; the content decides. O(length).

    Parameters
    ----------
    source
        A path; the name of an existing file; a replay link or seed of hanab.live; or the input
        itself as text: JSON, or more than one word.

    Returns
    -------
    GameRecord
        For a link or seed, or a game exported from hanab.live as JSON.
    DeckInput
        For a deck dealt to a number of players, in text or JSON.
    PositionInput
        For a position without its history, in text or JSON.
    SolitaireInput
        For a stream of cards for one player, in text or JSON.
    Formula
        For a DIMACS file.

    Raises
    ------
    InvalidInputError
        If the input cannot be read; one line names the file, or the piece of it that is wrong.

    >>> read("hand 1\nr2 r1")
    SolitaireInput(cards=<Deck of 2 cards: r2 r1>, hand_size=1, n=None, c=None)
    >>> read("p cnf 2 1\n1 -2 0\n")
    Formula(n_vars=2, clauses=((1, -2),))
    >>> read("https://hanab.live/replay-json/215lw,00,0").deck
    <Deck of 2 cards: g2 p3>
    >>> read("p3v0s17").deck
    <Deck of 50 cards: b5 b2 r2 p4 r1 ...>
    >>> read("2906.jsn")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: cannot read '2906.jsn': there is no such file, and it
        is not
    a link, seed, JSON or text of several words
    """
    text, name = text_of(source)
    with naming(name):
        if is_dimacs(text):
            from hanabi.solitaire import read_dimacs

            return read_dimacs(lines_of(text))
        return parse_input(text)


def text_of(source: Source) -> tuple[str, str]:
    """Return the text that `read` would read, and its name in error messages."""
    name = name_of(source)
    if isinstance(source, str) and is_its_text(source):
        return source, name
    with opened(source, name) as stream:
        try:
            data = rest_of(stream, name)
        except OSError as error:
            raise _unreadable(source, error) from None
    with naming(name):
        return decode(data), name


@contextmanager
def opened(source: Source, name: str) -> Iterator[BinaryIO]:
    """Open a source's file, unpacking it if needed; errors call it `name`.

    Raises
    ------
    InvalidInputError
        If there is no such file, or it cannot be read.
    """
    try:
        stream = Path(source).open("rb")  # noqa: SIM115 - only what opens it may fail here
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise _unreadable(source, error) from None
    with stream:
        yield unpacked(stream, name)


def _unreadable(source: Source, error: OSError | ValueError) -> InvalidInputError:
    reason = str(error.strerror if isinstance(error, OSError) else error)
    if isinstance(source, str) and not os.path.exists(source):  # noqa: PTH110 - takes any text
        missing = "there is no such file, and it is not a link, seed, JSON or text of several words"
        reason = export_needed(source) or missing
    elif isinstance(error, IsADirectoryError):
        reason = "it is a folder, not a single input"
    text = os.fspath(source)
    shown = f"'{printable(text)}'" if len(text) <= _NAME_LENGTH else quote(text)
    return InvalidInputError(f"cannot read {shown}: {reason}")


def name_of(source: Source) -> str:
    r"""Return a source's name in error messages, cut if very long; "" if it has several lines.

    >>> name_of(Path("deck.txt")), name_of("hand 1 q7"), name_of("hand 1\nq7")
    ('deck.txt', "'hand 1 q7' is not a file, and as text", '')
    """
    if not isinstance(source, str | os.PathLike):
        raise InvalidInputError(f"{quote(source)} is neither text nor a path")
    text = os.fspath(source)
    if isinstance(source, str) and is_text(source) and is_its_text(source):
        return "" if "\n" in source else f"{quote(source)} is not a file, and as text"
    return printable(text, _LINK_LENGTH if is_link(text) else _NAME_LENGTH)


def is_its_text(source: str) -> bool:
    """Return whether a source is the input itself rather than the name of a file.

    >>> is_its_text("hand 1 r2 r1"), is_its_text("p3v0s17"), is_its_text("deck.txt")
    (True, True, False)
    """
    is_its_own = is_text(source) or is_link(source) or is_seed(source) or is_range(source)
    return is_its_own and not os.path.exists(source)  # noqa: PTH110 - takes any text


def is_text(source: str) -> bool:
    """Return whether a source that names no file is input text: JSON, or several words or lines.

    >>> is_text("hand 1 r2 r1"), is_text("[1]"), is_text("deck.txt")
    (True, True, False)
    """
    start = source.lstrip()[:1]
    return start in ("{", "[") or "\n" in source or len(source.split(maxsplit=1)) > 1


def instance_of(given: SolitaireInput, hand_size: int) -> Instance:
    """Return the stream as an instance with this hand size; long streams are not copied.

    >>> from hanabi.rules.deck import Deck
    >>> instance_of(SolitaireInput(Deck([(0, 2), (0, 1)])), 1)
    Instance(hand_size=1, N=2, n=2, c=1, r=1)
    """
    if isinstance(given, BulkInput) and given.values is not None and given.colors is not None:
        return Instance.from_arrays(hand_size, given.colors, given.values, n=given.n, c=given.c)
    return Instance(hand_size, given.cards, n=given.n, c=given.c)
