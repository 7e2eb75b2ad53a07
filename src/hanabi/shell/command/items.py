"""Many inputs in one source: folders, JSON lines, arrays, lists of decks or games, seeds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from hanabi.ground import InvalidInputError, counted, naming, quote
from hanabi.rules import (
    MOST_BYTES,
    GameRecord,
    as_array,
    decode,
    game_to_json,
    is_object,
    is_range,
    is_row,
    load,
    parse_range,
    plain_name,
    rest_of,
    too_long,
)
from hanabi.shell.command.options import STDIN, name_of, opened, read_text
from hanabi.shell.command.terminal import complain
from hanabi.shell.session.inputs import is_its_text

__all__ = ["ANSWERS", "ERROR", "Item", "Items", "check_folder", "opened_items", "text_or_lines"]

ANSWERS: Mapping[str, str] = MappingProxyType(
    {
        "solve": '{"status": "',
        "review": '{"best": {',
        "partition": '{"size": ',
        "difficulty": '{"status": "',
    }
)
"""How the answers to many inputs begin, by command. No input begins like this."""

ERROR = '{"error": "'
"""How the line of an item begins that could not be answered."""

_SUFFIXES = (".json", ".txt")
_LINES = (".jsonl", ".ndjson")
_TENSORS = ".safetensors"
_PICKLES = (".pkl", ".pickle")
_MOST_BLANK = 1_000_000
_MOST_ENDINGS = 3
_STARTS = tuple(start.encode() for start in (*ANSWERS.values(), ERROR))


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
    is_line: bool = False
    """Whether `name` is that of a file of lines, so that only `number` tells them apart."""

    @property
    def key(self) -> dict[str, str | int]:
        """Its identity among the others, as entries of a line: its name, its number, or both."""
        name = {} if self.name is None else {"item": self.name}
        return name | ({"line": self.number} if self.is_line or self.name is None else {})

    @property
    def label(self) -> str:
        """Its identity for people."""
        return ":".join(map(str, self.key.values()))

    def text(self) -> str:
        """Return its text."""
        if self.refusal is not None:
            raise InvalidInputError(self.refusal)
        if self.data is None:
            return read_text(self.path or "")
        return decode(self.data).rstrip()

    def content(self) -> bytes | None:
        """Return the bytes that its answer depends on; None if they cannot be read."""
        if self.refusal is not None:
            return self.refusal.encode("utf-8", "replace")
        if self.data is not None:
            return self.data.rstrip()  # the last line may have no line feed yet
        try:
            return Path(self.path or "").read_bytes()
        except OSError:
            return None


@dataclass(frozen=True, slots=True)
class Items:
    """Many inputs in order: a noun for them, and their number if it is known."""

    noun: str
    each: Iterable[Item]
    total: int | None = None
    is_live: bool = False
    """Whether they may arrive slowly, so that none should wait for the next."""


@contextmanager
def opened_items(source: str, *more: str) -> Iterator[str | Items]:
    """Yield the whole text of a single input, or many inputs; see `text_or_lines` for lines.

    A folder holds an input in each .json and .txt file and in each log `game*.log`, and one in each
    line of a .jsonl file, in the order of their names, with numbers by size; endings are in either
    case. Files of our own answers are no inputs. A note counts everything that is left out. Several
    files are like a folder of them. A .safetensors file holds games as arrays, a .pkl file as
    pickled lists.
    """
    name = name_of(source)
    ending = Path(plain_name(source)).suffix.lower()
    if more:
        yield _files(_named([source, *more]))
    elif ending in (_TENSORS, *_PICKLES):
        yield _data_set(source, name, is_tensors=ending == _TENSORS)
    elif _is_folder(source):
        yield _files([(path.name, path) for path in _inputs_of(Path(source), name)])
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


def _inputs_of(folder: Path, name: str) -> list[Path]:
    """Return the inputs of a folder in order, and say what is left out."""
    inputs, answers, endings, folders = list[Path](), 0, Counter[str](), 0
    for path in folder.iterdir():
        if _is_input(path):
            if _holds_answers(path):
                answers += 1
            else:
                inputs.append(path)
        elif path.is_dir():
            folders += not path.name.startswith(".")
        elif not path.name.startswith("."):
            endings[path.suffix.lower() or "no ending"] += 1
    left = [counted(answers, "file of answers", "files of answers")] if answers else []
    if endings:
        kinds = sorted(endings, key=lambda ending: (-endings[ending], ending))
        if len(kinds) > _MOST_ENDINGS:
            kinds[_MOST_ENDINGS:] = ["..."]
        left.append(f"{counted(endings.total(), 'other file')} ({', '.join(kinds)})")
    left += [counted(folders, "folder")] if folders else []
    if not inputs:
        but = f", but {', '.join(left)}" if left else ""
        raise InvalidInputError(f"{name}: no .json, .jsonl or .txt files in this folder{but}")
    if left:
        complain(f"note: {name}: left out: {', '.join(left)}")
    return sorted(inputs, key=_by_name)


def _named(sources: Sequence[str]) -> list[tuple[str, Path]]:
    """Return files with their names, and with their paths where two have the same name."""
    for source in sources:
        if source in ("", STDIN) or is_its_text(source):
            raise InvalidInputError(f"{quote(source)} is no file: give it alone, or only files")
        if _is_folder(source) or Path(source).suffix.lower() in (_TENSORS, *_PICKLES):
            raise InvalidInputError(f"{quote(source)} holds many inputs: give it alone")
        if not Path(source).exists():
            read_text(source)  # raises before any work
    paths = [Path(source) for source in sources]
    often = Counter(path.name for path in paths)
    return [
        (path.name if often[path.name] == 1 else source, path)
        for source, path in zip(sources, paths, strict=True)
    ]


def _files(named: Sequence[tuple[str, Path]]) -> Items:
    """Return the inputs in files, of which those of lines hold many."""
    are_lines = [Path(plain_name(path.name)).suffix.lower() in _LINES for _, path in named]

    def each() -> Iterator[Item]:
        for number, ((name, path), has_lines) in enumerate(zip(named, are_lines, strict=True), 1):
            if has_lines:
                yield from _lines_of(name, path)
            else:
                yield Item(number, name, path=str(path))

    if any(are_lines):
        return Items("inputs", each())
    return Items("files", each(), len(named))


def _lines_of(name: str, path: Path) -> Iterator[Item]:
    """Yield the lines of a file, and why the rest cannot be read."""
    number = 0
    try:
        with opened(str(path), name_of(str(path))) as stream:
            for number, line in enumerate(_split(stream, name), start=1):
                if line.strip():
                    yield Item(number, name, line, is_line=True)
    except InvalidInputError as error:
        yield Item(number + 1, name, refusal=str(error), is_line=True)


def _holds_answers(path: Path) -> bool:
    """Return whether a file of lines begins with an answer to an input."""
    if Path(plain_name(path.name)).suffix.lower() not in _LINES:
        return False
    try:
        with opened(str(path), path.name) as stream:
            start = stream.readline(max(map(len, _STARTS)))
    except InvalidInputError:  # reported when it is read
        return False
    # A killed run may have left less than a line, or none.
    return start.startswith(_STARTS) or any(each.startswith(start) for each in _STARTS)


def _data_set(source: str, name: str, *, is_tensors: bool) -> Items:
    """Return the games of a file of arrays or of pickled lists, each as JSON."""
    with opened(source, name) as stream:
        data = rest_of(stream, name)
    with naming(name):
        if is_tensors:
            from hanabi.rules import games_of_arrays, read_tensors

            arrays = read_tensors(data)
            return Items("games", _games(games_of_arrays(arrays)), len(arrays["decks"]))
        from hanabi.env import games_of_pickle

        return Items("games", _games(games_of_pickle(data)))


@contextmanager
def text_or_lines(source: str, name: str) -> Iterator[str | Iterator[bytes]]:
    """Yield the whole text of a single input, or the lines of one that holds an item a line.

    The latter are files whose name ends in .jsonl or .ndjson, and content whose first two lines
    start JSON objects of which the first is complete.
    """
    if source != STDIN and is_its_text(source):
        yield source
        return
    with opened(source, name) as stream:
        lines = _split(stream, name)
        if plain_name(source).lower().endswith(_LINES):
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
    ending = Path(plain_name(path.name)).suffix.lower()
    is_log = ending == ".log" and path.name.lower().startswith("game")
    return (ending in (*_SUFFIXES, *_LINES) or is_log) and not path.is_dir()


def check_folder(source: str, output: str | None, *, has_answers: bool = True) -> None:
    """Refuse an output that a later run would take for an input of the same folder.

    Lines are recognised if they are answers.
    """
    if output is None or not _is_folder(source):
        return
    target = Path(output).resolve()
    is_known = has_answers and target.suffix.lower() in _LINES
    if _is_input(target) and not is_known and target.parent == Path(source).resolve():
        advice = "name it .jsonl" if has_answers else "write it to another folder"
        raise InvalidInputError(
            f"--output {quote(output)} would be an input in this folder: {advice}"
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
