"""`hanabi people`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.people import fit as fitting
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
    games: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fitting, "_STEPS", 20)
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
        (["manner", "GAMES", "--player", "people"], "people manner takes no --player"),
        (["check", "GAMES", "-o", "us.json"], "takes neither"),
        (["check", "GAMES", "--player", "peeple"], "'peeple'"),
        (["check", "GAMES", "--only", "Nobody Here"], "there are no games"),
        (["look", "GAMES"], "'look': say fit, check or manner"),
        (["check"], "say fit, check or manner, and then name games"),
        (["check", "no-such-file.json"], "no-such-file.json"),
    ],
)
def test_what_is_wrong_is_said(
    games: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    words = [str(games) if word == "GAMES" else word for word in words]
    assert main(["people", *words, "--workers", "1"]) == 2
    assert message in capsys.readouterr().err


def test_the_manner_of_each_source_and_number_of_players_is_a_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two, three = tmp_path / "two.jsonl", tmp_path / "three.jsonl"
    for path, seats in ((two, 2), (three, 3)):
        words = ["simulate", "piers", "--players", str(seats), "-n", "3", "--seed", "1"]
        assert main([*words, "--games-out", str(path)]) == 0
    both = tmp_path / "both.jsonl"
    one = '{"seed": "p3v0s5", "actions": [{"type": 3, "target": 1, "value": 1}]}\n'
    both.write_text(two.read_text("utf-8") + one, "utf-8")
    capsys.readouterr()
    asked = ["people", "manner", str(both), str(three), "--workers", "1"]
    assert main([*asked, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["players"], row["games"]) for row in rows] == [(2, 3), (3, 1), (3, 3)]
    assert [row["source"] for row in rows] == [str(both)] * 2 + [str(three)]
    assert rows[1]["information_per_play"] is None
    assert rows[1]["communicativeness"] == [1, None]
    told, error = rows[0]["information_per_play"]
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"{told:.3f} ± {error:.3f}" in lines[1]
    assert lines[2].split() == ["both.jsonl", "3", "1", "-", "1.000"]


def test_a_broken_game_is_quoted(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with games.open("a", encoding="utf-8") as stream:
        stream.write('{"players": ["Ann"], "deck": 7}\n')
    assert main(["people", "check", str(games), "--workers", "1"]) == 2
    assert "games.jsonl:6" in capsys.readouterr().err


def test_the_default_weights_say_what_they_were_fitted_to() -> None:
    player = parse_player("people")
    assert isinstance(player, People)
    assert player.model.fitted["decisions"] > 0
