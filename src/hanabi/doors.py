"""The doors of the rooms: what a room's `__init__` names is imported when it is first used."""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib import import_module

__all__ = ["names_behind", "open_door"]

_IMPORT = re.compile(r"^    from (hanabi(?:\.\w+)*) import (?:\(([^)]*)\)|(.*))", re.MULTILINE)


def open_door(room: str) -> None:
    """Let a room import the names that its `__init__` imports for type checkers on first use.

    So no room loads what it does not need: neither NumPy, Numba nor another room. The names are
    stated once, where type checkers read them: as imports, four spaces deep.

    >>> import hanabi.rules
    >>> hanabi.rules.Card(rank=3, color=0)
    Card(color=0, rank=3)
    """
    module = sys.modules[room]
    assert module.__file__ is not None  # noqa: S101
    with open(module.__file__, encoding="utf-8") as source:  # noqa: PTH123 - pathlib is slow to import
        behind = names_behind(source.read())

    def find(name: str) -> object:
        if name not in behind:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        home, own = behind[name]
        inside = import_module(home)
        is_named = home != room and hasattr(inside, own)
        found = getattr(inside, own) if is_named else import_module(f"{home}.{own}")
        setattr(module, name, found)
        return found

    vars(module).update(__getattr__=find, __dir__=lambda: sorted({*vars(module), *behind}))


@cache
def names_behind(source: str) -> dict[str, tuple[str, str]]:
    """Return where the names at a door come from: a module, and the name there."""
    found = {}
    for home, several, one in _IMPORT.findall(source):
        for words in (several or one).split(","):
            own, *alias = words.split()[::2] or [""]
            if own:
                found[alias[0] if alias else own] = (home, own)
    return found
