from __future__ import annotations

import re
import tomllib
import unicodedata
from pathlib import Path

import pytest

from hanabi.errors import counted, printable

ROOT = Path(__file__).parents[2]
OBEYED = {"Cc", "Cs", "Zl", "Zp"}
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def test_every_character_that_a_terminal_obeys_is_escaped() -> None:
    for code in range(0x110000):
        character = chr(code)
        is_obeyed = unicodedata.category(character) in OBEYED or character in BIDI + "\ufeff"
        shown = printable(character)
        assert shown == (repr(character)[1:-1] if is_obeyed else character)


def test_the_extras_that_messages_name_are_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    sources = [path.read_text() for path in (ROOT / "src").rglob("*.py")]
    named = {extra for text in sources for extra in re.findall(r'extra="(\w+)"', text)}
    assert {"plots", "parquet", "packing", "distributed"} <= named
    assert named <= project["optional-dependencies"].keys()
    assert not any("hanabi[" in text for text in sources)


@pytest.mark.parametrize("text", ["Zoé", "日本", "👩‍🚀", "a\u00a0b", "back\\slash", "'\""])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text
    assert printable(text, limit=len(text)) == text


def test_long_text_is_cut_before_it_is_escaped() -> None:
    assert printable("\x1b" * 5000, limit=2) == r"\x1b\x1b... (5,000 characters)"


def test_numbers_with_their_nouns() -> None:
    assert [counted(n, "life", "lives") for n in (0, 1, 2)] == ["0 lives", "1 life", "2 lives"]
