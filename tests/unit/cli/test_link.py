from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.deck import DeckSpec
from hanabi.game.replay import replay
from hanabi.notation import (
    DeckInput,
    GameRecord,
    format_text,
    game_to_json,
    parse_input,
    parse_link,
)

from .conftest import Run

GAMES = Path(__file__).parents[2] / "data/hanab_live/games"
GAME = GAMES / "2906.json"


def test_a_game(run: Run) -> None:
    outcome = run("link", GAME)
    assert (outcome.status, outcome.err) == (0, "")
    given = parse_input(GAME.read_text(encoding="utf-8"))
    linked = parse_link(outcome.out.strip())
    assert isinstance(given, GameRecord)
    assert (linked.players, linked.deck) == (given.players, given.deck)
    assert replay(linked)[-1].piles == (5, 5, 5, 5, 5)
    assert run("link", outcome.out.strip()).out == outcome.out


def test_the_beginning_of_a_game(run: Run) -> None:
    assert len(parse_link(run("link", GAME, "--at", 7).out.strip()).actions) == 7


def test_an_answer(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    path.write_text(run("solve", GAME, "--json").out, encoding="utf-8")
    assert run("link", path).out == run("solve", GAME, "--link").out
    path.write_text('{"status": "unwinnable", "link": null}', encoding="utf-8")
    outcome = run("link", path)
    assert (outcome.status, outcome.out) == (2, "")
    assert "this answer has no link (its status is 'unwinnable')" in outcome.err


def test_a_deck_begins_with_a_hint(run: Run, tmp_path: Path) -> None:
    deck = DeckSpec.standard(4).shuffle(1)
    path = tmp_path / "deck.txt"
    path.write_text(format_text(DeckInput(3, deck)), encoding="utf-8")
    outcome = run("link", path)
    record = parse_link(outcome.out.strip())
    assert (record.deck, record.players, record.variant) == (deck, 3, "4 Suits")
    assert [action.type for action in record.actions] == [2]
    assert len(replay(record)) == 2
    assert outcome.err.startswith("hanabi: note: the site wants a move, so Alice hints Bob: ")


def refused(run: Run, *arguments: object) -> str:
    outcome = run("link", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    return outcome.err


def test_what_the_site_cannot_hold(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deck.txt"
    path.write_text("players 2 " + "r1 y1 " * 10, encoding="utf-8")
    assert "hanab.live has no variant with these cards" in refused(run, path)
    deck = DeckSpec.standard().shuffle(1)
    record = GameRecord(2, deck, options={"oneExtraCard": True})
    path.write_text(json.dumps(game_to_json(record)), encoding="utf-8")
    assert "a link has no place for hands of 6 cards" in refused(run, path)
    assert "is not a supported variant" in refused(run, GAMES / "1916933.json")


@pytest.mark.parametrize("text", ["", "{", "[1]", "r1 q7", '{"status": 3}'])
def test_bad_input(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "input"
    path.write_text(text, encoding="utf-8")
    assert str(path) in refused(run, path)
