"""From a file, a link or text to what it holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from hanabi.errors import InvalidInputError, naming, printable, quote
from hanabi.notation import (
    DeckInput,
    GameRecord,
    SolitaireInput,
    decode,
    is_dimacs,
    lines_of,
    parse_input,
)
from hanabi.notation.bulk import BulkInput
from hanabi.notation.files import read_file
from hanabi.notation.links import is_link
from hanabi.seeds import is_seed
from hanabi.solitaire.instance import Instance

if TYPE_CHECKING:
    from hanabi.hardness import Formula

__all__ = ["Input", "Source", "instance_of", "is_text", "read", "text_of"]

Input: TypeAlias = "GameRecord | DeckInput | SolitaireInput | Formula"
"""A recorded game, a dealt deck, a stream of cards for one player, or a formula."""

Source: TypeAlias = "str | os.PathLike[str]"
"""The name of a file, a link, or the text itself."""

_NAME_LENGTH = 250


def read(source: Source) -> Input:
    r"""Read a game, a deck, a stream of cards or a formula, known by its content. O(length).

    Parameters
    ----------
    source
        A path; or the name of a file, if there is such a file; or a replay link or a seed of
        hanab.live; or the text itself: JSON, or more than one word.

    Returns
    -------
    GameRecord
        Of a link or a seed, or of a game that hanab.live exports as JSON.
    DeckInput
        Of a deck that is dealt to a number of players, in text or JSON.
    SolitaireInput
        Of a stream of cards for one player, in text or JSON.
    Formula
        Of a DIMACS file.

    Raises
    ------
    InvalidInputError
        In one line: the file that cannot be read, or which piece of it is wrong.

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
    hanabi.errors.InvalidInputError: '2906.jsn' is neither a file that exists nor a link, a seed,
    JSON or text of several words
    """
    text, name = text_of(source)
    with naming(name):
        if is_dimacs(text):
            from hanabi.hardness import read_dimacs

            return read_dimacs(lines_of(text))
        return parse_input(text)


def text_of(source: Source) -> tuple[str, str]:
    """Return the text that `read` would read, and what errors call it: "" if given as such."""
    if isinstance(source, os.PathLike) or (isinstance(source, str) and _is_file(source)):
        path = Path(source)
        name = printable(str(path), _NAME_LENGTH)
        try:
            return decode(read_file(path)), name
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name, or no text
            reason = error.strerror if isinstance(error, OSError) else error
            raise InvalidInputError(f"{name}: cannot be read: {reason}") from None
    if not isinstance(source, str):
        raise InvalidInputError(f"{quote(source)} is neither text nor a path")
    if is_link(source) or is_seed(source) or "\n" in source or source.lstrip()[:1] in ("{", "["):
        return source, ""
    if is_text(source):
        return source, f"{quote(source)} is no file, and as text"
    raise InvalidInputError(
        f"{quote(source)} is neither a file that exists nor a link, a seed, JSON or text of several"
        " words"
    )


def is_text(source: str) -> bool:
    """Return whether what names no file is the input itself: JSON, or more than one word.

    >>> is_text("hand 1 r2 r1"), is_text("[1]"), is_text("deck.txt")
    (True, True, False)
    """
    return source.lstrip()[:1] in ("{", "[") or len(source.split()) > 1


def _is_file(text: str) -> bool:
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):  # too long for a name, or a NUL
        return False


def instance_of(given: SolitaireInput, hand_size: int) -> Instance:
    """Return the stream that was read as an instance with this hand; long ones without a copy.

    >>> from hanabi.deck import Deck
    >>> instance_of(SolitaireInput(Deck([(0, 2), (0, 1)])), 1)
    Instance(hand_size=1, N=2, n=2, c=1, r=1)
    """
    if isinstance(given, BulkInput) and given.values is not None and given.colors is not None:
        return Instance.from_arrays(hand_size, given.colors, given.values, n=given.n, c=given.c)
    return Instance(hand_size, given.cards, n=given.n, c=given.c)
