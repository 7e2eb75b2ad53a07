from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import (
    DeckInput,
    GameRecord,
    format_text,
    game_to_json,
    parse_input,
    parse_link,
)
from hanabi.rules.replay import replay, rules_of

from ...conftest import Run

GAMES = Path(__file__).parents[3] / "data/hanab_live/games"
GAME = GAMES / "2906.json"
NOTE = (
    "hanabi: note: the site opens this link without {}; this program reads what is behind the"
    " question mark\n"
)


def test_a_game(run: Run) -> None:
    outcome = run("link", GAME)
    assert (outcome.status, outcome.err) == (0, NOTE.format("deckPlays"))
    given = parse_input(GAME.read_text(encoding="utf-8"))
    linked = parse_link(outcome.out.strip())
    assert isinstance(given, GameRecord)
    assert (linked.players, linked.deck) == (given.players, given.deck)
    assert replay(linked)[-1].piles == (5, 5, 5, 5, 5)
    assert run("link", outcome.out.strip()).out == outcome.out


@pytest.mark.parametrize("option", ["deckPlays", "emptyClues", "allOrNothing"])
def test_a_link_of_a_table_with_an_option_is_the_same_game(
    run: Run, tmp_path: Path, option: str
) -> None:
    hint = {"type": 3, "target": 1, "value": 1}
    game = {"seed": "p2v0s5", "actions": [hint], "options": {option: True}}
    path = put(tmp_path / "game.json", json.dumps(game))
    given = parse_input(path.read_text())
    assert isinstance(given, GameRecord)
    outcome = run("link", path)
    assert (outcome.status, outcome.err) == (0, NOTE.format(option))
    link = outcome.out.strip()
    assert link.endswith(f"?{option}=true")
    linked = parse_link(link)
    assert dict(linked.options) == {option: True}
    assert rules_of(linked) == rules_of(given)
    assert run("link", link).out == outcome.out

    answer = json.loads(run("solve", link, "--json").out)
    if option == "allOrNothing":  # no last round: the line goes on after the site's end
        assert (answer["status"], answer["link"]) == ("winnable", None)
        return
    assert answer["link"].partition("?")[2] == f"{option}=true"
    assert answer["link"] == json.loads(run("solve", path, "--json").out)["link"]
    put(tmp_path / "answer.json", json.dumps(answer))
    assert run("link", tmp_path / "answer.json").out.strip() == answer["link"]
    alone = run("solve", path, "--link")
    assert (alone.out.strip(), alone.err) == (answer["link"], NOTE.format(option))


def test_a_game_that_the_site_cannot_play_has_no_link(run: Run, tmp_path: Path) -> None:
    """An empty hint is no move there without the option."""
    hint = {"type": 3, "target": 1, "value": 2}
    game = {"seed": "p2v0s5", "actions": [hint], "options": {"emptyClues": True}}
    path = put(tmp_path / "game.json", json.dumps(game))
    assert "hanab.live would not let this game go on" in refused(run, path)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("deckPlays=yes", "options.deckPlays: 'yes' is not true or false"),
        ("deckPlays=1", "options.deckPlays: 1 is not true or false"),
        ("deckplays=true", "unknown key 'deckplays': did you mean 'deckPlays'?"),
        ("deckPlays", "options.deckPlays: '' is not true or false"),
    ],
)
def test_options_behind_a_link_are_read_strictly(run: Run, query: str, message: str) -> None:
    link = run("link", "p2v0s5").out.strip()
    assert message in refused(run, f"{link}?{query}")
    assert run("link", f"{link}?from=a-friend#7").out.strip() == link


@pytest.mark.parametrize("words", [("play", "rule-based", "--seed", 1, "--link")])
def test_a_link_under_other_rules_says_so(run: Run, words: tuple[object, ...]) -> None:
    note = "hanabi: note: a link has no place for the rules of this game"
    assert run(*words).err == ""
    outcome = run(*words, "--rules", "hle")
    assert (outcome.status, outcome.err[: len(note)]) == (0, note)


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


TWENTY_RED_ONES = "https://hanab.live/replay-json/215" + "a" * 20 + ",00,0"


@pytest.fixture
def answer(run: Run) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(run("solve", GAME, "--json").out)
    return data


def put(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_the_actions_of_an_answer_are_replayed(
    run: Run, tmp_path: Path, answer: dict[str, Any]
) -> None:
    whole = parse_link(answer["link"]).actions
    cut = put(tmp_path / "cut.json", {**answer, "actions": answer["actions"][:9]})
    assert parse_link(run("link", cut).out.strip()).actions == whole[:9]
    path = put(tmp_path / "answer.json", answer)
    assert parse_link(run("link", path, "--at", 4).out.strip()).actions == whole[:4]
    assert run("link", path, "--players", 3).out.strip() == answer["link"]
    assert "the game has only" in refused(run, path, "--at", 400)
    assert "--players 2: the answer is for 3 players" in refused(run, path, "--players", 2)
    actions = [*answer["actions"][:3], {"type": 0, "target": 49, "value": 0}]
    error = refused(run, put(path, {**answer, "actions": actions}))
    assert "actions[3]: turn 4: card 49 of the deck is not in the hand of seat 0" in error


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"actions": None}, "actions: null is not an array"),
        ({"actions": [{"type": 2, "target": 1}]}, "actions[0].value: missing"),
        ({"link": TWENTY_RED_ONES, "actions": []}, "deck[3]: r1 is one too many for the rules"),
        (
            {"link": "https://hanab.live/replay-json/215a,00,9999"},
            "link: character 40: number 9999 is no",
        ),
        ({"link": 7}, "link: 7 is not a string"),
        ({"seconds": float("nan")}, "NaN is not a number"),
    ],
)
def test_answers_that_were_changed(
    run: Run, tmp_path: Path, answer: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    assert message in refused(run, put(tmp_path / "answer.json", {**answer, **change}))
    del answer["actions"]
    assert "actions: missing" in refused(run, put(tmp_path / "answer.json", answer))


def test_an_answer_with_a_repeated_key(run: Run, tmp_path: Path) -> None:
    text = '{"status": "winnable", "link": null, "link": "https://hanab.live/replay-json/215,00,0"}'
    assert "key 'link' is given twice" in refused(run, put(tmp_path / "answer.json", text))


def test_a_deck_begins_with_a_hint(run: Run, tmp_path: Path) -> None:
    deck = DeckSpec.standard(4).shuffle(1)
    path = tmp_path / "deck.txt"
    path.write_text(format_text(DeckInput(3, deck)), encoding="utf-8")
    outcome = run("link", path)
    record = parse_link(outcome.out.strip())
    assert (record.deck, record.players, record.variant) == (deck, 3, "4 Suits")
    assert [action.type for action in record.actions] == [2]
    assert len(replay(record)) == 2
    assert outcome.err.startswith("hanabi: note: the site needs a move, so Alice hints Bob: ")


def refused(run: Run, *arguments: object) -> str:
    outcome = run("link", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    return outcome.err


def test_what_the_site_cannot_hold(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deck.txt"
    put(path, {"players": 2, "deck": "r11 r3 y3", "rules": {"hand_size": 1}})
    assert "the site needs a move, and nobody can give a hint" in refused(run, path)
    path.write_text("players 2 " + "r1 y1 " * 10, encoding="utf-8")
    assert "hanab.live has no variant with these cards" in refused(run, path)
    deck = DeckSpec.standard().shuffle(1)
    record = GameRecord(2, deck, options={"oneExtraCard": True})
    path.write_text(json.dumps(game_to_json(record)), encoding="utf-8")
    assert "a link has no place for hands of 6 cards" in refused(run, path)
    told = refused(run, GAMES / "1890204.json")
    assert "a link needs the whole deck: 37 cards missing" in told


@pytest.mark.parametrize("text", ["", "{", "[1]", "r1 q7", '{"status": 3}'])
def test_bad_input(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "input"
    path.write_text(text, encoding="utf-8")
    assert str(path) in refused(run, path)
