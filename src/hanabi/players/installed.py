"""Players of other installed packages, found by the entry point group `hanabi.players`.

A package declares its players in its `pyproject.toml`:

    [project.entry-points."hanabi.players"]
    careful = "my_package.bots:Careful"
"""

from __future__ import annotations

from hanabi.errors import InvalidInputError, quote

__all__ = ["GROUP", "installed_players"]

GROUP = "hanabi.players"
"""The entry point group."""


def installed_players() -> dict[str, str]:
    """Return the classes of installed players, as `module:Class`, by name.

    Raises
    ------
    InvalidInputError
        If two packages give different classes the same name.

    >>> "rule-based" in installed_players()  # those that come with this package are not among them
    False
    """
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    found: dict[str, str] = {}
    for each in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if found.setdefault(each.name, each.value) != each.value:
            raise InvalidInputError(
                f"two installed packages name a player {quote(each.name)}:"
                f" {found[each.name]} and {each.value}"
            )
    return found
