from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError, printable
from hanabi.ground.tables import Cell, csv_table, markdown_table, shortened, text_table

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


@given(st.lists(st.lists(st.text("ab,\"'\n |\t\r=+-@1.\ud800é"), min_size=2, max_size=2)))
def test_csv_can_be_read_back(rows: list[list[str]]) -> None:
    """Text comes back with its escapes, and with an apostrophe where it would be computed."""
    text = csv_table(["a", "b"], rows)
    text.encode()
    assert text.count("\n") == len(rows) + 1
    assert "\t" not in text
    assert "\r" not in text
    _, *back = csv.reader(io.StringIO(text, newline=""))
    for cells, texts in zip(back, rows, strict=True):
        for cell, whole in zip(cells, texts, strict=True):
            assert cell in (printable(whole), f"'{printable(whole)}")
            assert cell[:1] not in {*"=+-@"} or is_number(cell)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_numbers_stay_numbers_in_csv(number: float) -> None:
    for value in (number, str(number)):
        [[cell]] = csv.reader(io.StringIO(csv_table(["a"], [[value]]).removeprefix("a\n")))
        assert type(number)(cell) == number


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+31 20", "'+31 20"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-inf", "'-inf"),
        ("-", "'-"),
        ("\t=1", r"\t=1"),
        ("-1.5", "-1.5"),
        ("+1e-3", "+1e-3"),
        (-3, "-3"),
        (-0.5, "-0.5"),
        (True, "1"),
        (False, "0"),
        (None, '""'),
        ("a-b=c", "a-b=c"),
        ("\udcff", r"\udcff"),
    ],
)
def test_no_cell_of_csv_is_a_formula(cell: Cell, written: str) -> None:
    assert csv_table(["a"], [[cell]]) == f"a\n{written}\n"


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
