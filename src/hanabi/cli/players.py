"""`hanabi players` lists who can play."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from hanabi.cli.options import Json
from hanabi.cli.terminal import Screen, print_json
from hanabi.errors import InvalidInputError, PlayerError
from hanabi.players.installed import installed_players
from hanabi.players.own import kind_of
from hanabi.players.parameters import parameters_of, write_parameters
from hanabi.players.registry import PLAYERS, WRAPPERS

__all__ = ["players_command"]

_Entry = tuple[str, str, dict[str, object]]


def players_command(*, json: Json = False) -> int:
    """List the players, those of installed packages too, with their parameters and defaults."""
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
    for name, kind in PLAYERS.items():
        yield _entry(name, kind)
    for name, kind in WRAPPERS.items():
        yield _entry(f"{name}/PLAYER", kind)
    for name, place in installed_players().items():
        try:
            yield _entry(name, kind_of(place))
        except (InvalidInputError, PlayerError) as error:  # the others are listed all the same
            yield name, f"cannot be loaded: {error}", {}


def _entry(name: str, kind: Callable[..., object]) -> _Entry:
    defaults = {key: each.default for key, each in parameters_of(kind).items()}
    return name, (inspect.getdoc(kind) or "").partition("\n")[0], defaults
