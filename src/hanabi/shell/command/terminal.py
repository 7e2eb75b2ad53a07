"""Output: plain text into pipes, colors to a terminal, messages to standard error.

All text is made printable first, since names and headers may contain anything.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal, TextIO, TypeAlias

from hanabi.ground import COMPILING, GAP, HanabiError, ParameterError, Status, aligned, printable

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions
    from rich.progress import Progress

__all__ = [
    "BAD_INPUT",
    "VERDICT_STYLES",
    "Color",
    "FlowingHelp",
    "Piece",
    "ProgressLine",
    "Screen",
    "StyledCell",
    "color_style",
    "colored_console",
    "complain",
    "decimals",
    "in_options",
    "is_dumb",
    "plain_width",
    "print_json",
    "use_color",
]

BAD_INPUT = 2
"""Exit status for input that cannot be read or asked for."""

VERDICT_STYLES = {
    Status.WINNABLE: "bold green",
    Status.UNWINNABLE: "bold red",
    Status.UNKNOWN: "bold yellow",
}

Piece: TypeAlias = tuple[str, str]
"""A piece of a line: its text, and its style in a terminal (empty: plain)."""

StyledCell: TypeAlias = str | Piece | list[Piece]
"""A cell of a table on the screen."""

Color: TypeAlias = Literal["auto", "always", "never"]
"""Whether output is colored."""

_NARROWEST, _PLAIN_WIDTH, _WIDEST = 60, 80, 100
_LABEL = 12
_DECIMALS = 6
_COLORS = ("red", "yellow", "green", "bright_blue", "magenta", "cyan")


def complain(message: str) -> None:
    """Write one line on standard error, after the command's name, if it is open."""
    with suppress(OSError):
        sys.stderr.write(f"hanabi: {printable(message)}\n")
        sys.stderr.flush()


def in_options(error: HanabiError) -> str:
    """Return the message of an error, with options in place of the library's parameters.

    >>> in_options(ParameterError("no hand size: give {hand_size:H}"))
    'no hand size: give --hand-size H'
    """
    if not isinstance(error, ParameterError):
        return str(error)
    return error.spelled(lambda name, value: f"--{name.replace('_', '-')} {value}".rstrip())


def print_json(data: object) -> None:
    """Write one JSON document on a line of standard output."""
    import json  # --help does without

    sys.stdout.write(json.dumps(data) + "\n")


def is_dumb() -> bool:
    """Whether the terminal can only print."""
    return os.environ.get("TERM") == "dumb"


_color: Color = "auto"


def use_color(color: Color) -> None:
    """Choose for all output of this process whether it is colored.

    "auto" colors a terminal, unless it is a dumb one or `NO_COLOR` is set in the environment.
    """
    global _color
    _color = color


def _is_colored(stream: TextIO) -> bool:
    if _color != "auto":
        return _color == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and not is_dumb()


def colored_console(*, is_error: bool = False, **settings: Any) -> Console:
    """Return Rich's console on standard output, or on standard error, in the chosen colors."""
    from rich.console import Console

    if not _is_colored(sys.stderr if is_error else sys.stdout):
        return Console(stderr=is_error, color_system=None, **settings)
    if _color == "auto":
        return Console(stderr=is_error, **settings)
    # In spite of a pipe, of NO_COLOR and of a terminal's name.
    return Console(
        stderr=is_error, color_system="standard", force_terminal=True, no_color=False, **settings
    )


class Screen:
    """Standard output, by lines, colored as `use_color` says."""

    def __init__(self) -> None:
        is_terminal = sys.stdout.isatty()
        columns = shutil.get_terminal_size().columns if is_terminal else _PLAIN_WIDTH
        self.width = min(max(columns, _NARROWEST), _WIDEST)
        self._console: Console | None = None
        if _is_colored(sys.stdout):
            self._console = colored_console(highlight=False, soft_wrap=True)

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
        """Write a replay link on a line of its own, and a note below it if one is needed."""
        from hanabi.rules import link_note

        self.line((link, "cyan"))
        if note := link_note(link):
            self.entry("", note)

    def text(self, text: str) -> None:
        """Write a text of several lines, such as a table, as it is."""
        for line in text.split("\n"):
            self.line(line)

    def table(
        self,
        header: Sequence[str],
        rows: Iterable[Sequence[StyledCell]],
        *,
        left: Iterable[int] = (0,),
    ) -> None:
        """Write a table as `text_table` lays it out."""
        self.rows([[(name, "dim") for name in header], *rows], left=left)

    def rows(
        self,
        rows: Iterable[Sequence[StyledCell]],
        *,
        left: Iterable[int],
        widths: Sequence[int] = (),
    ) -> None:
        """Write rows of a table; those of a table that grows have the same `widths`."""
        lines = [[_pieces_of(cell) for cell in row] for row in rows]
        texts = [["".join(text for text, _ in cell) for cell in line] for line in lines]
        filled = aligned(texts, left=left, widths=widths)
        for line, bare, whole in zip(lines, texts, filled, strict=True):
            pieces: list[Piece | str] = []
            for cell, text, wide in zip(line, bare, whole, strict=True):
                before, _, after = wide.partition(text) if text else ("", "", wide)
                pieces += [before, *cell, after, GAP]
            self.line(*pieces[:-1])

    def entry(self, label: str, text: str, style: str = "") -> None:
        """Write a label and a sentence beside it, wrapped; without a label, the sentence alone."""
        from textwrap import wrap

        indent = _LABEL if label else 0
        lines = wrap(printable(text), min(self.width, _PLAIN_WIDTH) - indent) or [""]
        self.line((f"{label:{indent}}", style), lines[0])
        for line in lines[1:]:
            self.line(" " * indent + line)


def _pieces_of(cell: StyledCell) -> list[Piece]:
    """Return a cell as pieces, made printable before it is measured."""
    if isinstance(cell, str):
        return [(printable(cell), "")]
    pieces = [cell] if isinstance(cell, tuple) else cell
    return [(printable(text), style) for text, style in pieces]


def color_style(color: int) -> str:
    """Return the style of a color's cards in a terminal; many colors share styles."""
    return _COLORS[color] if color < len(_COLORS) else ""


def decimals(low: float, high: float) -> int:
    """Return the number of decimals that show two digits of a difference.

    >>> [decimals(*interval) for interval in ((0.2, 0.4), (1e-7, 6e-6), (1, 1))]
    [2, 7, 6]
    """
    return max(0, 1 - math.floor(math.log10(high - low))) if low < high else _DECIMALS


def plain_width(pieces: Sequence[Piece]) -> int:
    """Return the number of characters of a line."""
    return sum(len(text) for text, _ in pieces)


# Progress of a command, on standard error and only if that is a terminal.

_AFTER, _EVERY = 0.3, 0.1  # seconds
_BAR = 20  # characters


class ProgressLine:
    """A line of progress, with a line about the compiler below it.

    Nothing is shown in the first moments, when most answers come and Rich is not yet imported.
    Lines are drawn by calls, not by a thread, since workers are forked meanwhile.

    Parameters
    ----------
    prints
        Whether the command also writes lines, which are enough in a terminal.
    """

    def __init__(self, *, prints: bool = False) -> None:
        is_covered = prints and sys.stdout.isatty()
        self._is_on = sys.stderr.isatty() and not is_dumb() and not is_covered
        self._work: dict[str, Any] = {"description": "working ..."}
        self._compiled: dict[str, Any] = {"visible": False}
        self._display: Progress | None = None
        self._lock = threading.Lock()
        self._next = 0.0

    def __call__(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Show `message` in place of the previous one, at most ten times a second.

        With a total, a bar shows how much is done.
        """
        self._work = {"description": printable(message), "completed": done, "total": total}
        self._draw()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Hide the progress while something is written to standard output."""
        with self._lock:
            if self._display is None:
                yield
                return
            self._display.stop()
            yield
            self._display.start()

    def __enter__(self) -> ProgressLine:
        self._told = COMPILING.listener
        if self._is_on:
            if self._told is not None:
                COMPILING.listener = self._show_kernel
            self._next = time.monotonic() + _AFTER
            self._timer = threading.Timer(_AFTER, self._draw)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._is_on:
            return
        COMPILING.listener = self._told
        self._timer.cancel()
        with self._lock:
            self._is_on = False
            if self._display is not None:
                self._display.stop()

    def _show_kernel(self, kernel: str | None) -> None:
        if kernel is None:
            self._next = 0.0
            self._compiled = {"visible": False}
        else:
            text = f"compiling, once: {COMPILING.seconds:.0f} s, {kernel}"
            self._compiled = {"visible": True, "description": text}
        self._draw()

    def _draw(self) -> None:
        with self._lock:
            if not self._is_on or time.monotonic() < self._next:
                return
            display = self._display or _new_display()
            both = self._work, self._compiled
            for task, fields in zip(display.task_ids, both, strict=True):
                display.update(task, **fields)
            if self._display is None:
                self._display = display
                display.start()
            display.refresh()
            self._next = time.monotonic() + _EVERY


def _new_display() -> Progress:
    """Return a display of two tasks: the work, and the compiler."""
    from rich.progress import BarColumn, Progress, TextColumn

    display = Progress(
        BarColumn(_BAR),
        TextColumn("{task.description}", markup=False),
        console=colored_console(is_error=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    for _ in range(2):
        display.add_task("", total=None)
    return display


# The layout of help: descriptions fill the width of the terminal.


class FlowingHelp:
    """The usual layout, without the line ends of the docstrings.

    Its imports happen only when a help is printed.
    """

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a panel."""
        from cyclopts.help import DefaultFormatter, InlineText
        from rich.text import Text

        for entry in panel.entries:
            described = entry.description
            if isinstance(described, InlineText) and isinstance(described.primary_renderable, Text):
                text = described.primary_renderable
                text.plain = " ".join(text.plain.split())
        DefaultFormatter()(console, options, panel)

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print the usage of the command."""
        from cyclopts.help import DefaultFormatter

        DefaultFormatter().render_usage(console, options, usage)
