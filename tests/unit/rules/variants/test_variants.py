"""The table of variants: every row gives its suits, its options, its deck and its clues."""

from collections import Counter

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.variants import VARIANT_COUNT, Suit, Variant, find_variant, variant_names

ALL = [find_variant(name) for name in variant_names()]


def test_names_and_numbers_lead_to_the_same_variant() -> None:
    assert len(ALL) == VARIANT_COUNT == len({v.id for v in ALL})
    assert all(find_variant(v.id) is not None and find_variant(v.id) == v for v in ALL)


def test_the_name_tells_the_number_of_suits() -> None:
    told = {v.name: int(v.name.split("(")[1][0]) for v in ALL if "Suits)" in v.name}
    assert len(told) > 2400
    assert all(len(find_variant(name).suits) == number for name, number in told.items())


@pytest.mark.parametrize(
    ("name", "row", "cards"),
    [
        ("No Variant", (3, 2, 2, 2, 1), 50),
        ("Black (6 Suits)", (1, 1, 1, 1, 1), 55),
        ("Black Reversed (6 Suits)", (1, 1, 1, 1, 1), 55),
        ("Rainbow Reversed (5 Suits)", (1, 2, 2, 2, 3), 50),
        ("Up or Down (5 Suits)", (1, 2, 2, 2, 1, 1), 45),
        ("Scarce Ones & Gray (6 Suits)", (1, 1, 1, 1, 1), 50),
        ("Scarce Ones (5 Suits)", (2, 2, 2, 2, 1), 45),
        ("Critical Fours (5 Suits)", (3, 2, 2, 1, 1), 45),
        ("Sudoku (4 Suits)", (2, 2, 2, 2), 32),
        ("Sudoku (5 Suits)", (2, 2, 2, 2, 2), 50),
    ],
)
def test_copies_of_the_last_suit(name: str, row: tuple[int, ...], cards: int) -> None:
    spec = find_variant(name).spec
    assert spec.copies[-1] == row
    assert spec.size == cards


def clues(name: str, color: int, rank: int) -> tuple[list[str], list[int]]:
    variant = find_variant(name)
    return (
        [c for i, c in enumerate(variant.clue_colors) if variant.touches_color(i, color, rank)],
        [r for r in variant.clue_ranks if variant.touches_rank(r, color, rank)],
    )


@pytest.mark.parametrize(
    ("name", "color", "rank", "colors", "ranks"),
    [
        ("No Variant", 3, 4, ["Blue"], [4]),
        ("Rainbow (3 Suits)", 2, 4, ["Red", "Blue"], [4]),
        ("Pink (5 Suits)", 4, 4, ["Pink"], [1, 2, 3, 4, 5]),
        ("White (5 Suits)", 4, 2, [], [2]),
        ("Brown (5 Suits)", 4, 2, ["Brown"], []),
        ("Null (4 Suits)", 3, 1, [], []),
        ("Omni (5 Suits)", 4, 1, ["Red", "Yellow", "Green", "Blue"], [1, 2, 3, 4, 5]),
        ("Prism (5 Suits)", 4, 5, ["Red"], [5]),
        ("Prism (5 Suits)", 4, 4, ["Blue"], [4]),
        ("Dual-Color (3 Suits)", 0, 1, ["Red", "Yellow"], [1]),
        ("Color Blind (5 Suits)", 0, 1, [], [1]),
        ("Number Blind (5 Suits)", 0, 1, ["Red"], []),
        ("Rainbow-Ones (5 Suits)", 0, 1, ["Red", "Yellow", "Green", "Blue", "Purple"], [1]),
        ("Pink-Fives & Rainbow (5 Suits)", 0, 5, ["Red"], [1, 2, 3, 4]),
        ("Null-Ones (5 Suits)", 0, 1, [], []),
        ("Deceptive-Ones & White (3 Suits)", 1, 1, ["Blue"], [3]),
        ("Odds and Evens (5 Suits)", 0, 3, ["Red"], [1]),
        ("Odds and Evens (5 Suits)", 0, 4, ["Red"], [2]),
        ("Funnels (5 Suits)", 0, 3, ["Red"], [3, 4, 5]),
        ("Chimneys (5 Suits)", 0, 3, ["Red"], [1, 2, 3]),
        ("Synesthesia (5 Suits)", 0, 3, ["Red", "Green"], []),
        ("Up or Down (5 Suits)", 0, 6, ["Red"], []),
    ],
)
def test_which_clues_touch_a_card(
    name: str, color: int, rank: int, colors: list[str], ranks: list[int]
) -> None:
    assert clues(name, color, rank) == (colors, ranks)


def test_piles_are_built_as_the_suits_say() -> None:
    assert find_variant("No Variant").orders(0) == ((1, 2, 3, 4, 5),)
    reversed_last = find_variant("Black Reversed (6 Suits)")
    assert reversed_last.orders(5) == ((5, 4, 3, 2, 1),)
    assert reversed_last.orders(0) == ((1, 2, 3, 4, 5),)
    assert (6, 4, 3, 2, 1) in find_variant("Up or Down (5 Suits)").orders(0)
    assert find_variant("Sudoku (4 Suits)").orders(0)[2] == (3, 4, 1, 2)


def test_orders_use_cards_that_exist_and_have_one_length() -> None:
    for variant in ALL:
        for color, row in enumerate(variant.spec.copies):
            orders = variant.orders(color)
            assert {len(order) for order in orders} == {variant.ranks}
            assert all(len(set(order)) == len(order) for order in orders)
            assert all(row[rank - 1] > 0 for order in orders for rank in order)


def test_as_many_variants_of_each_kind_as_the_site_has() -> None:
    kinds = Counter[str]()
    for variant in ALL:
        kinds.update(
            name
            for name in ("up_or_down", "sudoku", "clue_starved", "alternating_clues", "duck")
            if getattr(variant, name)
        )
        kinds["inverted"] += any(variant.inverted)
    assert kinds == {
        "up_or_down": 33,
        "sudoku": 33,
        "clue_starved": 22,
        "alternating_clues": 66,
        "duck": 4,
        "inverted": sum("Orange" in variant.name for variant in ALL),
    }


@pytest.mark.parametrize("key", ["Rainbw (5 Suits)", 99999, -1, "", "x" * 100_000])
def test_no_such_variant(key: str | int) -> None:
    with pytest.raises(InvalidInputError, match="is not a variant"):
        find_variant(key)


def test_a_similar_name_is_told() -> None:
    with pytest.raises(InvalidInputError, match="did you mean 'Rainbow"):
        find_variant("Rainbw (5 Suits)")


def test_sudoku_needs_a_rank_a_suit() -> None:
    suits = tuple(Suit(name=name) for name in "abc")
    with pytest.raises(InvalidInputError, match="3 suits"):
        Variant(name="small", suits=suits, ranks=2, sudoku=True)
