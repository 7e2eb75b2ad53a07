from __future__ import annotations

import json

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import Deck
from hanabi.rules.notation import DeckInput, SolitaireInput, parse_input, parse_play
from hanabi.rules.notation.strict_json import load, show


def test_solitaire_form_with_everything() -> None:
    text = '{"hand_size": 2, "cards": [[2, 0], [1, 1]], "n": 3, "c": 4, "annotation": {"v": 3}}'
    assert parse_input(text) == SolitaireInput(
        Deck([(0, 2), (1, 1)]), hand_size=2, n=3, c=4, annotation={"v": 3}
    )


def test_deck_form_with_pairs_and_with_text() -> None:
    deck = Deck([(3, 5), (4, 4)])
    assert parse_input('{"players": 3, "deck": [[5, 3], [4, 4]]}') == DeckInput(3, deck)
    text = '{"players": 3, "deck": "b5 p4", "rules": "bergh2016", "id": "p3v0s1", "winnable": true}'
    assert parse_input(text) == DeckInput(3, deck, rules="bergh2016")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"cards": [[1, 0], [2, 1]', "line 1, column 26: the JSON ends too early"),
        ('{"cards": "r1', "line 1, column 11: the JSON ends inside the string '\"r1'"),
        ('{"cards": [[1, 0]]} {}', "line 1, column 21: '{}' follows the end of the JSON"),
        ("{'cards': []}", "line 1, column 2: not JSON at \"'cards': []}\""),
        ('{"cards": [[1, 0], [2, true]]}', "cards[1]: color: true is not an integer"),
        ('{"cards": [[1, 0], [null, 0]]}', "cards[1]: value: null is not an integer"),
        ('{"cards": [[1.0, 0]]}', "cards[0]: value: 1.0 is not an integer"),
        ('{"cards": [[1, "0"]]}', "cards[0]: color: '0' is not an integer"),
        ('{"cards": [[1, [0]]]}', "cards[0]: color: [0] is not an integer"),
        ('{"cards": [[1, 0], 2]}', "cards[1]: 2 is not [value, color]"),
        ('{"cards": [[1, 0, 0]]}', "cards[0]: [1, 0, 0] is not [value, color]"),
        ('{"cards": [[0, 0]]}', "cards[0]: value: 0 is not in 1 .. 2147483647"),
        ('{"cards": [[1, -1]]}', "cards[0]: color: -1 is not in 0 .. 2147483647"),
        ('{"cards": [[99999999999, 0]]}', "cards[0]: value: 99999999999 is not in"),
        ('{"n": 2, "cards": [[3, 0]]}', "cards[0]: value: 3 is not in 1 .. 2"),
        ('{"c": 2, "cards": [[3, 2]]}', "cards[0]: color: 2 is not in 0 .. 1"),
        ('{"cards": {"a": 1}}', "cards: {'a': 1} is not an array"),
        ('{"cards": [], "hand_size": -1}', "hand_size: -1 is not in 0 .. 2147483647"),
        ('{"cards": [], "hand_size": null}', "hand_size: null is not an integer"),
        ('{"cards": [], "cards": []}', "key 'cards' is given twice"),
        ('{"cards": [[NaN, 0]]}', "NaN is not a number that JSON allows"),
        ('{"cards": [[-Infinity, 0]]}', "-Infinity is not a number that JSON allows"),
        ('{"cards": [[%s, 0]]}' % ("9" * 9000), "line 1, column 13: the integer '999"),
        ('{"hand_sise": 1, "cards": []}', "unknown key 'hand_sise': did you mean 'hand_size'?"),
        ('{"Hand-Size": 1, "cards": []}', "unknown key 'Hand-Size': did you mean 'hand_size'?"),
        ('{"hand": 1, "cards": []}', "unknown key 'hand': did you mean 'hand_size'?"),
        ('{"values": 5, "cards": []}', "unknown key 'values': did you mean 'n'?"),
        ('{"crads": []}', "unknown key 'crads': did you mean 'cards'?"),
        ('{"deck": "r1"}', "players: missing"),
        ('{"deck": "r1", "players": 1}', "players: 1 is not in 2 .. 6"),
        ('{"deck": "r1", "players": true}', "players: true is not an integer"),
        ('{"deck": "r1 q2", "players": 2}', "deck: character 4: 'q2' is not a card"),
        ('{"deck": "r1 r6", "players": 2, "n": 5}', "deck[1]: rank: 6 is not in 1 .. 5"),
        ('{"deck": [[1, 0], [0, 1]], "players": 2}', "deck[1]: rank: 0 is not in"),
        ('{"deck": 7, "players": 2}', "deck: 7 is not an array"),
        ("[[1, 0]]", "[[1, 0]] is not an object"),
        ('{"x": 1}', 'has neither "cards" nor "deck"'),
    ],
)
def test_bad_json_is_quoted_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_input(text, source="x.json")
    assert str(caught.value).startswith("x.json: ")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


def test_remarks_are_ignored() -> None:
    text = '{"cards": [[1, 0]], "min_h": 3, "comment": "c", "seed": 3, "index": 0}'
    assert parse_input(text) == SolitaireInput(Deck([(0, 1)]))


@pytest.mark.parametrize("depth", [100, 900, 990, 5_000, 200_000])
def test_deep_nesting_never_leaks_a_recursion_error(depth: int) -> None:
    for text in (
        '{"cards": ' + "[" * depth + "]" * depth + "}",
        '{"cards": [[1, ' + '{"a":' * depth + "1" + "}" * depth + "]]}",
        "[" * depth,
        '{"a":' * depth,
        '{"x": ' + "[" * depth + "]" * depth + "}",
    ):
        with pytest.raises(InvalidInputError) as caught:
            parse_input(text)
        assert len(str(caught.value)) < 250


def test_show_keeps_large_values_short() -> None:
    assert len(show({"a" * 1000: list(range(1000))})) < 200
    assert show("x" * 1000).endswith("...")


def test_load_names_the_second_of_two_equal_keys_deep_inside() -> None:
    with pytest.raises(InvalidInputError, match="'b' is given twice"):
        load('{"a": [{"b": 1, "b": 2}]}')


def test_a_play_alone_and_inside_an_answer() -> None:
    moves = [[1, "store"], [2, "play"], [1, "discard"]]
    expected = ((1, "store"), (2, "play"), (1, "discard"))
    assert parse_play(json.dumps(moves)) == expected
    assert parse_play(json.dumps({"status": "winnable", "play": moves, "seconds": 1})) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ("null", "play: null is not an array"),
        ('{"status": "unwinnable", "play": null}', "play: missing (its status is 'unwinnable')"),
        ("{}", "play: missing"),
        ("[1]", "play[0]: 1 is not [position, action]"),
        ('[[1, "play", 2]]', "play[0]: [1, 'play', 2] is not [position, action]"),
        ('[[1, "keep"]]', "play[0]: action 'keep' is not"),
        ("[[1, 2]]", "play[0]: action 2 is not"),
        ("[[1, [[]]]]", "play[0]: action [[]] is not"),
        ('[[0, "play"]]', "play[0]: position: 0 is not in 1 .. 2147483647"),
        ('[[1.5, "play"]]', "play[0]: position: 1.5 is not an integer"),
        ('[[99999999999, "play"]]', "play[0]: position: 99999999999 is not in"),
    ],
)
def test_bad_plays_are_quoted_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_play(text, source="p.json")
    assert str(caught.value).startswith("p.json: ")
    assert message in str(caught.value)
