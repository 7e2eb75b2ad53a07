"""Positions on the command line: written from games, and read wherever a game is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.rules.notation import position_to_json
from hanabi.rules.notation.position import parse_position

GAME = str(Path(__file__).parents[3] / "data/hanab_live/games/1885375.json")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture(params=["position.txt", "position.json"])
def position(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> str:
    path = str(tmp_path / request.param)
    assert run(capsys, "convert", f"{GAME}@34", "-o", path) == (0, "", "")
    return path


def test_chances_and_lines_are_those_of_the_game(
    position: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = [
        json.loads(run(capsys, "chances", source, "--json")[1])
        for source in (position, f"{GAME}@34")
    ]
    for name in ("actions", "perfect", "points", "seat", "deck", "cases"):
        values = [document[name] for document in documents]
        if name == "actions":
            values = [[(each["perfect"], each["points"]) for each in value] for value in values]
        assert values[0] == values[1], name
    _, out, _ = run(capsys, "solve", position, "--json")
    answer = json.loads(out)
    assert (answer["status"], answer["link"]) == ("winnable", None)
    line = tmp_path / "line.json"
    line.write_text(out, encoding="utf-8")
    status, out, _ = run(capsys, "verify", position, str(line))
    assert (status, "20 points" in out) == (0, True)


def test_a_position_is_shown_and_drawn(
    position: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "board.svg"
    status, out, _ = run(capsys, "show", position, "--svg", str(picture))
    assert status == 0
    assert "A position: 3 players with 5 cards each." in out
    assert "m3   m4   g2   g1   m5" in out
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    page = tmp_path / "page.html"
    assert run(capsys, "view", position, "-o", str(page))[0] == 0
    assert page.read_text(encoding="utf-8").count("<figure") == 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("review", "{}"), "no moves to review: this is a position, not a game"),
        (("link", "{}"), "a link needs the game from its deal, and this is a position alone"),
        (("solve", "{}", "--lost-at"), "--lost-at: only a recorded game has moves"),
        (("solve", "{}", "--players", "3"), "--players: a position has its own"),
        (("solve", "{}", "--solitaire"), "a position is for the full game"),
        (("difficulty", "{}"), "a position without its history has no deal"),
        (("convert", "{}"), "it is a deck, a stream or a position, not a game"),
        (("show", "{}", "--at", "3"), "--at: only a recorded game"),
    ],
)
def test_what_needs_a_history_is_refused_by_name(
    words: tuple[str, ...], message: str, position: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, *(word.format(position) for word in words))
    assert (status, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_hidden_hand_is_shown_hidden_and_not_solved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """position variant 1988 piles r5 g5 b5 m3 discards r1 r2 b1 b2 b4 deck 2
    hand m2 m1 r3 b3 m4 hand ? ? ? ? ? hand b1 g1 r1 g4 g3 hints 4 seat 1"""
    status, out, _ = run(capsys, "show", text)
    assert status == 0
    assert "??   ??   ??   ??   ??" in out
    page = tmp_path / "page.html"
    assert run(capsys, "view", text, "-o", str(page))[0] == 0
    assert "The hand of Bob is hidden." in page.read_text(encoding="utf-8")
    for command in ("solve", "chances"):
        status, out, err = run(capsys, command, text)
        assert (status, out) == (2, "")
        assert "the hand of Bob is hidden (?), and this question needs it" in err


def test_a_hidden_hand_is_judged_by_its_seats_view(capsys: pytest.CaptureFixture[str]) -> None:
    text = """position copies 2,1 copies 1,2 piles r1 left r1 r2 y1 y2 hand ? hand y2 hints 1"""
    data = position_to_json(parse_position(text)) | {"rules": {"hand_size": 1, "hints": 1}}
    status, out, err = run(capsys, "chances", json.dumps(data), "--seat")
    assert (status, err) == (0, "")
    assert out.startswith("Alice is to act. It does not see its hand; 24 deals possible")


def test_only_a_position_in_which_somebody_acts_is_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    over = GAME.replace("1885375", "2906")
    for game, message in ((f"{over}@55", "the game is over ("), (f"{GAME}@99", "has only 34")):
        status, out, err = run(capsys, "convert", game)
        assert (status, out) == (2, "")
        assert message in err
