from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solvers.hints import parse_table, table_from_json
from hanabi.solvers.hints.possibilities import PossibilityTable


def test_text_with_unseen_copies_and_blank_lines() -> None:
    table = parse_table("\n  A B C\n\nold card x . 1\n 0 1 .\nUnseen 2 0 1\n")
    assert table.rows == ((0, 2), (1,))
    assert table.unseen == (2, 0, 1)
    assert table.names == ("A", "B", "C")
    assert table.row_hints(0) == (0, 2)


def test_a_corner_cell_allows_labels_that_could_be_marks() -> None:
    table = parse_table("card A B\n0 1 .\n1 . 1\n2 1 1\n")
    assert (table.rows, table.names) == (((0,), (1,), (0, 1)), ("A", "B"))
    assert parse_table("A B\ncard 1 1 .\ncard 2 . 1\ncard x x").rows == ((0,), (1,), (0, 1))
    assert parse_table("Slot A\n1").rows == ((0,),)
    assert parse_table("card\n1").names == ("card",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("A A\n1 1", "twice"),
        ("players 2 r1 r2", "there are no cards"),
        ("A B\n1", "line 2: 1 mark for 2 columns in '1'"),
        ("A B\n1 . 1", "line 2: 3 marks for 2 columns in '1 . 1'"),
        ("A B\nold 1 .\n1 1 . 1", "line 3: 4 marks for 2 columns"),
        ("A B\ncard 1 .", "line 2: '1' after 'card' may be its number or a mark"),
        ("A B\n1 ?", "line 2: '\\?' is not a mark"),
        ("A B\n. .", "line 2: the card can be nothing"),
        ("A B\nUnseen 1 x", "line 2: 'x' is not a number"),
        ("A B\nUnseen 1 1\nunseen 1 1", "line 3: .* given twice"),
    ],
)
def test_text_that_is_no_table(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        parse_table(text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "not an object"),
        ({"colors": 2}, '"rows"'),
        ({"colors": 0, "rows": []}, "colors: 0"),
        ({"colors": 2, "rows": [[2]]}, r"rows\[0\]\[0\]: 2"),
        ({"colors": 2, "rows": [[]]}, r"rows\[0\]: it is empty"),
        ({"colors": 2, "rows": [[0]], "unseen": [1]}, "1 number for 2"),
        ({"colors": 2, "rows": [[0]], "unseen": [1, -1]}, r"unseen\[1\]: -1"),
        ({"colors": 2, "rows": [[0]], "unsen": [1, 1]}, "did you mean 'unseen'"),
    ],
)
def test_json_that_is_no_table(data: object, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        table_from_json(data)


def test_null_is_no_limit_and_repeated_colors_count_once() -> None:
    table = table_from_json({"colors": 2, "rows": [[1, 0, 1]], "unseen": None})
    assert table.rows == ((0, 1),)
    assert table.unseen is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hints": 0}, "hints = 0"),
        ({"names": ("a",)}, "1 name for 2 hints"),
        ({"rows": ((1, 0),)}, "not ascending"),
        ({"touched": ((0,), ())}, r"touched\[1\]: it is empty"),
        ({"unseen": (1, -1)}, r"unseen\[1\]: -1 copies"),
    ],
)
def test_tables_out_of_range(changes: dict[str, object], message: str) -> None:
    entries: dict[str, object] = {
        "hints": 2,
        "rows": ((0, 1),),
        "touched": ((0,), (1,)),
        "unseen": None,
        "names": ("a", "b"),
    }
    with pytest.raises(InvalidInputError, match=message):
        PossibilityTable(**(entries | changes))  # type: ignore[arg-type]
