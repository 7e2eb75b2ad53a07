"""Rule sets: presets, derived numbers, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules import PRESETS, Rating, Rules, rating
from hanabi.rules.config import (
    HAND_SIZES,
    MAX_SEATS,
    choose_rules,
    read_rules,
    rules_from_json,
    rules_of_json,
    rules_to_json,
)
from hanabi.rules.deck import DeckSpec
from hanabi.rules.variants import find_variant


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seats", range(2, 6))
def test_presets(name: str, seats: int) -> None:
    rules = PRESETS[name](seats)
    assert rules.seats == rules.final_round == seats
    assert rules.hand_size == HAND_SIZES[seats]
    assert rules.deck_size == 10 * rules.colors
    assert rules.max_score == 5 * rules.colors
    assert hash(rules) == hash(PRESETS[name](seats))


def test_presets_differ_from_the_printed_rules_in_few_points() -> None:
    printed = Rules.official(3)
    assert Rules.hle(3) == replace(printed, empty_hints=False)
    assert Rules.hanab_live(3) == replace(printed, empty_hints=False, stop_when_stuck=True)
    assert Rules.bergh2016() == replace(printed, completion_bonus=False, keep_slots=True)
    assert Rules.multicolor(3) == replace(printed, spec=DeckSpec.standard(6))


def test_hand_sizes() -> None:
    assert dict(HAND_SIZES) == {1: 5, 2: 5, 3: 5, 4: 4, 5: 4, 6: 3}
    assert MAX_SEATS == 6


def test_a_lone_player_sees_its_cards_and_can_always_discard() -> None:
    rules = Rules.official(1)
    assert rules.open_hands
    assert rules.discard_at_full_hints


def test_rows_of_different_lengths() -> None:
    rules = Rules(spec=DeckSpec(((1, 2), (1, 0, 3, 1))), seats=2, hand_size=4)
    assert (rules.colors, rules.ranks, rules.deck_size, rules.max_score) == (2, 4, 8, 6)


def test_the_last_round_can_be_changed() -> None:
    assert Rules.official(2).final_round == 2
    assert replace(Rules.official(2), final_round=None).final_round is None
    assert replace(Rules.official(2), final_round=0).final_round == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seats": 0}, "seats = 0 is not 1 to 6"),
        ({"seats": 7}, "seats = 7 is not 1 to 6"),
        ({"seats": True}, "seats = True is not a whole number"),
        ({"seats": 2.0}, "seats = 2.0 is not a whole number"),
        ({"hand_size": 0}, "hand_size = 0 is not 1 or more"),
        ({"hand_size": 26}, "a deck of 50 cards is too small for 2 hands of 26"),
        ({"hints": -1}, "hints = -1 is not 0 or more"),
        ({"lives": 0}, "lives = 0 is not 1 or more"),
        ({"final_round": -2}, "final_round = -2 is not 0 or more"),
        ({"spec": DeckSpec(())}, "colors = 0 is not 1 to 30"),
        ({"spec": DeckSpec.uniform(31, 1, 1)}, "colors = 31 is not 1 to 30"),
        ({"spec": DeckSpec(((1, 1), ()))}, "ranks of color 1 = 0 is not 1 to 30"),
        ({"spec": DeckSpec.uniform(1, 31, 1)}, "ranks of color 0 = 31 is not 1 to 30"),
    ],
)
def test_nonsense_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        replace(Rules.official(2), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("preset", "arguments"),
    [
        (Rules.hanab_live, (1,)),
        (Rules.hanab_live, (7,)),
        (Rules.hanab_live, (2, 2)),
        (Rules.hanab_live, (2, 7)),
        (Rules.hle, (1,)),
        (Rules.hle, (6,)),
        (Rules.official, (0,)),
        (Rules.official, (7,)),
    ],
)
def test_presets_refuse_tables_that_they_do_not_have(preset, arguments) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInputError):
        preset(*arguments)


def test_ratings() -> None:
    words = [rating(score) for score in (0, 5, 6, 10, 11, 15, 16, 20, 21, 24, 25, 30)]
    assert words == [word for word in Rating for _ in range(2)]
    with pytest.raises(InvalidInputError, match="-1"):
        rating(-1)


def test_a_variant_brings_its_cards_and_what_follows_from_it() -> None:
    orange = Rules.hanab_live(3, variant="Orange (3 Suits)")
    assert orange.discard_at_full_hints
    assert not Rules.hanab_live(3, variant="Throw It in a Hole (4 Suits)").completion_bonus
    assert Rules.hanab_live(2, variant=16).variant == find_variant("Rainbow (5 Suits)")
    assert Rules.hanab_live(2, variant="Up or Down (5 Suits)").max_score == 25
    assert Rules.hanab_live(2, variant="Sudoku (4 Suits)").max_score == 16


def test_variants_that_change_only_what_is_told_are_plain_rules() -> None:
    for name in ("No Variant", "Duck (5 Suits)", "Cow & Pig (5 Suits)"):
        assert Rules.hanab_live(4, variant=name) == Rules.hanab_live(4)


def test_a_spec_has_the_shape_of_its_variant() -> None:
    with pytest.raises(InvalidInputError, match="Rainbow"):
        replace(Rules.hanab_live(2, variant="Rainbow (5 Suits)"), spec=DeckSpec.standard(4))


def test_a_variant_by_name_in_json_goes_with_the_rules_of_the_site() -> None:
    spec = DeckSpec.standard()
    rainbow = Rules.hanab_live(2, variant="Rainbow (5 Suits)")
    named = {"variant": "Rainbow (5 Suits)", "hints": 4}
    assert rules_of_json(named, 2, spec)[1] == replace(rainbow, hints=4)
    with pytest.raises(InvalidInputError, match="a variant goes with hanab_live"):
        rules_of_json({"preset": "official", "variant": "6 Suits"}, 2, spec)
    with pytest.raises(InvalidInputError, match="is not a variant"):
        rules_of_json({"variant": "7 Suits"}, 2, spec)


CARDS = [[3, 2, 1], [1, 1]]


def test_rules_in_json_state_their_own_numbers_of_cards() -> None:
    given = {"preset": "hle", "hand_size": 2, "copies": CARDS}
    rules = rules_of_json(given, 2, DeckSpec.standard())[1]
    assert rules.spec.copies == ((3, 2, 1), (1, 1))
    assert choose_rules(given, 2) == choose_rules(read_rules(json.dumps(given)), 2) == rules
    rainbow = {"variant": "Rainbow (3 Suits)", "copies": [[3, 2, 2, 2, 2]] * 3}
    assert choose_rules(rainbow, 2).deck_size == 33
    assert rules_from_json(rules_to_json(rules)) == rules


FULL = rules_to_json(
    replace(Rules.hanab_live(2), spec=DeckSpec(((3, 2, 1), (1, 1))), hand_size=2), is_full=True
)
WRONG: tuple[object, ...] = (
    None,
    True,
    1.0,
    -1,
    2**31,
    10**30,
    "",
    "red",
    [],
    {},
    [[]],
    [[1.0]],
    [[10**9]],
)


def of_table(data: dict[str, Any]) -> Rules:
    """Read rules whose seats the caller states."""
    return choose_rules({key: value for key, value in data.items() if key != "seats"}, 2)


@pytest.mark.parametrize("key", [*FULL, "spec", "colour"])
@pytest.mark.parametrize("read", [rules_from_json, of_table])
def test_all_readers_of_rules_refuse_the_same(
    key: str, read: Callable[[dict[str, Any]], Rules]
) -> None:
    if key == "seats" and read is of_table:
        return
    for value in WRONG:
        given = FULL | {key: value}
        if (value is None and key in ("variant", "final_round")) or (
            value is True and isinstance(FULL.get(key), bool)
        ):
            read(given)
            continue
        with pytest.raises(
            InvalidInputError, match="copies|colors|color 0" if key == "copies" else key
        ):
            read(given)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody", "rules: 'nobody' is not a rule set; there are official"),
        ('{"hint": 3}', "unknown key 'hint': did you mean 'hints'?"),
        ('{"hints": "three"}', "rules.hints: 'three' is not an integer"),
        ('{"copies": [[1, "2"]]}', "rules.copies[0][1]: '2' is not an integer"),
        ('{"copies": [[10001]]}', "rules.copies: a deck of 10,001 cards; the most are 10,000"),
        ('{"hints": 3', "line 1, column 12: the JSON ends too early"),
        ('{"hints": 3} // few', "line 1, column 14: JSON has no comments: remove '// few'"),
    ],
)
def test_rules_in_a_text_are_refused_at_once(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_rules(text)
    assert str(caught.value).startswith(message)
