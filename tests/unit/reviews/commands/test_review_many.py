"""Reviews of many games, of seeds with their actions, and what was bottom-decked."""

from __future__ import annotations

import html
import json
import re
import shutil
import zlib
from base64 import b64decode
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hanabi import read
from hanabi.front.app import main
from hanabi.ground.rng import Stream
from hanabi.rules import Game, Kind, Rules
from hanabi.rules.figures import BottomDeck, bottom_decked
from hanabi.rules.notation import GameRecord, parse_link
from hanabi.rules.replay import follow, replay

from ...conftest import Run

GAMES = Path(__file__).parents[3] / "data" / "hanab_live" / "games"
ACTIONS = "03lbah1bbf"
"""Of p2v0s5: 1s are hinted, p1 is played, 5s are hinted, y5 is discarded."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    games = tmp_path / "games"
    games.mkdir()
    for number in ("2906", "1889209", "1916815"):
        shutil.copy(GAMES / f"{number}.json", games)
    return games


def test_a_folder_gives_a_table(run: Run, folder: Path) -> None:
    outcome = run("review", folder)
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].split() == ["game", "score", "best", "lost", "by"]
    assert lines[1].split() == ["2906.json", "25/25", "25", "nothing"]
    assert lines[2].split()[:4] == ["1889209.json", "0/30", "30", "2"]  # given up
    assert "turn 7, player 1 discards m4" in lines[2]
    assert lines[3].split()[:6] == ["1916815.json", "0/25", "24", "1", "point", "the"]
    assert lines[-1] == "1 lost by us, 1 by the deck, 1 nothing lost"
    assert max(map(len, lines)) <= 80
    with_links = run("review", folder, "--link").out
    [link] = [line for line in with_links.splitlines() if line.startswith("https://")]
    assert link.endswith("#7")  # where the move is to be made that lost it
    record = parse_link(link)
    assert len(record.actions) >= 7
    played = read(folder / "1889209.json")
    assert isinstance(played, GameRecord)
    assert replay(record)[6].piles == replay(played)[6].piles


def test_a_folder_gives_a_page(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "odd <b>.json").write_text('{"players": 2, "deck": [[1, 0]]}')
    page = tmp_path / "games.html"
    outcome = run("review", folder, "--html", page)
    assert outcome.out == run("review", folder).out
    text = page.read_text(encoding="utf-8")
    shown = html.unescape(text)
    rows = re.findall(r'<th scope="row"><a href="([^"]*)">([^<]*)</a>(.*?)</tr>', shown, re.DOTALL)
    assert [(address, name) for address, name, _ in rows] == [
        ("#game-1/7", "1889209.json"),
        ("#game-2/12", "1916815.json"),
        ("#game-3", "2906.json"),
    ]
    assert "player 1, player 2, player 3 · Funnels & Cocoa Rainbow (6 Suits)" in rows[0][2]
    assert "Turn 7: player 1 discards m4</a> <strong>−2 points</strong> <small>Why: " in rows[0][2]
    assert '"Possible">24<' in rows[1][2]
    assert "25 of 25! No move lost a point." in rows[2][2]
    assert "Left out: odd &lt;b&gt;.json: " in text
    sums = dict(re.findall(r'<tr><th scope="row">(player .)</th>(.*?)</tr>', shown))
    assert sums["player 1"] == "<td>3</td><td>1</td><td>2</td><td>0.67</td>"
    packed = re.findall(r"<template data-game=[^>]*>([^<]*)<", text)
    players = [zlib.decompress(b64decode(each)).decode() for each in packed]
    assert [each.startswith("<hanabi-player>") for each in players] == [True] * 3
    assert "script-src 'sha256-" in text
    refused = run("review", folder, "--html", page, "--json")
    assert (refused.status, refused.out) == (2, "")
    assert "--html of many games goes with their table" in refused.err
    files = run("review", folder / "2906.json", folder / "1889209.json", "--html", page)
    assert files.status == 0
    assert page.read_text(encoding="utf-8").count("<template data-game=") == 2


def test_a_page_opens_the_games_that_lost_most(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hanabi.shell.viewer.many.MOST_OPENED", 1)
    page = tmp_path / "games.html"
    outcome = run("review", folder, "--html", page)
    assert "note: the page opens the 1 of 3 games that lost most" in outcome.err
    text = page.read_text(encoding="utf-8")
    assert 'data-game="1" data-name="1889209.json"' in text
    assert text.count("<template data-game=") == 1
    assert '<th scope="row">2906.json' in text


def test_links_go_with_a_file_of_lines(run: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    outcome = run("review", folder, "--link", "-o", out)
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    links = [json.loads(line)["link"] for line in out.read_text().splitlines()]
    assert [link and link.rpartition("#")[2] for link in links] == [None, "7", None]
    assert run("solve", folder, "--lost-at", "--link", "-o", tmp_path / "s.jsonl").status == 0


def test_lines_are_the_documents_of_single_games(run: Run, folder: Path) -> None:
    lines = run("review", folder, "--json").out.splitlines()
    for line, name in zip(lines, ("2906.json", "1889209.json", "1916815.json"), strict=True):
        document = json.loads(line)
        assert document.pop("item") == name
        single = json.loads(run("review", folder / name, "--json").out)
        assert _timeless(document) == _timeless(single)


def _timeless(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != "seconds"}


def test_an_interrupted_run_goes_on(run: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "reviews.jsonl"
    assert run("review", folder, "-o", out).status == 0
    whole = out.read_text().splitlines()
    out.write_text("\n".join([*whole[:1], whole[1][:40]]))  # torn in the second line
    assert run("review", folder, "-o", out).status == 0
    again = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["item"] for line in again] == [json.loads(line)["item"] for line in whole]
    assert again[0] == json.loads(whole[0])


def test_a_game_that_cannot_be_read_has_its_place(run: Run, folder: Path) -> None:
    (folder / "7.json").write_text('{"players": ["a", "b"], "deck": [{"suit": 0, "rank": 1}]}')
    outcome = run("review", folder)
    assert outcome.status == 2
    assert outcome.err == "hanabi: error: 1 of 4 files could not be answered\n"
    assert "'suit' in place of" in outcome.out


def test_a_deck_without_its_last_cards_is_undecided(run: Run, folder: Path) -> None:
    shutil.copy(GAMES / "1890204.json", folder)
    outcome = run("review", folder)
    assert (outcome.status, outcome.err) == (0, "")
    told = " ".join(outcome.out.split())
    assert "1890204.json 2/30 2-30 unknown the record lists 18 of 55 cards of the" in told
    assert "deck: 37 are missing; the missing cards decide" in told
    assert told.endswith("1 lost by us, 1 by the deck, 1 nothing lost, 1 undecided")


def test_open_bounds_come_with_their_reason(run: Run, tmp_path: Path) -> None:
    """The deal p2v0s40 is lost, but with deckPlays that is not known."""
    folder = tmp_path / "games"
    folder.mkdir()
    hint = {"type": 3, "target": 1, "value": 2}
    game = {"seed": "p2v0s40", "actions": [hint], "options": {"deckPlays": True}}
    path = folder / "a.json"
    path.write_text(json.dumps(game))
    assert "undecided   with the option deckPlays the deck's last card" in run("review", path).out
    document = json.loads(run("review", path, "--json").out)
    assert document["best"]["lower"] < document["best"]["upper"]
    assert "deckPlays" in document["undecided"]
    assert "unknown    with the option deckPlays" in run("review", folder).out
    assert run("review", path, "--html", tmp_path / "a.html").status == 0
    assert "Undecided: with the option deckPlays" in (tmp_path / "a.html").read_text()
    path.write_text(json.dumps({**game, "options": {}}))
    assert json.loads(run("review", path, "--json").out)["undecided"] is None


def test_a_seed_with_actions_is_a_game(run: Run, tmp_path: Path) -> None:
    told = run("review", "p2v0s5", "--actions", ACTIONS)
    assert (told.status, told.err) == (0, "")
    assert "   4  Bob     discards y5  any hint or 6 others  1\n" in told.out
    assert "turn 4      the last yellow 5 is gone: yellow stops at 4 cards\n" in told.out
    actions = [
        {"type": 3, "target": 1, "value": 1}, {"type": 0, "target": 7},
        {"type": 3, "target": 1, "value": 5}, {"type": 1, "target": 5},
    ]  # fmt: skip
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"seed": "p2v0s5", "actions": actions}))
    by_file = json.loads(run("review", path, "--json").out)
    by_array = run("review", "p2v0s5", "--actions", json.dumps(actions), "--json").out
    by_letters = run("review", "p2v0s5", "--actions", ACTIONS, "--json").out
    assert (
        _timeless(by_file) == _timeless(json.loads(by_array)) == _timeless(json.loads(by_letters))
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("p2v0s5",), "p2v0s5: no moves to review: this is a deck, not a game"),
        (("p2v0s5", "--actions", "03l"), "--actions: character 4: the last action is cut in half"),
        (("p2v0s5", "--actions", "03l!"), "--actions: character 4: '!' is not in the alphabet"),
        (("p2v0s5", "--actions", "[1]"), "--actions: actions[0]: 1 is not an object"),
        (("p2v0s5", "--actions", "00aaaa"), "actions[1]: turn 2: card 0 of the deck"),
        (("p9v0s5", "--actions", ACTIONS), "'p9v0s5' is for 9 players; there are 2 .. 6"),
        (("p2v9999s5", "--actions", ACTIONS), "number 9999 is not a variant of hanab.live"),
        (("p2v0s5", "--link", "--actions", ACTIONS), "--link is for many games, not for a single"),
        (("p2v0s5", "--linked"), "Unknown option: "),
        ((str(GAMES), "--show"), "--show is for a single game, not for many"),
        ((str(GAMES), "--actions", ACTIONS), "--actions is for a single game, not for many"),
        ((str(GAMES / "2906.json"), "--actions", ACTIONS), "--actions: this game has its own"),
        (
            ('{"seed": "p2v0s5", "actions": [{"type": 1}]}',),
            " is not a file, and as text: actions[0]",
        ),
    ],
)
def test_bad_input_is_told_in_a_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    outcome = run("review", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def naive_bottom_decked(games: list[Game]) -> set[BottomDeck]:
    """By the definition, card by card and position by position."""
    rules, deck = games[0].rules, games[0].deck
    found: dict[object, BottomDeck] = {}
    for move, game in enumerate(games):
        undrawn = list(deck)[rules.deck_size - game.deck_left :]
        for card in set(undrawn[-rules.seats :]):
            left = Counter(deck)[card] - Counter(game.discards)[card]
            if left == 1 and not game.is_dead(card) and card not in found:
                place = [*deck][::-1].index(card) + 1
                found[card] = BottomDeck(card, place, move)
    return set(found.values())


def test_bottom_decked_cards_are_those_of_the_definition() -> None:
    some = 0
    for seed in range(60):
        rules = Rules.hanab_live(2 + seed % 4, variant=(0, 21, 16, 2)[seed % 4])
        stream = Stream(seed)
        games = [Game.start(rules, stream.shuffled(rules.spec.cards()))]
        while not games[-1].is_over:
            legal = games[-1].legal_actions
            kinds = [a for a in legal if a.kind is not Kind.PLAY] or list(legal)
            games += follow(games[-1], [kinds[stream.below(len(kinds))]])[1:]
        found = bottom_decked(games)
        assert set(found) == naive_bottom_decked(games)
        some += len(found)
    assert some > 60


def test_real_games_tell_what_was_bottom_decked(capsys: pytest.CaptureFixture[str]) -> None:
    record = read(GAMES / "1892115.json")
    assert isinstance(record, GameRecord)
    [buried] = bottom_decked(replay(record))
    assert (buried.card.rank, buried.place, buried.move) == (5, 3, 0)
    assert main(["review", str(GAMES / "1892115.json")]) == 0
    assert "bottom deck r5 (third from the bottom, from the deal)" in capsys.readouterr().out
