from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.ground.svg.cards import SMALL_HEIGHT, SMALL_WIDTH
from hanabi.ground.svg.records import Strip
from hanabi.ground.svg.strip import draw_strip
from hanabi.solitaire.hardness import VARIANTS, random_formula, reduce
from hanabi.solitaire.hardness.explain import columns, gadget_at, gadgets_of, meaning_name

FIGURES = Path(__file__).parents[4] / "docs" / "figures"
SVG = "{http://www.w3.org/2000/svg}"


def draw(strip: Strip) -> str:
    return draw_strip(strip, title="Cards", width=460)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_drawing_has_every_card_every_title_and_a_legend(variant: str) -> None:
    reduction = reduce(random_formula(5, ratio=1, seed=2), variant=variant)
    root = ET.fromstring(draw(gadgets_of(reduction, reduction.annotation)))
    _, _, width, height = (float(each) for each in root.attrib["viewBox"].split())
    boxes = [
        (float(each.attrib["x"]), float(each.attrib["y"])) for each in root.findall(f"{SVG}use")
    ]
    meanings = {*reduction.annotation.colors}
    assert len(boxes) == len({*boxes}) == reduction.N + len(meanings)
    assert all(x + SMALL_WIDTH <= width and y + SMALL_HEIGHT <= height for x, y in boxes)
    texts = [text.text for text in root.findall(f"{SVG}text")]
    assert {column.title for column in columns(reduction, reduction.annotation)} <= {*texts}
    assert {meaning_name(meaning) for meaning in meanings} <= {*texts}


def test_cards_of_a_drawing_are_those_of_the_stream() -> None:
    reduction = reduce(random_formula(4, ratio=2, seed=1))
    annotation = reduction.annotation
    groups = gadgets_of(reduction, annotation, first=5, last=60).groups
    cards = [card for group in groups for card in group.cards]
    assert [int(card.rank) for card in cards] == list(reduction.values[4:60])
    names = [card.look.name for card in cards if card.look is not None]
    assert names == [meaning_name(annotation.colors[color]) for color in reduction.colors[4:60]]
    at = iter(range(5, 61))
    assert all(gadget_at(annotation, next(at)) == g.title for g in groups for _ in g.cards)


def test_the_legend_has_only_what_is_drawn() -> None:
    reduction = reduce(random_formula(5, ratio=1, seed=2))
    drawn = draw(gadgets_of(reduction, reduction.annotation, last=2))
    assert ">x1<" in drawn
    assert ">dummy<" in drawn
    assert "not x1" not in drawn


@pytest.mark.parametrize(
    ("name", "variant", "first", "last"),
    [
        ("hardness-variables", "paper", 1, 32),
        ("hardness-clauses", "paper", 33, 158),
        ("hardness-four-values", "four_values", 1, 27),
        ("hardness-three-values", "three_values", 1, 28),
    ],
)
def test_the_figures_of_the_documentation_are_up_to_date(
    name: str,
    variant: str,
    first: int,
    last: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    new = tmp_path / "new.svg"
    words = ["explain", str(FIGURES / "example.cnf"), "--variant", variant]
    words += ["--first", str(first), "--last", str(last)]
    assert main([*words, "--svg", str(new)]) == 0
    assert "The cards can be won" in capsys.readouterr().out
    assert new.read_text(encoding="utf-8") == (FIGURES / f"{name}.svg").read_text(encoding="utf-8")
