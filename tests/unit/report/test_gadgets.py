from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hanabi.cli.app import main
from hanabi.hardness import VARIANTS, random_formula, reduce
from hanabi.hardness.explain import columns, meaning_name
from hanabi.report.gadgets import svg_of

FIGURES = Path(__file__).parents[3] / "docs" / "figures"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_drawing_has_every_card_every_title_and_a_legend(variant: str) -> None:
    reduction = reduce(random_formula(5, ratio=1, seed=2), variant=variant)
    root = ET.fromstring(svg_of(reduction, reduction.annotation))
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    boxes = [{name: box.attrib[name] for name in box.attrib} for box in root.iter(f"{SVG}rect")]
    meanings = {*reduction.annotation.colors}
    assert len(boxes) == reduction.N + len(meanings)
    assert all(int(box["x"]) + int(box["width"]) <= width for box in boxes)
    assert all(int(box["y"]) + int(box["height"]) <= height for box in boxes)
    assert len({(box["x"], box["y"]) for box in boxes}) == len(boxes)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {column.title for column in columns(reduction, reduction.annotation)} <= {*texts}
    assert {meaning_name(meaning) for meaning in meanings} <= {*texts}


def test_the_legend_has_only_what_is_drawn() -> None:
    reduction = reduce(random_formula(5, ratio=1, seed=2))
    first = columns(reduction, reduction.annotation, last=2)
    drawn = svg_of(reduction, reduction.annotation, last=2)
    assert [cell.meaning for column in first for cell in column.cells] == ["dummy", 1]
    assert ">x1<" in drawn
    assert ">dummy<" in drawn
    assert "not x1" not in drawn


@pytest.mark.parametrize(
    ("name", "first", "last"), [("hardness-variables", 1, 32), ("hardness-clauses", 33, 158)]
)
def test_the_figures_of_the_documentation_are_up_to_date(
    name: str, first: int, last: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new.svg"
    words = ["explain", str(FIGURES / "example.cnf"), "--first", str(first), "--last", str(last)]
    assert main([*words, "--svg", str(new)]) == 0
    assert "The cards can be won" in capsys.readouterr().out
    assert new.read_text(encoding="utf-8") == (FIGURES / f"{name}.svg").read_text(encoding="utf-8")
