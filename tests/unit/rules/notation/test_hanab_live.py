from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck
from hanabi.rules.notation import (
    GameRecord,
    RecordedAction,
    format_link,
    game_to_json,
    options_that_change_play,
    parse_input,
)
from hanabi.rules.notation.hanab_live import game_of_seed
from hanabi.rules.variants import variant_names

GAMES = sorted((Path(__file__).parents[3] / "data/hanab_live/games").glob("*.json"))
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
    assert (record.id, record.players) == (2906, 3)
    assert record.variant_data.name == record.variant == "No Variant"
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


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.name)
def test_games_of_every_variant_are_read_whole(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    record = read(path)
    assert record.variant == data.get("variant") or data["options"].get("variant", "No Variant")
    assert (record.seed, len(record.names)) == (data.get("seed"), record.players)
    written = game_to_json(record)
    assert (written["deck"], written["actions"]) == (data["deck"], data["actions"])
    assert (record.deck_mismatch is None) == (path.name != "1890204.json")


@pytest.mark.parametrize("name", variant_names()[::60])
def test_the_name_of_a_variant_stands_in_one_of_two_places(name: str) -> None:
    deck = [{"suitIndex": 2, "rank": 4}]
    for place in ({"variant": name}, {"options": {"variant": name}}):
        record = parse_input(game(deck=deck, actions=[], **place))
        assert isinstance(record, GameRecord)
        assert (record.variant, record.options) == (name, {})


def test_a_start_card_is_rank_7_there() -> None:
    deck = [{"suitIndex": 4, "rank": 7}, {"suitIndex": 0, "rank": 5}]
    record = parse_input(game(deck=deck, variant="Up or Down (5 Suits)"))
    assert isinstance(record, GameRecord)
    assert record.deck == Deck([(4, 6), (0, 5)])
    assert game_to_json(record)["deck"] == deck
    assert "pS is one too many" not in (record.deck_mismatch or "")


def test_everything_is_carried_along() -> None:
    text = game(
        options={"variant": "No Variant", "emptyClues": True, "tableName": "t", "timeBase": 1.5},
        notes=[["a", ""], None],
        characters=[{"name": "Fuming", "metadata": 2}],
        id=12,
        seed="p3v0s1",
        actions=[{"type": 3, "target": 1, "value": 5}, {"type": 10, "target": -1, "value": 0}],
    )
    record = parse_input(text)
    assert isinstance(record, GameRecord)
    assert record.options == {"emptyClues": True, "tableName": "t", "timeBase": 1.5}
    assert record.extra == {"characters": [{"name": "Fuming", "metadata": 2}]}
    assert record.notes == (("a", ""), ())
    assert (record.id, record.seed) == (12, "p3v0s1")
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


def test_a_seed_must_deal_the_deck() -> None:
    right = game_of_seed("p2v16s5")
    data = {**game_to_json(right), "seed": "p2v16s5"}
    assert parse_input(json.dumps(data)) == right
    data["deck"] = [*data["deck"][1:], data["deck"][0]]  # type: ignore[index]
    with pytest.raises(InvalidInputError, match="seed: 'p2v16s5' deals another deck"):
        parse_input(json.dumps(data))
    for other in ("p3v16s5", "p2v0s5", "p2v99999s5", "p9v16s5", "JSON", ""):
        assert parse_input(json.dumps({**data, "seed": other}))


def test_decks_of_another_size_are_read_and_flagged() -> None:
    record = parse_input(game())
    assert isinstance(record, GameRecord)
    assert record.deck_mismatch == "the deck has 2 cards; No Variant has 50"
    full = [{"suitIndex": k % 5, "rank": 5} for k in range(50)]
    wrong = parse_input(game(deck=full))
    assert isinstance(wrong, GameRecord)
    assert wrong.deck_mismatch == "deck[5]: r5 is one too many for No Variant"
    black = replace(wrong, variant="Black (6 Suits)", deck=Deck([(5, 1)] * 55))
    assert black.deck_mismatch == "deck[1]: k1 is one too many for Black (6 Suits)"


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
        (
            game(variant="Color Mute (5 Suits)", actions=[{"type": 2, "target": 1, "value": 0}]),
            "actions[0].value: 0 is not anything: Color Mute (5 Suits) has no color hints",
        ),
        (
            game(variant="Pink-Ones (5 Suits)", actions=[{"type": 3, "target": 1, "value": 1}]),
            "actions[0].value: 1 is not in 2 .. 5",
        ),
        (
            game(variant="Sudoku (4 Suits)", deck=[{"suitIndex": 0, "rank": 5}], actions=[]),
            "deck[0].rank: 5 is not in 1 .. 4",
        ),
        (
            game(variant="Up or Down (5 Suits)", deck=[{"suitIndex": 0, "rank": 6}], actions=[]),
            "deck[0].rank: 6 is not in 1 .. 5",
        ),
        (game(variant="Rainbw (5 Suits)"), "variant: 'Rainbw (5 Suits)' is not a variant of hanab"),
        (game(actions=[{"type": "0", "target": 1}]), "actions[0].type: '0' is not an integer"),
        (game(actions={}), "actions: {} is not an array"),
        (game(options=[]), "options: [] is not an object"),
        (game(options={"deckPlays": "yes"}), "options.deckPlays: 'yes' is not true or false"),
        (game(options={"startingPlayer": 2}), "options.startingPlayer: 2 is not in 0 .. 1"),
        (game(options={"variant": 3}), "options.variant: 3 is not a string"),
        (game(options={"variantName": "Nul"}), "options.variantName: 'Nul' is not a variant of"),
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
