"""Tables as text: for a terminal, for Markdown, for spreadsheets.

Cells are made printable, but for spreadsheets: those get data as they are.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, TypeAlias

from hanabi.errors import InvalidInputError, printable

__all__ = [
    "GAP",
    "Cell",
    "aligned",
    "csv_table",
    "markdown_table",
    "rounded",
    "text_table",
    "write_csv",
]

Cell: TypeAlias = str | int | float | None
"""What stands in a table; None is an empty cell."""

GAP = "  "
"""What stands between two columns of a table for people."""

_DIGITS = 6


def rounded(number: float) -> float | None:
    """Return a number for a table of data: to six decimals, None if it is nan."""
    return None if math.isnan(number) else round(number, _DIGITS)


def text_table(
    header: Sequence[str], rows: Iterable[Sequence[Cell]], *, left: Iterable[int] = (0,)
) -> str:
    """Return a table in columns, aligned to the right but for those in `left`.

    Numbers are written as they are: format them before.

    Raises
    ------
    InvalidInputError
        If a row has not as many cells as the header.

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
    """Return cells filled with blanks, so that each is as wide as its column.

    A column is as wide as its widest cell, and at least as `widths` says: with these, rows can be
    written one by one.

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

    >>> csv_table(["name", "mean"], [["a,b", 1.5]])
    'name,mean\n"a,b",1.5\n'
    """
    stream = io.StringIO()
    write_csv(stream, header, rows)
    return stream.getvalue()


def write_csv(stream: TextIO, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write what `csv_table` returns, row by row, so that there may be millions.

    >>> import sys
    >>> write_csv(sys.stdout, ["deal", "points"], [[0, 17], [1, None]])
    deal,points
    0,17
    1,
    """
    csv.writer(stream, lineterminator="\n").writerows(_checked(header, rows))


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
