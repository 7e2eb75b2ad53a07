"""The suite of positions: it is made of its texts, ours agrees, and wrong documents are quoted."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from hanabi.conventions.conventions import CONVENTIONS
from hanabi.conventions.suite import difference, read_suite
from hanabi.ground import InvalidInputError
from hanabi.rules import Card

DOCS = Path(__file__).parents[3] / "docs"
FILES = sorted((DOCS / "conventions").glob("*.jsonl"))
SCHEMA = json.loads((DOCS / "conventions-suite.schema.json").read_text("utf-8"))
MAKER = runpy.run_path(str(DOCS / "make_suite.py"))
ALL = [each for path in FILES for each in read_suite(path.read_text("utf-8"), path.name)]
FIRST = json.loads(FILES[0].read_text("utf-8").splitlines()[0])


def test_the_page_tells_where_ours_agrees() -> None:
    page = MAKER["PAGE"].read_text("utf-8")
    assert MAKER["results"]() in page, "run: python docs/make_suite.py"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_documents_are_made_of_their_texts(path: Path) -> None:
    made = MAKER["documents"](path.with_suffix(".txt"))
    assert path.read_text("utf-8") == made, "run: python docs/make_suite.py"


def test_the_schema_names_what_is_read() -> None:
    expected: dict[str, Any] = SCHEMA["$defs"]["expectation"]["properties"]
    for line in (line for path in FILES for line in path.read_text("utf-8").splitlines()):
        document = json.loads(line)
        assert document.keys() <= SCHEMA["properties"].keys()
        assert document.keys() >= set(SCHEMA["required"])
        assert all(each.keys() <= expected.keys() for each in document["expect"])


def test_names_are_unique_within_a_convention() -> None:
    assert len({(each.convention, each.name) for each in ALL}) == len(ALL)
    assert {each.convention for each in ALL} <= set(CONVENTIONS)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"schema": 2}, "schema: 2 is not in 1 .. 1"),
        ({"convention": "5 Safe"}, "convention: '5 Safe' is not in our table"),
        ({"page": "x"}, "page: 'x' is not 'https://"),
        ({"more": 1}, "position: unknown key 'more'"),
        ({"expect": [{}]}, r"expect\[0\].levels: missing"),
        ({"expect": [{"levels": [2, 1]}]}, "is not the first and last level"),
        ({"expect": [{"levels": [1, 12]}]}, "12 is not in 1 .. 11"),
        ({"expect": [{"levels": [1, 1], "mybe": {}}]}, "unknown key 'mybe'"),
        ({"expect": [{"levels": [1, 1], "may_be": {"40": ["r1"]}}]}, "'40' is not in the game"),
        ({"expect": [{"levels": [1, 1], "may_be": {"5": ["r6"]}}]}, "'r6' is not one of 25 cards"),
        ({"expect": [{"levels": [1, 1], "plays": {"1": [2]}}]}, "'card 2' is not one of 5 cards"),
        ({"expect": [{"levels": [1, 1], "plays": {"3": []}}]}, "'3' is not in the game"),
        (
            {"expect": [{"levels": [1, 1], "asks": [{"type": 0, "target": 3}]}]},
            "asks: turn 2: card 3 of the deck is not in the hand of seat 1",
        ),
        (
            {"expect": [{"levels": [1, 1], "asks": [{"type": 1, "target": 9}]}]},
            "",
        ),
        ({"deck": FIRST["deck"][:3]}, "deck"),
    ],
)
def test_a_wrong_document_is_quoted(change: dict[str, object], told: str) -> None:
    text = json.dumps(FIRST | change)
    if not told:
        assert list(read_suite(text, "x.jsonl"))
        return
    with pytest.raises(InvalidInputError, match=told):
        list(read_suite(text, "x.jsonl"))


def test_what_is_no_document_is_quoted() -> None:
    with pytest.raises(InvalidInputError, match=r"x.jsonl: line 2: not a game of hanab.live"):
        list(read_suite('\n{"hand_size": 1, "cards": [[1, 0]]}', "x.jsonl"))


def test_differences_are_told_in_words() -> None:
    (position,) = read_suite(json.dumps(FIRST), "x.jsonl")
    asked = next(each for each in position.questions if each.what == "identities")
    assert difference(position, asked, [Card(0, 1)]) is None
    told = difference(position, asked, [Card(0, 1), Card(1, 1)])
    assert told == "Bob's card 5 may be r1, not r1 or y1"
    plays = next(each for each in position.questions if each.what == "plays")
    assert difference(position, plays, []) == "Bob should play card 5, not nothing"
    assert difference(position, plays, [5, 7]) is None
