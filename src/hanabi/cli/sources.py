"""From a file, a link, text or standard input to what it holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import BinaryIO

from hanabi.errors import InvalidInputError, naming
from hanabi.notation import DeckInput, GameRecord, SolitaireInput, decode, parse_input
from hanabi.notation.files import rest_of, unpacked
from hanabi.notation.links import parse_actions
from hanabi.session import inputs

__all__ = ["STDIN", "name_of", "opened", "read_input", "read_text", "with_actions"]

STDIN = "-"


def name_of(source: str) -> str:
    """Return what errors call a source: as in Python, but for standard input.

    >>> name_of("-"), name_of("deck.txt")
    ('standard input', 'deck.txt')
    """
    return "standard input" if source == STDIN else inputs.name_of(source)


@contextmanager
def opened(source: str, name: str) -> Iterator[BinaryIO]:
    """Open a source to be read, and unpack it if it is packed; standard input stays open."""
    if source == STDIN:
        yield unpacked(sys.stdin.buffer, name)
        return
    with inputs.opened(source, name) as stream:
        yield stream


def read_text(source: str) -> str:
    """Return the whole text behind a source; one that names no file may be the text itself."""
    if source != STDIN:
        return inputs.text_of(source)[0]
    name = name_of(source)
    with opened(source, name) as stream:
        data = rest_of(stream, name)
    with naming(name):
        return decode(data)


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
