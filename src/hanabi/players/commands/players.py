"""`hanabi players` lists the players."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from hanabi.ground import InvalidInputError, PlayerError
from hanabi.players.own import kind_of
from hanabi.players.registry import ENTRIES, installed_players
from hanabi.rules import defaults_of, write_parameters
from hanabi.shell import Json, Screen, print_json

__all__ = ["players_command"]

_Entry = tuple[str, str, dict[str, object]]


def players_command(*, json: Json = False) -> int:
    """List the players, with their parameters and defaults.

    Those of installed packages are listed, too.
    """
    listed = [*_listed()]
    if json:
        keys = ("name", "about", "parameters")
        print_json([dict(zip(keys, each, strict=True)) for each in listed])
        return 0
    screen = Screen()
    for name, about, defaults in listed:
        screen.line((name, "bold"))
        screen.entry(" ", about)
        if defaults:
            screen.entry(" ", write_parameters(defaults).removeprefix(":").replace(",", ", "))
    screen.line()
    screen.entry("", "Parameters follow the name, as in rule-based:hint=2,safe=no or"
                 " endgame:budget=50/information. A player of your own is a class in a file or a"
                 " module: ./my_bot.py:MyPlayer, package.module:MyPlayer:depth=3.")  # fmt: skip
    return 0


def _listed() -> Iterator[_Entry]:
    for entry in ENTRIES:
        yield _entry(f"{entry.name}/PLAYER" if entry.is_wrapper else entry.name, entry.kind)
    for name, place in installed_players().items():
        try:
            yield _entry(name, kind_of(place))
        except (InvalidInputError, PlayerError) as error:  # the others are still listed
            yield name, f"cannot be loaded: {error}", {}


def _entry(name: str, kind: Callable[..., object]) -> _Entry:
    return name, (inspect.getdoc(kind) or "").partition("\n")[0], defaults_of(kind)
