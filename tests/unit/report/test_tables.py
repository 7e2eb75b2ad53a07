from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hanabi.errors import InvalidInputError
from hanabi.report.tables import Cell, csv_table, markdown_table, shortened, text_table

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


@given(st.lists(st.text("ab.1", max_size=12), unique=True), st.integers(6, 12))
@example(["ab...1", "abcdefg1", "abcdefg2"], 6)
def test_shortened_names_stay_apart(names: list[str], most: int) -> None:
    found = shortened(names, most)
    assert len(set(found)) == len(names)
    assert all(len(each) <= most for each in found)
    assert all(
        each == name or len(name) > most or name in {other[:most] for other in names}
        for name, each in zip(names, found, strict=True)
    )
