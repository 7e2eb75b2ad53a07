"""Many inputs in one: a folder of games, JSON lines, arrays and lists of decks or games, seeds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from pathlib import Path

from hanabi.cli.sources import is_range_of_seeds, items_of, name_of, read_text
from hanabi.errors import InvalidInputError, naming, quote
from hanabi.notation import GameRecord, decode, game_to_json
from hanabi.notation.files import is_row, plain_name, read_file
from hanabi.notation.strict_json import as_array, load
from hanabi.seeds import parse_range

__all__ = ["Item", "Items", "check_folder", "opened_items"]

_SUFFIXES = (".json", ".txt")
_TENSORS = ".safetensors"
_PICKLES = (".pkl", ".pickle")


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
        """What tells it from the others: its name, or else its number, as an entry of a line."""
        return {"line": self.number} if self.name is None else {"item": self.name}

    def text(self) -> str:
        """Return its text."""
        if self.refusal is not None:
            raise InvalidInputError(self.refusal)
        if self.data is None:
            return read_text(self.path or "")
        return decode(self.data).rstrip()

    def digest(self, asked: str) -> str | None:
        """Return a hash of its content and of what is asked of it; None if it cannot be read."""
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
    """Many inputs in order: what to call them, and how many there are if that is known."""

    noun: str
    each: Iterable[Item]
    total: int | None = None
    is_live: bool = False
    """Whether they may come in slowly, so that none should wait for the next."""


@contextmanager
def opened_items(source: str) -> Iterator[str | Items]:
    """Give the whole text of a single input, or many inputs; see `items_of` for lines.

    A folder holds an input in each .json and .txt file and in each log `game*.log`, taken by name,
    numbers in it by size. A .safetensors file holds games as arrays, a .pkl file as pickled lists.
    """
    if plain_name(source).endswith(_TENSORS):
        yield _tensors(source)
        return
    if plain_name(source).endswith(_PICKLES):
        yield _pickled(source)
        return
    if _is_folder(source):
        paths = [path for path in Path(source).iterdir() if _is_input(path)]
        if not paths:
            raise InvalidInputError(f"{name_of(source)}: no .json or .txt files in this folder")
        each = (
            Item(number, path.name, path=str(path))
            for number, path in enumerate(sorted(paths, key=_by_name), start=1)
        )
        yield Items("files", each, len(paths))
        return
    if is_range_of_seeds(source):
        seeds = parse_range(source)
        each = (
            Item(number, text, text.encode()) for number, text in enumerate(seeds.texts(), start=1)
        )
        yield Items("decks", each, len(seeds))
        return
    with items_of(source) as given:
        if not isinstance(given, str):
            yield Items("lines", _lines(given), is_live=source == "-")
            return
        with naming(name_of(source)):
            decks = _decks(given)
        if decks is None:
            yield given
            return
        noun = "games" if decks and is_row(decks[0]) else "decks"
        each = (
            Item(number, _name(deck), json.dumps(deck).encode())
            for number, deck in enumerate(decks, start=1)
        )
        yield Items(noun, each, len(decks))


def _tensors(source: str) -> Items:
    """Return the games of a file of arrays, each as JSON."""
    from hanabi.notation.datasets import games_of_arrays, read_tensors

    with naming(name_of(source)):
        arrays = read_tensors(_bytes_of(source))
        games = games_of_arrays(arrays)
    return Items("games", _games(games), len(arrays["decks"]))


def _pickled(source: str) -> Items:
    """Return the games of a file of pickled lists, each as JSON."""
    from hanabi.env.open_agents import games_of_pickle

    with naming(name_of(source)):
        return Items("games", _games(games_of_pickle(_bytes_of(source))))


def _games(games: Iterator[GameRecord]) -> Iterator[Item]:
    """Yield games, also after one that is none."""
    for number in count(1):
        try:
            game = next(games)
        except StopIteration:
            return
        except InvalidInputError as error:
            yield Item(number, None, refusal=str(error))
        else:
            yield Item(number, game.id, json.dumps(game_to_json(game)).encode())


def _bytes_of(path: str) -> bytes:
    try:
        return read_file(Path(path))
    except OSError as error:
        raise InvalidInputError(error.strerror or str(error)) from None


def _is_input(path: Path) -> bool:
    """Whether a file of a folder is an input; beside logs of games lie those of other things."""
    ending = Path(plain_name(path.name)).suffix
    return ending in _SUFFIXES or (ending == ".log" and path.name.startswith("game"))


def check_folder(source: str, output: str | None) -> None:
    """Refuse an output that would be an input of the same folder, by its place and its name."""
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
            except InvalidInputError:  # told when it is answered
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
