"""Many inputs in one source: folders, JSON lines, arrays, lists of decks or games, seeds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO

from hanabi.cli.options import STDIN, name_of, opened, read_text
from hanabi.errors import InvalidInputError, naming, quote
from hanabi.notation import GameRecord, decode, game_to_json
from hanabi.notation.files import MOST_BYTES, is_row, plain_name, rest_of, too_long
from hanabi.notation.strict_json import as_array, is_object, load
from hanabi.seeds import is_range, parse_range
from hanabi.session.inputs import is_its_text

__all__ = ["Item", "Items", "check_folder", "opened_items", "text_or_lines"]

_SUFFIXES = (".json", ".txt")
_TENSORS = ".safetensors"
_PICKLES = (".pkl", ".pickle")
_MOST_BLANK = 1_000_000


@dataclass(frozen=True, slots=True)
class Item:
    """One of many inputs."""

    number: int
    """Its place among them, from 1; its line in a file of lines."""
    name: str | int | None
    """The name of its file, the `id` in it, or its seed; None if it has none."""
    data: bytes | None = None
    """Its text in UTF-8, or None if it is in the file `path`."""
    path: str | None = None
    refusal: str | None = None
    """Why it cannot be read, where that has been seen before its text was asked for."""

    @property
    def key(self) -> dict[str, str | int]:
        """Its identity among the others, its name or else its number, as an entry of a line."""
        return {"line": self.number} if self.name is None else {"item": self.name}

    def text(self) -> str:
        """Return its text."""
        if self.refusal is not None:
            raise InvalidInputError(self.refusal)
        if self.data is None:
            return read_text(self.path or "")
        return decode(self.data).rstrip()

    def digest(self, asked: str) -> str | None:
        """Return a hash of its content and the question; None if it cannot be read."""
        data = self.data
        if self.refusal is not None:
            data = self.refusal.encode("utf-8", "replace")
        if data is None:
            try:
                data = Path(self.path or "").read_bytes()
            except OSError:
                return None
        return blake2b(data, digest_size=16, key=blake2b(asked.encode()).digest()).hexdigest()


@dataclass(frozen=True, slots=True)
class Items:
    """Many inputs in order: a noun for them, and their number if it is known."""

    noun: str
    each: Iterable[Item]
    total: int | None = None
    is_live: bool = False
    """Whether they may arrive slowly, so that none should wait for the next."""


@contextmanager
def opened_items(source: str) -> Iterator[str | Items]:
    """Yield the whole text of a single input, or many inputs; see `text_or_lines` for lines.

    A folder holds an input in each .json and .txt file and in each log `game*.log`, in the order
    of their names, with numbers by size. A .safetensors file holds games as arrays, a .pkl file as
    pickled lists.
    """
    name = name_of(source)
    if plain_name(source).endswith((_TENSORS, *_PICKLES)):
        yield _data_set(source, name)
    elif _is_folder(source):
        paths = [path for path in Path(source).iterdir() if _is_input(path)]
        if not paths:
            raise InvalidInputError(f"{name}: no .json or .txt files in this folder")
        each = (
            Item(number, path.name, path=str(path))
            for number, path in enumerate(sorted(paths, key=_by_name), start=1)
        )
        yield Items("files", each, len(paths))
    elif is_range(source) and is_its_text(source):
        seeds = parse_range(source)
        each = (
            Item(number, text, text.encode()) for number, text in enumerate(seeds.texts(), start=1)
        )
        yield Items("decks", each, len(seeds))
    else:
        with text_or_lines(source, name) as given:
            if isinstance(given, str):
                yield _array(given, name) or given
            else:
                yield Items("lines", _lines(given), is_live=source == STDIN)


def _data_set(source: str, name: str) -> Items:
    """Return the games of a file of arrays or of pickled lists, each as JSON."""
    with opened(source, name) as stream:
        data = rest_of(stream, name)
    with naming(name):
        if plain_name(source).endswith(_TENSORS):
            from hanabi.notation.datasets import games_of_arrays, read_tensors

            arrays = read_tensors(data)
            return Items("games", _games(games_of_arrays(arrays)), len(arrays["decks"]))
        from hanabi.env.open_agents import games_of_pickle

        return Items("games", _games(games_of_pickle(data)))


@contextmanager
def text_or_lines(source: str, name: str) -> Iterator[str | Iterator[bytes]]:
    """Yield the whole text of a single input, or the lines of one that holds an item a line.

    The latter are files whose name ends in .jsonl, and content whose first two lines start JSON
    objects of which the first is complete.
    """
    if source != STDIN and is_its_text(source):
        yield source
        return
    with opened(source, name) as stream:
        lines = _split(stream, name)
        if plain_name(source).endswith(".jsonl"):
            yield lines
            return
        read, first = _head(lines, name)
        if len(first) == 2 and first[1].lstrip().startswith(b"{") and is_object(first[0]):
            yield chain(read, lines)
            return
        data = rest_of(stream, name, read)
        with naming(name):
            text = decode(data)
        yield text


def _split(stream: BinaryIO, name: str) -> Iterator[bytes]:
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES:
            raise too_long(name, "a line", MOST_BYTES)
        yield line


def _head(lines: Iterable[bytes], name: str) -> tuple[list[bytes], list[bytes]]:
    """Read up to the second line that is not blank; return all lines, and those not blank."""
    read: list[bytes] = []
    first: list[bytes] = []
    for line in lines:
        if len(read) == _MOST_BLANK:
            raise InvalidInputError(f"{name}: begins with {len(read):,} blank lines")
        read.append(line)
        if line.strip():
            first.append(line)
            # The next line matters only if this one opens an object.
            if len(first) == 2 or not line.lstrip().startswith(b"{"):
                break
    return read, first


def _array(text: str, name: str) -> Items | None:
    """Return the inputs in an array, a document of decks or a list of the site, or None."""
    with naming(name):
        decks = _decks(text)
    if decks is None:
        return None
    noun = "games" if decks and is_row(decks[0]) else "decks"
    each = (
        Item(number, _name(deck), json.dumps(deck).encode())
        for number, deck in enumerate(decks, start=1)
    )
    return Items(noun, each, len(decks))


def _games(games: Iterator[GameRecord]) -> Iterator[Item]:
    """Yield games, and refusals of those that cannot be read."""
    for number in count(1):
        try:
            game = next(games)
        except StopIteration:
            return
        except InvalidInputError as error:
            yield Item(number, None, refusal=str(error))
        else:
            yield Item(number, game.id, json.dumps(game_to_json(game)).encode())


def _is_input(path: Path) -> bool:
    """Whether a file of a folder is an input; logs of other things may lie beside games."""
    ending = Path(plain_name(path.name)).suffix
    return ending in _SUFFIXES or (ending == ".log" and path.name.startswith("game"))


def check_folder(source: str, output: str | None) -> None:
    """Refuse an output that a later run would take for an input of the same folder."""
    if output is None or not _is_folder(source):
        return
    target = Path(output).resolve()
    if _is_input(target) and target.parent == Path(source).resolve():
        raise InvalidInputError(
            f"--output {quote(output)} would be an input in this folder: name it .jsonl"
        )


def _is_folder(source: str) -> bool:
    try:
        return Path(source).is_dir()
    except (OSError, ValueError):  # a link too long for a name, or a NUL
        return False


def _by_name(path: Path) -> tuple[tuple[tuple[int, str], ...], str]:
    """Return a key by which `2.json` comes before `10.json`."""
    parts = re.findall(r"[0-9]+|[^0-9]+", path.name)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts), path.name


def _lines(lines: Iterator[bytes]) -> Iterator[Item]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                name = _name(load(decode(line)))
            except InvalidInputError:  # reported when it is answered
                name = None
            yield Item(number, name, line)


def _decks(text: str) -> list[object] | None:
    """Return the entries of an array, a document of decks or a list of the site, or None."""
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start != "[" and (start != "{" or not any(f'"{key}"' in text for key in ("decks", "rows"))):
        return None
    data = load(text.removeprefix("\ufeff"))
    if isinstance(data, list) and data and all(isinstance(each, dict) for each in data):
        return data
    if not isinstance(data, dict):
        return None
    rows = data.get("rows")
    if isinstance(rows, list) and all(map(is_row, rows)):
        return rows
    return as_array(data["decks"], "decks") if "decks" in data else None


def _name(data: object) -> str | int | None:
    name = data.get("id") if isinstance(data, dict) else None
    return name if isinstance(name, str | int) and not isinstance(name, bool) else None
