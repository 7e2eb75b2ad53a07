"""Options that several commands share, their converters, and reading of sources."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any, BinaryIO, Literal

from cyclopts import Parameter, Token
from cyclopts.exceptions import CycloptsError

from hanabi import variants
from hanabi.errors import InvalidInputError, naming, quote
from hanabi.game.config import read_rules
from hanabi.notation import GameRecord, decode, parse_input
from hanabi.notation.files import rest_of, unpacked
from hanabi.notation.links import parse_actions
from hanabi.notation.strict_json import as_object
from hanabi.session import inputs
from hanabi.session.problem import Dealt

__all__ = [
    "STDIN",
    "Count",
    "Difference",
    "Executor",
    "File",
    "Games",
    "GamesOut",
    "Json",
    "Output",
    "Part",
    "Players",
    "RuleSet",
    "Seconds",
    "Seed",
    "SiteVariant",
    "Source",
    "StoreFile",
    "TableVariant",
    "UntilError",
    "Variant",
    "Workers",
    "at_turn",
    "name_of",
    "new_seed",
    "opened",
    "read_input",
    "read_text",
    "refuse",
    "rules_with",
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


def _part(_: Any, tokens: Sequence[Token]) -> tuple[int, int]:
    text = tokens[0].value
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    number, of = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= of:
        raise ValueError(f"{quote(text)} is not a part, such as 2/8.")
    return number, of


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

TableVariant = Annotated[
    SiteVariant | None,
    Parameter(help="Play a variant of hanab.live, named or numbered: its cards and rules."),
]
"""The variant to play, if you name one."""

Variant = Literal[
    "paper",
    "one_card_a",
    "one_card_b",
    "slides",
    "compact",
    "constant_five",
    "constant_two",
    "four_values",
    "three_values",
    "two_colors",
    "clique",
]
"""A reduction of formulas to cards; "clique" is one of graphs."""

Json = Annotated[bool, Parameter(help="Print one JSON document.")]
"""Whether to print JSON."""


File = Annotated[str, Parameter(converter=_file, allow_leading_hyphen=True)]
"""A file to write, or `-` for standard output."""

Output = Annotated[File | None, Parameter(name=("--output", "-o"))]
"""The file to write."""


# Options of commands that play games:

Games = Annotated[Count, Parameter(name=("-n", "--games"))]
"""The number of games or deals."""

Players = Annotated[Count | None, Parameter(name=("--players", "--seats"))]
"""The number of seats. The players themselves are named without an option."""

RuleSet = Annotated[
    str,
    Parameter(
        help="official, multicolor, bergh2016, hanab_live (the default), hle, or a JSON object."
    ),
]
"""A rule set: its name, or a JSON object."""

Seed = Annotated[
    Count | None,
    Parameter(help="The same seed gives the same games. Default: a random seed, which is printed."),
]
"""A seed, or None for a random one."""

StoreFile = Annotated[
    File | None,
    Parameter(help="Store finished games in this file. Stored games are not played again."),
]
"""The file of a store of results."""

Workers = Annotated[
    Count | None,
    Parameter(name=("--workers", "-j"), help="Threads or processes. Default: one for each core."),
]
"""The number of threads or processes."""

Part = Annotated[
    tuple[int, int] | None,
    Parameter(
        name="--part",
        converter=_part,
        n_tokens=1,
        accepts_keys=False,
        help="Only play this part of the deals, such as 2/8, into --store: a task of a cluster's"
        ' job array. "hanabi results merge" joins the stores.',
    ),
]
"""A part of a run: its number, from 1, and the number of parts."""

GamesOut = Annotated[
    File | None,
    Parameter(
        help="Write the games to this file (.jsonl), one a line, as hanab.live's JSON, which solve,"
        " review and other commands read."
    ),
]
"""The file for the games."""

UntilError = Annotated[
    float | None,
    Parameter(help="Play until the standard error of each mean is at most this."),
]
"""The standard error to reach."""

Difference = Annotated[
    float | None,
    Parameter(
        name="--power",
        help="Also print how many deals show a difference of this size (95 %, with power 80 %).",
    ),
]
"""The difference that a test should find."""

OnError = Annotated[
    Literal["stop", "forfeit"],
    Parameter(
        help="What a failure of a program (process:...) does: stop the run, or forfeit the game,"
        " which then scores 0. Default: stop."
    ),
]
"""What a failure of a program does."""

TurnTime = Annotated[
    Seconds | None,
    Parameter(help="Seconds for each answer of a program; 0 for no limit. Default: 60."),
]
"""The limit of time for each answer of a program."""

Executor = Annotated[
    str | None,
    Parameter(
        help="serial, threads, processes or dask://host:port. Default: threads for compiled code,"
        " otherwise processes."
    ),
]
"""The executor, as `hanabi.lab.open_executor` reads it."""


def new_seed(seed: int | None) -> int:
    """Return the given seed, or a random one that is short enough to type.

    >>> new_seed(7)
    7
    """
    import secrets  # importing it takes longer than most commands

    return secrets.randbelow(_SEEDS) if seed is None else seed


def rules_with(rules: str, variant: variants.Variant | None) -> str:
    """Return the text of a rule set with the cards and rules of a variant of hanab.live.

    >>> rules_with("hanab_live", variants.find_variant(16))
    '{"preset": "hanab_live", "variant": "Rainbow (5 Suits)"}'
    """
    if variant is None:
        return rules
    value = read_rules(rules)
    given = {"preset": value} if isinstance(value, str) else as_object(value, "rules")
    if "variant" in given:
        raise InvalidInputError("--variant: the rules have a variant already")
    return json.dumps({**given, "variant": variant.name})


def refuse(why: str, **options: object) -> None:
    """Raise an error that names the first of these options that is given, and says why.

    >>> refuse("is for a single input, not for many", show=False, exit_code=True)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: --exit-code is for a single input, not for many
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
    """Split GAME@TURN into the source of the game and the number of moves, None without one.

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
