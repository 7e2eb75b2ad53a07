"""`hanabi people`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.people.player import People
from hanabi.players import parse_player

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a file of short games of people with bots, one of them without any action."""
    with gzip.open(DATA / "hanabi_data" / "people.jsonl.gz", "rt", encoding="utf-8") as lines:
        some = [json.loads(next(lines)) for _ in range(5)]
    for game in some:
        game["actions"] = game["actions"][:6]
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(game) + "\n" for game in some), "utf-8")
    return path


def test_weights_are_fitted_and_checked(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "us.json"
    asked = ["people", "fit", str(games), "-o", str(out), "--only", "You", "--about", "a test"]
    assert main([*asked, "--workers", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    kept = People(weights=str(out)).model.fitted
    assert kept["about"] == "a test"
    assert kept["sources"] == ["games.jsonl"]
    assert kept["games"] == said["games"] == 5
    assert 0 < kept["decisions"] < 30
    assert {"logit", "3 networks of 32"} == {each["model"] for each in kept["models"]}

    names = [f"people:weights={out}", "hgroup:level=1", "rule-based"]
    asked = [
        "people",
        "check",
        str(games),
        *(word for name in names for word in ("--player", name)),
    ]
    assert main([*asked, "--workers", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["player"] for each in told["players"]] == names
    ours, ranks, choice = (each["rows"][0] for each in told["players"])
    assert ours["loss"][0] > 0
    assert ranks["loss"] is choice["three"] is None
    assert main([*asked, "--workers", "1"]) == 0
    assert "first choice" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fit", "GAMES"], "name a file, as in -o us.json"),
        (["fit", "GAMES", "-o", "us.csv"], "'us.csv'"),
        (["fit", "GAMES", "-o", "us.json", "--player", "people"], "takes no --player"),
        (["check", "GAMES", "-o", "us.json"], "takes neither"),
        (["check", "GAMES", "--player", "peeple"], "'peeple'"),
        (["check", "GAMES", "--only", "Nobody Here"], "games.jsonl:1: no Nobody Here acts"),
        (["look", "GAMES"], "'look': say fit or check"),
        (["check"], "say fit or check, and then name games"),
        (["check", "no-such-file.json"], "no-such-file.json"),
    ],
)
def test_what_is_wrong_is_said(
    games: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    words = [str(games) if word == "GAMES" else word for word in words]
    assert main(["people", *words, "--workers", "1"]) == 2
    assert message in capsys.readouterr().err


def test_a_broken_game_is_quoted(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with games.open("a", encoding="utf-8") as stream:
        stream.write('{"players": ["Ann"], "deck": 7}\n')
    assert main(["people", "check", str(games), "--workers", "1"]) == 2
    assert "games.jsonl:6" in capsys.readouterr().err


def test_the_default_weights_say_what_they_were_fitted_to() -> None:
    player = parse_player("people")
    assert isinstance(player, People)
    assert player.model.fitted["decisions"] > 0
