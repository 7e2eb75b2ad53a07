"""Writing: plain text into pipes, colors to a terminal, complaints to standard error.

Whatever is written here is made printable first: names and headers come from anywhere.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from hanabi.errors import printable
from hanabi.verdict import Status

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "BAD_INPUT",
    "VERDICT_STYLES",
    "Piece",
    "Screen",
    "color_style",
    "complain",
    "decimals",
    "is_dumb",
    "plain_width",
    "print_json",
]

BAD_INPUT = 2
"""Exit status for input that cannot be read or asked for."""

VERDICT_STYLES = {
    Status.WINNABLE: "bold green",
    Status.UNWINNABLE: "bold red",
    Status.UNKNOWN: "bold yellow",
}

Piece = tuple[str, str]
"""A piece of a line: its text, and its style in a terminal (empty: plain)."""

_NARROWEST, _PLAIN_WIDTH, _WIDEST = 60, 80, 100
_LABEL = 12
_DECIMALS = 6
_COLORS = ("red", "yellow", "green", "bright_blue", "magenta", "cyan")


def complain(message: str) -> None:
    """Write one line on standard error, after the command's name, if anybody listens."""
    with suppress(OSError):
        sys.stderr.write(f"hanabi: {printable(message)}\n")
        sys.stderr.flush()


def print_json(data: object) -> None:
    """Write one JSON document on a line of standard output."""
    import json  # --help does without

    sys.stdout.write(json.dumps(data) + "\n")


def is_dumb() -> bool:
    """Whether the terminal can do nothing but print."""
    return os.environ.get("TERM") == "dumb"


class Screen:
    """Standard output by lines; colors only in a terminal, not in a dumb one or under NO_COLOR."""

    def __init__(self) -> None:
        is_terminal = sys.stdout.isatty()
        columns = shutil.get_terminal_size().columns if is_terminal else _PLAIN_WIDTH
        self.width = min(max(columns, _NARROWEST), _WIDEST)
        self._console: Console | None = None
        if is_terminal and not os.environ.get("NO_COLOR") and not is_dumb():
            from rich.console import Console

            self._console = Console(highlight=False, soft_wrap=True)

    def line(self, *pieces: Piece | str) -> None:
        """Write one line made of these pieces."""
        whole = [(piece, "") if isinstance(piece, str) else piece for piece in pieces]
        parts = [(printable(text), style) for text, style in whole]
        if self._console is None:
            sys.stdout.write("".join(text for text, _ in parts).rstrip() + "\n")
            return
        from rich.text import Text

        self._console.print(Text.assemble(*parts))

    def link(self, link: str) -> None:
        """Write a replay link on a line of its own, and below it what has to be known of it."""
        from hanabi.notation.links import link_note

        self.line((link, "cyan"))
        if note := link_note(link):
            self.entry("", note)

    def text(self, text: str) -> None:
        """Write a text of several lines, a table say, as it is."""
        for line in text.split("\n"):
            self.line(line)

    def entry(self, label: str, text: str, style: str = "") -> None:
        """Write a label and a sentence beside it, wrapped; without a label, the sentence alone."""
        from textwrap import wrap

        indent = _LABEL if label else 0
        lines = wrap(printable(text), min(self.width, _PLAIN_WIDTH) - indent) or [""]
        self.line((f"{label:{indent}}", style), lines[0])
        for line in lines[1:]:
            self.line(" " * indent + line)


def color_style(color: int) -> str:
    """Return the style of a color's cards in a terminal; there are not always enough."""
    return _COLORS[color] if color < len(_COLORS) else ""


def decimals(low: float, high: float) -> int:
    """Return how many decimals show two digits of how far apart two numbers are.

    >>> [decimals(*interval) for interval in ((0.2, 0.4), (1e-7, 6e-6), (1, 1))]
    [2, 7, 6]
    """
    return max(0, 1 - math.floor(math.log10(high - low))) if low < high else _DECIMALS


def plain_width(pieces: Sequence[Piece]) -> int:
    """Return the number of characters of a line."""
    return sum(len(text) for text, _ in pieces)
