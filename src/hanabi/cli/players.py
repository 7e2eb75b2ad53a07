"""`hanabi players` lists who can play."""

from __future__ import annotations

import inspect

from hanabi.cli.input.options import Json
from hanabi.cli.output.terminal import Screen, print_json
from hanabi.players.parameters import parameters_of, write_parameters
from hanabi.players.registry import PLAYERS, WRAPPERS

__all__ = ["players_command"]


def players_command(*, json: Json = False) -> int:
    """List the players that come with this package, with their parameters and defaults."""
    listed = []
    for name, kind in {**PLAYERS, **WRAPPERS}.items():
        defaults = {key: each.default for key, each in parameters_of(kind).items()}
        about = (inspect.getdoc(kind) or "").partition("\n")[0]
        listed.append((f"{name}/PLAYER" if name in WRAPPERS else name, about, defaults))
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
