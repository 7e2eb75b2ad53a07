from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hanabi.cli.app import main
from hanabi.errors import InvalidInputError
from hanabi.hardness import VARIANTS, Formula, random_formula, reduce
from hanabi.hardness.explain import columns, describe
from hanabi.hardness.figure import svg_of

FIGURES = Path(__file__).parents[3] / "docs" / "figures"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_gadget_has_its_sentence(variant: str) -> None:
    options = {"hand_size": 3, "players": 2, "multiplicity": 3}
    reduction = reduce(random_formula(20, seed=1), variant=variant, **options)  # type: ignore[arg-type]
    sentences = list(describe(reduction, reduction.annotation))
    assert "and 73 more clauses" in sentences[0]
    assert "and 3" in sentences[2]
    assert not [sentence for sentence in sentences if "unknown use" in sentence]
    roles = {span.role for span in reduction.annotation.spans}
    assert len(sentences) == 3 + len(roles)


def test_columns_cover_the_range_asked_for() -> None:
    reduction = reduce(Formula(3, ((1, -2, 3),)))
    shown = columns(reduction, reduction.annotation, 5, 40)
    cells = [cell for column in shown for cell in column.cells]
    assert [cell.value for cell in cells] == [str(v) for v in reduction.values[4:40]]
    assert columns(reduction, reduction.annotation, 122) == []
    for first, last in ((0, 5), (1, 122), (9, 7)):
        with pytest.raises(InvalidInputError, match="are not within 1"):
            columns(reduction, reduction.annotation, first, last)


def test_a_drawing_has_every_card() -> None:
    reduction = reduce(random_formula(5, ratio=1, seed=2))
    root = ET.fromstring(svg_of(reduction, reduction.annotation))
    rectangles = [e for e in root.iter() if e.tag.endswith("rect")]
    assert len(rectangles) == reduction.N + 1
    width = int(root.attrib["width"])
    assert max(int(e.attrib["x"]) + 20 for e in rectangles[1:]) <= width


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
