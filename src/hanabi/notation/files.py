"""Files as bytes: unpacked if they are packed by gzip, and never more than an input may be long."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from hanabi.errors import InvalidInputError, printable

__all__ = ["MOST_BYTES", "plain_name", "read_file", "rest_of", "too_long", "unpacked"]

MOST_BYTES = 1 << 29
"""The longest input: ten million cards fit, and twice as many moves."""

_PIECE = 1 << 20
_REASON_LENGTH = 100
_ENDING = ".gz"
_START = b"\x1f\x8b\x08"  # no text in UTF-8 and no pickle begins so


def plain_name(name: str) -> str:
    """Return the name of a file without the ending that says that it is packed.

    >>> plain_name("games.jsonl.gz"), plain_name("deck.txt")
    ('games.jsonl', 'deck.txt')
    """
    return name.removesuffix(_ENDING)


def unpacked(stream: BinaryIO, name: str) -> BinaryIO:
    """Return a stream, unpacked as it is read if it begins as gzip does.

    Parameters
    ----------
    stream
        A stream that can be peeked into, or rewound.
    name
        What errors call it. Reading raises InvalidInputError where the packed data is damaged.
    """
    return cast("BinaryIO", _Unpacked(stream, name)) if _is_packed(stream) else stream


def read_file(path: Path, name: str = "") -> bytes:
    """Return what a file holds, unpacked if it is packed; `name` stands before errors.

    Raises
    ------
    OSError
        If it cannot be read.
    InvalidInputError
        If packed data is damaged, or longer than `MOST_BYTES` when unpacked.
    """
    with path.open("rb") as file:
        stream = unpacked(file, name)
        return file.read() if stream is file else rest_of(stream, name)


def rest_of(
    stream: BinaryIO, name: str, read: Iterable[bytes] = (), *, most: int | None = None
) -> bytes:
    """Return what was read, and what is left of a stream that may be endless.

    At most `most` bytes are read, by default `MOST_BYTES`; more are an error.

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
    """What is packed in a stream; damage is an error of the input."""

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
