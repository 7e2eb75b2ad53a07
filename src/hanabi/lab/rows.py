"""What a row of a store must be to be believed: whole, of the right types, and within range.

A file can be damaged, and anybody can have written it. Every row ends with a checksum of its other
cells; a row that does not agree with its own is as good as none.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from hanabi.errors import InvalidInputError
from hanabi.lab.work import key_of_text
from hanabi.notation.strict_json import as_object, load

__all__ = ["Row", "config_of", "is_chunk", "is_whole", "sealed"]

Row: TypeAlias = tuple[Any, ...]
"""The cells of a row, as SQLite gives them."""

_CHECKSUM_LENGTH = 16
_MOST = 2**63 - 1
_LAST_SECOND = 253_402_300_799  # of the year 9999


def sealed(row: Sequence[object]) -> Row:
    """Return a row with its checksum at the end.

    >>> sealed(("a", 1))
    ('a', 1, 'c2cf3c9453d362d6')
    """
    return (*row, _checksum(row))


def is_whole(row: Sequence[object]) -> bool:
    """Return whether the last cell is the checksum of those before."""
    return bool(row[-1] == _checksum(row[:-1]))


def _checksum(cells: Iterable[object]) -> str:
    """Return the start of the SHA-256 of some cells, their types and lengths included."""
    digest = hashlib.sha256()
    for cell in cells:
        data = cell if isinstance(cell, bytes) else ascii(cell).encode()
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()[:_CHECKSUM_LENGTH]


def is_chunk(row: Sequence[Any]) -> bool:
    """Return whether these can be the cells of a chunk, apart from its checksum."""
    key, first, count, payload, seconds, finished = row
    if not (isinstance(key, str) and isinstance(payload, bytes)):
        return False
    if not (type(first) is int and type(count) is int):
        return False
    is_range = first >= 0 and count >= 1 and first + count <= _MOST
    are_records = is_range and len(payload) >= count and len(payload) % count == 0
    return are_records and _is_time(seconds) and _is_time(finished)


def config_of(row: Sequence[Any]) -> dict[str, Any] | None:
    """Return the configuration in the cells of a work, or None if they can be of none."""
    key, kind, version, config, created = row
    if not (isinstance(key, str) and isinstance(kind, str) and isinstance(config, str)):
        return None
    if type(version) is not int or not _is_time(created):
        return None
    if key != key_of_text(kind, version, config):
        return None
    try:
        return as_object(load(config), "config")
    except InvalidInputError:
        return None


def _is_time(seconds: object) -> bool:
    return isinstance(seconds, float) and math.isfinite(seconds) and 0 <= seconds <= _LAST_SECOND
