"""From a file, a link or standard input to text, or to lines as they come."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from hanabi.errors import InvalidInputError, naming, printable, quote
from hanabi.notation import DeckInput, GameRecord, SolitaireInput, decode, parse_input
from hanabi.notation.files import MOST_BYTES, plain_name, rest_of, too_long, unpacked
from hanabi.notation.links import is_link, parse_actions
from hanabi.notation.strict_json import is_object
from hanabi.seeds import is_range, is_seed
from hanabi.session.inputs import is_text

__all__ = [
    "STDIN",
    "is_range_of_seeds",
    "items_of",
    "name_of",
    "read_input",
    "read_text",
    "with_actions",
]

STDIN = "-"

_MOST_BLANK = 1_000_000
_LINK_LENGTH, _NAME_LENGTH = 60, 250


def name_of(source: str) -> str:
    """Return what error messages call a source: its name, printable and cut if it is very long.

    >>> name_of("-"), name_of("deck.txt"), name_of("hand 1 q7")
    ('standard input', 'deck.txt', "'hand 1 q7' is no file, and as text")
    """
    if source == STDIN:
        return "standard input"
    if is_text(source) and _is_its_text(source):
        return f"{quote(source)} is no file, and as text"
    return printable(source, _LINK_LENGTH if is_link(source) else _NAME_LENGTH)


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    """Open a source to be read, and unpack it if it is packed; standard input stays open."""
    if source == STDIN:
        yield unpacked(sys.stdin.buffer, name_of(source))
        return
    try:
        stream = Path(source).open("rb")  # noqa: SIM115
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else error
        if isinstance(error, IsADirectoryError):
            reason = "it is a folder, and a single input is wanted"
        raise InvalidInputError(f"cannot read {quote(source)}: {reason}") from None
    with stream:
        yield unpacked(stream, name_of(source))


def read_text(source: str) -> str:
    """Return the whole text behind a source; one that names no file may be the text itself."""
    if _is_its_text(source):
        return source
    with _opened(source) as stream:
        return _decoded(rest_of(stream, name_of(source)), source)


def read_input(source: str) -> SolitaireInput | DeckInput | GameRecord:
    """Read what is to be solved or shown from a source."""
    return parse_input(read_text(source), source=name_of(source))


def with_actions(given: DeckInput | GameRecord | SolitaireInput, actions: str) -> GameRecord:
    """Return the game that was played on a deal of hanab.live."""
    if not isinstance(given, GameRecord):
        raise InvalidInputError(
            "--actions: only a seed or a game of hanab.live has a table for them"
        )
    if given.actions:
        raise InvalidInputError("--actions: this game has its own")
    with naming("--actions"):
        return replace(given, actions=parse_actions(actions, given))


def is_range_of_seeds(source: str) -> bool:
    """Return whether a source is a range of seeds of hanab.live, and no file."""
    return is_range(source) and not os.path.exists(source)  # noqa: PTH110


def _is_its_text(source: str) -> bool:
    is_its_own = is_link(source) or is_seed(source) or is_range(source) or is_text(source)
    return is_its_own and not os.path.exists(source)  # noqa: PTH110 - takes any text


def _decoded(data: bytes, source: str) -> str:
    with naming(name_of(source)):
        return decode(data)


@contextmanager
def items_of(source: str) -> Iterator[str | Iterator[bytes]]:
    """Give the whole text of a single input, or the lines of one that holds an item a line.

    The latter are files whose name ends in .jsonl, and content whose first two lines start JSON
    objects of which the first is complete.
    """
    if _is_its_text(source):
        yield source
        return
    with _opened(source) as stream:
        lines = _lines(stream, source)
        if plain_name(source).endswith(".jsonl"):
            yield lines
            return
        read, first = _head(lines, source)
        if len(first) == 2 and first[1].lstrip().startswith(b"{") and is_object(first[0]):
            yield chain(read, lines)
        else:
            yield _decoded(rest_of(stream, name_of(source), read), source)


def _lines(stream: BinaryIO, source: str) -> Iterator[bytes]:
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES:
            raise too_long(name_of(source), "a line", MOST_BYTES)
        yield line


def _head(lines: Iterable[bytes], source: str) -> tuple[list[bytes], list[bytes]]:
    """Read up to the second line that is not blank; return all lines read, and the not blank."""
    read: list[bytes] = []
    first: list[bytes] = []
    for line in lines:
        if len(read) == _MOST_BLANK:
            raise InvalidInputError(f"{name_of(source)}: begins with {len(read):,} blank lines")
        read.append(line)
        if line.strip():
            first.append(line)
            # Only a line that opens an object asks for a look at the next one.
            if len(first) == 2 or not line.lstrip().startswith(b"{"):
                break
    return read, first
