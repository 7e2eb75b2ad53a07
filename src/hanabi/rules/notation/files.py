"""Files as bytes: decompresses gzip, and limits the length of an input."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from hanabi.ground import InvalidInputError, printable, quote
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES
from hanabi.rules.notation.record import PLAYER_COUNTS
from hanabi.rules.notation.strict_json import as_integer
from hanabi.rules.variants import find_variant

__all__ = [
    "MOST_BYTES",
    "game_of_row",
    "is_row",
    "lines_of",
    "plain_name",
    "plain_text",
    "read_file",
    "rest_of",
    "too_long",
    "unpacked",
]

# Line ends, treated alike by all readers.
#
# Python's own `str.splitlines` also splits at form feeds and seven other characters that most
# editors show as part of a line: what one reader takes for a comment, another would take for
# cards.

_MARK = "\ufeff"
# Characters that end a line for some readers only, and characters that no text contains.
_REFUSED = ("\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\0", _MARK)


def plain_text(text: str) -> str:
    r"""Return text with each line end (CR, LF or both) as a line feed.

    A byte order mark at the beginning is dropped. O(length).

    Raises
    ------
    InvalidInputError
        If the text holds a character that ends a line for some readers only (vertical tab, form
        feed, file, group and record separators, next line, line and paragraph separators), a NUL
        or another byte order mark; the message gives its line and column.

    >>> plain_text("r1\r\nr2\rr3")
    'r1\nr2\nr3'
    """
    text = text.removeprefix(_MARK)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    for character in _REFUSED:
        if character in text:
            before = text[: text.index(character)]
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            raise InvalidInputError(
                f"line {line}, column {column}: {quote(character)} does not belong into text;"
                " lines end with a line feed"
            )
    return text


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a text, without line ends; errors as in `plain_text`.

    >>> lines_of("c one\rp cnf 0 0\n")
    ['c one', 'p cnf 0 0']
    """
    return plain_text(text).removesuffix("\n").split("\n")


MOST_BYTES = 1 << 29
"""The longest input: enough for ten million cards, or twice as many moves."""

_PIECE = 1 << 20
_REASON_LENGTH = 100
_ENDING = ".gz"
_START = b"\x1f\x8b\x08"  # no UTF-8 text and no pickle begins like this


def plain_name(name: str) -> str:
    """Return the name of a file without the ending of compressed files, in either case.

    >>> plain_name("games.jsonl.gz"), plain_name("deck.txt"), plain_name("A.TXT.GZ")
    ('games.jsonl', 'deck.txt', 'A.TXT')
    """
    return name[: -len(_ENDING)] if name.lower().endswith(_ENDING) else name


def unpacked(stream: BinaryIO, name: str) -> BinaryIO:
    """Return a stream that decompresses gzip data as it is read.

    Parameters
    ----------
    stream
        A stream that supports `peek` or can be rewound. Without gzip's signature at its beginning
        it is returned as it is.
    name
        The stream's name in errors. Reading damaged data raises InvalidInputError.
    """
    return cast("BinaryIO", _Unpacked(stream, name)) if _is_packed(stream) else stream


def read_file(path: Path, name: str = "") -> bytes:
    """Return the content of a file, decompressed if necessary; error messages start with `name`.

    Raises OSError if the file cannot be read; InvalidInputError if compressed data is damaged, or
    the content is longer than `MOST_BYTES`.
    """
    with path.open("rb") as file:
        stream = unpacked(file, name)
        return file.read() if stream is file else rest_of(stream, name)


def rest_of(
    stream: BinaryIO, name: str, read: Iterable[bytes] = (), *, most: int | None = None
) -> bytes:
    """Return the chunks already read, joined with the rest of a stream that may be endless.

    More than `most` bytes, by default `MOST_BYTES`, are an error.

    >>> from io import BytesIO
    >>> rest_of(BytesIO(b" r2"), "a stream", [b"r1"])
    b'r1 r2'
    """
    data, limit = bytearray(b"".join(read)), MOST_BYTES if most is None else most
    while len(data) <= limit:
        piece = stream.read(_PIECE)
        if not piece:
            return bytes(data)
        data += piece
    raise too_long(name, "an input", limit)


def too_long(name: str, what: str, limit: int) -> InvalidInputError:
    """Return the error for more bytes than a limit."""
    return InvalidInputError(f"{_before(name)}{what} of more than {limit >> 20} MiB")


def _before(name: str) -> str:
    return f"{name}: " if name else ""


def _is_packed(stream: BinaryIO) -> bool:
    peek = getattr(stream, "peek", None)
    if peek is not None:
        return bool(peek(len(_START))[: len(_START)] == _START)
    place = stream.tell()
    start = stream.read(len(_START))
    stream.seek(place)
    return start == _START


class _Unpacked(gzip.GzipFile):
    """The decompressed content of a stream; damage raises InvalidInputError."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        super().__init__(fileobj=stream, mode="rb")
        self._called = name

    def read(self, size: int | None = -1) -> bytes:
        with self._damage_told():
            return super().read(size)

    def readline(self, size: int | None = -1) -> bytes:
        with self._damage_told():
            return super().readline(size)

    @contextmanager
    def _damage_told(self) -> Iterator[None]:
        try:
            yield
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            reason = printable(str(error), _REASON_LENGTH).rstrip(".")
            raise InvalidInputError(
                f"{_before(self._called)}the packed data (gzip) is damaged: {reason}"
            ) from None


# Lists of games in hanab.live's form: `{"rows": [...]}`, one row a game.
#
# A row has the number, the score and the seed of a game, but neither its deck nor its actions. The
# seed gives the deck.

_PLAYERS = "num_players"


def is_row(data: object) -> bool:
    """Return whether a JSON value is a row of one of the site's lists.

    >>> is_row({"id": 1, "num_players": 3, "seed": "p3v0s17"}), is_row({"players": 3})
    (True, False)
    """
    return isinstance(data, dict) and _PLAYERS in data and "players" not in data


def game_of_row(data: object) -> object:
    """Convert a row to the JSON of a game; return anything else unchanged.

    Raises InvalidInputError if the number of the variant or of players is invalid, or there is no
    seed.

    >>> game_of_row({"id": 1, "num_players": 2, "variant": 0, "seed": "p2v0s1", "score": 25})
    {'id': 1, 'seed': 'p2v0s1', 'score': 25, 'players': ['Alice', 'Bob'],
    'options': {'variant': 'No Variant'}}
    """
    if not isinstance(data, dict) or not is_row(data):
        return data
    game = {key: value for key, value in data.items() if key not in (_PLAYERS, "variant")}
    if not isinstance(game.get("seed"), str):
        raise InvalidInputError("seed: missing in a row of a list of games")
    players = as_integer(data[_PLAYERS], _PLAYERS, PLAYER_COUNTS[0], PLAYER_COUNTS[-1])
    game["players"] = list(DEFAULT_NAMES[:players])
    if "variant" in data:
        variant = find_variant(as_integer(data["variant"], "variant"))
        game["options"] = {"variant": variant.name}
    return game
