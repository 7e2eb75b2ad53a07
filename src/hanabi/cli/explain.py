"""`hanabi explain` explains the cards of a reduced formula."""

from __future__ import annotations

from collections.abc import Iterable

from hanabi.cli.files import Form, check_outputs, written
from hanabi.cli.options import Count, File, Source, Variant, name_of, read_text
from hanabi.cli.plays import reading_facts
from hanabi.cli.terminal import Piece, Screen, color_style
from hanabi.errors import InvalidInputError, naming
from hanabi.hardness import read_play
from hanabi.hardness.explain import Cell, Column, columns, describe, gadgets_of
from hanabi.notation import parse_play
from hanabi.session.formulas import read_reduction
from hanabi.solitaire.play import Play, find_broken_rule
from hanabi.svg.strip import draw_strip

__all__ = ["explain_command"]

_MOST_SHOWN = 400
_TITLE, _WIDTH = "A formula as cards", 460
_COLORS = 6  # styles that a terminal can tell apart


def explain_command(
    source: Source,
    /,
    *,
    variant: Variant = "paper",
    first: Count = 1,
    last: Count | None = None,
    play: Source | None = None,
    svg: File | None = None,
) -> int:
    """Explain a reduced formula in words and as a picture of its cards.

    The picture has one gadget a line: the values of its cards, and below them their colors, as
    "hanabi solve --show" names them; "d" is the dummy color. In a terminal each variable has its
    own color, and the cards of negated literals are underlined.

    Parameters
    ----------
    source
        Output of "hanabi reduce", or a DIMACS file, or - for standard input.
    variant
        The reduction to explain, if the input is a formula. Default: paper.
    first
        The first card to draw.
    last
        The last card to draw. Default: the last of all, but at most 400 cards.
    play
        Print the assignment that this winning play gives ("hanabi solve --json" prints plays).
    svg
        Draw the picture to this file, as SVG.
    """
    check_outputs([source, play], {"--svg": svg}, forms={"--svg": Form.SVG})
    text = read_text(source)
    with naming(name_of(source)):
        instance, annotation = read_reduction(text, variant=variant)
    end = min(instance.N, first + _MOST_SHOWN - 1) if last is None else last
    shown = columns(instance, annotation, first, end)
    facts: Iterable[tuple[str, str]] = ()
    if play is not None:
        given = read_text(play)
        with naming(name_of(play)):
            winning = Play(parse_play(given))
            broken = find_broken_rule(instance, winning)
            if broken is not None:
                raise InvalidInputError(f"the play does not win: {broken}")
        facts = reading_facts(read_play(instance, annotation, winning))
    screen = Screen()
    for sentence in describe(instance, annotation):
        screen.entry("", sentence)
    for label, told in facts:
        screen.entry(label, told)
    for column in shown:
        screen.line()
        screen.line((column.title, "bold"))
        for row in _rows(column, screen.width):
            screen.line(*(_piece(cell, cell.value, width) for cell, width in row))
            screen.line(*(_piece(cell, cell.color, width) for cell, width in row))
    if end < instance.N and last is None:
        screen.line()
        screen.entry("", f"... and {instance.N - end:,} more cards (--first, --last).")
    if svg is not None:
        strip = gadgets_of(instance, annotation, first=first, last=end)
        drawing = draw_strip(strip, title=_TITLE, width=_WIDTH, standalone=True)
        with written(svg) as file:
            file.write(drawing + "\n")
    return 0


def _rows(column: Column, width: int) -> list[list[tuple[Cell, int]]]:
    """Cut a gadget into lines; each card gets the width that its value and color need."""
    rows: list[list[tuple[Cell, int]]] = [[]]
    used = 0
    for cell in column.cells:
        needed = 1 + max(len(cell.value), len(cell.color))
        if used + needed > width and rows[-1]:
            rows.append([])
            used = 0
        rows[-1].append((cell, needed))
        used += needed
    return rows


def _piece(cell: Cell, text: str, width: int) -> Piece:
    if isinstance(cell.meaning, str):
        return f"{text:>{width}}", "dim"
    style = color_style((abs(cell.meaning) - 1) % _COLORS)
    padding = " " * (width - len(text))
    return padding + text, style if cell.meaning > 0 else f"{style} underline"
