"""Each suit of a variant has one letter, and cards are written and read by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanabi.rules.cards import format_card
from hanabi.rules.variants import find_variant, variant_names
from hanabi.rules.variants.variant import letters_of

SITE = Path(__file__).parents[3] / "data" / "hanab_live" / "site"
ALL = [find_variant(name) for name in variant_names()]


def test_every_card_of_every_variant_is_read_back() -> None:
    for variant in ALL:
        assert len(set(variant.letters)) == len(variant.suits)
        for card in variant.spec.counts():
            text = variant.format_card(*card)
            assert variant.find_card(text) == variant.find_card(text.upper()) == card
            if not text.endswith("S"):
                assert variant.find_card(text[1:] + text[0]) == card


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("No Variant", "rygbp"),
        ("6 Suits", "rygbpt"),
        ("3 Suits", "rgb"),
        ("Black (6 Suits)", "rygbpk"),
        ("Rainbow Reversed (5 Suits)", "rygbm"),
        ("Pink & White (6 Suits)", "rygbiw"),
        ("Omni (5 Suits)", "rygbo"),
        ("Null-Ones & Brown (5 Suits)", "rygbn"),
        ("Rainbow & Muddy Rainbow (6 Suits)", "rygbmu"),
        ("Scarce Ones & Gray (6 Suits)", "rygbpa"),
        ("Omni & Orange (6 Suits)", "rygboa"),
        ("Prism (6 Suits)", "rygbpi"),
        ("Ambiguous (6 Suits)", "tmeobn"),
    ],
)
def test_letters_that_people_write(name: str, letters: str) -> None:
    assert find_variant(name).letters == letters


def test_letters_of_the_plain_game_are_those_of_cards() -> None:
    for name in ("No Variant", "6 Suits", "4 Suits"):
        variant = find_variant(name)
        assert all(variant.format_card(*c) == format_card(*c) for c in variant.spec.counts())


def test_the_letters_are_those_of_the_site() -> None:
    lines = (SITE / "letters.tsv").read_text(encoding="utf-8").splitlines()
    there = {int(number): letters.lower() for number, letters in map(str.split, lines)}
    assert {variant.id: variant.letters for variant in ALL} == there
    changed = [variant for variant in ALL if variant.letters != variant.former_letters]
    assert len(changed) == 222


def test_former_letters_are_read_where_no_suit_has_them() -> None:
    variant = find_variant("Prism (5 Suits)")
    assert (variant.letters, variant.former_letters) == ("rygbi", "rygbp")
    assert variant.find_card("p2") == variant.find_card("i2") == (4, 2)
    # Where another suit has it now, a letter is that suit's: a whole text is looked at, if it can.
    assert find_variant("Prism & Dark Pink (5 Suits)").find_card("p2") == (4, 2)
    for variant in ALL:
        for color, letter in enumerate(variant.former_letters):
            found = variant.find_card(f"{letter}1")
            assert found is not None
            assert found.color == color or letter in variant.letters


def test_letters_of_suits_of_ones_own() -> None:
    assert letters_of(("Deep Blue", "Blue", "Flame", "Fox", "X", "Q", "Q Q")) == "blfoxqa"


def test_colors_of_clues_have_the_letters_of_their_suits() -> None:
    for variant in ALL:
        colors = variant.clue_colors
        found = letters_of(tuple(map(str.lower, colors)))
        assert found == letters_of(colors)
        assert all(("k" if name == "Black" else name[0].lower()) == letter
                   for name, letter in zip(colors, found, strict=True)
                   if name not in ("Pink", "Brown"))  # fmt: skip


def test_most_suits_keep_their_letter() -> None:
    letters: dict[str, list[str]] = {}
    for variant in ALL:
        for suit, letter in zip(variant.suits, variant.letters, strict=True):
            letters.setdefault(suit.name, []).append(letter)
    assert sum(len(set(used)) == 1 for used in letters.values()) > 0.7 * len(letters)
    assert set(letters["Black"]) == {"k"}
    assert set(letters["White"]) == {"w"}


@pytest.mark.parametrize(
    "text", ["", "r", "1", "r0", "r6", "rS", "q1", "p6", "rr", "11", "r1 ", "r1000", "ﬁ1"]
)
def test_what_is_no_card(text: str) -> None:
    assert find_variant("No Variant").find_card(text) is None


def test_start_is_written_s_alone() -> None:
    variant = find_variant("Up or Down (5 Suits)")
    assert variant.format_card(0, 6) == "rS"
    assert variant.find_card("rs") == (0, 6)
    assert variant.find_card("r6") is None
    assert find_variant("Sudoku (4 Suits)").find_card("r5") is None
