"""Tables on the screen: laid out as `report.tables` does, whatever their cells are made of."""

from __future__ import annotations

import pytest

from hanabi.ground.tables import text_table
from hanabi.shell.command.terminal import Screen, StyledCell

HEADER = ["player", "", "mean"]
TEXTS = [["random", "a b", "1.3"], ["rule\nbased", "", "15.4"]]
CELLS: list[list[StyledCell]] = [
    [("random", "bold"), [("a", "red"), (" ", ""), ("b", "")], "1.3"],
    ["rule\nbased", [], ("15.4", "dim")],
]


def test_styles_change_no_column(capsys: pytest.CaptureFixture[str]) -> None:
    Screen().table(HEADER, CELLS, left=(0, 1))
    assert capsys.readouterr().out == text_table(HEADER, TEXTS, left=(0, 1)) + "\n"


def test_rows_written_one_by_one_stand_beneath_each_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    screen = Screen()
    for row in (["a", "1"], ["abc", "234"], ["longer", "5678"]):
        screen.rows([row], left=(0,), widths=(4, 3))
    assert capsys.readouterr().out.splitlines() == ["a       1", "abc   234", "longer  5678"]
    screen.rows([], left=(0,), widths=(4, 3))
    assert capsys.readouterr().out == ""
