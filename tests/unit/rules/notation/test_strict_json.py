from __future__ import annotations

import ast
from pathlib import Path

import pytest

import hanabi
from hanabi.ground.errors import InvalidInputError
from hanabi.rules.notation import parse_input
from hanabi.rules.notation.strict_json import load

SOURCES = Path(hanabi.__file__).parent
OWN_FILES = {  # they read back what this package has just written
    "ground/workers/bare.py",
    "ground/workers/child.py",
    "shell/command/batch.py",
    "shell/command/kept.py",
    "lab/lines.py",
}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 1}', "key 'a' is given twice"),
        ("[NaN]", "NaN is not a number that JSON allows"),
        ("[-Infinity]", "-Infinity is not a number"),
        ("[1e400]", "the number '1e400' is too large"),
        ("[" + "9" * 5000 + "]", "line 1, column 2: the integer '9+'... is too long"),
        ("[" * 100_000, "nested too deeply"),
        ("", "line 1, column 1: the JSON ends too early"),
        ("{} {}", r"line 1, column 4: '{}' follows the end"),
        ('{"a": "\x1b"}', "Invalid control|invalid control"),
        ("// a deck\n{}", r"line 1, column 1: JSON has no comments: remove '// a deck'"),
        ('{"a": 1, // one\n "b": 2}', r"line 1, column 10: JSON has no comments: remove '// one'"),
        ('{"a": "http://x" /* two */}', r"column 18: JSON has no comments: remove '/\* two \*/}'"),
    ],
    ids=lambda text: text[:20],
)
def test_what_json_does_not_allow(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        load(text)


GAME = '{"players": ["a", "b"], "deck": [{"suitIndex": 0, "rank": 1}]%s}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"Cards": [[1, 0]]}', "did you mean 'cards'"),
        ('{"hand_size": 1.0, "cards": [[1, 0]]}', "hand_size: 1.0 is not an integer"),
        ('{"hand_size": 1e2, "cards": [[1, 0]]}', "hand_size: 100.0 is not an integer"),
        ('{"hand_size": true, "cards": [[1, 0]]}', "hand_size: true is not an integer"),
        ('{"cards": [[1, false]]}', r"cards\[0\]: color: false is not an integer"),
        ('{"cards": [[1, 0]], "deck": "r1", "players": 2}', '"cards" and "deck" do not go'),
        ('{"cards": [[1, 0]], "players": 2}', '"cards" and "players" do not go'),
        ('{"deck": "r1", "players": 2, "hand_size": 3}', '"hand_size" and "deck" do not go'),
        (GAME % ', "Actions": []', "unknown key 'Actions': did you mean 'actions'"),
        (GAME % ', "options": {"deck_plays": true}', "'options.deck_plays': did you mean"),
        (GAME % ', "options": {"Variant": "6 Suits"}', "'options.Variant': did you mean"),
    ],
)
def test_what_would_be_read_wrongly(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        parse_input(text)


def test_unknown_keys_of_games_are_carried_along() -> None:
    parse_input(GAME % ', "characters": [], "tags": 1, "options": {"timeBase": 1e2}')


def test_foreign_json_is_read_here_and_nowhere_else() -> None:
    readers = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("load", "loads", "JSONDecoder"):
                owner = node.value
                if isinstance(owner, ast.Name) and owner.id.startswith("json"):
                    readers.add(str(path.relative_to(SOURCES)))
    assert readers - OWN_FILES == {"rules/notation/strict_json.py"}
