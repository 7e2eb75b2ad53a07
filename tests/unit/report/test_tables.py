from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanabi.errors import InvalidInputError
from hanabi.report.tables import Cell, csv_table, markdown_table, text_table

HEADER = ["name", "a", "b"]
ROWS: list[list[Cell]] = [["x", 1, 2.5], ["long name", None, -10]]


def test_text() -> None:
    assert text_table(HEADER, ROWS).splitlines() == [
        "name       a    b",
        "x          1  2.5",
        "long name     -10",
    ]


def test_markdown_escapes_bars() -> None:
    lines = markdown_table(["a"], [["x|y"]]).splitlines()
    assert lines == ["| a |", "| --- |", r"| x\|y |"]


@given(st.lists(st.lists(st.text("ab,\"'\n |"), min_size=2, max_size=2)))
def test_csv_can_be_read_back(rows: list[list[str]]) -> None:
    text = csv_table(["a", "b"], rows)
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a", "b"], *rows]


@pytest.mark.parametrize("make", [text_table, markdown_table, csv_table])
def test_rows_are_as_long_as_the_header(make: object) -> None:
    assert callable(make)
    with pytest.raises(InvalidInputError, match="a row of 1 cells under 2 headings"):
        make(["a", "b"], [["x"]])
