from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.rules import Game, Kind, Rules, play
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import GameRecord, RecordedAction, format_link, game_to_json, parse_input
from hanabi.rules.replay import to_record
from hanabi.rules.variants import find_variant

from ...conftest import Run

GAME = Path(__file__).parents[3] / "data/hanab_live/games/2906.json"


def test_a_real_game(run: Run) -> None:
    outcome = run("show", GAME)
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("Game 2906 of 55 moves, No Variant: 3 players with 5 cards each")
    assert max(map(len, lines)) <= 80
    turns = [line.split()[1] for line in lines if line.startswith("turn ")]
    assert turns == [str(number) for number in range(1, 56)]
    assert lines[-1] == "the end     25 of 25 points, legendary: every color is complete"


def test_some_turns(run: Run) -> None:
    assert run("show", GAME, "--turns", "4-5").out.splitlines()[2:] == [
        "",
        "turn 4   player 1 hints player 2: red (3 cards)",
        "  player 1   r5   y3   b1   g3   g3      piles . . 1 . .",
        "> player 2  [r1] [r2] [r4]  p5   p4      hints 5  lives 3  deck 34",
        "  player 3   p1   p3   b3   y4   g2",
        "",
        "turn 5   player 2 hints player 3: purple (2 cards)",
        "  player 1   r5   y3   b1   g3   g3      piles . . 1 . .",
        "  player 2   r1   r2   r4   p5   p4      hints 4  lives 3  deck 34",
        "> player 3  [p1] [p3]  b3   y4   g2",
    ]


@pytest.mark.parametrize(
    ("turns", "numbers"),
    [("0", []), ("7", [7]), ("0-2", [1, 2]), ("54-", [54, 55]), ("55-99", [55])],
)
def test_ranges(run: Run, turns: str, numbers: list[int]) -> None:
    lines = run("show", GAME, "--turns", turns).out.splitlines()
    shown = [int(line.split()[1]) for line in lines if line.startswith("turn ")]
    assert shown == numbers
    assert ("the deal" in lines) == turns.startswith("0")
    assert any(line.startswith("the end") for line in lines) == (55 in numbers)


def test_one_position(run: Run) -> None:
    lines = run("show", GAME, "--at", 5).out.splitlines()
    assert lines[3].startswith("turn 5 ")
    assert len(lines) == 7
    assert "the deal" in run("show", GAME, "--at", 0).out


def test_errors_and_the_last_round(run: Run) -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(3))
    while not game.is_over:
        game = game.apply(play(0))
    out = run("show", format_link(to_record(game))).out
    assert ": a life is lost, draws " in out
    assert "lives 0" in out
    assert "the end     0 of 25 points, booed: the last life was lost" in out


def test_a_game_that_was_given_up(run: Run, tmp_path: Path) -> None:
    deck = DeckSpec.standard().shuffle(1)
    record = GameRecord(2, deck, (RecordedAction(0, 4), RecordedAction(4, 0)))
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game_to_json(record)), encoding="utf-8")
    out = run("show", path).out
    assert "the end     0 of 25 points: the game was ended, with 0 on the piles" in out


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("variant", ["No Variant", "6 Suits", "4 Suits", "3 Suits"])
def test_every_table_fits(run: Run, players: int, variant: str) -> None:
    deck = find_variant(variant).spec.shuffle(players)
    actions = (RecordedAction(0, 0),)
    record = GameRecord(players, deck, actions, variant)
    lines = run("show", format_link(record)).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line[:2] in ("> ", "  ") and "piles" in line for line in lines) == 2


def test_a_deck_is_only_dealt(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deck.txt"
    path.write_text(str(DeckSpec.standard().shuffle(1)), encoding="utf-8")
    out = run("show", path, "--players", 4).out
    assert out.startswith("A deck: 4 players with 4 cards each.")
    assert "the end" not in out


def test_long_and_own_names(run: Run, tmp_path: Path) -> None:
    given = parse_input(GAME.read_text(encoding="utf-8"))
    assert isinstance(given, GameRecord)
    data = game_to_json(given) | {"players": ["Zoe", "x" * 60, "Bob"]}
    path = tmp_path / "game.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    lines = run("show", path, "--turns", "7-9").out.splitlines()
    assert max(len(line) for line in lines if "piles" in line) <= 80


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--at", 56], "the game has only 55 moves"),
        (["--turns", "56-60"], "the game has only 55 moves"),
        (["--turns", "x"], "'x' is not a range of turns"),
        (["--turns", "9-8"], "'9-8' is not a range of turns"),
        (["--at", 1, "--turns", "1"], "give --at or --turns, not both"),
        (["--players", 2, "--at", 1], "--at: only a recorded game"),
    ],
)
def test_bad_options(run: Run, options: list[object], message: str) -> None:
    outcome = run("show", GAME, *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_one_is_one(run: Run) -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    while not game.is_over:
        wanted = Kind.DISCARD if game.hints < 8 else Kind.HINT_RANK
        game = game.apply(next(each for each in game.legal_actions if each.kind is wanted))
    lines = run("show", format_link(to_record(game))).out
    assert "1 turn left" in lines
    assert "2 turns left" in lines
    assert "1 turns" not in lines
    link = run("link", GAME, "--at", 1).out.strip()
    assert "A game of 1 move, No Variant" in run("show", link).out
    assert "the game has only 1 move\n" in run("show", link, "--at", 2).err
    assert "'s 5 cards after 1 move, as everyone" in run("partition", f"{link}@1").out


def test_discards_are_shown_suit_by_suit(run: Run) -> None:
    outcome = run("show", GAME, "--at", 54)
    assert outcome.out.splitlines()[-1] == "  discards  r13 y134 g3 b11 p14"
