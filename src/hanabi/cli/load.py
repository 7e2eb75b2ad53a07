"""From a file, a link or standard input to an instance of Solitaire Hanabi."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from hanabi.errors import InvalidInputError, counted, printable, quote
from hanabi.notation import DeckInput, GameRecord, SolitaireInput, decode, parse_input
from hanabi.notation.hanab_live import RANKS
from hanabi.notation.links import is_link
from hanabi.notation.strict_json import is_object
from hanabi.session.inputs import instance_of
from hanabi.solitaire.instance import Instance

__all__ = [
    "STDIN",
    "Problem",
    "items_of",
    "name_of",
    "opened",
    "read_problem",
    "read_text",
    "solitaire_problem",
    "to_problem",
]

STDIN = "-"

# Ten million cards fit, and twice as many moves.
_MOST_BYTES = 1 << 29
_PIECE = 1 << 20
_MOST_BLANK = 1_000_000
_LINK_LENGTH, _NAME_LENGTH = 60, 250


@dataclass(frozen=True, slots=True)
class Problem:
    """An instance to solve, with remarks on how the input was understood.

    `hand_is_given` is False if the input leaves the hand size open (the instance then has 0).
    """

    instance: Instance
    remarks: tuple[str, ...] = ()
    hand_is_given: bool = True


def name_of(source: str) -> str:
    """Return what error messages call a source: its name, printable and cut if it is very long.

    >>> name_of("-"), name_of("deck.txt")
    ('standard input', 'deck.txt')
    """
    if source == STDIN:
        return "standard input"
    return printable(source, _LINK_LENGTH if is_link(source) else _NAME_LENGTH)


@contextmanager
def opened(source: str) -> Iterator[BinaryIO]:
    """Open a source to be read; standard input stays open."""
    if source == STDIN:
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(source).open("rb"))
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = error.strerror if isinstance(error, OSError) else error
            raise InvalidInputError(f"cannot read {quote(source)}: {reason}") from None
        yield stream


def read_text(source: str) -> str:
    """Return the whole text behind a source; a link is its own text, unless it names a file."""
    if _is_link(source):
        return source
    with opened(source) as stream:
        return _decoded(_rest(stream, source), source)


def _is_link(source: str) -> bool:
    return is_link(source) and not os.path.exists(source)  # noqa: PTH110 - takes any text


def _rest(stream: BinaryIO, source: str, read: Iterable[bytes] = ()) -> bytes:
    """Return what was read, and what is left of a stream that may be endless."""
    data = bytearray(b"".join(read))
    while len(data) <= _MOST_BYTES:
        piece = stream.read(_PIECE)
        if not piece:
            return bytes(data)
        data += piece
    raise _too_long(source, "an input")


def _too_long(source: str, what: str) -> InvalidInputError:
    return InvalidInputError(f"{name_of(source)}: {what} of more than {_MOST_BYTES >> 20} MiB")


def _decoded(data: bytes, source: str) -> str:
    try:
        return decode(data)
    except InvalidInputError as error:
        raise InvalidInputError(f"{name_of(source)}: {error}") from None


@contextmanager
def items_of(source: str) -> Iterator[str | Iterator[bytes]]:
    """Give the whole text of a single input, or the lines of one that holds an item a line.

    The latter are files whose name ends in .jsonl, and content whose first two lines start JSON
    objects of which the first is complete.
    """
    if _is_link(source):
        yield source
        return
    with opened(source) as stream:
        lines = _lines(stream, source)
        if source.endswith(".jsonl"):
            yield lines
            return
        read, first = _head(lines, source)
        if len(first) == 2 and first[1].lstrip().startswith(b"{") and is_object(first[0]):
            yield chain(read, lines)
        else:
            yield _decoded(_rest(stream, source, read), source)


def _lines(stream: BinaryIO, source: str) -> Iterator[bytes]:
    while line := stream.readline(_MOST_BYTES + 1):
        if len(line) > _MOST_BYTES:
            raise _too_long(source, "a line")
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


def read_problem(source: str, *, hand_size: int | None, hand_is_needed: bool = True) -> Problem:
    """Read one instance from a file, a link or standard input."""
    return to_problem(
        read_text(source),
        source=source,
        hand_size=hand_size,
        hand_is_needed=hand_is_needed,
    )


def to_problem(
    text: str, *, source: str, hand_size: int | None, hand_is_needed: bool = True
) -> Problem:
    """Return the instance that `text` describes; `hand_size` wins over what the text says.

    The cards of p players with h each, all face up, can be played as by one player with a hand of
    p*h - 1, if drawing never ends the game (erratum E18: the paper says p*h).

    >>> to_problem("players 3 r1 b5", source="-", hand_size=None).instance.hand_size
    14
    """
    name = name_of(source)
    given = parse_input(text, source=name)
    try:
        return solitaire_problem(given, hand_size, hand_is_needed=hand_is_needed)
    except InvalidInputError as error:
        raise InvalidInputError(f"{name}: {error}" if name else str(error)) from None


def solitaire_problem(
    given: SolitaireInput | DeckInput | GameRecord, hand_size: int | None, *, hand_is_needed: bool
) -> Problem:
    """Return the instance of Solitaire Hanabi that was read; see `to_problem`."""
    if isinstance(given, SolitaireInput):
        return _solitaire(given, hand_size, hand_is_needed)
    return _dealt(given, hand_size)


def _solitaire(given: SolitaireInput, hand_size: int | None, hand_is_needed: bool) -> Problem:
    hand = given.hand_size if hand_size is None else hand_size
    if hand is None and hand_is_needed:
        raise InvalidInputError("no hand size: give --hand-size H, or write it into the input")
    instance = instance_of(given, 0 if hand is None else hand)
    return Problem(instance, hand_is_given=hand is not None)


def _dealt(given: DeckInput | GameRecord, hand_size: int | None) -> Problem:
    remarks = []
    n: int | None
    c: int | None
    if isinstance(given, GameRecord):
        n, c = RANKS, given.colors
        mismatch = given.deck_mismatch
        if mismatch is not None:
            remarks.append(f"Note: {mismatch}.")
        if given.options.get("detrimentalCharacters"):
            remarks.append("Note: what the players' characters forbid is not looked at.")
    else:
        n, c = given.n, given.c
        if given.rules is not None:
            raise InvalidInputError(
                "rules: Solitaire Hanabi has none to choose; remove the entry to solve the cards"
            )
    merged = given.players * given.hand_size - 1
    if hand_size is None:
        remarks.insert(
            0,
            f"{given.players} players with {counted(given.hand_size, 'card')} each: solved as a"
            f" solitaire with a hand of {merged} (all cards face up, no hints, no last round).",
        )
    cards = ((card.rank, card.color) for card in given.deck)
    instance = Instance(merged if hand_size is None else hand_size, cards, n=n, c=c)
    return Problem(instance, tuple(remarks))
