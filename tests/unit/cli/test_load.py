from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.cli.load import items_of, read_problem, to_problem
from hanabi.deck import DeckSpec
from hanabi.errors import InvalidInputError
from hanabi.notation import GameRecord, RecordedAction, format_link, game_to_json
from hanabi.solitaire import Instance

GAME = Path(__file__).parents[2] / "data/hanab_live/games/2906.json"


@pytest.mark.parametrize(("players", "hand"), [(2, 9), (3, 14), (4, 15), (5, 19), (6, 17)])
def test_merged_hands_hold_one_card_less(players: int, hand: int) -> None:
    # Erratum E18: p players with h cards each are one player with p*h - 1, not p*h.
    problem = to_problem(f"players {players} r1 b5", source="d", hand_size=None)
    assert problem.instance == Instance(hand, [(1, 0), (5, 3)])
    assert f"a hand of {hand}" in problem.remarks[0]


def test_a_game_declares_its_variant() -> None:
    problem = read_problem(str(GAME), hand_size=None)
    instance = problem.instance
    assert (instance.hand_size, instance.n, instance.c, instance.N) == (14, 5, 5, 50)
    assert len(problem.remarks) == 1


def test_a_given_hand_size_wins_and_needs_no_remark() -> None:
    assert read_problem(str(GAME), hand_size=3).instance.hand_size == 3
    assert read_problem(str(GAME), hand_size=3).remarks == ()
    assert to_problem("hand 2 r1", source="", hand_size=5).instance.hand_size == 5


def test_table_options_and_odd_decks_are_counted_or_told() -> None:
    deck = DeckSpec.standard(3).shuffle(1)
    record = GameRecord(2, deck, options={"oneExtraCard": True, "detrimentalCharacters": True})
    problem = to_problem(json.dumps(game_to_json(record)), source="", hand_size=None)
    assert problem.instance.hand_size == 2 * 6 - 1
    assert problem.remarks[1] == "Note: the deck has 30 cards; No Variant has 50."
    assert "characters" in problem.remarks[2]


def test_a_link_is_its_own_text() -> None:
    record = GameRecord(4, DeckSpec.standard().shuffle(2), (RecordedAction(0, 0),))
    assert read_problem(format_link(record), hand_size=None).instance.hand_size == 15


def test_the_hand_size_may_be_left_open_only_if_it_is_not_needed() -> None:
    with pytest.raises(InvalidInputError, match=r"deck\.txt: no hand size: give --hand-size H"):
        to_problem("r1", source="deck.txt", hand_size=None)
    problem = to_problem("r1", source="deck.txt", hand_size=None, hand_is_needed=False)
    assert not problem.hand_is_given
    assert problem.instance.hand_size == 0


def test_rules_of_the_full_game_are_not_dropped_silently() -> None:
    with pytest.raises(InvalidInputError, match="rules"):
        to_problem('{"players": 2, "deck": "r1", "rules": "x"}', source="", hand_size=None)


def test_numbers_too_large_for_an_instance() -> None:
    with pytest.raises(InvalidInputError, match="d: n x c"):
        to_problem("values 2147483647 colors 2147483647 r1 hand 1", source="d", hand_size=None)
    with pytest.raises(InvalidInputError, match="hand size"):
        to_problem("r1", source="d", hand_size=2**40)


ITEM = '{"hand_size": 1, "cards": [[1, 0]]}'


@pytest.mark.parametrize(
    ("name", "text", "is_lines"),
    [
        ("a.jsonl", ITEM, True),
        ("a.jsonl", "", True),
        ("a.json", ITEM, False),
        ("a.json", f"{ITEM}\n{ITEM}\n", True),
        ("a.json", f"\n{ITEM}\n\n{ITEM}", True),
        ("a.json", f"{ITEM}\n{{broken", True),
        ("a.json", f"{ITEM}\nr1", False),
        ("a.json", '{"hand_size": 1,\n"cards": [[1, 0]]}', False),
        ("a.json", '{\n{"x": 1}\n', False),
        ("a.txt", "hand 1\nr1", False),
        ("a.txt", "", False),
    ],
)
def test_lines_are_recognised(tmp_path: Path, name: str, text: str, is_lines: bool) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with items_of(str(path)) as given:
        assert isinstance(given, str) != is_lines
        whole = given if isinstance(given, str) else b"".join(given).decode()
    assert whole == text


@pytest.mark.parametrize("source", ["no such file", "/", "a\0b", ""])
def test_what_cannot_be_read(source: str) -> None:
    with pytest.raises(InvalidInputError, match="cannot read"):
        read_problem(source, hand_size=1)


def test_binary_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"r1 \xff")
    with pytest.raises(InvalidInputError, match=r"a\.txt: byte 4: b'\\xff' is not UTF-8"):
        read_problem(str(path), hand_size=1)
