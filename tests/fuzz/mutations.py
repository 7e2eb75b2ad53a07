"""Inputs that are nearly valid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

__all__ = ["mutated"]

_TOKEN = re.compile(rb"\s+|[A-Za-z_]+|[0-9]+|.", re.DOTALL)
_NUMBER = re.compile(rb"-?[0-9]+")

_NUMBERS = (
    b"0", b"1", b"-1", b"2", b"5", b"63", b"-0", b"01", b"1.0", b"1e2", b"0.5", b"1e400", b"NaN",
    b"-Infinity", b"true", b"null", b'"1"', b"[]", b"{}", "٣".encode(), b"1_0", b"300",
)  # fmt: skip
_LARGE = (b"2147483647", b"2147483648", b"-2147483649", b"9" * 19, b"9" * 5000)
_HOSTILE = (
    b"\x1b[2J", b"\r", b"\n", b"\r\n", b"\t", b"\0", b"\x0b", b"\x0c", b"\x1c", b"\x7f", b"\xff",
    "\x85".encode(), "\x9b31m".encode(), "\u2028".encode(), "\u202e".encode(), "\ufeff".encode(),
    "\ud800".encode("utf-8", "surrogatepass"), b"\\ud800", b"\\u0000", b"\\u001b[2J", b"\\",
    "é日本".encode(), b'"', b"'", b"#", b"%", b"{", b"}", b"[", b"]", b",", b":", b"-", b" 0 ",
    b"[" * 5000, b'{"a":' * 5000, b"x" * 20_000, b"null", b"NaN",
)  # fmt: skip


def mutated(random: Random, data: bytes, others: Sequence[bytes], *, large: bool = True) -> bytes:
    """Return `data` after one to four small changes; `others` lend pieces.

    Parameters
    ----------
    random
        Decides everything.
    data, others
        Valid inputs.
    large
        Whether numbers may become so large that a program that believes them would run for long.
    """
    for _ in range(random.choice((1, 1, 1, 2, 3, 4))):
        data = random.choice(_CHANGES)(random, data, others)
        if large and random.random() < 0.05:
            data = _other_number(random, data, _LARGE)
    return data


def _span(random: Random, data: bytes) -> tuple[int, int]:
    first = random.randrange(len(data) + 1)
    return first, min(len(data), first + random.choice((1, 1, 2, 3, 8, 40)))


def _flip(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _delete(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    first, end = _span(random, data)
    return data[:first] + data[end:]


def _duplicate(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    first, end = _span(random, data)
    return data[:end] + data[first:end] * random.choice((1, 1, 2, 50)) + data[end:]


def _truncate(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _insert(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(_HOSTILE) + data[at:]


def _splice(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Put a run of tokens of another input in the place of one of this."""
    mine, theirs = _TOKEN.findall(data), _TOKEN.findall(random.choice(others))
    here, there = random.randrange(len(mine) + 1), random.randrange(len(theirs))
    run = theirs[there : there + random.choice((1, 1, 2, 5, 20))]
    return b"".join([*mine[:here], *run, *mine[here + random.randrange(2) :]])


def _renumber(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return _other_number(random, data, _NUMBERS)


def _other_number(random: Random, data: bytes, numbers: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    match = random.choice(found)
    return data[: match.start()] + random.choice(numbers) + data[match.end() :]


def _digit(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return _other_number(random, data, [b"%d" % random.randrange(10)])


def _blank(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    tokens = _TOKEN.findall(data)
    at = random.randrange(len(tokens) + 1)
    blank = random.choice((b" ", b"\t", b"\n", b"\r", b"\r\n", b"  \n"))
    return b"".join([*tokens[:at], blank, *tokens[at:]])


def _swap(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    tokens = _TOKEN.findall(data)
    if len(tokens) > 1:
        a, b = random.sample(range(len(tokens)), 2)
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return b"".join(tokens)


def _swap_alike(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Swap two numbers, or two words."""
    tokens = _TOKEN.findall(data)
    is_number = random.random() < 0.7
    found = [i for i, each in enumerate(tokens) if each.isdigit() == is_number and each.isalnum()]
    if len(found) > 1:
        a, b = random.sample(found, 2)
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return b"".join(tokens)


def _other_case(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    tokens = _TOKEN.findall(data)
    if tokens:
        at = random.randrange(len(tokens))
        tokens[at] = tokens[at].swapcase()
    return b"".join(tokens)


_CHANGES = (
    _flip, _delete, _duplicate, _truncate, _insert, _splice, _renumber, _swap, _swap_alike,
    _other_case, _digit, _digit, _digit, _blank, _blank, _swap_alike,
)  # fmt: skip
