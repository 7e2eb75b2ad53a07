"""`hanabi solve --lost-at`: the move that lost a game, and a table of many games."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hanabi.rules import Game, Kind, Rules, discard, hint_rank
from hanabi.rules.notation import DeckInput, format_link, parse_input, parse_link
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES
from hanabi.rules.replay import to_record
from hanabi.shell.command.answers import LostTable

from ...conftest import Run

DATA = Path(__file__).parents[3] / "data/hanab_live"
GAME = DATA / "games/2906.json"
KEYS = ["status", "best", "reason", "method", "actions", "link", "seconds"]


def answered(run: Run, *arguments: object) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run("solve", *arguments, "--json").out)
    return data


def careless(seed: int, moves: int = 200) -> Game:
    """Play a game of three that plays whatever fits and else throws away the oldest card."""
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed))
    while not game.is_over and game.turn < moves:
        actions = game.legal_actions
        hand = game.hands[game.seat_to_act]
        plays = [
            action
            for action in actions
            if action.kind is Kind.PLAY
            and game.piles[hand[action.target].color] == hand[action.target].rank - 1
        ]
        game = game.apply(
            plays[0] if plays else discard(0) if discard(0) in actions else actions[-1]
        )
    return game


def test_the_move_that_lost(run: Run) -> None:
    link = format_link(to_record(careless(seed=4)))
    data = answered(run, link, "--lost-at")
    assert list(data) == [*KEYS, "as_played", "lost_at", "lost_by"]
    move, by = data["lost_at"], data["lost_by"]
    assert move > 0
    assert by["move"] == move
    assert by["player"] == DEFAULT_NAMES[by["seat"]] == DEFAULT_NAMES[(move - 1) % 3]
    assert (by["action"]["type"], by["words"].split()[0]) == (1, "discards")
    assert by["because"]["name"] == "missing card"
    assert by["link"] == f"{link}#{move}"
    assert answered(run, link, "--at", move - 1)["status"] == "winnable"
    assert answered(run, link, "--at", move)["status"] == "unwinnable"
    out = run("solve", link, "--lost-at", "--show").out
    assert f"lost at     move {move} of " in out
    assert "because     missing card: no " in out
    assert f"{link}#{move}" in out.splitlines()


def lost_by_the_deck() -> str:
    """Return the link of a game of a deck that no line wins, after its first move."""
    decks = json.loads((DATA / "decks.json").read_text(encoding="utf-8"))["decks"]
    given = parse_input(json.dumps(next(deck for deck in decks if deck["id"] == "p2v0s731")))
    assert isinstance(given, DeckInput)
    game = Game.start(Rules.hanab_live(2), given.deck)
    return format_link(to_record(game.apply(hint_rank(1, game.hands[1][0].rank))))


def test_games_that_were_not_lost_or_lost_from_the_start(run: Run) -> None:
    assert answered(run, GAME, "--lost-at")["lost_at"] is None
    assert "lost at     never: the game was won" in run("solve", GAME, "--lost-at").out
    assert (
        "lost at     not so far"
        in run("solve", format_link(to_record(careless(seed=4, moves=2))), "--lost-at").out
    )
    link = lost_by_the_deck()
    assert answered(run, link, "--lost-at")["lost_at"] == 0
    assert "lost at     the deal: no line wins this deck" in run("solve", link, "--lost-at").out


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    shutil.copy(GAME, folder / "1.json")
    texts = {
        "2.txt": format_link(to_record(careless(seed=4))),
        "3.txt": lost_by_the_deck(),
        "4.txt": format_link(to_record(careless(seed=4, moves=2))),
        "5, a file of a long name.txt": "players 2 r1",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_table_of_many_games(run: Run, games: Path) -> None:
    outcome = run("solve", games, "--lost-at")
    assert outcome.status == 2
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line.split() for line in lines if line[:1] not in ("", " ")]
    move = rows[2][3]
    assert rows[0] == ["game", "score", "verdict", "move"]
    assert rows[1] == ["1.json", "25/25", "won"]
    assert rows[2][:3] == ["2.txt", rows[2][1], "lost"]
    assert rows[2][4:6] == [DEFAULT_NAMES[(int(move) - 1) % 3], "discards"]
    assert rows[3][:3] == ["3.txt", "0/25", "unwinnable"]
    assert rows[4][2:] == ["winnable", "after", "2", "moves"]
    assert " ".join(rows[5]).startswith("...long name.txt error rules: a deck of 1 card")
    told = "1 lost by us, 1 by the deck, 1 won, 1 not lost so far, 1 not answered"
    assert lines[-1] == told
    assert "https://" not in outcome.out


def test_links_open_at_the_losing_move(run: Run, games: Path) -> None:
    (link,) = [line for line in run("solve", games, "--lost-at", "--link").out.splitlines()
               if line.startswith("https://")]  # fmt: skip
    start, move = link.split("#")
    assert start == (games / "2.txt").read_text()
    assert int(move) == answered(run, games / "2.txt", "--lost-at")["lost_at"]
    assert parse_link(link).actions == parse_link(start).actions


def test_lines_of_json_when_asked_for(run: Run, games: Path, tmp_path: Path) -> None:
    out = run("solve", games, "--lost-at", "--json").out
    found = {data["item"]: data for data in map(json.loads, out.splitlines())}
    played = {"moves": 55, "score": 25, "most": 25, "end": "completed"}
    assert found["1.json"]["as_played"] == played
    assert found["2.txt"]["lost_by"]["because"]["name"] == "missing card"
    assert (found["3.txt"]["lost_at"], found["3.txt"]["status"]) == (0, "unwinnable")
    written = tmp_path / "answers.jsonl"
    assert run("solve", games, "--lost-at", "-o", written).out == ""
    assert len(written.read_text().splitlines()) == len(found)


def test_a_row_of_what_is_not_decided(capsys: pytest.CaptureFixture[str]) -> None:
    table = LostTable(has_links=False)
    played = {"moves": 9, "score": 3, "most": 25}
    for bounds in ({"lower": 0, "upper": None}, {"lower": 2, "upper": 7}):
        table.add("g", {"as_played": played, "lost_at": None, "lost_at_bounds": bounds})
    table.finish()
    out = " ".join(capsys.readouterr().out.split())
    assert "g 3/25 unknown not known, perhaps not at all; the rest is undecided" in out
    assert "between move 2 and move 7" in out
    assert out.endswith("2 undecided")
