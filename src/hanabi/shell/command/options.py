"""Options that several commands share, their converters, and reading of sources."""

from __future__ import annotations

import json
import math
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, get_type_hints

from cyclopts import Parameter, Token
from cyclopts.exceptions import CycloptsError

from hanabi.ground import DEFAULT_SECONDS, InvalidInputError, naming, quote
from hanabi.rules import (
    DEFAULT_PRESET,
    PRESETS,
    GameRecord,
    as_object,
    decode,
    parse_actions,
    parse_input,
    read_rules,
    rest_of,
    unpacked,
    variants,
)
from hanabi.shell.session import inputs
from hanabi.shell.session.problem import Dealt

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "STDIN",
    "Actions",
    "Budget",
    "Count",
    "DealTo",
    "File",
    "Games",
    "Json",
    "More",
    "Output",
    "Part",
    "Players",
    "RuleSet",
    "Run",
    "Seconds",
    "Seed",
    "SiteVariant",
    "Source",
    "Table",
    "Unhurried",
    "Workers",
    "at_turn",
    "given",
    "name_of",
    "new_seed",
    "opened",
    "read_input",
    "read_text",
    "refuse",
    "typed",
    "with_actions",
]

_MOST = 2**64 - 1
_SEEDS = 10**9


def _count(_: Any, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    # The usual conversion would round 1.5 to 2.
    if not re.fullmatch(r"[0-9]{1,20}", text) or int(text) > _MOST:
        raise ValueError(f"{quote(text)} is not an integer >= 0.")
    return int(text)


def _seconds(_: Any, tokens: Sequence[Token]) -> float:
    text = tokens[0].value
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise ValueError(f"{quote(text)} is not a number of seconds >= 0.")
    return seconds


def _source(_: Any, tokens: Sequence[Token]) -> str:
    text = tokens[0].value
    if text.startswith("-") and text != "-":
        raise CycloptsError(msg=f"Unknown option: {quote(text)}.")
    if not text:
        raise CycloptsError(msg="The name of an input is empty.")
    return text


def _file(_: Any, tokens: Sequence[Token]) -> str:
    text = tokens[0].value
    if text.startswith("-") and text != "-":
        raise CycloptsError(msg=f"{tokens[0].keyword} needs the name of a file, not {quote(text)}.")
    return text


def _site_variant(_: Any, tokens: Sequence[Token]) -> variants.Variant:
    text = tokens[0].value
    is_number = re.fullmatch(r"[0-9]{1,9}", text)
    return variants.find_variant(int(text) if is_number else text)


Count = Annotated[int, Parameter(converter=_count)]
"""An integer >= 0, below 2**64."""

Seconds = Annotated[float, Parameter(converter=_seconds)]
"""A number of seconds >= 0."""

Source = Annotated[str, Parameter(converter=_source, allow_leading_hyphen=True)]
"""A file, a link, or `-` for standard input."""

SiteVariant = Annotated[
    variants.Variant, Parameter(converter=_site_variant, n_tokens=1, accepts_keys=False)
]
"""A variant of hanab.live, by its name or number."""

More = Annotated[str, Parameter(help="More files: several are like a folder of them.")]
"""Further inputs."""

Actions = Annotated[
    str | None,
    Parameter(
        help="What was played on a seed or deck: the second part of a replay link, or the JSON"
        " array."
    ),
]
"""Moves of a game, apart from its deck."""

Json = Annotated[bool, Parameter(help="Print one JSON document.")]
"""Whether to print JSON."""


File = Annotated[str, Parameter(converter=_file, allow_leading_hyphen=True)]
"""A file to write, or `-` for standard output."""

Output = Annotated[File | None, Parameter(name=("--output", "-o"))]
"""The file to write."""


DealTo = Annotated[Count | None, Parameter(help="Deal the deck to this many players.")]
"""The number of players to deal a deck to."""

Games = Annotated[Count, Parameter(name=("-n", "--games"))]
"""The number of games or deals."""

Players = Annotated[Count | None, Parameter(name=("--players", "--seats"))]
"""The number of seats. The players themselves are named without an option."""

_PRESETS = ", ".join(PRESETS).replace(DEFAULT_PRESET, f"{DEFAULT_PRESET} (the default)")

RuleSet = Annotated[str, Parameter(help=f"{_PRESETS}, or a JSON object.")]
"""A rule set: its name, or a JSON object."""

Seed = Annotated[
    Count | None,
    Parameter(help="The same seed gives the same games. Default: a random seed, which is printed."),
]
"""A seed, or None for a random one."""

Workers = Annotated[
    Count | None,
    Parameter(name=("--workers", "-j"), help="Threads or processes. Default: one for each core."),
]
"""The number of threads or processes."""


# Options that belong together are a frozen dataclass, which a command takes as one parameter. What
# a command says of `group.option` in its own docstring replaces what the dataclass says of it.


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Budget:
    """The time and the memory for an answer.

    Parameters
    ----------
    time
        Seconds for everything. Default: 60; 0 for no limit.
    memory
        Megabytes that a solver may use.

    >>> Budget(time=0, memory=1).seconds, Budget(time=0, memory=1).bytes
    (None, 1048576)
    """

    time: Seconds = DEFAULT_SECONDS
    memory: Count | None = None

    @property
    def seconds(self) -> float | None:
        """The limit of time, or None."""
        return self.time or None

    @property
    def bytes(self) -> int | None:
        """The limit of memory, or None."""
        return None if self.memory is None else self.memory << 20


@dataclass(frozen=True, kw_only=True)
class Unhurried(Budget):
    """A budget whose time is unlimited by default.

    Parameters
    ----------
    time
        Seconds for everything. Default: 0, no limit.
    """

    time: Seconds = 0.0


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Table:
    """A table at which players play.

    Parameters
    ----------
    seats
        Players at the table. Default: 3, or as many as you name.
    variant
        Play a variant of hanab.live, named or numbered: its cards and rules.
    turn_time
        Seconds for each answer of a program; 0 for no limit. Default: 60.
    """

    seats: Players = None
    seed: Seed = None
    rules: RuleSet = DEFAULT_PRESET
    variant: SiteVariant | None = None
    turn_time: Seconds | None = None

    def drawn(self) -> Table:
        """Return the same table, with a random seed if it has none."""
        return replace(self, seed=new_seed(self.seed))

    @property
    def rule_set(self) -> str:
        """The text of the rule set, with the cards and rules of the variant.

        >>> Table(variant=variants.find_variant(16)).rule_set
        '{"preset": "hanab_live", "variant": "Rainbow (5 Suits)"}'
        """
        if self.variant is None:
            return self.rules
        value = read_rules(self.rules)
        given = {"preset": value} if isinstance(value, str) else as_object(value, "rules")
        if "variant" in given:
            raise InvalidInputError("--variant: the rules have a variant already")
        return json.dumps({**given, "variant": self.variant.name})


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Run:
    """Where finished work is stored, and what computes it: neither changes the results.

    Parameters
    ----------
    store
        Store finished games in this file. Stored games are not played again.
    executor
        serial, threads, processes or dask://host:port. Default: threads for compiled code,
        otherwise processes.
    """

    store: File | None = None
    workers: Workers = None
    executor: str | None = None


@dataclass(frozen=True)
class Part:
    """A part of a run: its number, from 1, and the number of parts.

    >>> print(Part(2, 8))
    2/8
    """

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def given(*groups: DataclassInstance) -> Iterator[tuple[str, Any]]:
    """Yield the options whose values differ from their defaults: names and values.

    >>> [*given(Run(workers=2), Budget(time=60), Table(seed=7))]
    [('--workers', 2), ('--seed', 7)]
    """
    for group in groups:
        hints = get_type_hints(type(group), include_extras=True)
        for field in fields(group):
            if (value := getattr(group, field.name)) != field.default:
                parameters = getattr(hints[field.name], "__metadata__", ())
                names = [name for each in parameters for name in each.name or ()]
                names.append(f"--{field.name.replace('_', '-')}")
                yield next(name for name in names if name.startswith("--")), value


def typed(command: str, *operands: object, groups: Sequence[DataclassInstance]) -> str:
    """Return the command that repeats a run, without options that have their defaults.

    >>> typed("simulate", "random", groups=[Table(seed=7), Run(store="a b.db")])
    "hanabi simulate random --seed 7 --store 'a b.db'"
    """
    words = ["hanabi", command, *operands]
    for option, value in given(*groups):
        words.append(option)
        if isinstance(value, variants.Variant):
            words.append(value.name)
        elif value is not True:
            words += value if isinstance(value, tuple) else [value]
    return shlex.join(map(str, words))


def new_seed(seed: int | None) -> int:
    """Return the given seed, or a random one that is short enough to type.

    >>> new_seed(7)
    7
    """
    import secrets  # importing it takes longer than most commands

    return secrets.randbelow(_SEEDS) if seed is None else seed


def refuse(why: str, **options: object) -> None:
    """Raise an error that names the first of these options that is given, and says why.

    >>> refuse("is for a single input, not for many", show=False, exit_code=True)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: --exit-code is for a single input, not for many
    """
    for name, value in options.items():
        if value is not None and value is not False:
            raise InvalidInputError(f"--{name.replace('_', '-')} {why}")


# Reading of files, links, text and standard input.

STDIN = "-"


def name_of(source: str) -> str:
    """Return the name of a source in errors: as in Python, except for standard input.

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


def read_input(source: str) -> Dealt:
    """Return the game, deck, position or stream in a source."""
    return parse_input(read_text(source), source=name_of(source))


def at_turn(source: str) -> tuple[str, int | None]:
    """Split GAME@MOVES into the source of the game and the number of moves, None without one.

    >>> at_turn("game.json@34"), at_turn("game.json")
    (('game.json', 34), ('game.json', None))
    """
    match = re.fullmatch(r"(.+)@([0-9]{1,9})", source, re.DOTALL)
    return (source, None) if match is None else (match[1], int(match[2]))


def with_actions(given: Dealt, actions: str) -> GameRecord:
    """Return a deal of hanab.live with the actions that were played on it."""
    if not isinstance(given, GameRecord):
        raise InvalidInputError("--actions: they need a seed or a game of hanab.live")
    if given.actions:
        raise InvalidInputError("--actions: this game has its own")
    with naming("--actions"):
        return replace(given, actions=parse_actions(actions, given))
