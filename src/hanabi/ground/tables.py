"""Tables as text: for a terminal, for Markdown, for spreadsheets.

Cells are made printable. For spreadsheets, text that they would take for a formula begins with an
apostrophe.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import TextIO, TypeAlias

from hanabi.ground.errors import InvalidInputError, printable

__all__ = [
    "GAP",
    "Cell",
    "aligned",
    "csv_table",
    "markdown_table",
    "rounded",
    "shortened",
    "text_table",
    "write_csv",
]

Cell: TypeAlias = str | int | float | None
"""The value of a cell; None is an empty cell."""

GAP = "  "
"""The gap between two columns of a text table."""

_DIGITS = 6

_FORMULA = ("=", "+", "-", "@")  # how text begins that spreadsheets compute
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def rounded(number: float) -> float | None:
    """Return a number rounded to six decimals for a table of data, or None if it is nan."""
    return None if math.isnan(number) else round(number, _DIGITS)


def text_table(
    header: Sequence[str], rows: Iterable[Sequence[Cell]], *, left: Iterable[int] = (0,)
) -> str:
    """Return a table with columns aligned to the right, except those in `left`.

    Cells are written as they are: format numbers first.

    Raises InvalidInputError if the number of cells of a row differs from that of the header.

    >>> print(text_table(["player", "mean"], [["random", "1.3"], ["rule-based", "15.4"]]))
    player      mean
    random       1.3
    rule-based  15.4
    """
    lines = aligned(_lines(header, rows), left=left)
    return "\n".join(GAP.join(line).rstrip() for line in lines)


def aligned(
    lines: Sequence[Sequence[str]], *, left: Iterable[int] = (0,), widths: Sequence[int] = ()
) -> list[list[str]]:
    """Return cells padded with blanks to the width of their columns.

    A column is as wide as its widest cell, and at least as wide as in `widths`. With `widths`, rows
    can be written one by one.

    >>> aligned([["random", "1.3"], ["rule-based", "15.4"]])
    [['random    ', ' 1.3'], ['rule-based', '15.4']]
    """
    is_left = set(left)
    columns = zip(*lines, *([" " * width for width in widths],) * bool(widths), strict=True)
    most = [max(map(len, column)) for column in columns]
    return [
        [
            cell.ljust(width) if column in is_left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, most, strict=True))
        ]
        for line in lines
    ]


def shortened(names: Sequence[str], most: int) -> list[str]:
    """Return names cut to `most` characters; numbers end those that would look alike.

    >>> shortened(["iggi", "rule-based:play=0.25", "rule-based:play=0.75"], 15)
    ['iggi', 'rule-based:...1', 'rule-based:...2']
    """
    heads, found = [name[:most] for name in names], list[str]()
    ends = (f"...{number}" for number in count(1))
    for head in heads:
        own = head
        if heads.count(head) > 1:
            marked = (f"{head[: most - len(end)]}{end}" for end in ends)
            own = next(each for each in marked if each not in heads)
        found.append(own)
    return found


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[Cell]], *, left: Iterable[int] = (0,)
) -> str:
    r"""Return a table for a Markdown page; parameters and errors as in `text_table`.

    >>> print(markdown_table(["a|b", "mean"], [["random", 1.3]]))
    | a\|b | mean |
    | --- | ---: |
    | random | 1.3 |
    """
    first, *others = _lines(header, rows)
    is_left = set(left)
    rule = ["---" if column in is_left else "---:" for column in range(len(first))]
    escaped = ([cell.replace("|", r"\|") for cell in line] for line in (first, rule, *others))
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


def csv_table(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    r"""Return comma-separated values, a line feed after each line; errors as in `text_table`.

    Control characters in text, such as tabs and line feeds, and halves of surrogate pairs become
    escapes, so that a row is a line. An apostrophe precedes text that begins with `=`, `+`, `-` or
    `@`, unless it is a number. Truth values are 1 and 0.

    >>> csv_table(["name", "mean", "won"], [["a,b", -1.5, True], ["=1+1", None, False]])
    'name,mean,won\n"a,b",-1.5,1\n\'=1+1,,0\n'
    """
    stream = io.StringIO()
    write_csv(stream, header, rows)
    return stream.getvalue()


def write_csv(stream: TextIO, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write the text of `csv_table` row by row, so that there may be millions of rows.

    >>> import sys
    >>> write_csv(sys.stdout, ["deal", "points"], [[0, 17], [1, None]])
    deal,points
    0,17
    1,
    """
    lines = ([_harmless(cell) for cell in row] for row in _checked(header, rows))
    csv.writer(stream, lineterminator="\n").writerows(lines)


def _harmless(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet computes, and that any text file can hold."""
    if isinstance(cell, bool):
        return int(cell)
    if not isinstance(cell, str):
        return cell
    text = printable(cell)
    is_formula = text.startswith(_FORMULA) and _NUMBER.fullmatch(text) is None
    return f"'{text}" if is_formula else text


def _checked(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[Sequence[Cell]]:
    yield header
    for row in rows:
        if len(row) != len(header):
            raise InvalidInputError(f"a row of {len(row)} cells under {len(header)} headings")
        yield row


def _lines(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> list[list[str]]:
    return [
        ["" if cell is None else printable(str(cell)) for cell in row]
        for row in _checked(header, rows)
    ]
