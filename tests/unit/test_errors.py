from __future__ import annotations

import unicodedata

import pytest

from hanabi.errors import counted, printable

OBEYED = {"Cc", "Cs", "Zl", "Zp"}
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def test_every_character_that_a_terminal_obeys_is_escaped() -> None:
    for code in range(0x110000):
        character = chr(code)
        is_obeyed = unicodedata.category(character) in OBEYED or character in BIDI + "\ufeff"
        shown = printable(character)
        assert shown == (repr(character)[1:-1] if is_obeyed else character)


@pytest.mark.parametrize("text", ["Zoé", "日本", "👩‍🚀", "a\u00a0b", "back\\slash", "'\""])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text
    assert printable(text, limit=len(text)) == text


def test_long_text_is_cut_before_it_is_escaped() -> None:
    assert printable("\x1b" * 5000, limit=2) == r"\x1b\x1b... (5,000 characters)"


def test_numbers_with_their_nouns() -> None:
    assert [counted(n, "life", "lives") for n in (0, 1, 2)] == ["0 lives", "1 life", "2 lives"]
