"""Whose error it is: what fails in a player of one's own is told with the place in its code."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hanabi.errors import PlayerError, printable

__all__ = ["blaming"]

_PACKAGE = Path(__file__).parents[1]
_MOST = 300


@contextmanager
def blaming(player: object = None, when: str = "", *, where: str | None = None) -> Iterator[None]:
    """Tell what fails in code of one's own as a `PlayerError`: its file, line and exception.

    Errors of players that come with this package, and of this package alone, pass as they are.

    Parameters
    ----------
    player
        Who is asked; None for code that is about to make one.
    when
        What the message begins with.
    where
        The place to tell of an error that names none.

    >>> with blaming(when="turn 3: "):
    ...     1 / 0
    Traceback (most recent call last):
    hanabi.errors.PlayerError: turn 3: <doctest ...>:2: ZeroDivisionError: division by zero
    """
    try:
        yield
    except PlayerError:
        raise
    except (Exception, SystemExit) as error:
        place = None if _comes_with_package(player) else _place(error) or where
        if place is None:
            raise
        message = error.msg if isinstance(error, SyntaxError) else error
        told = printable(f"{type(error).__name__}: {message}".rstrip(": "), _MOST)
        raise PlayerError(f"{when}{place}: {told}") from error


def _comes_with_package(player: object) -> bool:
    """Whether a player does, and the one that it improves or holds."""
    while type(player).__module__.partition(".")[0] == _PACKAGE.name:
        player = getattr(player, "player", None)
        if player is None:
            return True
    return False


def _place(error: BaseException) -> str | None:
    """Return the file and line where it failed in the first folder from outside that it came to.

    Deeper down may be libraries.
    """
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{_shown(Path(error.filename))}:{error.lineno}"
    places = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] != "importlib"
    ]
    theirs = [place for place in places if not place[0].is_relative_to(_PACKAGE)]
    if not theirs:
        return None
    file, line = next(each for each in reversed(theirs) if each[0].parent == theirs[0][0].parent)
    return f"{_shown(file)}:{line}"


def _shown(file: Path) -> Path:
    """Return the name of a file, short if it is below the working directory."""
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
