"""Names of source files: hashes of their contents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["digest_of", "sources_below"]

_LENGTH = 16


def digest_of(sources: Iterable[tuple[str, bytes]]) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of named sources.

    >>> digest_of([("my_bot.py", b"pass")]) == digest_of([("my_bot.py", b"pass ")])
    False
    """
    digest = hashlib.sha256()
    for name, content in sources:
        digest.update(f"{name} {len(content)}\n".encode("utf-8", "surrogatepass") + content)
    return digest.hexdigest()[:_LENGTH]


def sources_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the Python files below a folder in order: relative path and content."""
    for source in sorted(folder.rglob("*.py")):
        yield source.relative_to(folder).as_posix(), source.read_bytes()
