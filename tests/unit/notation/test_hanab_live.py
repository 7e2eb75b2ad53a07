from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from hanabi.cards import Card
from hanabi.errors import InvalidInputError
from hanabi.notation import (
    GameRecord,
    RecordedAction,
    format_link,
    game_to_json,
    options_that_change_play,
    parse_input,
)

GAMES = sorted((Path(__file__).parents[2] / "data/hanab_live/games").glob("*.json"))
PLAIN = "2906.json"


def read(path: Path) -> GameRecord:
    record = parse_input(path.read_text(encoding="utf-8"), source=path.name)
    assert isinstance(record, GameRecord)
    return record


def game(**changes: object) -> str:
    data: dict[str, object] = {
        "players": ["a", "b"],
        "deck": [{"suitIndex": 0, "rank": 1}, {"suitIndex": 4, "rank": 5}],
        "actions": [{"type": 0, "target": 1}],
    }
    return json.dumps(data | changes)


def test_the_plain_game_is_read_whole() -> None:
    path = next(path for path in GAMES if path.name == PLAIN)
    data = json.loads(path.read_text(encoding="utf-8"))
    record = read(path)
    assert (record.id, record.players, record.colors) == (2906, 3, 5)
    assert record.variant == "No Variant"
    assert record.names == ("player 1", "player 2", "player 3")
    assert record.deck[0] == Card(2, 3)
    assert record.options == {"deckPlays": True}
    assert options_that_change_play(record) == ("deckPlays",)
    assert record.deck_mismatch is None
    written = game_to_json(record)
    assert written["deck"] == data["deck"]
    assert written["actions"] == data["actions"]
    assert written["options"] == {"variant": "No Variant", **data["options"]}
    assert parse_input(json.dumps(written)) == record


@pytest.mark.parametrize(
    "path", [path for path in GAMES if path.name != PLAIN], ids=lambda p: p.name
)
def test_other_variants_are_refused_by_name(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    name = data["variant"] if "variant" in data else data["options"]["variant"]
    with pytest.raises(InvalidInputError) as caught:
        read(path)
    assert f"{name!r} is not a supported variant" in str(caught.value)
    assert "variant: " in str(caught.value)
    assert str(caught.value).startswith(path.name)


@pytest.mark.parametrize(
    ("name", "colors"), [("No Variant", 5), ("6 Suits", 6), ("4 Suits", 4), ("3 Suits", 3)]
)
def test_plain_variants(name: str, colors: int) -> None:
    deck = [{"suitIndex": colors - 1, "rank": 5}]
    for place in ({"variant": name}, {"options": {"variant": name}}):
        record = parse_input(game(deck=deck, actions=[], **place))
        assert isinstance(record, GameRecord)
        assert (record.variant, record.colors) == (name, colors)
        assert record.options == {}


def test_everything_is_carried_along() -> None:
    text = game(
        options={"variant": "No Variant", "emptyClues": True, "tableName": "t", "timeBase": 1.5},
        notes=[["a", ""], None],
        characters=[{"name": "Fuming", "metadata": 2}],
        id=12,
        seed="p2v0s1",
        actions=[{"type": 3, "target": 1, "value": 5}, {"type": 10, "target": -1, "value": 0}],
    )
    record = parse_input(text)
    assert isinstance(record, GameRecord)
    assert record.options == {"emptyClues": True, "tableName": "t", "timeBase": 1.5}
    assert record.extra == {"characters": [{"name": "Fuming", "metadata": 2}]}
    assert record.notes == (("a", ""), ())
    assert (record.id, record.seed) == (12, "p2v0s1")
    assert record.actions[1] == RecordedAction(10, -1, 0)
    assert record.actions[1].is_end
    written = game_to_json(record)
    assert "seed" not in written  # the site would deal the seed's deck instead
    again = parse_input(json.dumps(written))
    assert isinstance(again, GameRecord)
    assert again == GameRecord(**{**vars(record), "seed": None})


def test_records_are_read_only_and_can_be_pickled() -> None:
    record = parse_input(game(options={"emptyClues": True}))
    assert isinstance(record, GameRecord)
    with pytest.raises(TypeError):
        record.options["emptyClues"] = False  # type: ignore[index]
    copy = pickle.loads(pickle.dumps(record))
    assert copy == record
    assert hash(copy) == hash(record)


@pytest.mark.parametrize(
    ("options", "hand"), [({}, 5), ({"oneExtraCard": True}, 6), ({"oneLessCard": True}, 4)]
)
def test_hand_sizes_count_the_table_options(options: dict[str, bool], hand: int) -> None:
    record = parse_input(game(options=options))
    assert isinstance(record, GameRecord)
    assert record.hand_size == hand


def test_decks_of_another_size_are_read_and_flagged() -> None:
    record = parse_input(game())
    assert isinstance(record, GameRecord)
    assert record.deck_mismatch == "the deck has 2 cards; No Variant has 50"
    full = [{"suitIndex": k % 5, "rank": 5} for k in range(50)]
    wrong = parse_input(game(deck=full))
    assert isinstance(wrong, GameRecord)
    assert wrong.deck_mismatch == "deck[5]: r5 is one too many for No Variant"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (game(players=[]), "players: 0 names; there are 2 .. 6"),
        (game(players=["a", 3]), "players[1]: 3 is not a string"),
        (game(players=3), "players: 3 is not an array"),
        (game(deck=[{"suitIndex": 5, "rank": 1}]), "deck[0].suitIndex: 5 is not in 0 .. 4"),
        (game(deck=[{"suitIndex": 0, "rank": 6}]), "deck[0].rank: 6 is not in 1 .. 5"),
        (game(deck=[{"suitIndex": 0, "rank": 0}]), "deck[0].rank: 0 is not in 1 .. 5"),
        (game(deck=[{"suitIndex": 0}]), "deck[0].rank: missing"),
        (game(deck=[{"suitIndex": 0, "rank": 1}, 7]), "deck[1]: 7 is not an object"),
        (game(deck="r1"), "deck: 'r1' is not an array"),
        (game(actions=[{"type": 7, "target": 0}]), "actions[0].type: 7 is no type of action"),
        (game(actions=[{"type": 0}]), "actions[0].target: missing"),
        (game(actions=[{"type": 0, "target": 2}]), "actions[0].target: 2 is not in 0 .. 1"),
        (game(actions=[{"type": 2, "target": 2, "value": 0}]), "actions[0].target: 2 is not in"),
        (game(actions=[{"type": 2, "target": 1}]), "actions[0].value: missing in a color hint"),
        (game(actions=[{"type": 2, "target": 1, "value": 5}]), "value: 5 is not in 0 .. 4"),
        (game(actions=[{"type": 3, "target": 1, "value": 0}]), "value: 0 is not in 1 .. 5"),
        (game(actions=[{"type": "0", "target": 1}]), "actions[0].type: '0' is not an integer"),
        (game(actions={}), "actions: {} is not an array"),
        (game(options=[]), "options: [] is not an object"),
        (game(options={"deckPlays": "yes"}), "options.deckPlays: 'yes' is not true or false"),
        (game(options={"startingPlayer": 2}), "options.startingPlayer: 2 is not in 0 .. 1"),
        (game(options={"variant": 3}), "options.variant: 3 is not a string"),
        (game(options={"variantName": "Null (5 Suits)"}), "options.variantName: 'Null (5 Suits)'"),
        (
            game(variant="6 Suits", options={"variant": "No Variant"}),
            "options.variant: 'No Variant' contradicts '6 Suits' in variant",
        ),
        (game(notes=[["a", 3]]), "notes[0][1]: 3 is not a string"),
        (game(notes="a"), "notes: 'a' is not an array"),
        (game(id="x"), "id: 'x' is not an integer"),
        (game(seed=5), "seed: 5 is not a string"),
        ('{"players": ["a", "b"]}', "deck: missing"),
        ('{"deck": [{"suitIndex": 0, "rank": 1}]}', "players: missing"),
    ],
)
def test_bad_games_are_quoted_with_their_place(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_input(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_link_refuses_options_that_change_play() -> None:
    record = parse_input(game(options={"deckPlays": True}))
    assert isinstance(record, GameRecord)
    with pytest.raises(InvalidInputError, match=r"options\.deckPlays"):
        format_link(record)
